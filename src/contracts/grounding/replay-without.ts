/** What would have become of a run without some of its triggers. */
import {
  fork,
  sameJson,
  type AcceptedTrigger,
  type ToolError,
  type Fork,
  type TriggerId,
} from "../../runtime/index.ts";
import { asSubmitted, type Trace, type TraceStep } from "../trace.ts";

/** What a trigger comes to in a replay: refused with a code, or accepted, with the first path it changes. */
export type ReplayedTrigger =
  | { readonly kind: "refused"; readonly code: ToolError["code"] }
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly path: string };

/**
 * Replays a run on a fork without `removed`, from the first step that held one of them to step `until`; returns what the
 * other triggers of these steps come to.
 *
 * - A step is submitted again without what was removed. Triggers that its refusal names as failing fall away, and the rest
 *   is submitted once more, until it is accepted or nothing is left: what still holds runs on.
 * - Constructions are made as they were made.
 * - The clock is that of the run, so that a rule about the hour speaks of the same hour.
 */
export function replayWithout(
  trace: Trace,
  removed: ReadonlySet<TriggerId>,
  until: number,
): ReadonlyMap<TriggerId, ReplayedTrigger> {
  const outcomes = new Map<TriggerId, ReplayedTrigger>();
  let course: Fork | undefined;
  for (const entry of trace.entries) {
    if (entry.kind === "construction") course?.construct(entry.record);
    else if (entry.record.step > until) break;
    else {
      if (course === undefined && !entry.record.triggers.some(({ id }) => removed.has(id))) continue;
      course ??= fork(entry.before);
      submitAgain(course, entry, removed, outcomes);
    }
  }
  return outcomes;
}

function submitAgain(
  course: Fork,
  { record }: TraceStep,
  removed: ReadonlySet<TriggerId>,
  outcomes: Map<TriggerId, ReplayedTrigger>,
): void {
  let left = record.triggers.filter(({ id }) => !removed.has(id));
  while (left.length > 0) {
    const done = course.step({ triggers: left.map(asSubmitted), until: record.until, advance: record.advance });
    if (done.ok) {
      done.value.triggers.forEach((one, i) => outcomes.set((left[i] as AcceptedTrigger).id, changeOf(one)));
      break;
    }
    const failing = new Map((done.error.failures ?? []).map(({ trigger, code }) => [trigger - 1, code]));
    const falls = left.filter((_, i) => failing.size === 0 || failing.has(i));
    for (const one of falls)
      outcomes.set(one.id, { kind: "refused", code: failing.get(left.indexOf(one)) ?? done.error.code });
    left = left.filter((one) => !falls.includes(one));
  }
  course.setClock(record.clock);
}

function changeOf({ writes }: AcceptedTrigger): ReplayedTrigger {
  const change = writes.find((write) => !("after" in write) || !sameJson(write.before, write.after));
  return change === undefined ? { kind: "unchanged" } : { kind: "changed", path: change.path };
}
