import { solutionOf } from "../cases/index.ts";
import type { Agent } from "../tracks/index.ts";

/** Plays the case's reference solution; in hard and extreme it constructs what the tier withholds before it is first needed. */
export const referenceAgent: Agent = {
  name: "reference",
  says: "plays the case's reference solution",
  settings: { v: 1 },
  refuses: ({ track }) =>
    track === "maintenance" ? undefined : "a case of deduction has no reference solution; its truth is a rollout",
  async *play(context) {
    if (context.track !== "maintenance") return REFUSED;
    for (const call of solutionOf(context.case, context.tier).flat()) yield call;
    return undefined;
  },
};

const REFUSED = { outcome: "stopped", detail: "it does not play this track" } as const;
