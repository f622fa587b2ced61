/** When what a mutant did is what the reference did, as far as the judge can see. */
import type {
  HeldEvent,
  Judgment,
  StructureItem,
  Trace,
  TracedTrigger,
  TraceStep,
  EventId,
} from "../../../contracts/index.ts";
import { canonicalJson, entityIds, getEntity, valueOf, type World } from "../../../runtime/index.ts";
import type { Base } from "./base.ts";
import { isWithin, reachOfStructure, type Reach } from "./reach.ts";

const doneIn = new WeakMap<TraceStep, string>();

/** What a step did, without its number and hour. */
function doingOf(step: TraceStep): string {
  const known = doneIn.get(step);
  if (known !== undefined) return known;
  const { start, clock, advance, until, triggers } = step.record;
  const doing = JSON.stringify([
    clock - start,
    advance,
    until ?? "",
    triggers.map(({ capability, args, end, reads, writes }) => [capability, args, end - start, reads, writes]),
  ]);
  doneIn.set(step, doing);
  return doing;
}

function isSameStep(was: TraceStep, is: TraceStep, ticks: number): boolean {
  if (is.record.start - was.record.start !== ticks || doingOf(was) !== doingOf(is)) return false;
  return was.record.triggers.every(({ capability: id }) =>
    isSame(was.before.capabilities[id], is.before.capabilities[id]),
  );
}

/** Whether two worlds are of one kind and differ at most in what lies outside of a reach. */
export function differOutside(a: World, b: World, reach: Reach): boolean {
  const ids = entityIds(a.entities);
  if (!sameRecords(a.types, b.types) || ids.length !== entityIds(b.entities).length) return false;
  return ids.every((id) => {
    const [was, is] = [getEntity(a.entities, id), getEntity(b.entities, id)];
    if (was === is) return true;
    if (was === undefined || is === undefined || was.type !== is.type) return false;
    const fields = [...Object.keys(was.fields), "at"];
    return fields.every((field) => !isWithin(reach, id, field) || isSame(valueOf(was, field), valueOf(is, field)));
  });
}

function sameRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const ids = Object.keys(a);
  return ids.length === Object.keys(b).length && ids.every((id) => Object.hasOwn(b, id) && isSame(a[id], b[id]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/**
 * The judgment on a structure whose use is the reference's: the same bound triggers with the same capabilities, on
 * states that differ at most in what the judge does not look at, and, where a perturbation holds on from an event, the
 * same steps since then. Undefined where it has to be judged.
 */
export function knownStructure(
  base: Base,
  item: StructureItem,
  round: number,
  trace: Trace,
  held: ReadonlyMap<EventId, HeldEvent>,
): Judgment | undefined {
  const [was, is] = [base.outcome.held.get(item.usedBy), held.get(item.usedBy)];
  if (
    item.level !== "capability" ||
    was === undefined ||
    is === undefined ||
    base.outcome.failed.has(item.id) ||
    (was.interval.start !== is.interval.start && !base.clockFree.has(round))
  )
    return undefined;
  const reach = reachOnce(item, base, was);
  const since = [...item.refusedWhen, ...item.allowedWhen].flatMap((one) => one.since ?? []);
  if (reach === undefined || !isSameUse(base.trace, was, trace, is, reach)) return undefined;
  if (!since.every((event) => isSameStretch(base, event, was, trace, held.get(event), is, reach))) return undefined;
  return {
    v: 1,
    item: item.id,
    kind: "A",
    round,
    vote: 1,
    verdict: "pass",
    triggers: [...is.triggers],
    constructions: [],
    reason: "used as in the reference",
  };
}

const reaches = new WeakMap<Base, Map<string, Reach | undefined>>();

function reachOnce(item: StructureItem, base: Base, use: HeldEvent): Reach | undefined {
  const known = reaches.get(base) ?? new Map<string, Reach | undefined>();
  reaches.set(base, known);
  if (!known.has(item.id)) known.set(item.id, reachOfStructure(item, base, use));
  return known.get(item.id);
}

function isSameUse(reference: Trace, was: HeldEvent, trace: Trace, is: HeldEvent, reach: Reach): boolean {
  if (was.triggers.length !== is.triggers.length) return false;
  return was.triggers.every((id, i) => {
    const [own, other] = [
      reference.triggers.get(id),
      trace.triggers.get(is.triggers[i] as HeldEvent["triggers"][number]),
    ] as [TracedTrigger, TracedTrigger];
    const ticks = other.step.record.start - own.step.record.start;
    return isSameStep(own.step, other.step, ticks) && differOutside(own.step.before, other.step.before, reach);
  });
}

/** Whether what lies between an event and a use is the same doings in the same order, from a state that is the same. */
function isSameStretch(
  base: Base,
  event: EventId,
  use: HeldEvent,
  trace: Trace,
  since: HeldEvent | undefined,
  own: HeldEvent,
  reach: Reach,
): boolean {
  const was = base.outcome.held.get(event);
  if (was === undefined || since === undefined) return false;
  const [reference, played] = [
    stretch(base.trace, was.firstStep, use.lastStep),
    stretch(trace, since.firstStep, own.lastStep),
  ];
  const [first, other] = [reference[0], played[0]];
  if (first === undefined || other === undefined || reference.length !== played.length) return false;
  return (
    first.kind === "step" &&
    other.kind === "step" &&
    differOutside(first.after, other.after, reach) &&
    reference.every((entry, i) => isSameEntry(entry, played[i] as Trace["entries"][number]))
  );
}

function stretch(trace: Trace, from: number, to: number): Trace["entries"] {
  return trace.entries.slice(trace.steps.get(from)?.order, (trace.steps.get(to)?.order ?? -1) + 1);
}

function isSameEntry(was: Trace["entries"][number], is: Trace["entries"][number]): boolean {
  if (was.kind === "construction") return is.kind === "construction" && isSame(was.record.item, is.record.item);
  return is.kind === "step" && isSameStep(was, is, is.record.start - was.record.start);
}
