/** `construct`: what exists is made here; what happens to it is left to steps. */
import { itemsFrom, type AppendLog } from "../append-log.ts";
import { applyConstruction } from "../apply-record.ts";
import { checkType } from "../build-world.ts";
import { compareText, sameJson } from "../canonical.ts";
import type { Capability } from "../capability.ts";
import { compileCapability, compiledCapability } from "../compile-capability.ts";
import { makeEntity } from "../entity-check.ts";
import { refuse, succeed, suggest, type ErrorCode, type Result, type ToolError } from "../errors.ts";
import { costBeyond } from "../expression/index.ts";
import { lookUp } from "../ids.ts";
import { capabilitiesBrokenBy, obstaclesTo } from "./in-use.ts";
import { LIMITS } from "../limits.ts";
import type { StepRecord } from "../numbered.ts";
import type { Construction } from "../record.ts";
import { formatPath, showText } from "../show.ts";
import { countEntities, entityIds, getEntity, isRetired } from "../state/index.ts";
import { costOfTrigger } from "../trigger.ts";
import { constructibleLevels, LEVELS, mayConstruct, type Level, type Tier } from "../tier.ts";
import type { ConstructInput } from "../tools.ts";
import type { Entity, EntityType, World } from "../world.ts";

/** What a construction depends on. */
export interface Site {
  readonly tier: Tier;
  readonly world: World;
  readonly steps: AppendLog<StepRecord>;
  readonly constructions: AppendLog<Construction>;
}

export type Item = Construction["item"];

/** What a construction comes to: the item as it is now (null: gone), and the world with it. */
export interface Constructed {
  readonly op: ConstructInput["op"];
  readonly item: Item;
  readonly world: World;
}

/** Refuses at once where a tier constructs nothing at all, whatever the input looks like. */
export function refuseByTier(tier: Tier): Result<true> {
  return constructibleLevels(tier).length === 0 ? notPermitted(tier, undefined) : succeed(true);
}

/** Checks one construction and gives the world after it; nothing is changed where it is refused. */
export function construct(site: Site, input: ConstructInput): Result<Constructed> {
  const order = readOrder(input);
  if (!order.ok) return order;
  const { level, id } = order.value;
  if (!mayConstruct(site.tier, level)) return notPermitted(site.tier, level);
  switch (input.op) {
    case "delete":
      return remove(site, level, id);
    case "create": {
      const fresh = checkFresh(site, level, id);
      return fresh.ok ? put(site, input, makeItem(site.world, level, input)) : fresh;
    }
    case "update":
      if (exists(site.world, level, id)) return put(site, input, updateItem(site.world, level, input));
      return unknown(site.world, level, id, `${level}.id`);
  }
}

/** What is to be constructed: a create or update names it in its part, a delete by `level` and `id`. */
function readOrder(input: ConstructInput): Result<{ readonly level: Level; readonly id: string }> {
  const parts = LEVELS.filter((level) => input[level] !== undefined);
  const [part] = parts;
  if (input.op === "delete") {
    const example = '{"op": "delete", "level": "capability", "id": "heat"}';
    if (part !== undefined)
      return refuse("invalid_value", `delete takes level and id, not ${part}`, {
        path: part,
        hint: `for example ${example}`,
      });
    if (input.level === undefined || input.id === undefined) {
      const missing = input.level === undefined ? "level" : "id";
      return refuse("missing_key", `${missing} is missing: delete takes level and id`, {
        path: missing,
        hint: `for example ${example}`,
      });
    }
    return succeed({ level: input.level, id: input.id });
  }
  const example = `{"op": "${input.op}", "${input.level ?? "capability"}": {"id": …}}`;
  if (part === undefined) {
    const path = input.level ?? "capability";
    return refuse("missing_key", `${path} is missing: ${input.op} takes the item under type, entity or capability`, {
      path,
      hint: `for example ${example}`,
    });
  }
  if (parts.length > 1) {
    return refuse("invalid_value", `one item at a time: this has ${parts.join(" and ")}`, {
      path: parts[1],
      hint: "send one call for each",
    });
  }
  const { id } = input[part] as { readonly id: string };
  if (input.level !== undefined && input.level !== part) {
    return refuse("invalid_value", `level is ${input.level}, but the item is under ${part}`, {
      path: "level",
      hint: "leave `level` out",
    });
  }
  if (input.id !== undefined && input.id !== id) {
    return refuse("invalid_value", `id is ${showText(input.id)}, but ${part}.id is "${id}"`, {
      path: "id",
      hint: "leave `id` out",
    });
  }
  return succeed({ level: part, id });
}

/** An id is free where nothing of its level has it or ever had it, and there is room for one more. */
function checkFresh({ world, constructions }: Site, level: Level, id: string): Result<true> {
  const path = `${level}.id`;
  if (exists(world, level, id))
    return refuse("already_exists", `there is ${article(level)} ${level} "${id}" already`, {
      path,
      hint: MENDING[level],
    });
  const gone = level === "entity" ? isRetired(world.retired, id) : wasDeleted(constructions, level, id);
  if (gone)
    return refuse("id_was_used", `"${id}" belonged to ${article(level)} ${level} that is gone`, {
      path,
      hint: "ids are never used again: take another",
    });
  const { many, limit, code } = roomFor(world, level);
  return many < limit ? succeed(true) : refuse(code, `the world holds ${many} of at most ${limit}`, { path: level });
}

const MENDING: Readonly<Record<Level, string>> = {
  type: 'op "update" adds fields to it',
  entity: 'op "update" mends its name; its fields and place change by steps',
  capability: 'op "update" makes a new version of it',
};

function wasDeleted(constructions: AppendLog<Construction>, level: Level, id: string): boolean {
  for (const { item } of itemsFrom(constructions))
    if (item.level === level && item.id === id && item.now === null) return true;
  return false;
}

function roomFor(
  world: World,
  level: Level,
): { readonly many: number; readonly limit: number; readonly code: ErrorCode } {
  switch (level) {
    case "type":
      return { many: Object.keys(world.types).length, limit: LIMITS.types, code: "too_many_types" };
    case "entity":
      return { many: countEntities(world.entities), limit: LIMITS.entities, code: "too_many_entities" };
    case "capability":
      return {
        many: Object.keys(world.capabilities).length,
        limit: LIMITS.capabilities,
        code: "too_many_capabilities",
      };
  }
}

function makeItem(world: World, level: Level, input: ConstructInput): Result<Item> {
  switch (level) {
    case "type": {
      const { id, says = "", fields = {} } = input.type as NonNullable<ConstructInput["type"]>;
      return checkedType(world, { id, says, fields });
    }
    case "entity": {
      const { id, type, name = "", at = null, fields = {} } = input.entity as NonNullable<ConstructInput["entity"]>;
      if (type === undefined) {
        const path = "entity.type";
        return refuse("missing_key", `${path} is missing: an entity has a type`, {
          path,
          hint: suggest("", Object.keys(world.types)) ?? "create a type first",
        });
      }
      const made = within("entity", makeEntity(world, { id, type, name, at, fields }));
      return made.ok ? succeed({ level, id, now: writable(made.value) }) : made;
    }
    case "capability":
      return checkedCapability(world, input, 1);
  }
}

function updateItem(world: World, level: Level, input: ConstructInput): Result<Item> {
  switch (level) {
    case "type":
      return updatedType(world, input.type as NonNullable<ConstructInput["type"]>);
    case "entity":
      return renamedEntity(world, input.entity as NonNullable<ConstructInput["entity"]>);
    case "capability": {
      const { version } = world.capabilities[(input.capability as { readonly id: string }).id] as Capability;
      return checkedCapability(world, input, version + 1);
    }
  }
}

/** A type with more fields; those it has stay as they are. */
function updatedType(world: World, part: NonNullable<ConstructInput["type"]>): Result<Item> {
  const before = world.types[part.id] as EntityType;
  const added = part.fields ?? {};
  for (const id of Object.keys(added).sort(compareText)) {
    const known = lookUp(before.fields, id);
    if (known === undefined || sameJson(known, added[id])) continue;
    return refuse("incompatible_update", `type ${part.id} has a field "${id}" that is not the same`, {
      path: `type.fields.${id}`,
      hint: "an update only adds fields: give the new one another name",
    });
  }
  return checkedType(world, { id: part.id, says: part.says ?? before.says, fields: { ...before.fields, ...added } });
}

function checkedType(world: World, type: EntityType): Result<Item> {
  const faults: ToolError[] = [];
  checkType(world, type, (path, { message, hint }) => {
    const where = formatPath(["type", ...path]);
    faults.push({
      code: path.at(-1) === "of" ? "unknown_type" : "invalid_value",
      message,
      path: where,
      ...(hint === undefined ? {} : { hint }),
    });
  });
  const [first] = faults;
  return first === undefined ? succeed({ level: "type", id: type.id, now: type }) : { ok: false, error: first };
}

/** An entity with its name mended; whatever else an update states must be as it is. */
function renamedEntity(world: World, part: NonNullable<ConstructInput["entity"]>): Result<Item> {
  const before = getEntity(world.entities, part.id) as Entity;
  const differs = (path: string) =>
    refuse("incompatible_update", `${path} is not changed by construct`, {
      path: `entity.${path}`,
      hint: "an update mends the name; all else changes by steps",
    });
  if (part.type !== undefined && part.type !== before.type) return differs("type");
  if (part.at !== undefined && part.at !== before.at) return differs("at");
  for (const [field, value] of Object.entries(part.fields ?? {})) {
    if (!sameJson(lookUp(before.fields, field) ?? null, value) || !Object.hasOwn(before.fields, field))
      return differs(`fields.${field}`);
  }
  if (part.name === undefined) {
    return refuse("missing_key", "entity.name is missing: an update mends the name", {
      path: "entity.name",
      hint: 'for example "name": "Ana"',
    });
  }
  return succeed({
    level: "entity",
    id: part.id,
    now: writable({ ...before, name: part.name === "" ? part.id : part.name }),
  });
}

function checkedCapability(world: World, input: ConstructInput, version: number): Result<Item> {
  const draft = input.capability as NonNullable<ConstructInput["capability"]>;
  const compiled = within("capability", compileCapability(world, draft));
  if (!compiled.ok) return compiled;
  const cost = costBeyond(LIMITS.stepCost, (containment) =>
    costOfTrigger(world, { compiled: compiled.value }, containment),
  );
  if (cost > LIMITS.stepCost) return tooCostly(cost);
  return succeed({ level: "capability", id: draft.id, now: { ...draft, version } });
}

/** What no step could hold in the world as it is now. A world that grows later refuses the step. */
function tooCostly(cost: number): Result<never> {
  return refuse("cost_exceeded", `one use of it could take up to ${cost} evaluations in the world as it is`, {
    path: "capability",
    hint: `at most ${LIMITS.stepCost} a step: loop over fewer entities, or not inside another loop`,
  });
}

/** The world with the item, unless it takes the meaning from a capability that stands. */
function put({ world }: Site, input: ConstructInput, made: Result<Item>): Result<Constructed> {
  if (!made.ok) return made;
  const next = applyConstruction(world, { item: made.value });
  const broken =
    made.value.level === "capability" ? [] : capabilitiesBrokenBy(made.value.level, made.value.id, next, world);
  if (broken.length === 0) {
    // compiled now, against the world it was checked against: what is lawful when constructed stays so
    if (made.value.level === "capability") compiledCapability(next, next.capabilities[made.value.id] as Capability);
    return succeed({ op: input.op, item: made.value, world: next });
  }
  const code = input.op === "create" ? "forbidden_id" : "incompatible_update";
  return refuse(code, `"${made.value.id}" would take the meaning from ${listed(broken)}`, {
    path: input.op === "create" ? `${made.value.level}.id` : made.value.level,
    hint: "take other names, or update what stands in the way first",
  });
}

function remove(site: Site, level: Level, id: string): Result<Constructed> {
  const { world, steps } = site;
  if (!exists(world, level, id)) return unknown(world, level, id, "id");
  const item: Item = { level, id, now: null };
  const without = applyConstruction(world, { item });
  const obstacles = obstaclesTo(level, id, world, without, steps);
  if (obstacles.length === 0) return succeed({ op: "delete", item, world: without });
  return refuse("in_use", `${level} ${id} cannot be deleted; in the way: ${listed(obstacles)}`, {
    path: "id",
    hint: obstacles.some((one) => one.startsWith("trigger"))
      ? "what an accepted trigger used stays; leave it alone"
      : "remove those first",
  });
}

function exists(world: World, level: Level, id: string): boolean {
  switch (level) {
    case "type":
      return lookUp(world.types, id) !== undefined;
    case "entity":
      return getEntity(world.entities, id) !== undefined;
    case "capability":
      return lookUp(world.capabilities, id) !== undefined;
  }
}

function unknown(world: World, level: Level, id: string, path: string): Result<never> {
  const known = {
    type: Object.keys(world.types),
    entity: entityIds(world.entities),
    capability: Object.keys(world.capabilities),
  }[level];
  return refuse(`unknown_${level}`, `there is no ${level} ${showText(id)}`, {
    path,
    hint: suggest(id, known) ?? "there are none yet",
  });
}

function notPermitted(tier: Tier, level: Level | undefined): Result<never> {
  const allowed = constructibleLevels(tier);
  if (level === undefined) {
    return refuse("not_permitted", `nothing is constructed in tier ${tier}: all of the world is there`, {
      hint: 'act with commit_step; read_data {"from": "capabilities"} shows how',
    });
  }
  const what = allowed
    .map((one) => (one === "capability" ? "capabilities" : one === "entity" ? "entities" : "types"))
    .join(", ");
  return refuse("not_permitted", `tier ${tier} constructs ${what}: ${article(level)} ${level} is given, not made`, {
    path: level,
  });
}

/** An error's path, moved below `part`. */
function within<T>(part: string, result: Result<T>): Result<T> {
  if (result.ok) return result;
  const { path } = result.error;
  return { ok: false, error: { ...result.error, path: path === undefined ? part : `${part}.${path}` } };
}

/** An entity as a record holds it: the same data, in arrays that Zod's types call writable. */
function writable(entity: Entity): Extract<Item, { level: "entity" }>["now"] {
  return structuredClone(entity) as unknown as Extract<Item, { level: "entity" }>["now"];
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, 8).join(", ");
  return texts.length > 8 ? `${shown} and ${texts.length - 8} more` : shown;
}

function article(level: Level): string {
  return level === "entity" ? "an" : "a";
}
