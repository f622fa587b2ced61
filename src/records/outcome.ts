import * as z from "zod";
import { outcomeOf, unreachable, type Json, type Session } from "../runtime/index.ts";

/** How a run can end. Closed: every planned run is in a result with one of them. */
export const OUTCOMES = [
  "finished",
  "limit",
  "stopped",
  "blocked",
  "context_overflow",
  "endpoint_fault",
  "engine_fault",
  "cancelled",
] as const;
export const outcomeSchema = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * Whether a run that ended so is taken up again by the next command: an endpoint's fault says nothing of the agent, and
 * who interrupts a run means to go on with it. Its log bears no seal.
 */
export function staysOpen(outcome: Outcome): boolean {
  return outcome === "endpoint_fault" || outcome === "cancelled";
}

/** How a run ended that its world ended: what its log must say of it. Undefined where the session still plays. */
export function endOfSession(session: Session): { readonly outcome: Outcome; readonly detail?: Json } | undefined {
  const led = outcomeOf(session);
  switch (led.kind) {
    case "playing":
      return undefined;
    case "finished":
      return { outcome: "finished" };
    case "limit":
      return { outcome: "limit", detail: { ...led.limit } };
    case "fault":
      return { outcome: "engine_fault", detail: led.message };
    default:
      return unreachable(led);
  }
}
