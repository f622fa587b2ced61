/** Budgets of calls and steps: the published formula, what is used, what is left, what is spent. */
import { toolError, type ToolError } from "./errors.ts";

/** What one round allows. */
export interface RoundBudget {
  /** Steps submitted, refused ones counted. */
  readonly steps: number;
  /** Tool calls of any kind, constructions and refused calls counted. */
  readonly calls: number;
}

export interface Budgets {
  /** Round by round from 1. */
  readonly rounds: readonly RoundBudget[];
  /** Tool calls of the whole run. Every call counts here, those that are free in a round too. */
  readonly runCalls: number;
}

/** What a reference solution takes in a round: its steps, and all its calls (constructions, steps, the end of the round). */
export interface ReferenceCounts {
  readonly steps: number;
  readonly calls: number;
}

export const BUDGET_FORMULA = {
  stepsFactor: 4,
  stepsExtra: 10,
  callsFactor: 12,
  callsExtra: 40,
  /** The run's calls as a multiple of its rounds' calls. It only ends a run that goes on asking when nothing is left to do. */
  runFactor: 2,
} as const;

/** steps = 4 × reference + 10, calls = 12 × reference + 40, run = 2 × all rounds' calls. */
export function budgetsFrom(reference: readonly ReferenceCounts[]): Budgets {
  const f = BUDGET_FORMULA;
  const rounds = reference.map(({ steps, calls }) => ({
    steps: f.stepsFactor * steps + f.stepsExtra,
    calls: f.callsFactor * calls + f.callsExtra,
  }));
  return { rounds, runCalls: f.runFactor * sumOfCalls(rounds) };
}

/** What has been used so far: in the present round, and in the run. */
export interface Used {
  readonly steps: number;
  readonly calls: number;
  readonly runCalls: number;
}

export const NOTHING_USED: Used = { steps: 0, calls: 0, runCalls: 0 };

/** What the present round and the run so far allow. */
export interface Allowance extends RoundBudget {
  readonly runCalls: number;
}

/**
 * What round `round` (from 1) allows. The run's calls are granted as rounds open, so that neither the figure nor
 * the moment at which it is spent tells anything about rounds that are still to come.
 */
export function allowanceOf(budgets: Budgets, round: number): Allowance {
  const present = budgets.rounds[round - 1];
  if (present === undefined) throw new Error(`allowanceOf: no budget for round ${round}`);
  const granted = BUDGET_FORMULA.runFactor * sumOfCalls(budgets.rounds.slice(0, round));
  return { steps: present.steps, calls: present.calls, runCalls: Math.min(budgets.runCalls, granted) };
}

/** Which budget of the round is spent, with its setting and what was used. */
export function spentInRound(allowance: Allowance, used: Used): Limit | undefined {
  if (used.steps >= allowance.steps) return { which: "round_steps", setting: allowance.steps, measured: used.steps };
  if (used.calls >= allowance.calls) return { which: "round_calls", setting: allowance.calls, measured: used.calls };
  return undefined;
}

/** A budget that is spent. */
export interface Limit {
  readonly which: "round_steps" | "round_calls" | "run_calls";
  readonly setting: number;
  readonly measured: number;
}

export function spentInRun(allowance: Allowance, used: Used): Limit | undefined {
  if (used.runCalls < allowance.runCalls) return undefined;
  return { which: "run_calls", setting: allowance.runCalls, measured: used.runCalls };
}

/** What is used once a call is made. Calls in a round whose budget is spent count for the run alone. */
export function countCall(allowance: Allowance, used: Used): Used {
  const free = spentInRound(allowance, used) !== undefined;
  return { ...used, calls: used.calls + (free ? 0 : 1), runCalls: used.runCalls + 1 };
}

/** The answer to a call that the round's budget no longer covers. */
export function roundSpentError(limit: Limit, round: number): ToolError {
  const what = limit.which === "round_steps" ? "steps" : "calls";
  return toolError(
    "round_budget_spent",
    `round ${round} allows ${limit.setting} ${what}, and ${limit.measured} are used`,
    { hint: "call end_round; until then only help, get_context and end_round answer" },
  );
}

/** The answer to every call once the run's budget is spent. */
export function runSpentError(limit: Limit): ToolError {
  return toolError(
    "run_budget_spent",
    `the run allowed ${limit.setting} calls up to here, and ${limit.measured} are used: it is over`,
  );
}

function sumOfCalls(rounds: readonly RoundBudget[]): number {
  return rounds.reduce((sum, { calls }) => sum + calls, 0);
}

/** A budget as it is told. */
export function budgetOf(
  allowed: number,
  used: number,
): { readonly allowed: number; readonly used: number; readonly left: number } {
  return { allowed, used, left: Math.max(0, allowed - used) };
}
