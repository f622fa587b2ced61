import type { Agent } from "../tracks/index.ts";

/**
 * Ends every round. It scores 0 on every item of every maintenance case, and answers nothing that deduction asks: there
 * a round that lacks an answer is closed only when that is asked for a second time.
 */
export const idleAgent: Agent = {
  name: "idle",
  says: "ends every round at once",
  settings: { v: 1 },
  async *play({ track }) {
    const most = track === "deduction" ? 1 : 0;
    for (let refused = 0; ;) {
      const answer = yield { tool: "end_round", input: {} };
      if (answer.ok) refused = 0;
      else if ((refused += 1) > most) return { outcome: "stopped", detail: answer.error.message };
    }
  },
};
