import { baselineAgent } from "./baseline.ts";

/** The floor: a world that stands still. */
export const persistAgent = baselineAgent("persist", "waits and says that nothing changes and nothing fires");
