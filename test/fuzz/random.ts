/** The fuzzer's dice: a 32-bit generator (mulberry32), so that a seed plays the same game on every machine. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  /** True once in `times` on average. */
  readonly once: (times: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** One of the makers, by weight. */
  readonly weighed: <T>(makers: readonly (readonly [weight: number, make: () => T])[]) => T;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    weighed: (makers) => {
      let left = next() * makers.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, make] of makers) if ((left -= weight) < 0) return make();
      return (makers.at(-1) as (typeof makers)[number])[1]();
    },
  };
}

/** The seed of game number `game` of a run. */
export function seedOfGame(seed: number, game: number): number {
  return Math.imul(seed ^ Math.imul(game + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
}
