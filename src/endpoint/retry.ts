/** Whether a failed attempt is made again, and when. Pure: the time and the chance are given. */
import type { EndpointFault, FaultKind } from "../records/index.ts";
import { unreachable } from "../runtime/index.ts";
import { shorten } from "./fault.ts";
import { MAX_FAULT_CHARACTERS } from "./limits.ts";
import type { EndpointSettings } from "./settings.ts";

/** Backoff doubles from here, and up to there, in ms. */
const FIRST_WAIT_MS = 500;
const MOST_BACKOFF_MS = 60_000;

/** What is added at random to a wait that the endpoint states, at most: else everybody comes back in one instant. */
const MOST_SPREAD_MS = 1000;

/** Whether the same request may well be answered later. */
export function isWorthAnother(kind: FaultKind): boolean {
  switch (kind) {
    case "rate_limited":
    case "server_error":
    case "timeout":
    case "connection":
    case "cut_stream":
    case "bad_answer":
      return true;
    case "quota":
    case "auth":
    case "unknown_model":
    case "not_an_api":
    case "bad_request":
    case "context_overflow":
    case "blocked":
      return false;
    default:
      return unreachable(kind);
  }
}

export interface Failed {
  readonly fault: Pick<EndpointFault, "kind">;
  /** Attempts made so far, this one included. */
  readonly made: number;
  /** What the endpoint asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/**
 * How many ms to wait before the next attempt: what the endpoint asks for and a little more at random, else an
 * exponential backoff with full jitter. undefined where the fault stands: it is of a kind that stays, the attempts are used
 * up, or the endpoint asks for more than the longest wait. `random` is in [0, 1).
 */
export function waitBeforeNext(
  { fault, made, retryAfterMs }: Failed,
  settings: Pick<EndpointSettings, "attempts" | "longestWaitMs">,
  random: number,
): number | undefined {
  if (!isWorthAnother(fault.kind) || made >= settings.attempts) return undefined;
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** Math.min(made - 1, 20), MOST_BACKOFF_MS, settings.longestWaitMs);
  if (retryAfterMs === undefined) return Math.round(random * backoff);
  if (retryAfterMs > settings.longestWaitMs) return undefined;
  const spread = random * Math.min(MOST_SPREAD_MS, backoff);
  return Math.round(Math.min(retryAfterMs + spread, Math.max(retryAfterMs, settings.longestWaitMs)));
}

/** The fault with the wait that the endpoint asks for, where nobody waits that long: else it seems not to be tried at all. */
export function sayLongWait(
  fault: EndpointFault,
  retryAfterMs: number | undefined,
  longestWaitMs: number,
): EndpointFault {
  if (retryAfterMs === undefined || retryAfterMs <= longestWaitMs || !isWorthAnother(fault.kind)) return fault;
  const asked = `it asks to wait ${seconds(retryAfterMs)}, and the longest wait is ${seconds(longestWaitMs)}`;
  return { ...fault, message: `${shorten(fault.message, MAX_FAULT_CHARACTERS - asked.length - 3)} (${asked})` };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** Longest wait that is understood: a year. What is above it is no wait. */
const MOST_STATED_MS = 365 * 24 * 3_600_000;

/**
 * What `retry-after-ms`, or `retry-after` in seconds or as an HTTP date, asks to wait; undefined where there is none, or
 * nothing that can be read. A date in the past is no wait.
 */
export function retryAfterOf(headers: Pick<Headers, "get">, nowMs: number): number | undefined {
  const inMs = readNumber(headers.get("retry-after-ms"), 1);
  if (inMs !== undefined) return inMs;
  const stated = headers.get("retry-after");
  const inSeconds = readNumber(stated, 1000);
  if (inSeconds !== undefined) return inSeconds;
  const at = stated === null || !/[a-z]{3}/i.test(stated) ? Number.NaN : Date.parse(stated);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - nowMs), MOST_STATED_MS);
}

function readNumber(text: string | null, unitMs: number): number | undefined {
  if (text === null || !/^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(text)) return undefined;
  return Math.min(Math.ceil(Number(text) * unitMs), MOST_STATED_MS);
}
