/** Ctrl-C: the first asks the command to stop after what it is doing, the second ends it at once. */
import { EXIT } from "./exit.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  /** No longer listens. */
  readonly release: () => void;
}

/** Listens for SIGINT and SIGTERM; `onFirst` says what happens now. Every line that was logged is on disk either way. */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const take = (): void => {
    // Locks are let go on exit; a log is never left in a state that cannot be resumed.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
    onFirst();
  };
  process.on("SIGINT", take);
  process.on("SIGTERM", take);
  const release = (): void => {
    process.off("SIGINT", take);
    process.off("SIGTERM", take);
  };
  return { signal: controller.signal, release };
}
