/** Intervals of shares. 95 % throughout. */

/** The 97.5th percentile of the standard normal distribution. */
const Z = 1.959963984540054;

/** A share of `n`, with its interval; all null where n is 0. */
export interface Share {
  readonly count: number;
  readonly n: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * A share with Wilson's score interval (E. B. Wilson, "Probable inference", JASA 22, 1927): it stays within 0 and 1 and
 * does not collapse where everything or nothing was counted.
 */
export function shareOf(count: number, n: number): Share {
  if (n === 0) return { count, n, rate: null, low: null, high: null };
  const rate = count / n;
  const spread = 1 + Z ** 2 / n;
  const middle = (rate + Z ** 2 / (2 * n)) / spread;
  const half = (Z / spread) * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2));
  // At the ends the exact limits are 0 and 1; rounding must not take them past or short of that.
  const low = count === 0 ? 0 : Math.max(0, middle - half);
  const high = count === n ? 1 : Math.min(1, middle + half);
  return { count, n, rate, low, high };
}
