/** What would have become of a run without some of its triggers. */
import {
  fork,
  sameJson,
  type AcceptedTrigger,
  type ToolError,
  type Fork,
  type TriggerId,
  type World,
} from "../../runtime/index.ts";
import { asSubmitted, type Trace, type TraceStep } from "../trace.ts";

/** What a trigger comes to in a replay: refused with a code, or accepted, with the first path it changes. */
export type ReplayedTrigger =
  | { readonly kind: "refused"; readonly code: ToolError["code"] }
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly path: string };

interface Replay {
  /** What the triggers that were not removed come to, from the first step that is another on. */
  readonly triggers: ReadonlyMap<TriggerId, ReplayedTrigger>;
  /** The world as it then is; that of the run itself where nothing was removed. */
  readonly world: World;
}

/**
 * Replays a run on a fork without `removed`, from the first step that held one of them to step `until`.
 *
 * - A step is submitted again without what was removed. Triggers that its refusal names as failing fall away, and the rest
 *   is submitted once more, until it is accepted or nothing is left: what still holds runs on.
 * - Constructions are made as they were made.
 * - The clock is that of the run, so that a rule about the hour speaks of the same hour.
 */
export function replayWithout(trace: Trace, removed: ReadonlySet<TriggerId>, until: number): Replay {
  const triggers = new Map<TriggerId, ReplayedTrigger>();
  let course: Fork | undefined;
  let world = trace.initial;
  for (const entry of trace.entries) {
    if (entry.kind === "construction") course?.construct(entry.record);
    else if (entry.record.step > until) break;
    else if (course !== undefined || entry.record.triggers.some(({ id }) => removed.has(id))) {
      course ??= fork(entry.before);
      submitAgain(course, entry, removed, triggers);
    }
    world = course?.world ?? entry.after;
  }
  return { triggers, world };
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
