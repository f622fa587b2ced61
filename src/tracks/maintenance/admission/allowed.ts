/**
 * What a mutant may fail: items over the events it is aimed at, over events whose triggers its replay refuses, and
 * what depends on those. Dependence is taken from the two plays, not from the contract's words: a trigger depends on
 * what was changed where the state it looks at, or the trigger that wrote what it looks at, is not the reference's.
 */
import {
  eventsOfRelation,
  valueAt,
  type EventId,
  type EventItem,
  type ItemId,
  type ProbeItem,
  type RelationItem,
  type RoundContract,
  type StructureItem,
  type TraceStep,
} from "../../../contracts/index.ts";
import type { ReferenceTrigger } from "../../../cases/index.ts";
import { entityIdsOfType, sameJson, type AcceptedTrigger, type World } from "../../../runtime/index.ts";
import { itemOf, type Mutant } from "./mutants/mutant.ts";
import { looksOf } from "./looks.ts";
import type { Played } from "./play.ts";
import type { Base } from "./base.ts";
import { originOf } from "./shift.ts";
import { triggersOf, type Script } from "./script.ts";

/** An authored trigger as it was accepted in a play. */
interface Done {
  readonly trigger: AcceptedTrigger;
  readonly step: TraceStep;
  /** The reference's step, where it was taken over from there; else the step itself. */
  readonly origin: TraceStep;
  readonly position: number;
}

/** A play's triggers by the objects of its script, in the order of the play. */
type Doings = ReadonlyMap<ReferenceTrigger, Done>;

function doingsOf(script: Script, { trace, refused }: Pick<Played, "trace" | "refused">): Doings {
  const doings = new Map<ReferenceTrigger, Done>();
  script.forEach((acts, i) => {
    const turnedAway = new Set(refused.filter(({ round }) => round === i + 1).map(({ act }) => act));
    const accepted = acts.filter((act) => act.kind === "step" && !turnedAway.has(act));
    const steps = trace.rounds.get(i + 1) ?? [];
    accepted.forEach((act, k) => {
      const step = steps[k];
      triggersOf(act).forEach((trigger, position) => {
        const done = step?.record.triggers[position];
        if (step !== undefined && done !== undefined)
          doings.set(trigger, { trigger: done, step, origin: originOf(step), position });
      });
    });
  });
  return doings;
}

const knownDoings = new WeakMap<Base, Doings>();

function doingsOfReference(base: Base): Doings {
  const known = knownDoings.get(base) ?? doingsOf(base.script, base);
  knownDoings.set(base, known);
  return known;
}

/** What a mutant changed of the reference, trigger by trigger. */
interface Change {
  /** Triggers that are gone, refused, moved or new. */
  readonly changed: ReadonlySet<ReferenceTrigger>;
  /** Triggers that found another state, another capability, or had another effect. */
  readonly affected: ReadonlySet<ReferenceTrigger>;
  readonly paths: ReadonlySet<string>;
  readonly before: Doings;
  readonly after: Doings;
}

function changeOf(base: Base, mutant: Pick<Mutant, "over" | "script">, played: Played): Change {
  const before = doingsOfReference(base);
  const after = doingsOf(mutant.script, played);
  const over = new Set<string>(mutant.over);
  const changed = new Set<ReferenceTrigger>();
  for (const trigger of before.keys())
    if (!after.has(trigger) || trigger.realises.some((event) => over.has(event))) changed.add(trigger);
  for (const trigger of after.keys()) if (!before.has(trigger)) changed.add(trigger);
  const affected = new Set(
    [...before]
      .filter(([trigger, was]) => !changed.has(trigger) && differs(was, after.get(trigger) as Done))
      .map(([trigger]) => trigger),
  );
  const paths = new Set(
    [...changed, ...affected].flatMap((trigger) =>
      [before.get(trigger), after.get(trigger)].flatMap((done) => done?.trigger.writes.map(({ path }) => path) ?? []),
    ),
  );
  return { changed, affected, paths, before, after };
}

function differs(was: Done, is: Done): boolean {
  // What is different there lies outside of what the step may look at.
  if (was.step === is.origin) return false;
  if (JSON.stringify(was.trigger.writes) !== JSON.stringify(is.trigger.writes)) return true;
  const capability = (done: Done) => done.step.before.capabilities[done.trigger.capability];
  if (capability(was) !== capability(is) && !sameJson(capability(was), capability(is))) return true;
  return pathsOf(was).some((path) => isOther(was.step.before, is.step.before, path));
}

function isOther(a: World, b: World, path: string): boolean {
  const [was, is] = [valueAt(a, path), valueAt(b, path)];
  return was !== is && !(Array.isArray(was) && Array.isArray(is) && sameJson([...was], [...is]));
}

function pathsOf(done: Done): readonly string[] {
  return [...readsOf(done), ...done.trigger.writes.map(({ path }) => path)];
}

const knownReads = new WeakMap<AcceptedTrigger, readonly string[]>();

/** The paths a trigger read; what was read of a whole type was read of each entity of it. */
function readsOf({ origin, position }: Done): readonly string[] {
  const trigger = origin.record.triggers[position] as AcceptedTrigger;
  const known = knownReads.get(trigger) ?? trigger.reads.flatMap((read) => expand(origin.before, read));
  knownReads.set(trigger, known);
  return known;
}

function expand(world: World, read: string): readonly string[] {
  const [, type, field] = /^([^.]+)\.\*\.(.+)$/.exec(read) ?? [];
  return type === undefined ? [read] : entityIdsOfType(world.entities, type).map((id) => `${id}.${field}`);
}

/** By trigger, the triggers of the last step before it that changed something it read. */
function writersOf(doings: Doings): ReadonlyMap<ReferenceTrigger, ReadonlySet<ReferenceTrigger>> {
  const last = new Map<string, { readonly step: TraceStep; readonly by: ReferenceTrigger[] }>();
  const writers = new Map<ReferenceTrigger, ReadonlySet<ReferenceTrigger>>();
  const inOrder = [...doings].sort(([, a], [, b]) => a.step.order - b.step.order);
  for (const group of groupBySteps(inOrder)) {
    for (const [trigger, done] of group) {
      writers.set(trigger, new Set(readsOf(done).flatMap((path) => last.get(path)?.by ?? [])));
    }
    for (const [trigger, done] of group) {
      for (const write of done.trigger.writes) {
        if (!("after" in write) || write.same === true) continue;
        const known = last.get(write.path);
        if (known?.step === done.step) known.by.push(trigger);
        else last.set(write.path, { step: done.step, by: [trigger] });
      }
    }
  }
  return writers;
}

function groupBySteps(
  doings: readonly (readonly [ReferenceTrigger, Done])[],
): readonly (readonly (readonly [ReferenceTrigger, Done])[])[] {
  const groups = new Map<TraceStep, (readonly [ReferenceTrigger, Done])[]>();
  for (const one of doings) groups.set(one[1].step, [...(groups.get(one[1].step) ?? []), one]);
  return [...groups.values()];
}

/** Of some items, those that a mutant may not fail. */
export function strayOf(
  base: Base,
  mutant: Pick<Mutant, "over" | "script">,
  played: Played,
  failed: readonly ItemId[],
): readonly ItemId[] {
  const others = new Set(failed.filter((id) => !mutant.over.includes(id)));
  if (others.size === 0) return [];
  const change = changeOf(base, mutant, played);
  const touched = touchedEvents(base, change);
  const stray = (id: ItemId, mayFail: () => boolean): readonly ItemId[] => (others.has(id) && !mayFail() ? [id] : []);
  return base.bench.case.contract.rounds.flatMap((round) => [
    ...round.events.flatMap(({ id }) => stray(itemOf(id), () => touched.has(id))),
    ...round.structures.flatMap((item) => stray(item.id, () => mayFailStructure(item, touched, change))),
    ...round.probes.flatMap((item) => stray(item.id, () => mayFailProbe(base, item, touched, change))),
    ...round.relations.flatMap((item) => stray(item.id, () => mayFailRelation(item, round, touched, change))),
  ]);
}

const knownWriters = new WeakMap<Base, ReturnType<typeof writersOf>>();

function writersInReference(base: Base, before: Doings): ReturnType<typeof writersOf> {
  const known = knownWriters.get(base) ?? writersOf(before);
  knownWriters.set(base, known);
  return known;
}

function touchedEvents(base: Base, change: Change): ReadonlySet<EventId> {
  const stirred = new Set([...change.changed, ...change.affected]);
  const writers = [writersInReference(base, change.before), writersOf(change.after)];
  const touched = new Set<EventId>();
  for (const [trigger] of change.before) {
    const isTouched =
      stirred.has(trigger) || writers.some((of) => [...(of.get(trigger) ?? [])].some((writer) => stirred.has(writer)));
    if (isTouched) for (const event of trigger.realises) touched.add(event);
  }
  for (const event of base.bench.case.contract.rounds.flatMap((round) => round.events)) {
    if (writesDefining(event, change) || foundOtherwise(event, change)) touched.add(event.id);
  }
  return touched;
}

/** Whether something that was changed writes what defines an event: it may then be bound to another realisation. */
function writesDefining(event: EventItem, { changed, before, after }: Change): boolean {
  const paths = new Set([...event.defining, ...event.accepts.flatMap((way) => Object.keys(way.defining))]);
  return [...changed].some((trigger) =>
    [before.get(trigger), after.get(trigger)].some((done) => done?.trigger.writes.some(({ path }) => paths.has(path))),
  );
}

/** Whether the circumstances of an event were not those of the reference. */
function foundOtherwise(event: EventItem, { before, after }: Change): boolean {
  const texts = [event.given, ...event.accepts.map(({ given }) => given)].filter((text) => text !== undefined);
  const first = [...before.keys()].find((trigger) => trigger.realises.includes(event.id));
  const [was, is] = first === undefined ? [] : [before.get(first), after.get(first)];
  if (was === undefined || is === undefined) return false;
  const paths = texts.flatMap((text) => looksOf(was.step.before, text).paths);
  return paths.some((path) => isOther(was.step.before, is.step.before, path));
}

function mayFailStructure(item: StructureItem, touched: ReadonlySet<EventId>, change: Change): boolean {
  const since = [...item.refusedWhen, ...item.allowedWhen].flatMap((one) => one.since ?? []);
  const named = [item.usedBy, ...since, ...(item.availableBefore === undefined ? [] : [item.availableBefore])];
  if (named.some((event) => touched.has(event))) return true;
  // A perturbation that holds on is carried through every step up to the use.
  return since.length > 0 && stirsBetween(since, item.usedBy, change);
}

function stirsBetween(since: readonly EventId[], until: EventId, { changed, affected, before }: Change): boolean {
  const orders = (events: readonly EventId[]) =>
    [...before]
      .filter(([trigger]) => events.some((event) => trigger.realises.includes(event)))
      .map(([, done]) => done.step.order);
  const [from, to] = [Math.min(...orders(since)), Math.max(...orders([until]))];
  return [...changed, ...affected].some((trigger) => {
    const order = before.get(trigger)?.step.order;
    return order === undefined || (order >= from && order <= to);
  });
}

function mayFailProbe(base: Base, item: ProbeItem, touched: ReadonlySet<EventId>, { paths }: Change): boolean {
  if (touched.has(item.after) || (item.until !== undefined && touched.has(item.until))) return true;
  const fieldsOf = (text: string | undefined) =>
    text === undefined ? [] : looksOf(base.bench.case.world, text).fields;
  const named =
    "changes" in item.forbids
      ? Object.keys(item.forbids.changes).map((path) => path.split(".").at(-1))
      : fieldsOf(item.forbids.holds);
  const fields = new Set([...named, ...fieldsOf(item.while)]);
  return [...paths].some((path) => fields.has(path.split(".").at(-1)));
}

function mayFailRelation(
  item: RelationItem,
  round: RoundContract,
  touched: ReadonlySet<EventId>,
  { changed, before, after }: Change,
): boolean {
  if (eventsOfRelation(item).some((event) => touched.has(event))) return true;
  // What stands between two events, or how long the steps between them take, is part of these two.
  const isBetween = (item.kind === "TM" && item.immediate) || (item.kind === "CC" && item.mode !== "start_together");
  return (
    isBetween &&
    [...changed].some((trigger) =>
      [before.get(trigger), after.get(trigger)].some((done) => done?.step.record.round === round.round),
    )
  );
}
