/** Realisations: the stretches of writes in a round that take a defining path from its value before to its value after. */
import { sameJson, type TriggerId, type Write } from "../runtime/index.ts";
import { spanOf, type Interval } from "./interval.ts";
import type { EventMarks, PathMark } from "./marks.ts";
import type { TraceStep } from "./trace.ts";

export interface Realisation {
  readonly triggers: readonly TriggerId[];
  /** Whether it began at the value before, as the reference's did. */
  readonly whole: boolean;
  /** Step numbers of its first and last writes. */
  readonly first: number;
  readonly last: number;
}

type PathWrite = Extract<Write, { readonly after: unknown }>;

/** One change of a path: what one trigger added, or what the triggers of one step set together. */
interface Stroke {
  readonly step: TraceStep;
  readonly triggers: readonly TriggerId[];
  readonly before: PathWrite["before"];
  readonly after: PathWrite["after"];
  readonly delta: number;
}

interface Stretch {
  readonly strokes: readonly Stroke[];
  readonly whole: boolean;
}

/** All realisations of some marks in the steps of a round, in order. Where two paths define an event both must be realised. */
export function realisationsOf(marks: EventMarks, steps: readonly TraceStep[]): readonly Realisation[] {
  const byPath = marks.paths.map((mark) => realisationsOfPath(mark, steps));
  const [first, second] = byPath;
  if (first === undefined) return [];
  if (second === undefined) return first;
  const count = Math.min(first.length, second.length);
  return first.slice(first.length - count).map((one, i) => join(one, second[second.length - count + i] as Realisation));
}

function join(a: Realisation, b: Realisation): Realisation {
  return {
    triggers: [...new Set([...a.triggers, ...b.triggers])],
    whole: a.whole && b.whole,
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
  };
}

function realisationsOfPath(mark: PathMark, steps: readonly TraceStep[]): readonly Realisation[] {
  const strokes = steps.flatMap((step) => strokesOf(step, mark));
  const stretches =
    mark.kind === "amount"
      ? stretchesOfAmount(strokes, mark.total).map((one) => ({ strokes: one, whole: true }))
      : stretchesToValue(strokes, mark);
  return stretches.map(({ strokes: stretch, whole }) => ({ ...extend(stretch, mark.path, steps), whole }));
}

function writesOn(
  step: TraceStep,
  path: string,
): readonly { readonly trigger: TraceStep["record"]["triggers"][number]; readonly write: PathWrite }[] {
  return step.record.triggers.flatMap((trigger) =>
    trigger.writes.flatMap((write) => ("after" in write && write.path === path ? [{ trigger, write }] : [])),
  );
}

/** The changes of a step to a path. For an amount every `add` is a stroke of its own; else the step is one. */
function strokesOf(step: TraceStep, mark: PathMark): readonly Stroke[] {
  const writes = writesOn(step, mark.path);
  const [first] = writes;
  if (first === undefined) return [];
  const { before, after } = first.write;
  const adds = writes.filter(({ write }) => write.kind === "add");
  if (mark.kind === "amount" && adds.length > 0) {
    const byTrigger = new Map<TriggerId, number>();
    for (const { trigger, write } of adds)
      byTrigger.set(trigger.id, (byTrigger.get(trigger.id) ?? 0) + (write.kind === "add" ? write.by : 0));
    return [...byTrigger].flatMap(([id, delta]) =>
      delta === 0 ? [] : [{ step, triggers: [id], before, after, delta }],
    );
  }
  if (sameJson(before, after)) return [];
  const delta = typeof before === "number" && typeof after === "number" ? after - before : 0;
  return [{ step, triggers: [...new Set(writes.map(({ trigger }) => trigger.id))], before, after, delta }];
}

/**
 * Stretches that end in the value. A stretch begins at the last write that found the path at its value before; where
 * none did, a number's begins at the first write after it last stood at the value, and anything else's is its last write.
 */
function stretchesToValue(strokes: readonly Stroke[], mark: Extract<PathMark, { kind: "reach" }>): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let since = 0;
  strokes.forEach((stroke, end) => {
    if (!sameJson(stroke.after, mark.after)) return;
    const stretch = strokes.slice(since, end + 1);
    const from = mark.before === undefined ? -1 : stretch.findLastIndex((one) => sameJson(one.before, mark.before));
    const fallback = typeof mark.after === "number" ? 0 : stretch.length - 1;
    stretches.push({
      strokes: stretch.slice(from >= 0 ? from : fallback),
      whole: from >= 0 || mark.before === undefined,
    });
    since = end + 1;
  });
  return stretches;
}

/** The shortest stretches whose net change is the total, none sharing a stroke, the last one first found. */
function stretchesOfAmount(strokes: readonly Stroke[], total: number): readonly (readonly Stroke[])[] {
  const stretches: (readonly Stroke[])[] = [];
  for (let end = strokes.length - 1; end >= 0; end -= 1) {
    let sum = 0;
    for (let begin = end; begin >= 0; begin -= 1) {
      sum += (strokes[begin] as Stroke).delta;
      if (Math.abs(sum - total) > 1e-9) continue;
      stretches.unshift(strokes.slice(begin, end + 1));
      end = begin;
      break;
    }
  }
  return stretches;
}

/**
 * Adds the writes that change nothing but whose triggers change nothing else either, where their intervals meet or
 * overlap the stretch: watching on is watching; a guard that writes a field back to itself is not.
 */
function extend(stretch: readonly Stroke[], path: string, steps: readonly TraceStep[]): Omit<Realisation, "whole"> {
  const changing = new Set(stretch.flatMap((stroke) => stroke.triggers));
  const first = (stretch[0] as Stroke).step;
  let last = (stretch.at(-1) as Stroke).step;
  const triggers = [...changing];
  let span = spanOf(
    stretch.flatMap(({ step, triggers: ids }) => step.record.triggers.filter((one) => ids.includes(one.id))),
  );
  for (const step of steps) {
    if (step.order < first.order) continue;
    const writes = writesOn(step, path);
    if (step.order > last.order && writes.some(({ write }) => !sameJson(write.before, write.after))) break;
    for (const { trigger } of writes) {
      if (changing.has(trigger.id) || triggers.includes(trigger.id) || !isIdle(trigger) || !meets(span, trigger))
        continue;
      triggers.push(trigger.id);
      span = spanOf([span, trigger]);
      if (step.order > last.order) last = step;
    }
  }
  return { triggers, first: first.record.step, last: last.record.step };
}

function isIdle(trigger: TraceStep["record"]["triggers"][number]): boolean {
  return trigger.writes.every(
    (write) => "after" in write && sameJson(write.before, write.after) && (write.kind !== "add" || write.by === 0),
  );
}

function meets(a: Interval, b: Interval): boolean {
  return Math.max(a.start, b.start) <= Math.min(a.end, b.end);
}
