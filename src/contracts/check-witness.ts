/**
 * The second, independent checker of witnesses. It shares no function with relations.ts or interval.ts: a
 * witness is believed only when two programs that were written apart agree on it.
 */
import type { TriggerId } from "../runtime/index.ts";
import type { EventId, RelationItem } from "./contract.ts";
import type { HeldEvent, StepFacts } from "./relations.ts";
import type { Witness, WitnessSpan } from "./witness.ts";

export type WitnessCheck = { readonly accepted: true } | { readonly accepted: false; readonly why: string };

type Held = ReadonlyMap<EventId, HeldEvent>;
type Steps = ReadonlyMap<number, StepFacts>;
type BoundTo = ReadonlyMap<TriggerId, readonly EventId[]>;

/** Accepts exactly the witnesses that prove that `item` does not hold; says of any other what is wrong with it. */
export function checkWitness(
  item: RelationItem,
  held: Held,
  steps: Steps,
  boundTo: BoundTo,
  witness: Witness,
): WitnessCheck {
  const why = faultOf(item, held, steps, boundTo, witness);
  return why === undefined ? { accepted: true } : { accepted: false, why };
}

function faultOf(item: RelationItem, held: Held, steps: Steps, boundTo: BoundTo, witness: Witness): string | undefined {
  switch (witness.kind) {
    case "absent":
      if (!isNamed(item, witness.event)) return `the item does not name ${witness.event}`;
      return held.has(witness.event) ? `${witness.event} holds` : undefined;
    case "between":
      return faultOfBetween(item, held, steps, boundTo, witness);
    default:
      return faultOfInequality(item, held, witness);
  }
}

function isNamed(item: RelationItem, event: EventId): boolean {
  if (item.kind === "CA") return event === item.effect || item.causes.includes(event);
  if (item.kind === "TM") return event === item.before || event === item.after;
  return event === item.events[0] || event === item.events[1];
}

/** The numbers are those of the intervals, the inequality is the one that denies the item, and it is true. */
function faultOfInequality(
  item: RelationItem,
  held: Held,
  witness: Exclude<Witness, { kind: "absent" | "between" }>,
): string | undefined {
  const { a, b } = witness;
  const { left, sign, right } = witness.inequality;
  if (!isPairOf(item, a.event, b.event)) return `the item does not relate ${a.event} to ${b.event}`;
  if (witness.kind !== denialOf(item)) return `"${witness.kind}" does not deny the item`;
  const wrong = faultOfSpan(held, a) ?? faultOfSpan(held, b);
  if (wrong !== undefined) return wrong;
  const claims = {
    order: { left: a.end, sign: ">", right: b.start, true: a.end - b.start > 0 },
    start: { left: a.start, sign: "≠", right: b.start, true: a.start - b.start !== 0 },
    overlap: {
      left: a.start > b.start ? a.start : b.start,
      sign: "≥",
      right: a.end < b.end ? a.end : b.end,
      // Apart: one of the two is over when the other begins, or has no tick at all.
      true: a.end <= b.start || b.end <= a.start || a.start >= a.end || b.start >= b.end,
    },
    end: { left: a.end, sign: "≠", right: b.end, true: a.end - b.end !== 0 },
  };
  const due = claims[witness.kind];
  if (due.left !== left || due.sign !== sign || due.right !== right) {
    return `the inequality should read ${due.left} ${due.sign} ${due.right}`;
  }
  return due.true ? undefined : `${left} ${sign} ${right} is not true`;
}

function isPairOf(item: RelationItem, a: EventId, b: EventId): boolean {
  if (item.kind === "CA") return item.causes.includes(a) && b === item.effect;
  if (item.kind === "TM") return a === item.before && b === item.after;
  return a === item.events[0] && b === item.events[1];
}

function denialOf(item: RelationItem): Witness["kind"] {
  if (item.kind !== "CC") return "order";
  return ({ start_together: "start", overlap: "overlap", end_together: "end" } as const)[item.mode];
}

function faultOfSpan(held: Held, span: WitnessSpan): string | undefined {
  const event = held.get(span.event);
  if (event === undefined) return `${span.event} does not hold and has no interval`;
  const { start, end } = event.interval;
  return start === span.start && end === span.end ? undefined : `${span.event} is [${start}, ${end})`;
}

/** The step lies between the two events of an `immediate` item and does what the witness says. */
function faultOfBetween(
  item: RelationItem,
  held: Held,
  steps: Steps,
  boundTo: BoundTo,
  { before, after, step: number, what }: Extract<Witness, { kind: "between" }>,
): string | undefined {
  if (item.kind !== "TM" || !item.immediate) return "the item is not immediate";
  if (item.before !== before.event || item.after !== after.event) return "the item is about other events";
  const from = held.get(before.event)?.lastStep;
  const to = held.get(after.event)?.firstStep;
  if (from === undefined || to === undefined) return "one of the two events does not hold";
  if (from !== before.lastStep || to !== after.firstStep) return `the steps are ${from} and ${to}`;
  // Of the step of `before` itself only the advance lies after the event.
  const isInside = number > from || (number === from && what.kind === "advance");
  if (!isInside || number >= to) return `step ${number} does not lie between`;
  const step = steps.get(number);
  if (step === undefined) return `there is no accepted step ${number}`;
  if (what.kind === "advance")
    return step.advance === what.ticks && what.ticks > 0 ? undefined : `its advance is ${step.advance}`;
  if (what.kind === "wait") {
    return step.triggers.length === 0 && step.advance === what.ticks
      ? undefined
      : `step ${number} is no wait of ${what.ticks}`;
  }
  if (!step.triggers.includes(what.trigger)) return `step ${number} has no trigger ${what.trigger}`;
  if (!(boundTo.get(what.trigger) ?? []).includes(what.event)) return `${what.trigger} is not bound to ${what.event}`;
  return what.event === item.before || what.event === item.after ? `${what.event} is no other event` : undefined;
}
