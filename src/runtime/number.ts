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
  // Whole numbers that stay safe on the way, in whatever order, are summed exactly as they are.
  if (isWhole(value, 1e15) && addends.every((addend) => isWhole(addend, 1e9)))
    return addends.reduce((total, addend) => total + addend, value) + 0;
  return addends.reduce((sum, addend) => sum.plus(addend), new Big(value)).toNumber() + 0;
}

function isWhole(value: number, below: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < below;
}
