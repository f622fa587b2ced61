/** The scores of a set as people read them in a terminal. Every table names its judge, and no table has two. */
import { ITEM_KINDS, type Rate, type Score } from "../contracts/index.ts";
import { TIERS } from "../runtime/index.ts";
import type { ScoredMaintenanceRun } from "../tracks/index.ts";
import { escapeText } from "./escape.ts";
import { figuresOf, figuresOfModel, judgesOf, runsOfJudge, type GroupFigures } from "./figures.ts";
import { NO_FIGURE, sayNumber, sayRate } from "./rates.ts";
import { tableLines, type Column } from "./table.ts";

/** Beside CA: of all causal items, those that hold and but for whose causes the effect would not have been. */
const BUT_FOR: Column<ScoredMaintenanceRun> = {
  head: "CA but-for",
  align: "right",
  cell: ({ score }) => sayCount(score?.grounding?.butFor),
};

const RUN_COLUMNS: readonly Column<ScoredMaintenanceRun>[] = [
  { head: "case", cell: (run) => run.case },
  { head: "tier", cell: (run) => run.tier },
  { head: "agent", cell: (run) => run.agent },
  { head: "run", align: "right", cell: (run) => String(run.repeat) },
  { head: "outcome", cell: (run) => run.outcome },
  { head: "completion", cell: (run) => sayRate(run.score?.completion) },
  { head: "relation", cell: (run) => sayRate(run.score?.relation) },
  ...ITEM_KINDS.flatMap((kind): readonly Column<ScoredMaintenanceRun>[] => [
    { head: kind, align: "right", cell: (run) => countOf(run, kind) },
    ...(kind === "CA" ? [BUT_FOR] : []),
  ]),
  {
    head: "undecided",
    align: "right",
    cell: (run) => (run.score === undefined ? NO_FIGURE : String(run.score.undecided)),
  },
];

function countOf(run: ScoredMaintenanceRun, kind: (typeof ITEM_KINDS)[number]): string {
  return sayCount(run.score?.components[kind]);
}

function sayCount(rate: Rate | undefined): string {
  return rate === undefined || rate.scored === 0 ? NO_FIGURE : `${rate.passed}/${rate.scored}`;
}

/**
 * Runs of maintenance: a table for each judge; runs without a score stand in every one, since they were planned too. Below it, where an
 * agent has several runs at a tier, their means, under both conventions; then, where a model judged, what its word is worth.
 */
export function judgedLines(runs: readonly ScoredMaintenanceRun[]): readonly string[] {
  const judges = judgesOf(runs);
  if (judges.length === 0) return linesOfJudge(runs, undefined);
  return judges.flatMap((judge, i) => {
    return [...(i === 0 ? [] : [""]), ...linesOfJudge(runsOfJudge(runs, judge), judge)];
  });
}

/** The families of our cases are called as those of the published benchmark; nothing else of them is its. */
const NOT_COMPARABLE = "Not comparable with the published benchmark: the cases are our own.";

function linesOfJudge(runs: readonly ScoredMaintenanceRun[], judge: string | undefined): readonly string[] {
  const scored = runs.filter(({ score }) => score !== undefined).length;
  const head =
    judge === undefined
      ? `No run is scored, of ${runs.length} planned.`
      : `Judge: ${judge}. ${scored} scored of ${runs.length} planned.`;
  const groups = judge === undefined ? [] : figuresOf(runs, judge);
  const means = groups.some(({ planned }) => planned > 1)
    ? [
        "",
        `Means by agent and tier. Judge: ${judge}. ${NOT_COMPARABLE}`,
        ...groupLines(groups),
        ...missingLines(scored, runs.length),
      ]
    : [];
  // The judge's name is what a file says.
  return [head, "", ...tableLines(RUN_COLUMNS, runs), ...means, ...modelLines(runs)].map(escapeText);
}

/** Means over a part of a set look like results, and are said to be none yet. */
function missingLines(scored: number, planned: number): readonly string[] {
  const left = planned - scored;
  if (left === 0) return [];
  return [
    `These means are over a part of the set: ${left} of ${planned} runs ${left === 1 ? "has" : "have"} no score.`,
  ];
}

/** What the figures of a model rest on, tier by tier: in extreme no program can confirm a pass, elsewhere it can. */
function modelLines(runs: readonly ScoredMaintenanceRun[]): readonly string[] {
  const tiers = TIERS.filter((tier) => runs.some((run) => run.tier === tier && run.score?.standing !== undefined));
  const lines = tiers.flatMap((tier) => {
    const scores = runs.flatMap((run) => (run.tier === tier && run.score !== undefined ? run.score : []));
    return wordsOnModel(scores).map((line) => (tiers.length > 1 ? `${tier}: ${line}` : line));
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

function wordsOnModel(scores: readonly Score[]): readonly string[] {
  const { standing, flips, judgeFaults = 0 } = figuresOfModel(scores);
  const undecided = scores.reduce((sum, score) => sum + score.undecided, 0);
  const words: string[] = [];
  if (standing !== undefined) {
    const passes = standing.confirmed + standing.word;
    words.push(
      `${standing.word} of ${count(passes, "pass", "passes")} ${standing.word === 1 ? "rests" : "rest"} on the judge's word alone; the audit turned ${standing.refused}.`,
    );
  }
  if (flips !== undefined) {
    const flipped = `${count(flips.E, "event", "events")} and ${count(flips.A, "structure", "structures")}`;
    words.push(`Looking again, the model passed ${flipped} that the exact judge failed.`);
  }
  if (judgeFaults > 0) words.push(`${judgeFaults} of ${undecided} undecided got no answer from the judge's endpoint.`);
  return words;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

const GROUP_COLUMNS: readonly Column<GroupFigures>[] = [
  { head: "tier", cell: ({ tier }) => tier },
  { head: "agent", cell: ({ agent }) => agent },
  { head: "scored", cell: ({ scored, planned }) => `${scored} of ${planned}` },
  {
    head: "faults as failures: completion",
    align: "right",
    cell: (group) => sayNumber(group.faultsAsFailures.completion),
  },
  { head: "relation", align: "right", cell: (group) => sayNumber(group.faultsAsFailures.relation) },
  { head: "faults left out: completion", align: "right", cell: (group) => sayNumber(group.faultsLeftOut.completion) },
  { head: "relation", align: "right", cell: (group) => sayNumber(group.faultsLeftOut.relation) },
  {
    head: "CA, but-for, mediated",
    align: "right",
    cell: ({ causal: { CA, butFor, mediated } }) => [CA, butFor, mediated].map(sayNumber).join(", "),
  },
  { head: "undecided", align: "right", cell: ({ undecided }) => String(undecided) },
  { head: "outcomes", cell: ({ outcomes }) => outcomes.map(({ outcome, runs }) => `${outcome} ${runs}`).join(", ") },
];

function groupLines(groups: readonly GroupFigures[]): readonly string[] {
  return tableLines(GROUP_COLUMNS, groups);
}
