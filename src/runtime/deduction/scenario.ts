/** One case of deduction as it is played, and what its rounds allow. */
import type { Budgets } from "../budget.ts";
import type { Dynamics } from "../dynamics/dynamics.ts";
import type { CompiledExpression } from "../expression/index.ts";
import type { World } from "../world.ts";

/** `open`: rules are told with every number. `naming`: rules are told by name and in words. */
export const CONDITIONS = ["open", "naming"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** `M1`: segment after segment from the initial state alone. `M2`: act, predict, see what came of it. */
export const MODES = ["M1", "M2"] as const;
export type Mode = (typeof MODES)[number];

export interface DeductionScenario {
  readonly track: "deduction";
  readonly caseId: string;
  readonly condition: Condition;
  readonly mode: Mode;
  /** What one tick of the clock is: minute, hour, day. */
  readonly unit: string;
  /** Who, where, what may be seen, what is at stake; told in both conditions. */
  readonly intro: string;
  /** `holds` is judged in the true world at the last tick. */
  readonly goal: { readonly says: string; readonly holds: CompiledExpression };
  /** The true initial state of the fold; its capabilities are the actions. */
  readonly world: World;
  readonly dynamics: Dynamics;
  readonly budgets: Budgets;
}

/** Ticks that a lookahead looks ahead, past the end of the case if need be. */
export const LOOKAHEAD_TICKS = 48;

export const DEDUCTION_BUDGET = {
  /** Submissions (`commit_step`) of a round, refused ones counted. */
  submissions: 12,
  /** Calls of a round. */
  calls: 60,
  /** Calls of the first round, in which the world is read. */
  firstCalls: 160,
} as const;

/** How many rounds a case plans: its segments (M1), or its decision points at most (M2: fewer where actions last longer). */
export function plannedRounds({ ticks, segment, decision }: Dynamics, mode: Mode): number {
  return Math.ceil(ticks / (mode === "M1" ? segment : decision));
}

/** 12 submissions and 60 calls a round, 160 calls in the first; the run's calls are their sum. */
export function deductionBudgets(rounds: number): Budgets {
  const { submissions, calls, firstCalls } = DEDUCTION_BUDGET;
  const each = Array.from({ length: rounds }, (_, i) => ({
    steps: submissions,
    calls: i === 0 ? firstCalls : calls,
  }));
  return { rounds: each, runCalls: each.reduce((sum, round) => sum + round.calls, 0) };
}
