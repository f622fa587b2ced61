/** The record of a run as data for a judge: what was done and what it changed. No word that an agent wrote is in it. */
import type { Trace, TraceStep } from "../contracts/index.ts";
import type { JsonObject } from "../endpoint/index.ts";
import {
  getEntity,
  lookUp,
  type AcceptedTrigger,
  type Capability,
  type Entity,
  type EntityType,
  type Json,
  type World,
  type Write,
} from "../runtime/index.ts";
import { clipValue } from "./fit.ts";

export type TraceEntry = Trace["entries"][number];
export type TraceConstruction = Extract<TraceEntry, { kind: "construction" }>;

/** The accepted triggers of steps, each with its arguments, its interval and what it changed; waits among them. */
export function stepFacts(steps: readonly TraceStep[]): readonly JsonObject[] {
  return steps.flatMap(({ record }): readonly JsonObject[] => {
    const { step, start, clock, triggers } = record;
    if (triggers.length === 0) return [{ wait: true, step, start, end: clock }];
    return triggers.map((trigger) => triggerFacts(trigger, step));
  });
}

function triggerFacts(trigger: AcceptedTrigger, step: number): JsonObject {
  const { id, capability, version, args, start, end, writes } = trigger;
  const changes = writes.filter((write) => !isSame(write)).map(changeFacts);
  const rewritten = writes.filter(isSame).map(({ path }) => path);
  return {
    trigger: id,
    step,
    start,
    end,
    capability,
    version,
    args: clipValue(args),
    changes,
    ...(rewritten.length === 0 ? {} : { left_as_they_were: rewritten }),
  };
}

export function isSame(write: Write): boolean {
  return "same" in write && write.same === true;
}

/** One change: a path with its value before and after, or an entity that came or went. */
export function changeFacts(write: Write): JsonObject {
  switch (write.kind) {
    case "create":
    case "destroy":
      return { [write.kind === "create" ? "created" : "destroyed"]: write.path, was: entityFacts(write.entity) };
    case "add":
      return { path: write.path, ...beforeAndAfter(write), by: write.by };
    default:
      return { path: write.path, ...beforeAndAfter(write) };
  }
}

function beforeAndAfter({ before, after }: { readonly before: Json; readonly after: Json }): JsonObject {
  return { before: clipValue(before), after: clipValue(after) };
}

/** An entity without its name, which is a claim. */
export function entityFacts({
  type,
  at = null,
  fields,
}: Omit<Entity, "name" | "at"> & { readonly at?: string | null }): {
  readonly [key: string]: Json;
} {
  return { type, at, ...(clipValue(fields) as JsonObject) };
}

/** A type: its fields, without sentences. */
export function typeFacts({ id, fields }: EntityType): JsonObject {
  return {
    type: id,
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, without(field, "says")])),
  };
}

/** A capability: what it asks for, what it refuses and what it does, without sentences. */
export function capabilityFacts({ id, version, params, requires, effects, duration }: Capability): JsonObject {
  return {
    capability: id,
    version,
    params: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, without(param, "says")])),
    requires: requires.map(({ expr }) => expr),
    effects: effects.map(effectFacts),
    duration,
  };
}

/** An effect: its literals may be long texts, its expressions are whole. */
function effectFacts({ value, fields, ...effect }: Capability["effects"][number]): Json {
  const literals = Object.entries(fields ?? {}).map(([key, one]) => [key, isExpression(one) ? one : clipValue(one)]);
  return without(
    {
      ...effect,
      ...(value === undefined ? {} : { value: clipValue(value) }),
      ...(fields === undefined ? {} : { fields: Object.fromEntries(literals) as JsonObject }),
    },
    "name",
  );
}

function isExpression(value: Json): boolean {
  return typeof value === "object" && value !== null && "expr" in value;
}

/** A construction: what was made, changed or taken away, when, and what it is from then on. */
export function constructionFacts({ record, before }: TraceConstruction): JsonObject {
  const { construction, round, afterStep, op, item } = record;
  const now = item.now === null ? null : definitionOf(item);
  return { construction, round, after_step: afterStep, clock: before.clock, op, level: item.level, id: item.id, now };
}

function definitionOf(item: TraceConstruction["record"]["item"]): JsonObject | null {
  if (item.now === null) return null;
  switch (item.level) {
    case "type":
      return typeFacts(item.now);
    case "entity":
      return entityFacts(item.now);
    case "capability":
      return capabilityFacts(item.now);
  }
}

/** Plain data without one key, and without keys that hold undefined. */
function without(value: object, key: string): Json {
  return JSON.parse(JSON.stringify({ ...value, [key]: undefined })) as Json;
}

/** What triggers touched: entities they wrote, then those they were given, then those they read; each once. */
export interface Touched {
  readonly written: readonly string[];
  readonly given: readonly string[];
  readonly read: readonly string[];
}

export function touchedBy(steps: readonly TraceStep[]): Touched {
  const written = new Set<string>();
  const given = new Set<string>();
  const read = new Set<string>();
  for (const { record, before, after } of steps) {
    const isThere = (id: string): boolean =>
      getEntity(before.entities, id) !== undefined || getEntity(after.entities, id) !== undefined;
    for (const trigger of record.triggers) {
      for (const { path } of trigger.writes) written.add(headOf(path));
      for (const arg of Object.values(trigger.args)) if (typeof arg === "string" && isThere(arg)) given.add(arg);
      for (const path of trigger.reads) if (isThere(headOf(path))) read.add(headOf(path));
    }
  }
  return {
    written: [...written],
    given: [...given].filter((id) => !written.has(id)),
    read: [...read].filter((id) => !written.has(id) && !given.has(id)),
  };
}

function headOf(path: string): string {
  return path.split(".")[0] as string;
}

/** The state of entities before and after a stretch of the record; `throughout` where nothing of it changed. */
export function stateFacts(ids: readonly string[], before: World, after: World): readonly JsonObject[] {
  return ids.map((id) => {
    const [was, is] = [before, after].map(({ entities }) => getEntity(entities, id));
    if (was !== undefined && was === is) return { entity: id, throughout: entityFacts(was) };
    return { entity: id, before: was ? entityFacts(was) : null, after: is ? entityFacts(is) : null };
  });
}

/** The capabilities that triggers of these steps used, in the versions they used, in the order of their first use. */
export function capabilitiesUsed(steps: readonly TraceStep[]): readonly Capability[] {
  const used = new Map<string, Capability>();
  for (const { record, before } of steps) {
    for (const { capability, version } of record.triggers) {
      const found = lookUp(before.capabilities, capability);
      if (found !== undefined && !used.has(`${capability} ${version}`)) used.set(`${capability} ${version}`, found);
    }
  }
  return [...used.values()];
}

/** The types of entities and of the parameters of capabilities, sorted as they are met. */
export function typesInPlay(
  ids: readonly string[],
  capabilities: readonly Capability[],
  worlds: readonly World[],
): readonly EntityType[] {
  const names = new Set<string>();
  for (const id of ids)
    for (const world of worlds) {
      const type = getEntity(world.entities, id)?.type;
      if (type !== undefined) names.add(type);
    }
  for (const { params } of capabilities)
    for (const { type } of Object.values(params)) if (type !== undefined) names.add(type);
  return [...names].flatMap((name) => {
    const type = worlds.map(({ types }) => lookUp(types, name)).findLast((one) => one !== undefined);
    return type === undefined ? [] : [type];
  });
}

/** The world before the first of these entries, and after the last. */
export function worldsAround(
  trace: Trace,
  steps: readonly TraceStep[],
): { readonly before: World; readonly after: World } {
  const before = steps[0]?.before ?? trace.initial;
  return { before, after: steps.at(-1)?.after ?? before };
}
