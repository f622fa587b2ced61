/** A set's figures: the mean scores of each agent at each tier, over the runs that were planned. */
import type { Outcome } from "../records/index.ts";
import type { Tier } from "../runtime/index.ts";
import type { ScoredRun } from "../tracks/index.ts";

/**
 * Ends that say nothing of what the agent can do: the run was broken off from outside. A budget that is spent, a
 * context that overflows and an agent that stops are its own doing, and are scored as they are.
 */
const FAULTS: ReadonlySet<Outcome | "unfinished"> = new Set([
  "blocked",
  "endpoint_fault",
  "engine_fault",
  "cancelled",
  "unfinished",
]);

export interface Means {
  readonly completion: number | null;
  readonly relation: number | null;
}

/** The figures of one agent at one tier by one judge. */
export interface GroupFigures {
  readonly agent: string;
  readonly tier: Tier;
  readonly judge: string;
  readonly planned: number;
  readonly scored: number;
  /** Runs by how they ended, the most frequent first. */
  readonly outcomes: readonly { readonly outcome: Outcome | "unfinished"; readonly runs: number }[];
  /** Every planned run counts; one that was broken off counts 0. Runs that only lack a score are left out of both means. */
  readonly faultsAsFailures: Means;
  /** Over the runs that were not broken off. */
  readonly faultsLeftOut: Means;
  /** Scored items without a verdict. */
  readonly undecided: number;
}

export function isFault(run: Pick<ScoredRun, "outcome">): boolean {
  return FAULTS.has(run.outcome);
}

/** The judge whose score a run has; undefined where it has none. */
export function judgesOf(runs: readonly ScoredRun[]): readonly string[] {
  return [...new Set(runs.flatMap(({ score }) => (score === undefined ? [] : [score.judge])))].sort();
}

/** The figures by agent and tier, in the order in which they first come, from runs that one judge scored. */
export function figuresOf(runs: readonly ScoredRun[], judge: string): readonly GroupFigures[] {
  const groups = new Map<string, ScoredRun[]>();
  for (const run of runs) {
    const key = `${run.tier} ${run.agent}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => figuresOfGroup(group, judge));
}

function figuresOfGroup(group: readonly ScoredRun[], judge: string): GroupFigures {
  const [first] = group as readonly [ScoredRun];
  const whole = group.filter((run) => !isFault(run));
  return {
    agent: first.agent,
    tier: first.tier,
    judge,
    planned: group.length,
    scored: group.filter((run) => run.score !== undefined).length,
    outcomes: countOutcomes(group),
    faultsAsFailures: meansOf(whole, group.length - whole.length),
    faultsLeftOut: meansOf(whole, 0),
    undecided: group.reduce((sum, run) => sum + (run.score?.undecided ?? 0), 0),
  };
}

/** The means over `runs` and as many runs with 0 as there were faults; null where there is nothing to take a mean of. */
function meansOf(runs: readonly ScoredRun[], faults: number): Means {
  const mean = (rateOf: (run: ScoredRun) => number | null | undefined): number | null => {
    const rates = runs.map(rateOf).filter((rate) => rate !== null && rate !== undefined);
    const n = rates.length + faults;
    return n === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / n;
  };
  return { completion: mean((run) => run.score?.completion.rate), relation: mean((run) => run.score?.relation.rate) };
}

function countOutcomes(group: readonly ScoredRun[]): GroupFigures["outcomes"] {
  const counts = new Map<Outcome | "unfinished", number>();
  for (const { outcome } of group) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts]
    .map(([outcome, runs]) => ({ outcome, runs }))
    .sort((a, b) => b.runs - a.runs || (a.outcome < b.outcome ? -1 : 1));
}
