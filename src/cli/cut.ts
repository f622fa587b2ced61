/**
 * A limit of minutes has to hold whatever an endpoint does. When it is reached nothing new is begun, and answers under way
 * are heard, since they are paid for; but not for ever.
 */
import { systemClock, type Clock } from "../tracks/index.ts";

/** How long answers under way are waited for once the minutes are spent. */
const GRACE_MS = 15_000;

export interface Cut {
  /** Aborted when the limit and the grace have passed: requests under way end. */
  readonly signal: AbortSignal;
  /** From now on it counts; no limit where `wallMs` is undefined. */
  readonly start: (wallMs: number | undefined) => void;
  /** Lets go of the timer. */
  readonly release: () => void;
}

export function makeCut(clock: Clock = systemClock): Cut {
  const controller = new AbortController();
  let release = (): void => {};
  return {
    signal: controller.signal,
    start: (wallMs) => {
      if (wallMs !== undefined) release = clock.after(wallMs + GRACE_MS, () => controller.abort());
    },
    release: () => release(),
  };
}
