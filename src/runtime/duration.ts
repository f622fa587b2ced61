import { LIMITS } from "./limits.ts";

/** Whether a value can be how long a doing lasts. */
export function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= LIMITS.ticks;
}

export const DURATION_HINT = `a duration is a whole number of ticks, from 1 to ${LIMITS.ticks}`;
