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
