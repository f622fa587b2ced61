/** One gate for each address: so many requests at once, and one pause for everybody when the server says it is too much. */
import PQueue from "p-queue";
import type { EndpointSettings } from "./settings.ts";

/** What the world lends: time, waiting, chance, and the key. */
export interface EndpointSurroundings {
  /** Where the server wants none: undefined. It is held in a closure and shown to nobody. */
  readonly key: string | undefined;
  readonly nowMs: () => number;
  /** Comes back after `ms`, or as soon as `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Ends attempts that are under way, paid for or not: for a limit that must hold whatever the endpoint does. */
  readonly cut?: AbortSignal;
}

export interface Gate {
  /** Does `work` when a place is free and no pause is on; undefined where `stop` was aborted before it began. */
  readonly pass: <T>(work: () => Promise<T>, stop: AbortSignal, priority?: number) => Promise<T | undefined>;
  /** Nobody begins before `ms` have passed. What is under way goes on. */
  readonly pause: (ms: number) => void;
  /** Another model of this address was opened: of what the two allow, the less holds. */
  readonly limit: (concurrency: number) => void;
}

/** Opens the gate of an address. */
export function openGate(
  { concurrency }: Pick<EndpointSettings, "concurrency">,
  { nowMs, sleep }: Pick<EndpointSurroundings, "nowMs" | "sleep">,
): Gate {
  const queue = new PQueue({ concurrency });
  let pausedUntilMs = 0;

  /** Waits for the end of the pause that is on, and of each longer one that was called meanwhile. */
  const outlastPause = async (stop: AbortSignal): Promise<void> => {
    for (let outlasted = 0; pausedUntilMs > outlasted && !stop.aborted;) {
      const untilMs = pausedUntilMs;
      const ms = untilMs - nowMs();
      if (ms > 0) await sleep(ms, stop);
      outlasted = untilMs;
    }
  };

  return {
    pass: <T>(work: () => Promise<T>, stop: AbortSignal, priority = 0) =>
      new Promise<T | undefined>((resolve, reject) => {
        let hasBegun = false;
        // whoever waits in the line is told at once; what has begun is heard to its end
        const onStop = (): void => {
          if (!hasBegun) resolve(undefined);
        };
        stop.addEventListener("abort", onStop, { once: true });
        queue
          .add(
            async () => {
              await outlastPause(stop);
              if (stop.aborted) return undefined;
              hasBegun = true;
              return work();
            },
            { priority },
          )
          .then(resolve, reject)
          .finally(() => stop.removeEventListener("abort", onStop));
      }),
    pause: (ms) => {
      pausedUntilMs = Math.max(pausedUntilMs, nowMs() + ms);
    },
    limit: (other) => {
      queue.concurrency = Math.min(queue.concurrency, other);
    },
  };
}

/** Gives every address one gate, however many models and judges are asked there. */
export function openGates(
  surroundings: Pick<EndpointSurroundings, "nowMs" | "sleep">,
): (settings: Pick<EndpointSettings, "baseUrl" | "concurrency">) => Gate {
  const gates = new Map<string, Gate>();
  return (settings) => {
    const { host } = new URL(settings.baseUrl);
    const known = gates.get(host);
    known?.limit(settings.concurrency);
    const gate = known ?? openGate(settings, surroundings);
    gates.set(host, gate);
    return gate;
  };
}
