/** The figures of a set: runs of one agent, condition and mode, by case, by family of cases and over all of them. */
import { canonicalJson, type Condition, type Mode } from "../../runtime/index.ts";
import { BASELINE_NAMES, type BaselineName } from "./baselines/baseline.ts";
import { groupBy, levelMean, type LevelMean, type RunFigure } from "./level-mean.ts";
import { meanOfAll, type Mean } from "./mean.ts";
import { SCORED_VISIBILITIES, SIZES, type Means, type Reading, type ScoredVisibility, type Size } from "./reading.ts";
import { readingsOfMode, type DeductionScore, type ReadingKind, type ScoredDeduction } from "./score.ts";

/** A run that was planned, and what became of it. */
export interface PlannedRun {
  readonly case: string;
  readonly family: string;
  readonly condition: Condition;
  readonly mode: Mode;
  readonly fold: number;
  readonly agent: string;
  /** null where it has not ended. */
  readonly outcome: string | null;
  readonly score: DeductionScore | null;
}

/** A mean in both conventions about runs that a fault of endpoint or engine left without figures. */
export interface BothMeans {
  /** They are left out. */
  readonly leftOut: LevelMean;
  /** Each counts 0; null where there are none, and nothing would differ. */
  readonly asZero: LevelMean | null;
}

export interface GroupMeans {
  readonly f1: LevelMean;
  readonly precision: LevelMean;
  readonly recall: LevelMean;
  readonly quiet: LevelMean;
}

export interface GroupReading extends Omit<GroupMeans, "f1"> {
  readonly f1: BothMeans;
  /** Questions of the runs that have figures. */
  readonly planned: number;
  readonly unanswered: number;
  readonly bySize: Readonly<Record<Size, LevelMean>>;
  readonly byVisibility: Readonly<
    Record<
      ScoredVisibility,
      { readonly matched: number; readonly predicted: number; readonly truth: number; readonly f1: LevelMean }
    >
  >;
  /** F1 round by round: in M1 the decay by segment. */
  readonly byRound: readonly { readonly round: number; readonly f1: LevelMean }[];
}

export interface GroupFires {
  readonly precision: LevelMean;
  readonly recall: LevelMean;
}

export interface DeductionGroup {
  readonly agent: string;
  readonly condition: Condition;
  readonly mode: Mode;
  /** null over all families. */
  readonly family: string | null;
  /** null over all cases of the family, or of all families. */
  readonly case: string | null;
  readonly planned: number;
  /** Runs that have figures. */
  readonly scored: number;
  /** Runs that a fault of endpoint or engine left without figures. */
  readonly faults: number;
  /** How many runs ended how; `unfinished` are those that have not ended. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly readings: Readonly<Partial<Record<ReadingKind, GroupReading>>>;
  readonly fires: GroupFires;
  /** Runs that reached the goal, of those in which there is somebody to reach it. */
  readonly goal: { readonly reached: number; readonly n: number };
  readonly waits: { readonly waits: number; readonly decisions: number };
  /** Along the trajectories of the runs that have figures. */
  readonly baselines: Readonly<
    Record<
      BaselineName,
      { readonly readings: Readonly<Partial<Record<ReadingKind, GroupMeans>>>; readonly fires: GroupFires }
    >
  >;
}

/** Outcomes that say nothing of the agent. A run that ended so and has figures all the same is no fault. */
const FAULTS: ReadonlySet<string> = new Set(["endpoint_fault", "engine_fault"]);

/**
 * The groups of a set in the order of agent, condition, mode and family; where an agent has runs of several families,
 * one over all of them follows. Figures depend on the runs alone, not on their order.
 */
export function aggregateDeduction(runs: readonly PlannedRun[]): readonly DeductionGroup[] {
  return groupBy(runs, ({ agent, condition, mode }) => canonicalJson([agent, condition, mode])).flatMap((ofAgent) => {
    const families = groupBy(ofAgent, ({ family }) => family);
    const groups = families.map((ofFamily) => groupOf(ofFamily, { family: ofFamily[0]?.family ?? null, case: null }));
    return families.length > 1 ? [...groups, groupOf(ofAgent, { family: null, case: null })] : groups;
  });
}

/** The groups of single cases, in the order of agent, condition, mode, family and case. */
export function aggregateDeductionCases(runs: readonly PlannedRun[]): readonly DeductionGroup[] {
  return groupBy(runs, ({ agent, condition, mode, family, case: id }) =>
    canonicalJson([agent, condition, mode, family, id]),
  ).map((ofCase) => {
    const { family, case: id } = ofCase[0] as PlannedRun;
    return groupOf(ofCase, { family, case: id });
  });
}

interface ScoredRun extends PlannedRun {
  readonly score: ScoredDeduction;
}

function groupOf(runs: readonly PlannedRun[], of: Pick<DeductionGroup, "family" | "case">): DeductionGroup {
  const { agent, condition, mode } = runs[0] as PlannedRun;
  const scored = runs.filter(isScored);
  const faults = runs.filter(isFault);
  const goals = scored.flatMap(({ score }) => (score.goal === null ? [] : [score.goal]));
  const byKind = <T>(make: (kind: ReadingKind) => T) =>
    Object.fromEntries(readingsOfMode(mode).map((kind) => [kind, make(kind)])) as Partial<Record<ReadingKind, T>>;
  return {
    agent,
    condition,
    mode,
    ...of,
    planned: runs.length,
    scored: scored.length,
    faults: faults.length,
    outcomes: Object.fromEntries(
      groupBy(runs, outcomeOf).map((same) => [outcomeOf(same[0] as PlannedRun), same.length]),
    ),
    readings: byKind((kind) => readingOfGroup(scored, faults, ({ score }) => score.readings[kind])),
    fires: firesOfGroup(scored, ({ score }) => score.fires),
    goal: { reached: goals.filter(Boolean).length, n: goals.length },
    waits: { waits: sum(scored, ({ score }) => score.waits.waits), decisions: sum(scored, decisionsOf) },
    baselines: Object.fromEntries(
      BASELINE_NAMES.map((name) => [
        name,
        {
          readings: byKind((kind) => meansOfGroup(scored, ({ score }) => score.baselines[name].readings[kind])),
          fires: firesOfGroup(scored, ({ score }) => score.baselines[name].fires),
        },
      ]),
    ) as DeductionGroup["baselines"],
  };
}

function isScored(run: PlannedRun): run is ScoredRun {
  return run.score?.excluded === false;
}

/** A run is excluded, too, where its rules contradict themselves only in the rounds that nobody played. */
function isFault({ score, outcome }: PlannedRun): boolean {
  return score === null ? FAULTS.has(outcome ?? "") : score.excluded;
}

function outcomeOf({ outcome }: PlannedRun): string {
  return outcome ?? "unfinished";
}

function decisionsOf({ score }: ScoredRun): number {
  return score.waits.decisions;
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

const NOTHING: Mean = { mean: null, n: 0 };

function meanOver(runs: readonly ScoredRun[], meanOf: (run: ScoredRun) => Mean | undefined): LevelMean {
  return levelMean(figuresOf(runs, meanOf));
}

function figuresOf(runs: readonly ScoredRun[], meanOf: (run: ScoredRun) => Mean | undefined): readonly RunFigure[] {
  return runs.map((run) => figureOf(run, meanOf(run) ?? NOTHING));
}

function figureOf({ family, case: id, fold }: PlannedRun, figure: Mean): RunFigure {
  return { family, case: id, fold, figure };
}

function bothMeans(
  runs: readonly ScoredRun[],
  faults: readonly PlannedRun[],
  meanOf: (run: ScoredRun) => Mean | undefined,
): BothMeans {
  const figures = figuresOf(runs, meanOf);
  const zeros = faults.map((run) => figureOf(run, { mean: 0, n: 0 }));
  return { leftOut: levelMean(figures), asZero: zeros.length === 0 ? null : levelMean([...figures, ...zeros]) };
}

function meansOfGroup(runs: readonly ScoredRun[], meansOf: (run: ScoredRun) => Means | undefined): GroupMeans {
  const quietOf = (run: ScoredRun): Mean | undefined => {
    const quiet = meansOf(run)?.quiet;
    return quiet && { mean: quiet.rate, n: quiet.n };
  };
  return {
    f1: meanOver(runs, (run) => meansOf(run)?.f1),
    precision: meanOver(runs, (run) => meansOf(run)?.precision),
    recall: meanOver(runs, (run) => meansOf(run)?.recall),
    quiet: meanOver(runs, quietOf),
  };
}

function readingOfGroup(
  runs: readonly ScoredRun[],
  faults: readonly PlannedRun[],
  readingOf: (run: ScoredRun) => Reading | undefined,
): GroupReading {
  const bySize = (size: Size) => meanOver(runs, (run) => readingOf(run)?.bySize[size]);
  const byVisibility = (one: ScoredVisibility) => {
    const total = (key: "matched" | "predicted" | "truth") =>
      sum(runs, (run) => readingOf(run)?.byVisibility[one][key] ?? 0);
    const f1 = meanOver(runs, (run) => readingOf(run)?.byVisibility[one].f1);
    return { matched: total("matched"), predicted: total("predicted"), truth: total("truth"), f1 };
  };
  return {
    ...meansOfGroup(runs, readingOf),
    f1: bothMeans(runs, faults, (run) => readingOf(run)?.f1),
    planned: sum(runs, (run) => readingOf(run)?.planned ?? 0),
    unanswered: sum(runs, (run) => readingOf(run)?.unanswered ?? 0),
    bySize: Object.fromEntries(SIZES.map((size) => [size, bySize(size)])) as GroupReading["bySize"],
    byVisibility: Object.fromEntries(
      SCORED_VISIBILITIES.map((one) => [one, byVisibility(one)]),
    ) as GroupReading["byVisibility"],
    byRound: byRound(runs, readingOf),
  };
}

/** A run of which several questions of a round are asked has one figure in it: their mean. */
function byRound(
  runs: readonly ScoredRun[],
  readingOf: (run: ScoredRun) => Reading | undefined,
): GroupReading["byRound"] {
  const figures = runs.flatMap((run) =>
    groupBy(readingOf(run)?.bySpan ?? [], roundOf).map((spans) => ({
      round: spans[0]?.round ?? 0,
      ...figureOf(run, meanOfAll(spans.map(({ f1 }) => f1))),
    })),
  );
  return groupBy(figures, roundOf)
    .map((ofRound) => ({ round: ofRound[0]?.round ?? 0, f1: levelMean(ofRound) }))
    .filter(({ f1 }) => f1.spans > 0)
    .sort((a, b) => a.round - b.round);
}

function roundOf({ round }: { readonly round: number }): string {
  return String(round);
}

function firesOfGroup(
  runs: readonly ScoredRun[],
  of: (run: ScoredRun) => { precision: Mean; recall: Mean },
): GroupFires {
  return { precision: meanOver(runs, (run) => of(run).precision), recall: meanOver(runs, (run) => of(run).recall) };
}
