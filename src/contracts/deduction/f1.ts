/** Two-sided F1 over fields: an invented change costs precision, a missed one recall. */
import { sameJson, type Changes } from "../../runtime/index.ts";

/** How two sets of changes agree. `matched` of them have the same path and the same value. */
export interface Matches {
  readonly matched: number;
  readonly predicted: number;
  readonly truth: number;
}

/**
 * Compares what was predicted with what is true. Values are equal by canonical JSON: both sides are rounded to the
 * digits of their field before they come here, so that 25.0 is 25 and the order of keys never shows.
 */
export function matchChanges(predicted: Changes, truth: Changes): Matches {
  const paths = Object.keys(predicted);
  const matched = paths.filter((path) => Object.hasOwn(truth, path) && sameJson(predicted[path], truth[path]));
  return { matched: matched.length, predicted: paths.length, truth: Object.keys(truth).length };
}

/** matched / predicted; null where nothing was predicted. */
export function precisionOf({ matched, predicted }: Matches): number | null {
  return predicted === 0 ? null : matched / predicted;
}

/** matched / truth; null where nothing is true. */
export function recallOf({ matched, truth }: Matches): number | null {
  return truth === 0 ? null : matched / truth;
}

/**
 * 2·matched / (predicted + truth); null where truth is empty. Such a span is quiet and never averaged with the others,
 * whatever was predicted: what is averaged depends on truth alone.
 */
export function f1Of({ matched, predicted, truth }: Matches): number | null {
  return truth === 0 ? null : (2 * matched) / (predicted + truth);
}
