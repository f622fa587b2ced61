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
  /** Of each round, in their order: what stands at one place was measured side by side. */
  readonly speeds: readonly number[];
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
    const own = speeds[i] ?? [];
    return { name, perSecond: quantile(own, 0.5), quartiles: middleHalf(own), speeds: own };
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

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

function middleHalf(values: readonly number[]): readonly [number, number] {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

/** One variant beside the first of its group. */
export interface Growth extends Measured {
  /** What a unit costs, in that of the first variant: the median of the ratios of all rounds. */
  readonly ratio: number;
  /** The quartiles around it. */
  readonly ratioSpread: readonly [number, number];
}

/**
 * The measured variants beside the first of them, round by round: what slows the machine down for a while slows both sides
 * of a ratio, and so leaves it alone.
 */
export function growthOf(measured: readonly Measured[]): readonly Growth[] {
  const [first] = measured;
  if (first === undefined) return [];
  return measured.map((one) => {
    const ratios = one.speeds.map((speed, round) => (first.speeds[round] ?? Number.NaN) / speed);
    return { ...one, ratio: quantile(ratios, 0.5), ratioSpread: middleHalf(ratios) };
  });
}
