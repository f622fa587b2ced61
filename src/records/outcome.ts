import * as z from "zod";

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
