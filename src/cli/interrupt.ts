/**
 * Ctrl-C. A command that plays is asked to stop after what it is doing, and a second Ctrl-C ends it at once; every other
 * command ends at once. SIGTERM always does: whoever sends it will not wait for an answer that takes minutes, and sends
 * SIGKILL next. Either way the last line says how to go on, and the code is 130.
 */
import { EXIT } from "./exit-code.ts";
import { CLEAR_LINE, isLive } from "./terminal.ts";

/** What to do now; where a command has said nothing, it ends at once. */
let take = endAtOnce;
const listener = (): void => take();
const LISTENERS = { SIGINT: listener, SIGTERM: endAtOnce } as const;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Takes SIGINT and SIGTERM from the system. To be called before anything that takes time is loaded. */
export function catchInterrupts(): void {
  for (const signal of SIGNALS) process.on(signal, LISTENERS[signal]);
}

function endAtOnce(): void {
  const clear = isLive(process.stderr, process.env) ? CLEAR_LINE : "";
  process.stderr.write(`${clear}Interrupted. To go on, give the same command again; what was written is kept.\n`);
  // Locks are let go on exit; a log is never left in a state that cannot be resumed.
  process.exit(EXIT.interrupted);
}

export interface Interrupt {
  readonly signal: AbortSignal;
  /** No longer listens. */
  readonly release: () => void;
}

/** Stops by `signal` at the first interruption; `onFirst` says what happens now. Every line that was logged is on disk. */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  take = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    onFirst();
  };
  const release = (): void => {
    take = endAtOnce;
  };
  return { signal: controller.signal, release };
}
