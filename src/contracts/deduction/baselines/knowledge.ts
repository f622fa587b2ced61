/** What a player knows at the beginning of a round, and what a baseline makes of it. */
import type { ActionUse, Changes, Dynamics, Happening, Mode, World } from "../../../runtime/index.ts";
import { QUESTION_KINDS, type QuestionKind } from "../question.ts";

/** A span that is over, as the player saw both ends of it. */
export interface Past {
  readonly from: number;
  readonly to: number;
  readonly action: ActionUse;
  readonly before: World;
  readonly after: World;
}

/** The questions of a round by kind. What is not asked is missing. */
export interface AskedQuestions {
  readonly segment?: true;
  readonly interval?: true;
  readonly lookahead?: true;
  /** What the last action might have been instead. */
  readonly action?: ActionUse;
  /** What might not have happened since the last decision point. */
  readonly happening?: Happening;
}

export interface Knowledge {
  readonly mode: Mode;
  readonly dynamics: Dynamics;
  /** The types with all their fields: whoever runs the rules needs the sealed ones, too, if only at their defaults. */
  readonly types: World["types"];
  /** From 1. */
  readonly round: number;
  readonly from: number;
  readonly to: number;
  /**
   * What is seen, as `observe` gives it: values that are not seen are missing, a place that is not seen, too. In M1
   * what `unsealed` gives of the initial world, in every round. Its capabilities are the actions.
   */
  readonly observed: World;
  /** The spans so far, in their order; empty in M1. */
  readonly history: readonly Past[];
  readonly asked: AskedQuestions;
  /** What is done now; `WAIT` in M1. */
  readonly action: ActionUse;
}

/** What a baseline carries from one round to the next; none of it is seen. */
export interface Memory {
  /** The world at the beginning of the last round, as it was believed to be. */
  readonly belief: World | null;
}

export const NO_MEMORY: Memory = { belief: null };

export type Predictions = Readonly<Partial<Record<QuestionKind, Changes>>>;

export interface Prediction {
  /** An answer to each question that was asked. */
  readonly predictions: Predictions;
  /** Ids of processes, sorted. */
  readonly fires: readonly string[];
  readonly memory: Memory;
}

/** Pure: what it knows is all it answers from. */
export type Predictor = (knowledge: Knowledge, memory: Memory) => Prediction;

/** The same changes for every question that was asked. */
export function answerAll(asked: AskedQuestions, changes: Changes): Predictions {
  return Object.fromEntries(QUESTION_KINDS.filter((kind) => asked[kind] !== undefined).map((kind) => [kind, changes]));
}

/** The processes that everybody is told of, sorted. */
export function toldProcesses({ processes }: Dynamics): readonly string[] {
  return processes
    .filter(({ sealed }) => !sealed)
    .map(({ id }) => id)
    .sort();
}
