/**
 * What `read_data` reads: for each source its entries in one total order, each with a key that sorts as the entries
 * do, and what a `where` may say of them.
 *
 * map: places by id, then links by from and to · types, entities, capabilities: by id · invariants, constructions:
 * by number · log: accepted and refused steps in the order in which they were submitted.
 */
import { itemAt, itemsFrom, type AppendLog } from "./append-log.ts";
import { compareText, inOrder, type Json } from "./canonical.ts";
import type { ItShape } from "./expression/index.ts";
import { suggest, type ErrorCode } from "./errors.ts";
import { lookUp, parseTriggerId } from "./ids.ts";
import { indexAfter, indexOfStep, numberKey, type StepRecord } from "./numbered.ts";
import type { Entry } from "./page.ts";
import type { AcceptedStep, Construction, RejectedStep } from "./record.ts";
import type { Candidate, Shelf } from "./shelf.ts";
import { countEntities, countOfType, entityIds, entityIdsAfter, getEntity } from "./state/index.ts";
import type { Source } from "./tools.ts";
import type { Entity, World } from "./world.ts";

/** What can be read of a session. */
export interface Readable {
  readonly world: World;
  readonly steps: AppendLog<StepRecord>;
  readonly constructions: AppendLog<Construction>;
}

/** A source of a maintenance session as `read_data` reads it. */
export function shelfOf(from: Source, readable: Readable): Shelf {
  return {
    from,
    world: readable.world,
    candidates: (type, after) => candidatesOf(from, readable, type, after),
    byId: (id) => candidateById(from, readable, id),
    size: (type) => sizeOf(from, readable, type),
    shape: (type) => shapeOf(from, type),
    shown: (type) => shownFields(from, readable.world, type),
    singular: SINGULAR[from],
    unknown: UNKNOWN[from],
    hintForId: (id) => hintForId(readable, from, id),
    ...(from === "log" && { partHint: 'one trigger of it with an id such as "t1_1"' }),
  };
}

/** The entries of a source whose keys come after `after`, in order. */
function candidatesOf(from: Source, readable: Readable, type: string | undefined, after: string): Iterable<Candidate> {
  const { world } = readable;
  switch (from) {
    case "entities":
      return entityCandidates(world, type, after);
    case "log":
      return numbered(readable.steps, after, stepCandidate);
    case "constructions":
      return numbered(readable.constructions, after, constructionCandidate);
    default:
      return fixedCandidates(from, world).filter(({ key }) => key > after);
  }
}

/** How many entries a source has at most. */
function sizeOf(from: Source, readable: Readable, type: string | undefined): number {
  const { world } = readable;
  switch (from) {
    case "entities":
      return type === undefined ? countEntities(world.entities) : countOfType(world.entities, type);
    case "log":
      return readable.steps.length;
    case "constructions":
      return readable.constructions.length;
    default:
      return fixedCandidates(from, world).length;
  }
}

/** The entry of a source that bears `id`: a place, a type, …; in the log a step or a trigger. */
function candidateById(from: Source, readable: Readable, id: string): Candidate | undefined {
  const { world } = readable;
  switch (from) {
    case "entities": {
      const entity = getEntity(world.entities, id);
      return entity && entityCandidate(entity);
    }
    case "log":
      return logCandidate(readable.steps, id);
    case "constructions": {
      const index = Number(id) - 1;
      const found = /^[1-9][0-9]{0,8}$/.test(id) ? itemAt(readable.constructions, index) : undefined;
      return found && constructionCandidate(found, index);
    }
    case "map":
      return fixedCandidates(from, world).find(({ key }) => key === placeKey(id));
    case "invariants":
      return fixedCandidates(from, world).find(({ key }) => key === numberKey(Number(id) - 1));
    default:
      return fixedCandidates(from, world).find(({ key }) => key === id);
  }
}

/** The ids of a source, for hints; those of entities of any type. */
function idsOf(from: Source, readable: Readable): readonly string[] {
  const { world } = readable;
  switch (from) {
    case "map":
      return Object.keys(world.map.places);
    case "types":
      return Object.keys(world.types);
    case "capabilities":
      return Object.keys(world.capabilities);
    case "entities":
      return entityIds(world.entities);
    default:
      return [];
  }
}

function hintForId(readable: Readable, from: Source, id: string): string | undefined {
  if (from === "log") {
    return readable.steps.length === 0
      ? "no step has been submitted yet"
      : 'accepted steps are "1", "2", …; refused ones "r1", "r2", …; triggers "t1_1", …';
  }
  if (from === "constructions" || from === "invariants") {
    const many = sizeOf(from, readable, undefined);
    return many === 0 ? "there are none" : `their ids are "1" to "${many}"`;
  }
  return suggest(id, idsOf(from, readable));
}

const UNKNOWN: Readonly<Record<Source, ErrorCode>> = {
  map: "unknown_place",
  types: "unknown_type",
  entities: "unknown_entity",
  capabilities: "unknown_capability",
  invariants: "invalid_value",
  log: "invalid_value",
  constructions: "invalid_value",
};

const SINGULAR: Readonly<Record<Source, string>> = {
  map: "place",
  types: "type",
  entities: "entity",
  capabilities: "capability",
  invariants: "invariant",
  log: "step or trigger",
  constructions: "construction",
};

type Members = Extract<ItShape, { kind: "record" }>["members"];

/** What `it` has in a `where` over each source but entities. */
const MEMBERS: Readonly<Record<Exclude<Source, "entities">, Members>> = {
  map: { kind: "text", id: "text", says: "text", from: "text", to: "text", bothWays: "bool", ticks: "number" },
  types: { id: "text", says: "text", fields: "texts" },
  capabilities: { id: "text", says: "text", params: "texts", version: "number" },
  invariants: { id: "text", expr: "text", says: "text" },
  log: {
    id: "text",
    accepted: "bool",
    round: "number",
    start: "number",
    clock: "number",
    advance: "number",
    capabilities: "texts",
    arguments: "texts",
    code: "text",
  },
  constructions: { id: "text", round: "number", afterStep: "number", op: "text", level: "text", item: "text" },
};

function shapeOf(from: Source, type: string | undefined): ItShape {
  if (from !== "entities") return { kind: "record", members: MEMBERS[from] };
  return type === undefined ? { kind: "entity" } : { kind: "entity", type };
}

/** The members of shown entries of each source but entities, for `fields`. */
const SHOWN: Readonly<Record<Exclude<Source, "entities">, readonly string[]>> = {
  map: ["bothWays", "from", "id", "kind", "says", "ticks", "to"],
  types: ["fields", "id", "says"],
  capabilities: ["duration", "effects", "id", "params", "requires", "says", "version"],
  invariants: ["expr", "id", "says"],
  log: "accepted advance args capability clock end error id note reads round start step triggers until version writes".split(
    " ",
  ),
  constructions: ["afterStep", "id", "item", "level", "now", "op", "round"],
};

/** What `fields` may name. */
function shownFields(from: Source, world: World, type: string | undefined): readonly string[] {
  if (from !== "entities") return SHOWN[from];
  const types = type === undefined ? Object.values(world.types) : [lookUp(world.types, type)];
  return [
    ...new Set(["id", "type", "name", "at", "fields", ...types.flatMap((one) => Object.keys(one?.fields ?? {}))]),
  ].sort(compareText);
}

function* entityCandidates(world: World, type: string | undefined, after: string): Generator<Candidate> {
  for (const id of entityIdsAfter(world.entities, type, after))
    yield entityCandidate(getEntity(world.entities, id) as Entity);
}

function entityCandidate(entity: Entity): Candidate {
  const { id, type, name, at } = entity;
  return { key: id, it: id, show: () => ({ id, type, name, at, fields: sorted(entity.fields) }) };
}

function* numbered<T>(
  log: AppendLog<T>,
  after: string,
  make: (item: T, index: number) => Candidate,
): Generator<Candidate> {
  let index = indexAfter(after, log.length);
  for (const item of itemsFrom(log, index)) {
    yield make(item, index);
    index += 1;
  }
}

function stepCandidate(step: StepRecord, index: number): Candidate {
  const id = String(step.step);
  const accepted = step.kind === "accepted";
  const texts = step.triggers.flatMap(({ args }) => Object.values(args).filter((value) => typeof value === "string"));
  return {
    key: numberKey(index),
    it: {
      id,
      accepted,
      round: step.round,
      start: step.start,
      clock: accepted ? step.clock : step.start,
      advance: accepted ? step.advance : 0,
      capabilities: [...new Set(step.triggers.map(({ capability }) => capability))],
      arguments: [...new Set(texts)],
      code: accepted ? "" : step.error.code,
    },
    show: () => (accepted ? showAccepted(step) : showRejected(step)),
  };
}

function showAccepted(step: AcceptedStep): Entry {
  const { round, start, clock, until, advance } = step;
  const shown = { id: String(step.step), accepted: true, round, start, clock, ...(until && { until }), advance };
  return { ...shown, triggers: step.triggers as Json };
}

function showRejected(step: RejectedStep): Entry {
  const { step: id, round, start } = step;
  return { id, accepted: false, round, start, triggers: step.triggers.map(sorted), error: sorted(step.error) };
}

function logCandidate(steps: AppendLog<StepRecord>, id: string): Candidate | undefined {
  const trigger = parseTriggerId(id);
  const wanted = trigger ? String(trigger.step) : id;
  const index = indexOfStep(steps, wanted);
  if (index === undefined) return undefined;
  const step = itemAt(steps, index) as StepRecord;
  const candidate = stepCandidate(step, index);
  if (!trigger) return candidate;
  const found = step.triggers[trigger.position - 1];
  return found && { ...candidate, show: () => ({ ...sortedAbove(found), step: wanted, round: step.round }) };
}

function constructionCandidate(construction: Construction, index: number): Candidate {
  const { round, afterStep, op, item } = construction;
  const shown = { id: String(construction.construction), round, afterStep, op, level: item.level, item: item.id };
  return { key: numberKey(index), it: shown, show: () => ({ ...shown, now: item.now && sorted(item.now) }) };
}

function fixedCandidates(
  from: Exclude<Source, "entities" | "log" | "constructions">,
  world: World,
): readonly Candidate[] {
  switch (from) {
    case "map":
      return [...placeCandidates(world), ...linkCandidates(world)];
    case "types":
      return idsInOrder(world.types).map((id) => {
        const { says, fields } = world.types[id] as World["types"][string];
        const it = { id, says, fields: idsInOrder(fields) };
        return { key: id, it, show: () => ({ id, says, fields: sorted(fields) }) };
      });
    case "capabilities":
      return idsInOrder(world.capabilities).map((id) => {
        const { says, params, requires, effects, duration, version } = world.capabilities[
          id
        ] as World["capabilities"][string];
        const it = { id, says, params: idsInOrder(params), version };
        const show = () => ({
          id,
          says,
          params: sorted(params),
          requires: requires.map(sorted),
          effects: effects.map(sorted),
          duration,
          version,
        });
        return { key: id, it, show };
      });
    case "invariants":
      return world.invariants.map(({ expr, says }, index) => {
        const shown = { id: String(index + 1), expr, says };
        return { key: numberKey(index), it: shown, show: () => shown };
      });
  }
}

function placeKey(id: string): string {
  return `1:${id}`;
}

function placeCandidates(world: World): readonly Candidate[] {
  return idsInOrder(world.map.places).map((id) => {
    const shown = { kind: "place", id, says: world.map.places[id] as string };
    return { key: placeKey(id), it: { ...shown, from: "", to: "", bothWays: false, ticks: 0 }, show: () => shown };
  });
}

function linkCandidates(world: World): readonly Candidate[] {
  const links = world.map.links.map(({ from, to, bothWays, ticks }, index) => {
    const shown = { kind: "link", from, to, bothWays, ticks };
    const key = `2:${from}>${to}>${numberKey(index)}`;
    return { key, it: { ...shown, id: "", says: "" }, show: () => shown };
  });
  return links.sort((a, b) => compareText(a.key, b.key));
}

function idsInOrder(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).sort(compareText);
}

/** With its own keys in order: what a step wrote is too much to copy for what of it is shown. */
function sortedAbove(value: object): Entry {
  return Object.fromEntries(Object.entries(value as Entry).sort(([a], [b]) => compareText(a, b)));
}

/** A copy with its keys in order, all the way down; absent members stay absent. */
export function sorted(value: object): Entry {
  return inOrder(value as Json) as Entry;
}
