/** Admission of a deduction case: it proves itself by being played, or is refused with every reason. */
import { FOLDS, type DeductionCase } from "../../../cases/index.ts";
import type { World } from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { checkChoice, type ChoiceFigures } from "./check-choice.ts";
import { checkFolds, type FoldFigures } from "./check-folds.ts";
import { checkGoal, type GoalFigures } from "./check-goal.ts";
import { checkHidden, type HiddenFigures } from "./check-hidden.ts";
import { checkLiveness, type LivenessFigures } from "./check-liveness.ts";
import { checkPlay, type PlayFigures } from "./check-play.ts";
import { checkQuiet, type QuietFigures } from "./check-quiet.ts";
import { checkSizes, type SizeFigures } from "./check-sizes.ts";
import { checkTruth, type TruthFigures } from "./check-truth.ts";
import { checkWords, type WordFigures } from "./check-words.ts";
import { playAll } from "./plays.ts";
import { boundProblems, type DeductionProblem } from "./problem.ts";
import { boundsOf, rulesOf } from "./rules-of.ts";

/** What each check has found; of a case that is not played, or not without fault, only what can be said of it. */
export interface DeductionFigures {
  readonly sizes: SizeFigures;
  readonly play?: PlayFigures;
  readonly liveness?: LivenessFigures;
  readonly folds?: FoldFigures;
  readonly quiet?: QuietFigures;
  readonly choice?: ChoiceFigures;
  readonly goal?: GoalFigures;
  readonly words: WordFigures;
  readonly hidden: HiddenFigures;
  readonly truth?: TruthFigures;
}

export interface DeductionVerification {
  readonly case: string;
  readonly track: "deduction";
  readonly ok: boolean;
  readonly figures: DeductionFigures;
  readonly problems: readonly DeductionProblem[];
}

export interface DeductionVerifyOptions {
  /** Random plays of each fold. */
  readonly randomPlays?: number;
  /** Ticks that the planner may roll in a fold. */
  readonly work?: number;
}

/** Lays a loaded case out for its admission. */
export function benchOf({ id, dynamics, worlds, goal }: DeductionCase): Bench {
  return { id, dynamics, worlds: FOLDS.map((fold) => worlds[fold] as World), goal: goal.holds };
}

/**
 * Verifies a case that was loaded without fault. Deterministic. Yields in few words how far it has come. A case
 * of the wrong size is not played: it may be too large to end. Where rules clash in play or the character is destroyed, what else would be found is a
 * consequence and is not looked for.
 */
export function* verifyDeduction(
  case_: DeductionCase,
  { randomPlays, work }: DeductionVerifyOptions = {},
): Generator<string, DeductionVerification> {
  const bench = benchOf(case_);
  const sizes = checkSizes(bench);
  const words = checkWords(rulesOf(case_), boundsOf(case_));
  const hidden = checkHidden(bench);
  const read = { sizes: sizes.figures, words: words.figures, hidden: hidden.figures };
  if (sizes.problems.length > 0) return conclude(case_, read, { sizes, words, hidden });
  const plays = yield* playAll(bench, randomPlays);
  const play = checkPlay(bench, plays);
  const told = { ...read, play: play.figures };
  const fixed = { sizes, play, words, hidden };
  if (!play.sound) return conclude(case_, told, fixed);
  const { waiting, random, watch } = plays;
  const ones = random.flatMap(([first]) => first ?? []);
  const goal = yield* checkGoal(bench, plays, work);
  const liveness = checkLiveness(bench, [...waiting, ...random.flat(), ...goal.planned], watch.writers);
  const folds = checkFolds(bench, waiting);
  const quiet = checkQuiet(bench, plays);
  const choice = yield* checkChoice(bench, ones);
  const truth = yield* checkTruth(bench, [...waiting, ...ones]);
  const played = { liveness, folds, quiet, choice, goal, truth };
  const figures = Object.fromEntries(Object.entries(played).map(([name, { figures }]) => [name, figures]));
  return conclude(case_, { ...told, ...figures }, { ...fixed, ...played });
}

function conclude(
  { id }: DeductionCase,
  figures: DeductionFigures,
  checked: Readonly<Record<string, { readonly problems: readonly DeductionProblem[] }>>,
): DeductionVerification {
  const problems = Object.values(checked)
    .flatMap(({ problems }) => boundProblems(problems))
    .sort((a, b) => a.check - b.check);
  return { case: id, track: "deduction", ok: problems.length === 0, figures, problems };
}
