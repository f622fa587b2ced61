/** What a world holds, in words: its people and things by their names, its fields as they are said of them. */
import type { Perturbation } from "../../contracts/index.ts";
import { fieldOf, getEntity, type FieldValue, type World } from "../../runtime/index.ts";

/** The name of an entity or a place as a sentence uses it: `Wenna` of "Wenna, who tells it". An id where it has none. */
export function callIt(world: World, id: string): string {
  const entity = getEntity(world.entities, id);
  if (entity !== undefined) return entity.name.split(",")[0]?.trim() || id;
  return Object.hasOwn(world.map.places, id) ? world.map.places[id] || id : spell(id);
}

/** An id as words: `held_by` → `held by`. */
export function spell(id: string): string {
  return id.replaceAll("_", " ");
}

/** `lamp.lit` and true → `the lantern: lit`; `buckle.at` and berit → `the buckle: with Berit`. */
export function sayState(world: World, path: string, value: unknown): string {
  const { id, field } = splitPath(path);
  return `${callIt(world, id)}: ${sayField(world, id, field, value)}`;
}

/** What a field says where it has a value: `lit`, `not lit`, `oil 3`, `with Berit`. */
export function sayField(world: World, id: string, field: string, value: unknown): string {
  if (field === "at") return sayPlace(world, value);
  if (value === true) return spell(field);
  if (value === false) return `not ${spell(field)}`;
  const type = getEntity(world.entities, id)?.type ?? "";
  return `${spell(field)} ${sayValue(world, fieldOf(world, type, field)?.kind, value)}`;
}

export function sayPlace(world: World, at: unknown): string {
  if (typeof at !== "string") return "nowhere";
  return `${getEntity(world.entities, at) === undefined ? "at" : "with"} ${callIt(world, at)}`;
}

/** `the jug: litres 2 less` where a total is added. */
export function sayAmount(world: World, path: string, total: number): string {
  const { id, field } = splitPath(path);
  return `${callIt(world, id)}: ${spell(field)} ${Math.abs(total)} ${total < 0 ? "less" : "more"}`;
}

/** A path alone: `the lantern: lit?`. */
export function sayPath(world: World, path: string): string {
  const { id, field } = splitPath(path);
  return `${callIt(world, id)}: ${field === "at" ? "where it is" : spell(field)}`;
}

function splitPath(path: string): { readonly id: string; readonly field: string } {
  const [id = "", field = ""] = path.split(".");
  return { id, field };
}

function sayValue(world: World, kind: string | undefined, value: unknown): string {
  if (value === null) return "nobody, nothing";
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map((one) => callIt(world, String(one))).join(", ");
  if (typeof value !== "string") return JSON.stringify(value);
  return kind === "ref" || kind === "place" ? callIt(world, value) : value;
}

/** A value without its field: an argument, what a path may not become. */
export function sayArgument(world: World, value: FieldValue): string {
  return typeof value === "string" ? callIt(world, value) : sayValue(world, undefined, value);
}

/** `Jory: at the mill, not chalked and the clock at 400`. */
export function sayPerturbation(world: World, { paths, clock, args }: Perturbation): string {
  const states = new Map<string, string[]>();
  for (const [path, value] of Object.entries(paths)) {
    const { id, field } = splitPath(path);
    states.set(id, [...(states.get(id) ?? []), sayField(world, id, field, value)]);
  }
  return [
    ...[...states].map(([id, said]) => `${callIt(world, id)}: ${said.join(", ")}`),
    ...(clock === undefined ? [] : [`the clock at ${clock}`]),
    ...Object.entries(args ?? {}).map(([name, value]) => `${spell(name)} given as ${sayArgument(world, value)}`),
  ].join(" and ");
}

export function sayCount(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
