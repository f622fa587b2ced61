import { solutionOf } from "../cases/index.ts";
import type { Agent } from "../tracks/index.ts";

/** Plays the case's reference solution; in hard and extreme it constructs what the tier withholds before it is first needed. */
export const referenceAgent: Agent = {
  name: "reference",
  says: "plays the case's reference solution",
  settings: { v: 1 },
  async *play({ case: case_, tier }) {
    for (const call of solutionOf(case_, tier).flat()) yield call;
    return undefined;
  },
};
