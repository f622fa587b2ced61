import { baselineAgent } from "./baseline.ts";

/** What a world that goes on evenly is worth without any thought. */
export const lastChangeAgent = baselineAgent(
  "last-change",
  "waits and says that what changed last changes again likewise",
);
