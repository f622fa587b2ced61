/** What calibration found, as people read it in a terminal. */
import type {
  Agreement,
  Disagreement,
  EditFigures,
  EditsJudged,
  JudgedKind,
  KindAgreement,
  SaidOf,
  SetAgreement,
  Share,
} from "../judges/index.ts";
import { escapeText } from "./escape.ts";
import { NO_FIGURE, sayNumber } from "./rates.ts";
import { tableLines, type Column } from "./table.ts";

type Named<T> = T & { readonly name: string };

const AGREEMENT_COLUMNS: readonly Column<Named<KindAgreement>>[] = [
  { head: "items", cell: ({ name }) => name },
  { head: "compared", align: "right", cell: ({ agreement }) => String(agreement.decided) },
  { head: "undecided", align: "right", cell: ({ agreement }) => String(agreement.undecided) },
  { head: "accuracy", cell: ({ agreement }) => sayShare(agreement.accuracy) },
  { head: "precision", cell: ({ agreement }) => sayShare(agreement.precision) },
  { head: "recall", cell: ({ agreement }) => sayShare(agreement.recall) },
  { head: "kappa", cell: ({ agreement }) => sayKappa(agreement.kappa) },
  { head: "self-agreement", cell: ({ selfAgreement }) => sayShare(selfAgreement) },
];

/** The figures by kind of item, then every disagreement with the evidence of both. `most` disagreements are listed. */
export function agreementLines(found: SetAgreement, most = Number.POSITIVE_INFINITY): readonly string[] {
  if (found.runs.length === 0) return ["No run has judgments of both judges."];
  const { disagreements } = found;
  const undecided = disagreements.filter(({ model }) => model.status === "undecided").length;
  const listed = disagreements.slice(0, most);
  const more = disagreements.length - listed.length;
  return [
    `Judge model (${found.judges.join(", ")}) against the exact judge, over ${countOf(found.runs.length, "run")}.`,
    "The exact judge is taken for the truth, pass for the positive class; intervals are of 95 %.",
    "",
    ...tableLines(AGREEMENT_COLUMNS, byName(found)),
    "",
    disagreements.length === 0
      ? "They disagree on no item."
      : `They disagree on ${countOf(disagreements.length - undecided, "item")}${undecided === 0 ? "" : `, and the model is undecided on ${undecided} more`}:`,
    ...listed.flatMap(disagreementLines),
    ...(more > 0 ? [`and ${more} more; --json lists them all`] : []),
  ].map(escapeText);
}

/** One line of agreement for below a table of scores. */
export function agreementSummary({ all, runs }: SetAgreement): string {
  const { accuracy, kappa, decided, undecided } = all.agreement;
  const left = undecided === 0 ? "" : `, ${undecided} more undecided`;
  return `Agreement with the exact judge, where both apply (${countOf(runs.length, "run")}, ${countOf(decided, "item")}${left}): accuracy ${sayShare(accuracy)}, kappa ${sayKappa(kappa)}. worldagent calibrate says more.`;
}

function byName<T>({
  all,
  byKind,
}: {
  readonly all: T;
  readonly byKind: Readonly<Record<JudgedKind, T>>;
}): readonly Named<T>[] {
  const rows: readonly (readonly [string, T])[] = [
    ["events", byKind.E],
    ["structures", byKind.A],
    ["probes", byKind.P],
    ["all", all],
  ];
  return rows.map(([name, row]) => ({ ...row, name }));
}

function disagreementLines({ run, item, kind, round, says, exact, model }: Disagreement): readonly string[] {
  return [
    `  ${run}, round ${round}, ${kind} ${item}: ${says}`,
    `    exact  ${saySaid(exact)}`,
    `    model  ${saySaid(model)}`,
  ];
}

function saySaid({ status, triggers, constructions, reason }: SaidOf): string {
  const evidence = [...triggers, ...constructions.map((number) => `construction ${number}`)];
  const by = evidence.length === 0 ? "" : ` by ${evidence.join(", ")}`;
  return `${status}${by}: ${reason}`;
}

const EDIT_COLUMNS: readonly Column<Named<EditFigures>>[] = [
  { head: "items", cell: ({ name }) => name },
  { head: "broken ones seen", cell: ({ brokenSeen }) => sayShare(brokenSeen) },
  { head: "satisfied ones seen", cell: ({ satisfiedSeen }) => sayShare(satisfiedSeen) },
  { head: "undecided", align: "right", cell: ({ agreement }) => String(agreement.undecided) },
  { head: "kappa", cell: ({ agreement }) => sayKappa(agreement.kappa) },
  { head: "self-agreement", cell: ({ selfAgreement }) => sayShare(selfAgreement) },
];

/** What the judge saw of known edits of a reference, and what it missed. */
export function editLines(judged: EditsJudged, heading: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const missed = judged.votes.filter(({ seen, truth }) => seen !== truth);
  const undecided = missed.filter(({ seen }) => seen === "undecided").length;
  const more = missed.length - Math.min(missed.length, most);
  return [
    heading,
    "Each item in a play that satisfies it and in one that breaks it; intervals are of 95 %.",
    "",
    ...tableLines(EDIT_COLUMNS, byName(judged)),
    "",
    missed.length === 0
      ? "It missed nothing."
      : `Of ${countOf(judged.votes.length, "vote")} it missed ${missed.length - undecided}${undecided === 0 ? "" : ` and was undecided in ${undecided}`}:`,
    ...missed
      .slice(0, most)
      .map(
        ({ item, kind, round, truth, edit, vote, seen, reason }) =>
          `  round ${round}, ${kind} ${item}, vote ${vote}: ${truth === "pass" ? "satisfied" : "broken"} by "${edit}", and it says ${seen}: ${reason}`,
      ),
    ...(more > 0 ? [`and ${more} more; --json lists them all`] : []),
    ...(judged.unanswered > 0 ? [`${countOf(judged.unanswered, "vote")} without an answer, in no figure.`] : []),
  ].map(escapeText);
}

/** `0.93 (28/30; 0.78 to 0.98)`; `–` where nothing is counted. */
export function sayShare({ count, n, rate, low, high }: Share): string {
  return rate === null ? NO_FIGURE : `${sayNumber(rate)} (${count}/${n}; ${sayNumber(low)} to ${sayUp(high)})`;
}

function sayKappa({ value, low, high }: Agreement["kappa"]): string {
  return value === null ? NO_FIGURE : `${saySigned(value)} (${sayDown(low)} to ${sayUp(high)})`;
}

/** An upper limit, never shown as less than it is. */
function sayUp(value: number | null): string {
  if (value === null) return NO_FIGURE;
  return value < 0 ? saySigned(value) : sayNumber(Math.ceil(value * 100 - 1e-9) / 100);
}

/** A lower limit, never shown as more than it is. */
function sayDown(value: number | null): string {
  return value !== null && value < 0 ? `-${sayUp(-value)}` : sayNumber(value);
}

/** Kappa may lie below 0; it is cut towards 0. */
function saySigned(value: number | null): string {
  return value !== null && value < 0 ? `-${sayNumber(-value)}` : sayNumber(value);
}

function countOf(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
