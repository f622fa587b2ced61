import type { Agent } from "../tracks/index.ts";

/** Ends every round at once. It scores 0 on every item of every case. */
export const idleAgent: Agent = {
  name: "idle",
  says: "ends every round at once",
  settings: { v: 1 },
  async *play() {
    for (;;) {
      const answer = yield { tool: "end_round", input: {} };
      if (!answer.ok) return { outcome: "stopped", detail: answer.error.message };
    }
  },
};
