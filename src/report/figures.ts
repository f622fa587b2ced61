/** A set's figures: the mean scores of each agent at each tier, over the runs that were planned. */
import type { Rate, Score } from "../contracts/index.ts";
import type { Outcome } from "../records/index.ts";
import type { Tier } from "../runtime/index.ts";
import type { ScoredMaintenanceRun } from "../tracks/index.ts";

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
  /** Shares of the causal items that hold, and that also hold but-for, and mediated; over the runs that have a score. */
  readonly causal: CausalShares;
  /** Scored items without a verdict. */
  readonly undecided: number;
  /** Of these, those to which the judge's endpoint brought no answer. Only where a model judged, as what follows. */
  readonly judgeFaults?: number;
  /** What the passes rest on, and how many of the judge's the audit turned. */
  readonly standing?: StandingSum;
  /** Events and structures that the exact judge failed and a model, looking again, passed. */
  readonly flips?: NonNullable<Score["flips"]>;
}

/** Pooled over all causal items of the runs; null where there are none. */
export interface CausalShares {
  readonly CA: number | null;
  readonly butFor: number | null;
  readonly mediated: number | null;
}

export type StandingSum = Pick<NonNullable<Score["standing"]>, "confirmed" | "word" | "refused">;

export function isFault(run: Pick<ScoredMaintenanceRun, "outcome">): boolean {
  return FAULTS.has(run.outcome);
}

/**
 * A judge as tables name it: `exact`, `model (NAME, settings 1a2b3c4d)`. Figures of one model under other settings (its
 * prompt, its votes) are another judge's.
 */
export function judgeOf({ judge, judgedBy }: Pick<Score, "judge" | "judgedBy">): string {
  if (judgedBy === undefined) return judge;
  return `${judge} (${judgedBy.model ?? "no model named"}, settings ${judgedBy.settings.slice(0, 8)})`;
}

/** The judges that runs are scored by, as tables name them. */
export function judgesOf(runs: readonly ScoredMaintenanceRun[]): readonly string[] {
  return [...new Set(runs.flatMap(({ score }) => (score === undefined ? [] : [judgeOf(score)])))].sort();
}

/** The runs of a judge's table: those it scored, and those without a score, which were planned too. */
export function runsOfJudge(runs: readonly ScoredMaintenanceRun[], judge: string): readonly ScoredMaintenanceRun[] {
  return runs.filter(({ score }) => score === undefined || judgeOf(score) === judge);
}

/** The figures by agent and tier, in the order in which they first come, from runs that one judge scored. */
export function figuresOf(runs: readonly ScoredMaintenanceRun[], judge: string): readonly GroupFigures[] {
  const groups = new Map<string, ScoredMaintenanceRun[]>();
  for (const run of runs) {
    const key = `${run.tier} ${run.agent}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => figuresOfGroup(group, judge));
}

function figuresOfGroup(group: readonly ScoredMaintenanceRun[], judge: string): GroupFigures {
  const [first] = group as readonly [ScoredMaintenanceRun];
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
    causal: causalSharesOf(group.flatMap(({ score }) => score ?? [])),
    undecided: group.reduce((sum, run) => sum + (run.score?.undecided ?? 0), 0),
    ...figuresOfModel(group.flatMap(({ score }) => score ?? [])),
  };
}

/** What is said beside where a model judged; nothing where none did. */
export function figuresOfModel(
  scores: readonly Pick<Score, "judgeFaults" | "standing" | "flips">[],
): Pick<GroupFigures, "judgeFaults" | "standing" | "flips"> {
  const faults = scores.flatMap(({ judgeFaults }) => judgeFaults ?? []);
  const standings = scores.flatMap(({ standing }) => standing ?? []);
  const flips = scores.flatMap((score) => score.flips ?? []);
  return {
    ...(faults.length > 0 && { judgeFaults: sum(faults) }),
    ...(standings.length > 0 && {
      standing: {
        confirmed: sum(standings.map(({ confirmed }) => confirmed)),
        word: sum(standings.map(({ word }) => word)),
        refused: sum(standings.map(({ refused }) => refused)),
      },
    }),
    ...(flips.length > 0 && { flips: { E: sum(flips.map(({ E }) => E)), A: sum(flips.map(({ A }) => A)) } }),
  };
}

function causalSharesOf(scores: readonly Pick<Score, "components" | "grounding">[]): CausalShares {
  const pooled = (rates: readonly (Rate | undefined)[]): number | null => {
    const known = rates.filter((rate) => rate !== undefined);
    const scored = sum(known.map((rate) => rate.scored));
    return scored === 0 ? null : sum(known.map((rate) => rate.passed)) / scored;
  };
  return {
    CA: pooled(scores.map(({ components }) => components.CA)),
    butFor: pooled(scores.map(({ grounding }) => grounding?.butFor)),
    mediated: pooled(scores.map(({ grounding }) => grounding?.mediated)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The means over `runs` and as many runs with 0 as there were faults; null where there is nothing to take a mean of. */
function meansOf(runs: readonly ScoredMaintenanceRun[], faults: number): Means {
  const mean = (rateOf: (run: ScoredMaintenanceRun) => number | null | undefined): number | null => {
    const rates = runs.map(rateOf).filter((rate) => rate !== null && rate !== undefined);
    const n = rates.length + faults;
    return n === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / n;
  };
  return { completion: mean((run) => run.score?.completion.rate), relation: mean((run) => run.score?.relation.rate) };
}

function countOutcomes(group: readonly ScoredMaintenanceRun[]): GroupFigures["outcomes"] {
  const counts = new Map<Outcome | "unfinished", number>();
  for (const { outcome } of group) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts]
    .map(([outcome, runs]) => ({ outcome, runs }))
    .sort((a, b) => b.runs - a.runs || (a.outcome < b.outcome ? -1 : 1));
}
