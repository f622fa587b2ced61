/** Means over spans, then repeats, then folds, then cases, then families; every level keeps what it is over. */
import { compareText } from "../../runtime/index.ts";
import { meanOfAll, type Mean } from "./mean.ts";

/** The figure of one run: a mean over spans, as its score has it. */
export interface RunFigure {
  readonly family: string;
  readonly case: string;
  readonly fold: number;
  readonly figure: Mean;
}

/** A mean with what it is over on each level. null where there is nothing on any. */
export interface LevelMean {
  readonly mean: number | null;
  readonly spans: number;
  readonly runs: number;
  /** Of all cases together. */
  readonly folds: number;
  /** Of all families together. */
  readonly cases: number;
  readonly families: number;
}

/**
 * The mean of figures over families of the means over cases of the means over folds of the means over repeats. Every
 * family weighs the same however many cases it has, every case however many of its folds were played, and every fold
 * however often it was. A figure that is null, as one over no spans is, is left out on the lowest level; a fold, a case
 * or a family without any is left out on its own.
 */
export function levelMean(figures: readonly RunFigure[]): LevelMean {
  const there = figures.filter(({ figure }) => figure.mean !== null);
  const families = groupBy(there, ({ family }) => family).map((ofFamily) =>
    groupBy(ofFamily, (one) => one.case).map((ofCase) => groupBy(ofCase, ({ fold }) => String(fold))),
  );
  const cases = families.flat();
  const ofFold = (repeats: readonly RunFigure[]) => meanOfAll(repeats.map(({ figure }) => figure.mean)).mean;
  const ofCase = (folds: (typeof cases)[number]) => meanOfAll(folds.map(ofFold)).mean;
  return {
    mean: meanOfAll(families.map((ofFamily) => meanOfAll(ofFamily.map(ofCase)).mean)).mean,
    spans: there.reduce((sum, { figure }) => sum + figure.n, 0),
    runs: there.length,
    folds: cases.reduce((sum, folds) => sum + folds.length, 0),
    cases: cases.length,
    families: families.length,
  };
}

/** The items by key, groups in the order of their keys. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}
