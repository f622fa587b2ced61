import type { Rate } from "../contracts/index.ts";

/** What stands where there is no figure. */
export const NO_FIGURE = "–";

/** `0.93 (28/30)`; `–` where nothing is scored. */
export function sayRate(rate: Rate | undefined): string {
  if (rate === undefined || rate.rate === null) return NO_FIGURE;
  return `${sayNumber(rate.rate)} (${rate.passed}/${rate.scored})`;
}

/** Two digits, cut rather than rounded: 0.997 must not be shown as a 1.00 that it is not. */
export function sayNumber(value: number | null): string {
  if (value === null) return NO_FIGURE;
  const hundredths = Math.floor(value * 100 + 1e-9);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
}
