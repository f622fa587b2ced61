/** Times variants against each other: interleaved, so that what disturbs the machine disturbs them all, and often enough to tell the spread. */

export interface Variant {
  readonly name: string;
  /** Does its work once; returns how many units of it that were. */
  readonly run: () => number;
}

export interface Measured {
  readonly name: string;
  /** Units a second: the median of all rounds, and the quartiles around it. */
  readonly perSecond: number;
  readonly quartiles: readonly [number, number];
  readonly rounds: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** A variant is repeated within a round until it took so long: a shorter time is the clock's, not its own. */
  readonly leastMs: number;
}

/** Measures all variants after one round that warms up and is thrown away. */
export function measure(variants: readonly Variant[], { rounds, leastMs }: MeasureOptions): readonly Measured[] {
  const speeds = variants.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    variants.forEach((variant, i) => {
      const speed = speedOf(variant, leastMs);
      if (round > 0) speeds[i]?.push(speed);
    });
  }
  return variants.map(({ name }, i) => {
    const sorted = (speeds[i] ?? []).toSorted((a, b) => a - b);
    return {
      name,
      perSecond: quantile(sorted, 0.5),
      quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)],
      rounds: sorted.length,
    };
  });
}

function speedOf({ run }: Variant, leastMs: number): number {
  const begun = performance.now();
  let units = 0;
  let ms = 0;
  do {
    units += run();
    ms = performance.now() - begun;
  } while (ms < leastMs);
  return (units / ms) * 1_000;
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}
