/** The deduction track: every case under every condition, in every mode and fold, by every agent, so many times over. */
import type { DeductionCase } from "../../cases/index.ts";
import type { RunId, RunKey } from "../../records/index.ts";
import type { Condition, Mode } from "../../runtime/index.ts";
import type { Agent, RunKind } from "../agent.ts";
import { repeatsOf, type Refusal, type SetPlan } from "../play/set-plan.ts";

export interface DeductionPlan {
  readonly track: "deduction";
  readonly case: DeductionCase;
  readonly condition: Condition;
  readonly mode: Mode;
  /** From 1. */
  readonly fold: number;
  readonly agent: Agent;
  /** From 1. */
  readonly repeat: number;
}

/** Which run a plan is, in plain values. */
export interface DeductionName {
  readonly track: "deduction";
  readonly run: RunId;
  readonly case: string;
  readonly condition: Condition;
  readonly mode: Mode;
  readonly fold: number;
  readonly agent: string;
  readonly repeat: number;
}

/** What a set of this track is made of; `repeats` is how many runs of one kind, from 1. */
export interface DeductionAxes {
  readonly track: "deduction";
  readonly cases: readonly DeductionCase[];
  readonly conditions: readonly Condition[];
  readonly modes: readonly Mode[];
  readonly folds: readonly number[];
  readonly agents: readonly Agent[];
  readonly repeats: number;
}

export function deductionNameOf(run: RunId, key: Extract<RunKey, { track: "deduction" }>): DeductionName {
  const { track, condition, mode, fold, agent, repeat } = key;
  return { track, run, case: key.case, condition, mode, fold, agent: agent.name, repeat };
}

/** Every run of a set, case by case, and what of it agents do not play. */
export function planDeduction(axes: DeductionAxes): SetPlan<DeductionPlan> {
  const { track, cases, conditions, modes, folds, agents, repeats } = axes;
  const kinds = conditions.flatMap((condition) => modes.map((mode) => ({ track, condition, mode }) as const));
  const plans = cases.flatMap((case_) =>
    kinds.flatMap((kind) =>
      folds.flatMap((fold) =>
        agents
          .filter((agent) => agent.refuses?.(kind) === undefined)
          .flatMap((agent) =>
            repeatsOf(repeats).map((repeat): DeductionPlan => ({ ...kind, case: case_, fold, agent, repeat })),
          ),
      ),
    ),
  );
  return { plans, refused: agents.flatMap((agent) => refusalsOf(agent, kinds)) };
}

/** Who plays nothing of the track for one reason is named once. */
function refusalsOf(agent: Agent, kinds: readonly Extract<RunKind, { track: "deduction" }>[]): readonly Refusal[] {
  const refused = kinds.flatMap((kind) => {
    const why = agent.refuses?.(kind);
    return why === undefined ? [] : [{ agent: agent.name, what: `${kind.condition} ${kind.mode}`, why }];
  });
  const [first] = refused;
  const wholly = refused.length === kinds.length && new Set(refused.map(({ why }) => why)).size === 1;
  return first !== undefined && wholly ? [{ ...first, what: "deduction" }] : refused;
}
