import { checkPrediction, visibilityOf, type Changes, type DeductionView } from "../../../runtime/index.ts";
import type { Knowledge } from "./knowledge.ts";

/**
 * The changes that a session takes from a player who sees what is seen here: of a belief that went wrong the others
 * would be refused, and with them the whole submission.
 */
export function submittable(knowledge: Knowledge, changes: Changes): Changes {
  const { observed, dynamics, mode, round } = knowledge;
  const view: DeductionView = {
    condition: "open",
    mode,
    world: observed,
    processes: [],
    schedule: [],
    creates: dynamics.creates,
    mayHaveChanged: mode === "M1" && round > 1,
    visibility: (type, field) => visibilityOf(dynamics, type, field),
    unseen: () => [],
  };
  return Object.fromEntries(Object.entries(changes).filter(([path, value]) => checkPrediction(view, path, value).ok));
}
