/** Numbers that follow from a text, the same everywhere: for tests that must draw alike in every process. */
import { sha256 } from "../../../src/runtime/digest.ts";

export interface Numbers {
  /** A whole number from 0 up to, and without, `most`. */
  readonly below: (most: number) => number;
  readonly oneOf: <T>(list: readonly T[]) => T;
}

/** The multiplicative generator of Lehmer with the factor of Park and Miller, begun from the SHA-256 of `seed`. */
export function numbersFrom(seed: string): Numbers {
  const modulus = 2_147_483_647;
  let state = 1 + (Number.parseInt(sha256(seed).slice(0, 8), 16) % (modulus - 1));
  const below = (most: number): number => {
    state = (state * 48_271) % modulus;
    return Math.floor((state / modulus) * most);
  };
  return { below, oneOf: <T>(list: readonly T[]) => list[below(list.length)] as T };
}
