/** A set: every case in every tier by every agent, so many times over. */
import type { Case } from "../../cases/index.ts";
import {
  runIdOf,
  type CostOf,
  type Outcome,
  type RecordErrorCode,
  type RunId,
  type Spending,
} from "../../records/index.ts";
import type { Json, Tier } from "../../runtime/index.ts";
import type { Agent } from "../agent.ts";
import type { Clock } from "./clock.ts";
import type { RunOptions, RunPlan } from "./run.ts";
import type { CountedAnswer, SetBudgets } from "./set-meter.ts";
import type { SetStop } from "./set-stop.ts";

/** A tier that an agent does not play. */
export interface RefusedTier {
  readonly agent: string;
  readonly tier: Tier;
  readonly why: string;
}

export interface SetPlan {
  readonly plans: readonly RunPlan[];
  readonly refused: readonly RefusedTier[];
}

/** What a set is made of; `repeats` is how many runs of one kind, from 1. */
export interface SetAxes {
  readonly cases: readonly Case[];
  readonly tiers: readonly Tier[];
  readonly agents: readonly Agent[];
  readonly repeats: number;
}

/** Which run a plan is, in plain values. */
export interface RunName {
  readonly run: RunId;
  readonly case: string;
  readonly tier: Tier;
  readonly agent: string;
  readonly repeat: number;
}

/** A run of a set after it was played, or was left alone. */
export interface PlayedRun extends RunName {
  readonly path: string;
  /** null where the record refused the run; `fault` says why. A run that was not reached is `cancelled`. */
  readonly outcome: Outcome | null;
  readonly detail?: Json;
  /** It was finished before. */
  readonly skipped: boolean;
  /** Why it could not be played, or what broke while it was. */
  readonly fault?: string;
  /** The code of the record's refusal: `locked` where another process plays the run. */
  readonly faultCode?: RecordErrorCode;
  /** The exception behind an `engine_fault`, for whoever mends it. */
  readonly cause?: unknown;
}

export type SetEvent =
  | { readonly kind: "begun"; readonly run: RunName }
  | { readonly kind: "call"; readonly run: RunName; readonly round: number; readonly calls: number }
  | ({
      readonly kind: "answer";
      readonly run: RunName;
      /** Given again from the log: it was paid for before. */
      readonly replayed: boolean;
    } & CountedAnswer)
  | { readonly kind: "notice"; readonly run: RunName; readonly text: string }
  | { readonly kind: "done"; readonly run: PlayedRun };

export interface SetOptions extends Pick<RunOptions, "signal" | "sync"> {
  /** Runs under way at once among those of agents that name no lane of their own. Default 1. */
  readonly concurrency?: number;
  /** Limits of the whole set; a limit of 0 leaves nothing to be done. */
  readonly budgets?: SetBudgets;
  /** What an answer cost. Default: nobody knows. */
  readonly costOf?: CostOf;
  /** For the budget of wall time. Default: the system's. */
  readonly clock?: Clock;
  readonly onEvent?: (event: SetEvent) => void;
  /** Told at once why the set stops; runs under way may still go on to the end of what they wait for. */
  readonly onStop?: (stop: SetStop) => void;
  /** Awaited after each run that was played, before the next of its lane begins. */
  readonly afterRun?: (plan: RunPlan, run: PlayedRun) => Promise<void>;
}

export interface Unanswered {
  readonly requests: number;
  readonly attempts: number;
}

/** What playing a set came to. */
export interface SetResult {
  /** Every planned run, in the order of the plans. */
  readonly runs: readonly PlayedRun[];
  /** Why it stopped before everything was played, where it did. */
  readonly stop?: SetStop;
  /** By this command. */
  readonly spent: Spending;
  /** Requests of this command that brought no answer, and how often they were sent. */
  readonly unanswered: Unanswered;
  /** By earlier commands on this set, where a budget of tokens or cost made that count. */
  readonly before?: Spending;
}

/** Every run of a set, case by case, and the pairs of agent and tier that are left out. */
export function planSet({ cases, tiers, agents, repeats }: SetAxes): SetPlan {
  const refused = agents.flatMap((agent) =>
    tiers.flatMap((tier): readonly RefusedTier[] => {
      const why = agent.refusesTier?.(tier);
      return why === undefined ? [] : [{ agent: agent.name, tier, why }];
    }),
  );
  const plays = (agent: Agent, tier: Tier): boolean =>
    !refused.some((pair) => pair.agent === agent.name && pair.tier === tier);
  const plans = cases.flatMap((case_) =>
    tiers.flatMap((tier) =>
      agents
        .filter((agent) => plays(agent, tier))
        .flatMap((agent) =>
          Array.from({ length: repeats }, (_, i): RunPlan => ({ case: case_, tier, agent, repeat: i + 1 })),
        ),
    ),
  );
  return { plans, refused };
}

/** Throws RecordError `bad_name` where a part of the name could not stand in a path. */
export function nameOfPlan({ case: { id }, tier, agent: { name }, repeat }: RunPlan): RunName {
  const run = runIdOf({ track: "maintenance", case: id, tier, agent: { name }, repeat });
  return { run, case: id, tier, agent: name, repeat };
}
