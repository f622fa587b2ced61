/** Time as a set needs it: a parameter, so that no test waits for it. */

export interface Clock {
  /** Milliseconds since some moment of its own. */
  readonly nowMs: () => number;
  /** Calls `then` after so many milliseconds; what it returns takes that back. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** The longest a timer of Node can be set to; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = { nowMs: () => performance.now(), after: setTimer };

function setTimer(ms: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const part = Math.min(left, LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > part ? wait(left - part) : then()), part);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
