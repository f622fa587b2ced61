import type { RunRecord } from "../../records/index.ts";
import { UserError } from "../user-error.ts";

/** Refuses a set in which there is nothing that anybody judges. */
export function requireJudgeable(records: readonly RunRecord[], path: string): void {
  if (records.some(({ manifest }) => manifest.track === "maintenance")) return;
  throw new UserError(
    `${path} holds runs of deduction alone, which need no judge`,
    "worldagent score makes their scores from their logs",
  );
}
