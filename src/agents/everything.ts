import { baselineAgent } from "./baseline.ts";

/** What precision guards against: whoever names every field misses none. */
export const everythingAgent = baselineAgent(
  "everything",
  "waits and says that every field changes and every process fires",
);
