import type { LevelMean } from "../contracts/index.ts";
import { NO_FIGURE, sayNumber } from "./rates.ts";

/** `0.87 (24)`; `–` where there is nothing to be the mean of. */
export function sayMean({ mean, n }: { readonly mean: number | null; readonly n: number }): string {
  return mean === null ? NO_FIGURE : `${sayNumber(mean)} (${n})`;
}

/** The mean of a group, beside how many spans it is over. */
export function sayLevel(level: LevelMean | undefined): string {
  return level === undefined ? NO_FIGURE : sayMean({ mean: level.mean, n: level.spans });
}
