/** Whether a world is what its types say: the fuzzer's own reading of the rules, which uses nothing of the engine's checks. */
import {
  retiredIds,
  tableOf,
  entitiesOf,
  entityIds,
  getEntity,
  isRetired,
  NO_RETIRED_IDS,
  retire,
} from "../../src/runtime/state/index.ts";
import type { Field } from "../../src/runtime/field.ts";
import { digestOfWorld, type Entity, type World } from "../../src/runtime/world.ts";

const ID = /^[a-z][a-z0-9_]{0,63}$/;

/** Checks worlds one after the other; an entity that was looked at before is not looked at again. */
export function worldChecker(): (world: World) => string | undefined {
  const sound = new WeakSet<Entity>();
  let before: World | undefined;
  return (world) => {
    if (world === before) return undefined;
    // what came, went or was built may change what is right for entities that stayed as they were
    const anew = before === undefined || before.types !== world.types || before.retired !== world.retired;
    before = world;
    for (const entity of entitiesOf(world.entities)) {
      if (!anew && sound.has(entity)) continue;
      const fault = faultOfEntity(world, entity);
      if (fault !== undefined) return `entity ${entity.id}: ${fault}`;
      sound.add(entity);
    }
    return undefined;
  };
}

function faultOfEntity(world: World, entity: Entity): string | undefined {
  const { id, at, fields } = entity;
  const type = Object.hasOwn(world.types, entity.type) ? world.types[entity.type] : undefined;
  if (!ID.test(id)) return "no id";
  if (type === undefined) return `there is no type ${entity.type}`;
  if (isRetired(world.retired, id)) return "its id was used before";
  if (Object.hasOwn(world.map.places, id)) return "its id is a place";
  if (typeof entity.name !== "string" || entity.name.length > 1_000) return "no name";
  if (at !== null && !Object.hasOwn(world.map.places, at) && getEntity(world.entities, at) === undefined)
    return `it is at ${at}, which is not there`;
  if (isInCircle(world, entity)) return "it is inside itself";
  const [has, ought] = [Object.keys(fields).sort(), Object.keys(type.fields).sort()];
  if (has.join() !== ought.join()) return `it has the fields ${has.join()}, not ${ought.join()}`;
  for (const name of ought) {
    const value: unknown = fields[name];
    if (!isRight(world, type.fields[name] as Field, value))
      return `${name} is ${JSON.stringify(value)}, which is not ${JSON.stringify(type.fields[name])}`;
  }
  return undefined;
}

function isInCircle(world: World, entity: Entity): boolean {
  const seen = new Set<string>();
  for (let one: Entity | undefined = entity; one !== undefined; one = getEntity(world.entities, one.at ?? "")) {
    if (seen.has(one.id)) return true;
    seen.add(one.id);
  }
  return false;
}

function isRight(world: World, field: Field, value: unknown): boolean {
  const isOf = (id: unknown, type: string) => typeof id === "string" && getEntity(world.entities, id)?.type === type;
  switch (field.kind) {
    case "bool":
      return typeof value === "boolean";
    case "int":
      return Number.isSafeInteger(value) && isNumberOf(field, value as number);
    case "number":
      return Number.isFinite(value) && isNumberOf(field, value as number) && decimals(value as number) <= field.digits;
    case "text":
      return typeof value === "string" && value.length <= 1_000;
    case "enum":
      return field.values.includes(value as string);
    case "place":
      return typeof value === "string" && Object.hasOwn(world.map.places, value);
    case "ref":
      return value === null || isOf(value, field.of);
    case "refs": {
      const members = value as readonly string[];
      return (
        Array.isArray(value) &&
        members.every((id, i) => isOf(id, field.of) && (i === 0 || (members[i - 1] as string) < id))
      );
    }
  }
}

function isNumberOf({ min, max }: { min?: number | undefined; max?: number | undefined }, value: number): boolean {
  return !Object.is(value, -0) && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}

/** Decimal digits of a number's shortest spelling. */
function decimals(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(exponent));
}

/** The village's two invariants, not in the engine's words. */
export function villageHolds({ entities }: World): boolean {
  const litres = (id: string) => getEntity(entities, id)?.fields["litres"] as number | undefined;
  const coins = entityIds(entities).map((id) => getEntity(entities, id)?.fields["coins"] ?? 0);
  return coins.every((one) => (one as number) <= 60) && (litres("jug") ?? NaN) + (litres("cup") ?? NaN) <= 9;
}

/** Whether the digest that was kept up to date is that of the same world, built anew of plain data. */
export function digestHolds(world: World): boolean {
  const { entities, retired, ...parts } = world;
  const anew: World = {
    ...structuredClone(parts),
    entities: tableOf(structuredClone(entitiesOf(entities))),
    retired: retire(NO_RETIRED_IDS, retiredIds(retired)),
  };
  return digestOfWorld(anew) === digestOfWorld(world);
}
