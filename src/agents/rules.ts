import { baselineAgent } from "./baseline.ts";

/** The ceiling: it deduces without a mistake from what it sees. In naming it knows what nobody there is told. */
export const rulesAgent = baselineAgent(
  "rules",
  "waits and runs the rules of the case on what it sees; in naming, where their numbers are withheld, it knows them all the same",
);
