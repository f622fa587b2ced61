/** The reference solution of a tier: the authored steps, and before them the construction of what the tier withholds. */
import { deriveConstructions } from "./derive-constructions.ts";
import type { Case } from "./case.ts";
import type { Json, Tier, ToolName } from "../runtime/index.ts";
import type { ReferenceStep } from "./schema.ts";

/** One tool call as it is submitted. */
export interface Call {
  readonly tool: ToolName;
  readonly input: { readonly [key: string]: Json };
}

type Solved = Pick<Case, "world" | "contract" | "reference">;

/** The calls of the reference solution, round by round; each round ends with `end_round`. */
export function solutionOf(case_: Solved, tier: Tier): readonly (readonly Call[])[] {
  const constructions = deriveConstructions(case_, tier);
  return case_.reference.map((steps, i) => {
    const before = constructions[i] ?? [];
    const calls = steps.flatMap((step, k): readonly Call[] => [...(before[k] ?? []), stepCall(step)]);
    return [...calls, ...(before[steps.length] ?? []), { tool: "end_round", input: {} }];
  });
}

/** A reference step as a call; what it realises is nobody's business but the contract's. */
export function stepCall(step: ReferenceStep): Call {
  const triggers = step.triggers.map(({ capability, args, note }) => ({
    capability,
    args,
    ...(note === undefined ? {} : { note }),
  }));
  return {
    tool: "commit_step",
    input: {
      triggers,
      ...(step.until === undefined ? {} : { until: step.until }),
      ...(step.advance === undefined ? {} : { advance: step.advance }),
    },
  };
}
