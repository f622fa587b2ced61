/** Mulberry32: a number from 0 to 1 for a seed and a count, the same each time. */
export function randomAt(seed: number, count: number): number {
  const state = (Math.imul(seed, 0x9e3779b1) + Math.imul(count, 0x6d2b79f5)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
