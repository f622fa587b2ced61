import type { EventId, ProbeItem } from "./contract.ts";
import type { HeldEvent } from "./relations.ts";
import { stepsOfRound, type Trace, type TraceConstruction, type TraceStep } from "./trace.ts";

/** When a probe watches: the steps and constructions in it. */
export interface ProbeWindow {
  readonly steps: readonly TraceStep[];
  readonly constructions: readonly TraceConstruction[];
}

/**
 * From the step of the first bound trigger of `after` (that step included) to before the step in which `until` begins,
 * or to the end of the round. Undefined where `after` does not hold: the window never opens.
 */
export function windowOf(
  probe: ProbeItem,
  round: number,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
): ProbeWindow | undefined {
  const opening = held.get(probe.after);
  if (opening === undefined || opening.round !== round) return undefined;
  const closing = probe.until === undefined ? undefined : held.get(probe.until);
  const from = trace.steps.get(opening.firstStep)?.order ?? 0;
  const to = closing === undefined ? Infinity : (trace.steps.get(closing.firstStep)?.order ?? Infinity);
  return {
    steps: stepsOfRound(trace, round).filter((step) => step.order >= from && step.order < to),
    constructions: [...trace.constructions.values()].filter(
      ({ record, order }) => record.round === round && order >= from && order < to,
    ),
  };
}
