/** Draws that follow from a text alone: SHA-256 in counter mode. Whoever verifies a case again draws the same. */
import { sha256 } from "../../../runtime/index.ts";

/** A whole number from 0 to below `count`, each time another. */
export type Draw = (count: number) => number;

/** Hexadecimal digits of one draw: 2^32 values, far more than there is to choose from. */
const DIGITS = 8;

/** The draws of `seed`. The function keeps how many it has made. */
export function drawsOf(seed: string): Draw {
  let [block, at, digits] = [0, 0, ""];
  return (count) => {
    if (at >= digits.length) {
      digits = sha256(`${seed}/${block}`);
      block += 1;
      at = 0;
    }
    const drawn = Number.parseInt(digits.slice(at, at + DIGITS), 16);
    at += DIGITS;
    return drawn % count;
  };
}
