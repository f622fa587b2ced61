/** Times variants against each other: interleaved, so that what disturbs the machine disturbs them all, and often enough to tell the spread. */

export interface Variant {
  readonly name: string;
  /** Does its work once; returns how many units of it that were. */
  readonly run: () => number | Promise<number>;
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

/** The first round takes so much longer: code is slow until it was compiled, and the more of it there is the longer. */
const WARM_UP = 12;

/** Measures all variants after one round that warms up and is thrown away. */
export async function measure(
  variants: readonly Variant[],
  { rounds, leastMs }: MeasureOptions,
): Promise<readonly Measured[]> {
  const speeds = variants.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, variant] of variants.entries()) {
      const speed = await speedOf(variant, round === 0 ? leastMs * WARM_UP : leastMs);
      if (round > 0) speeds[i]?.push(speed);
    }
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

async function speedOf({ run }: Variant, leastMs: number): Promise<number> {
  const begun = performance.now();
  let units = 0;
  let ms = 0;
  do {
    units += await run();
    ms = performance.now() - begun;
  } while (ms < leastMs);
  return (units / ms) * 1_000;
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

/** One variant beside the first of its group. */
export interface Growth extends Measured {
  /** What a unit costs, in that of the first variant. */
  readonly ratio: number;
  /** By the quartiles of both that are furthest apart. */
  readonly ratioSpread: readonly [number, number];
}

/** The measured variants beside the first of them. */
export function growthOf(measured: readonly Measured[]): readonly Growth[] {
  const [first] = measured;
  if (first === undefined) return [];
  return measured.map((one) => ({
    ...one,
    ratio: first.perSecond / one.perSecond,
    ratioSpread: [first.quartiles[0] / one.quartiles[1], first.quartiles[1] / one.quartiles[0]],
  }));
}
