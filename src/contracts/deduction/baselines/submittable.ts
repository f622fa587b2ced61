import { checkPrediction, type Changes } from "../../../runtime/index.ts";
import type { Knowledge } from "./knowledge.ts";

/**
 * The changes that a session takes from a player who sees what is seen here: of a belief that went wrong the others
 * would be refused, and with them the whole submission.
 */
export function submittable(knowledge: Knowledge, changes: Changes): Changes {
  const { observed, dynamics, mode, round } = knowledge;
  const seen = { world: observed, creates: dynamics.creates, mayHaveChanged: mode === "M1" && round > 1 };
  return Object.fromEntries(Object.entries(changes).filter(([path, value]) => checkPrediction(seen, path, value).ok));
}
