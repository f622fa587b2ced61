/** Settles the relation items (CA, TM, CC) by program, from the events that hold and their frozen bindings. */
import { unreachable, type TriggerId } from "../runtime/index.ts";
import type { EventId, RelationItem } from "./contract.ts";
import { endsTogether, overlaps, precedes, startsTogether, type Interval } from "./interval.ts";
import type { Intruder, Witness, WitnessSpan } from "./witness.ts";

/** An event that holds: its judgment passed and its binding survived the audit. */
export interface HeldEvent {
  readonly id: EventId;
  readonly round: number;
  /** From the least start to the greatest end over its binding. */
  readonly interval: Interval;
  /** Numbers of the first and last accepted step that holds a trigger of its binding. */
  readonly firstStep: number;
  readonly lastStep: number;
  readonly triggers: readonly TriggerId[];
}

/** What relations need to know of an accepted step; one without triggers is a wait. */
export interface StepFacts {
  readonly step: number;
  readonly triggers: readonly TriggerId[];
  /** Ticks the clock was moved on after the step's triggers. */
  readonly advance: number;
}

/** What relations are settled from, besides the item. */
export interface RelationFacts {
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  /** Every accepted step by its number; rejected steps and constructions are not among them. */
  readonly steps: ReadonlyMap<number, StepFacts>;
  /** The events that hold and are bound to a trigger; triggers that are bound to none may be left out. */
  readonly boundTo: ReadonlyMap<TriggerId, readonly EventId[]>;
}

export type Settlement = { readonly holds: true } | { readonly holds: false; readonly witness: Witness };

/**
 * Whether a relation holds, and if not, why. Where several things fail the witness is the first of:
 *
 * 1. an event that does not hold: causes as listed, then the effect; before, then after; the pair as listed;
 * 2. an inequality of intervals: the first cause, as listed, that ends too late;
 * 3. for `immediate`, what stands between: the earliest step, and in it a wait, then the first bound trigger
 *    (its first other event), then `advance`.
 *
 * Throws where `steps` lacks a step that lies between two events: that is a fault of the caller.
 */
export function settleRelation(
  item: RelationItem,
  held: RelationFacts["held"],
  steps: RelationFacts["steps"],
  boundTo: RelationFacts["boundTo"],
): Settlement {
  const absent = eventsOfRelation(item).find((event) => !held.has(event));
  if (absent !== undefined) return fail({ kind: "absent", event: absent });
  const get = (event: EventId) => held.get(event) as HeldEvent;
  switch (item.kind) {
    case "CA":
      return settleOrder(item.causes.map(get), get(item.effect));
    case "TM": {
      const order = settleOrder([get(item.before)], get(item.after));
      if (!order.holds || !item.immediate) return order;
      return settleImmediate(get(item.before), get(item.after), steps, boundTo);
    }
    case "CC":
      return settleConcurrency(item.mode, get(item.events[0]), get(item.events[1]));
    default:
      return unreachable(item);
  }
}

/** The events a relation names, in the order in which their absence is reported. */
export function eventsOfRelation(item: RelationItem): readonly EventId[] {
  switch (item.kind) {
    case "CA":
      return [...item.causes, item.effect];
    case "TM":
      return [item.before, item.after];
    case "CC":
      return item.events;
    default:
      return unreachable(item);
  }
}

/** Every one of `firsts` ends no later than `then` begins. */
function settleOrder(firsts: readonly HeldEvent[], then: HeldEvent): Settlement {
  const late = firsts.find((first) => !precedes(first.interval, then.interval));
  if (late === undefined) return { holds: true };
  const inequality = { left: late.interval.end, sign: ">", right: then.interval.start } as const;
  return fail({ kind: "order", a: spanOfEvent(late), b: spanOfEvent(then), inequality });
}

function settleConcurrency(
  mode: (RelationItem & { kind: "CC" })["mode"],
  first: HeldEvent,
  second: HeldEvent,
): Settlement {
  const [a, b] = [first.interval, second.interval];
  const spans = { a: spanOfEvent(first), b: spanOfEvent(second) };
  switch (mode) {
    case "start_together":
      if (startsTogether(a, b)) return { holds: true };
      return fail({ kind: "start", ...spans, inequality: { left: a.start, sign: "≠", right: b.start } });
    case "overlap": {
      if (overlaps(a, b)) return { holds: true };
      const [left, right] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
      return fail({ kind: "overlap", ...spans, inequality: { left, sign: "≥", right } });
    }
    case "end_together":
      if (endsTogether(a, b)) return { holds: true };
      return fail({ kind: "end", ...spans, inequality: { left: a.end, sign: "≠", right: b.end } });
    default:
      return unreachable(mode);
  }
}

/** Nothing of note between the last step of `before` (whose own `advance` counts) and the first of `after`. */
function settleImmediate(
  before: HeldEvent,
  after: HeldEvent,
  steps: RelationFacts["steps"],
  boundTo: RelationFacts["boundTo"],
): Settlement {
  for (let number = before.lastStep; number < after.firstStep; number += 1) {
    const step = steps.get(number);
    if (step === undefined) throw new Error(`settleRelation: step ${number} is not among the accepted steps`);
    const what = number === before.lastStep ? advanceOf(step) : intruderOf(step, before.id, after.id, boundTo);
    if (what === undefined) continue;
    return fail({
      kind: "between",
      before: { event: before.id, lastStep: before.lastStep },
      after: { event: after.id, firstStep: after.firstStep },
      step: number,
      what,
    });
  }
  return { holds: true };
}

function intruderOf(
  step: StepFacts,
  before: EventId,
  after: EventId,
  boundTo: RelationFacts["boundTo"],
): Intruder | undefined {
  if (step.triggers.length === 0) return { kind: "wait", ticks: step.advance };
  for (const trigger of step.triggers) {
    const event = boundTo.get(trigger)?.find((id) => id !== before && id !== after);
    if (event !== undefined) return { kind: "trigger", trigger, event };
  }
  return advanceOf(step);
}

function advanceOf(step: StepFacts): Intruder | undefined {
  return step.advance > 0 ? { kind: "advance", ticks: step.advance } : undefined;
}

function spanOfEvent(event: HeldEvent): WitnessSpan {
  return { event: event.id, start: event.interval.start, end: event.interval.end };
}

function fail(witness: Witness): Settlement {
  return { holds: false, witness };
}
