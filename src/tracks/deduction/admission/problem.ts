/** Why a deduction case is refused: what is wrong, where, what was seen, and what to do. */

/** The ten checks of the admission of a deduction case, by their numbers. */
export const DEDUCTION_CHECKS = {
  1: "sizes",
  2: "play",
  3: "liveness",
  4: "folds",
  5: "quiet",
  6: "choice",
  7: "goal",
  8: "words",
  9: "hidden",
  10: "truth",
} as const;

export type DeductionCheck = keyof typeof DEDUCTION_CHECKS;

export interface DeductionProblem {
  readonly check: DeductionCheck;
  /** The part of the case it is about: `process tiring`, `fold 3`, `case`. */
  readonly where: string;
  /** What is wrong, with what was seen: one sentence without its full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** What one check has found: its figures, and what is wrong. */
export interface Checked<Figures> {
  readonly figures: Figures;
  readonly problems: readonly DeductionProblem[];
}

/** A check says the same of many places: so many are told one by one, the rest is counted. */
const MOST_TOLD = 12;

/** At most as many problems as one reads; of more the last says how many were left out. */
export function boundProblems(problems: readonly DeductionProblem[]): readonly DeductionProblem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= MOST_TOLD) return problems;
  const more: DeductionProblem = {
    check: first.check,
    where: "case",
    message: `${problems.length - MOST_TOLD} more of this check were found`,
    hint: "mend those above first",
  };
  return [...problems.slice(0, MOST_TOLD), more];
}
