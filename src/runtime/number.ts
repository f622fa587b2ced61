import Big from "big.js";

/**
 * `value` with `digits` decimal digits, rounded half away from zero on its shortest decimal spelling
 * (so 1.005 with two digits is 1.01). Never -0.
 */
export function roundTo(value: number, digits: number): number {
  return !Number.isFinite(value) || Number.isInteger(value)
    ? value + 0
    : new Big(value).round(digits, Big.roundHalfUp).toNumber() + 0;
}

/** The exact decimal sum of a value and addends that were rounded before; the order of the addends never shows. */
export function sumExactly(value: number, addends: readonly number[]): number {
  return addends.reduce((sum, addend) => sum.plus(addend), new Big(value)).toNumber() + 0;
}
