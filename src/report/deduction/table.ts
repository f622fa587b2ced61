/** The scores of runs of deduction as people read them in a terminal. Every mean stands beside what it is over. */
import {
  aggregateDeduction,
  aggregateDeductionCases,
  BASELINE_NAMES,
  type BaselineName,
  type DeductionGroup,
  type DeductionScore,
  type LevelMean,
  type Mean,
  type PlannedRun,
  type ReadingKind,
  type ScoredDeduction,
} from "../../contracts/index.ts";
import { compareText, CONDITIONS, MODES, type Mode } from "../../runtime/index.ts";
import type { ScoredDeductionRun } from "../../tracks/index.ts";
import { DIGITS, faultLines, OVER_ALL, strataLines } from "./strata.ts";
import { sayLevel, sayMean } from "../means.ts";
import { escapeText } from "../escape.ts";
import { NO_FIGURE, sayNumber } from "../rates.ts";
import { tableLines, type Column } from "../table.ts";

/** Most runs that are listed one by one. */
const FEW = 24;

/** The readings a mode's tables print, as they are headed. */
export const SHOWN: Readonly<Record<Mode, readonly (readonly [ReadingKind, string])[]>> = {
  M1: [["segment", "segment"]],
  M2: [
    ["interval", "interval"],
    ["lookahead", "lookahead"],
    ["counterfactual", "counterf."],
  ],
};

/**
 * Everything a set of deduction runs came to: the runs where they are few; by mode, families by condition with the
 * baselines beside each agent, and so the cases where the set holds several; then strata, decay and, where they differ,
 * both conventions about faults.
 */
export function deductionLines(runs: readonly ScoredDeductionRun[]): readonly string[] {
  if (runs.length === 0) return [];
  const groups = deductionGroups(runs);
  const ofCases = new Set(runs.map((run) => run.case)).size > 1 ? deductionCaseGroups(runs) : [];
  const scored = runs.filter(({ score }) => score?.excluded === false).length;
  const sections = [
    [`Deduction: ${scored} scored of ${runs.length} planned. Truth is the rollout of the rules; nobody judges.`],
    ...(runs.length <= FEW ? MODES.map((mode) => runLines(runs.filter((run) => run.mode === mode))) : []),
    ...MODES.flatMap((mode) =>
      [groups, ofCases].map((some) => groupLines(some.filter((group) => group.mode === mode && scored > 0))),
    ),
    strataLines(groups),
    faultLines(groups),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]))
    .map(escapeText);
}

/** The figures of runs by agent, condition, mode and family. */
export function deductionGroups(runs: readonly ScoredDeductionRun[]): readonly DeductionGroup[] {
  return [...aggregateDeduction(runs.map(plannedOf))].sort(compareGroups);
}

/** The figures of runs by agent, condition, mode and case. */
export function deductionCaseGroups(runs: readonly ScoredDeductionRun[]): readonly DeductionGroup[] {
  return [...aggregateDeductionCases(runs.map(plannedOf))].sort(compareGroups);
}

/** By mode, family (all of them last), case and condition; agents by name, the baselines after all others. */
function compareGroups(a: DeductionGroup, b: DeductionGroup): number {
  return (
    MODES.indexOf(a.mode) - MODES.indexOf(b.mode) ||
    Number(a.family === null) - Number(b.family === null) ||
    compareText(a.family ?? "", b.family ?? "") ||
    compareText(a.case ?? "", b.case ?? "") ||
    CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition) ||
    rankOf(a.agent) - rankOf(b.agent) ||
    compareText(a.agent, b.agent)
  );
}

function rankOf(agent: string): number {
  return (BASELINE_NAMES as readonly string[]).indexOf(agent);
}

/** One run in a line: what the audit says of it. */
export function deductionLine(score: DeductionScore): string {
  if (score.excluded) return `excluded: ${score.reason}`;
  const readings = SHOWN[score.mode].map(([kind]) => `${kind} F1 ${sayMean(f1Of(score, kind))}`);
  const goal = score.goal === null ? [] : [`goal ${score.goal ? "reached" : "missed"}`];
  return [...readings, ...goal].join(", ");
}

function plannedOf(run: ScoredDeductionRun): PlannedRun {
  const { family, condition, mode, fold, agent, outcome, score } = run;
  return {
    case: run.case,
    family,
    condition,
    mode,
    fold,
    agent,
    outcome: outcome === "unfinished" ? null : outcome,
    score: score ?? null,
  };
}

function f1Of(score: ScoredDeduction, kind: ReadingKind): Mean {
  return score.readings[kind]?.f1 ?? { mean: null, n: 0 };
}

/** The score of a run, where it has figures. */
function figuresOf({ score }: ScoredDeductionRun): ScoredDeduction | undefined {
  return score?.excluded === false ? score : undefined;
}

const REPEAT: Column<ScoredDeductionRun> = { head: "run", align: "right", cell: ({ repeat }) => String(repeat) };
const OUTCOME: Column<ScoredDeductionRun> = { head: "outcome", cell: ({ outcome }) => outcome };

function runLines(runs: readonly ScoredDeductionRun[]): readonly string[] {
  const [first] = runs;
  if (first === undefined) return [];
  const isPlain = runs.every(({ outcome }) => outcome === "finished");
  const isOnce = runs.every(({ repeat }) => repeat === 1);
  const figure = (say: (score: ScoredDeduction) => string) => (run: ScoredDeductionRun) => {
    const score = figuresOf(run);
    return score === undefined ? NO_FIGURE : say(score);
  };
  const columns: readonly Column<ScoredDeductionRun>[] = [
    { head: "case", cell: (run) => run.case },
    { head: "told", cell: ({ condition }) => condition },
    { head: "fold", align: "right", cell: ({ fold }) => String(fold) },
    { head: "agent", cell: ({ agent }) => agent },
    ...(isOnce ? [] : [REPEAT]),
    ...(isPlain ? [] : [OUTCOME]),
    ...SHOWN[first.mode].map(([kind, head]): Column<ScoredDeductionRun> => ({
      head,
      align: "right",
      cell: figure((score) => sayMean(f1Of(score, kind))),
    })),
    { head: "quiet", align: "right", cell: figure((score) => sayQuiet(score)) },
    { head: "fires P/R", align: "right", cell: figure(({ fires }) => sayFires(fires.precision, fires.recall)) },
    ...(first.mode === "M1"
      ? []
      : ([
          { head: "goal", cell: figure(({ goal }) => sayGoal(goal)) },
          { head: "waits", align: "right", cell: figure(({ waits }) => `${waits.waits}/${waits.decisions}`) },
        ] as const)),
  ];
  return [`${first.mode} by run: F1 over spans ${DIGITS}`, ...tableLines(columns, runs)];
}

/** Quiet spans of the reading the mode is about. */
function sayQuiet(score: ScoredDeduction): string {
  const quiet = score.readings[SHOWN[score.mode][0]?.[0] ?? "segment"]?.quiet;
  return quiet === undefined ? NO_FIGURE : sayMean({ mean: quiet.rate, n: quiet.n });
}

function sayFires(precision: { readonly mean: number | null }, recall: { readonly mean: number | null }): string {
  return `${sayNumber(precision.mean)}/${sayNumber(recall.mean)}`;
}

function sayGoal(goal: boolean | null): string {
  return goal === null ? NO_FIGURE : goal ? "yes" : "no";
}

/** A row of the table of groups: an agent's own figures, or those of a baseline along its trajectories. */
interface GroupRow {
  readonly group: DeductionGroup;
  readonly baseline?: BaselineName;
}

function groupLines(groups: readonly DeductionGroup[]): readonly string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const { mode } = first;
  const rows = groups.flatMap((group) => [
    { group },
    ...baselinesBeside(group, groups).map((baseline): GroupRow => ({ group, baseline })),
  ]);
  const own = (say: (group: DeductionGroup) => string) => (row: GroupRow) =>
    row.baseline === undefined ? say(row.group) : "";
  const columns: readonly Column<GroupRow>[] = [
    first.case === null
      ? { head: "family", cell: ({ group }) => group.family ?? "all" }
      : { head: "case", cell: ({ group }) => group.case ?? "all" },
    { head: "told", cell: ({ group }) => group.condition },
    { head: "agent", cell: ({ group, baseline }) => (baseline === undefined ? group.agent : `· ${baseline}`) },
    { head: "scored", align: "right", cell: own(({ scored, planned }) => `${scored}/${planned}`) },
    ...SHOWN[mode].map(([kind, head]): Column<GroupRow> => ({
      head,
      align: "right",
      cell: (row) => sayLevel(f1OfRow(row, kind)),
    })),
    { head: "quiet", align: "right", cell: (row) => sayLevel(meansOf(row, SHOWN[mode][0]?.[0] ?? "segment")?.quiet) },
    { head: "fires P/R", align: "right", cell: (row) => sayFires(firesOf(row).precision, firesOf(row).recall) },
    ...(mode === "M1"
      ? []
      : ([
          { head: "goal", align: "right", cell: own(({ goal }) => `${goal.reached}/${goal.n}`) },
          { head: "waits", align: "right", cell: own(({ waits }) => `${waits.waits}/${waits.decisions}`) },
        ] as const)),
  ];
  const legend = rows.some(({ baseline }) => baseline !== undefined)
    ? [`A row with · is what that baseline would have answered where the agent above it stood.`]
    : [];
  const title = first.case === null ? `by family: F1 ${OVER_ALL}` : `by case: F1 over spans, folds ${DIGITS}`;
  return [`${mode} ${title}`, ...legend, ...tableLines(columns, rows)];
}

function meansOf({ group, baseline }: GroupRow, kind: ReadingKind) {
  return baseline === undefined ? group.readings[kind] : group.baselines[baseline].readings[kind];
}

function f1OfRow({ group, baseline }: GroupRow, kind: ReadingKind): LevelMean | undefined {
  return baseline === undefined ? group.readings[kind]?.f1.leftOut : group.baselines[baseline].readings[kind]?.f1;
}

function firesOf({ group, baseline }: GroupRow): DeductionGroup["fires"] {
  return baseline === undefined ? group.fires : group.baselines[baseline].fires;
}

/**
 * The baselines whose rows stand under an agent's. A baseline that waited has nothing beside it that the rows of the
 * others do not say. Where nobody acts there is one trajectory, and those that played themselves have rows already.
 */
function baselinesBeside(group: DeductionGroup, groups: readonly DeductionGroup[]): readonly BaselineName[] {
  if (group.scored === 0) return [];
  const played = new Set(
    groups
      .filter((one) => one.family === group.family && one.case === group.case)
      .filter((one) => one.condition === group.condition && one.scored >= group.scored)
      .map(({ agent }) => agent),
  );
  if (group.mode === "M1") return BASELINE_NAMES.filter((name) => !played.has(name));
  const isBaseline = (BASELINE_NAMES as readonly string[]).includes(group.agent);
  return isBaseline ? BASELINE_NAMES.filter((name) => !played.has(name)) : BASELINE_NAMES;
}
