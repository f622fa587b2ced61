/** What the admission of a deduction case found, as lines: its figures, and a line for each problem. */
import type { DeductionFigures, DeductionProblem, DeductionVerification, SpanShares } from "../../tracks/index.ts";
import { escapeText } from "../escape.ts";
import { tableLines, type Column } from "../table.ts";

export function deductionVerificationLines({
  case: id,
  ok,
  figures,
  problems,
}: DeductionVerification): readonly string[] {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return [
    `${id}: ${ok ? "proves itself" : count}`,
    ...figureLines(figures).map((line) => `  ${line}`),
    ...problems.map((problem) => `  ${sayProblem(problem)}`),
  ].map(escapeText);
}

/** One line: `check 3 process tide: it fires in no fold. Let it come about.` */
export function sayProblem({ check, where, message, hint }: DeductionProblem): string {
  return `check ${check} ${where}: ${message}. ${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}

function figureLines(figures: DeductionFigures): readonly string[] {
  const { sizes, play, liveness, folds, quiet, choice, goal, words, hidden, truth } = figures;
  return [
    `size: ${sizes.entities} entities, ${sizes.fields} fields, ${sizes.processes} processes, ${sizes.entries} schedule entries, ${sizes.actions} actions, ${sizes.ticks} ticks`,
    ...(play === undefined
      ? []
      : [
          `play: ${play.plays} plays of ${play.ticks} ticks together, ${play.faults} faults, at most ${play.mostEntities} entities, ${play.created} created`,
        ]),
    ...(liveness === undefined
      ? []
      : [`liveness: ${liveness.inEveryFold} of ${liveness.processes} processes fire in every fold`]),
    ...(folds === undefined
      ? []
      : [`folds: ${folds.states} different first states, ${folds.rollouts} different rollouts of ${folds.folds}`]),
    ...(quiet === undefined
      ? []
      : tableLines(SPAN_COLUMNS, [
          { name: "M1 segments", ...quiet.segments },
          { name: "M2 intervals, waiting", ...quiet.waiting },
          { name: "M2 intervals, random", ...quiet.random },
        ])),
    ...(choice === undefined
      ? []
      : [
          `choice: at ${choice.rich} of ${choice.points} decision points at least 4 different worlds; ${choice.legal.least} to ${choice.legal.most} actions possible beside wait, ${choice.legal.mean.toFixed(1)} on the mean`,
        ]),
    ...(goal === undefined ? [] : [`goal: ${sayGoal(goal)}`]),
    `words: ${words.numbers} numbers told of ${words.rules} rules`,
    `hidden: ${sayHidden(hidden)}`,
    ...(truth === undefined
      ? []
      : [
          `truth: ${truth.action} questions about actions and ${truth.happening} about happenings made anew, ${truth.telling} with an answer that is not empty`,
        ]),
  ];
}

function sayGoal({ waiting, random, randomOf, planner }: NonNullable<DeductionFigures["goal"]>): string {
  const waits = waiting.length === 0 ? "missed by waiting" : `reached by waiting in folds ${waiting.join(", ")}`;
  const plans = planner.map(({ reaches, width, actions, nearest }) => {
    if (!reaches) return `no (${nearest.toFixed(2)})`;
    return `${actions} actions (${width === 0 ? "from another fold's plan" : `beam of ${width}`})`;
  });
  return `${waits}; by random play ${random.join(", ")} of ${randomOf} a fold; by a planner ${plans.join(", ")}`;
}

function sayHidden({ shown, unseen }: DeductionFigures["hidden"]): string {
  const told = Object.entries(shown).map(([field, [first, ...more]]) => {
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return `${field} shows in ${first ?? ""}${others}`;
  });
  const rest = unseen.length === 0 ? [] : [`nothing seen turns directly on ${unseen.join(", ")}`];
  return [...told, ...rest].join("; ") || "nothing";
}

interface SpanRow extends SpanShares {
  readonly name: string;
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const SPAN_COLUMNS: readonly Column<SpanRow>[] = [
  { head: "spans by changed fields", cell: ({ name }) => name },
  { head: "spans", align: "right", cell: ({ spans }) => String(spans) },
  { head: "quiet", align: "right", cell: ({ quiet }) => percent(quiet) },
  { head: "1-2", align: "right", cell: ({ shares }) => percent(shares["1-2"]) },
  { head: "3-6", align: "right", cell: ({ shares }) => percent(shares["3-6"]) },
  { head: "7-12", align: "right", cell: ({ shares }) => percent(shares["7-12"]) },
  { head: "13+", align: "right", cell: ({ shares }) => percent(shares["13+"]) },
  { head: "mean", align: "right", cell: ({ mean }) => mean.toFixed(1) },
];
