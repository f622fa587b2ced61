/** Means over spans, then repeats, then folds, then cases; every level keeps what it is over. */
import { compareText } from "../../runtime/index.ts";
import { meanOfAll, type Mean } from "./mean.ts";

/** The figure of one run: a mean over spans, as its score has it. */
export interface RunFigure {
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
  readonly cases: number;
}

/**
 * The mean of figures over cases of the means over folds of the means over repeats. Every case weighs the same however
 * many of its folds were played, and every fold however often it was. A figure that is null, as one over no spans is,
 * is left out on the lowest level; a fold or a case without any is left out on its own.
 */
export function levelMean(figures: readonly RunFigure[]): LevelMean {
  const there = figures.filter(({ figure }) => figure.mean !== null);
  const cases = groupBy(there, (one) => one.case).map((ofCase) => groupBy(ofCase, ({ fold }) => String(fold)));
  const ofFold = (repeats: readonly RunFigure[]) => meanOfAll(repeats.map(({ figure }) => figure.mean)).mean;
  return {
    mean: meanOfAll(cases.map((folds) => meanOfAll(folds.map(ofFold)).mean)).mean,
    spans: there.reduce((sum, { figure }) => sum + figure.n, 0),
    runs: there.length,
    folds: cases.reduce((sum, folds) => sum + folds.length, 0),
    cases: cases.length,
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
