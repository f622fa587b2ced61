import { compareText } from "./canonical.ts";
import { nearestWord, refuse, succeed, suggest, type Result } from "./errors.ts";
import { describeField, type Field, type FieldValue } from "./field.ts";
import { LIMITS } from "./limits.ts";
import { roundTo } from "./number.ts";
import { shorten } from "./show.ts";
import { type EntityTable, entityIds, getEntity } from "./state/index.ts";
import type { WorldMap } from "./world.ts";

/** What a value is checked against: the places and the entities there are. */
export interface Surroundings {
  readonly map: WorldMap;
  readonly entities: EntityTable;
}

/** A value as a field keeps it (numbers rounded, sets sorted), or why the field cannot hold it. Nothing is clamped. */
export function checkFieldValue(around: Surroundings, field: Field, value: unknown): Result<FieldValue> {
  switch (field.kind) {
    case "bool":
      return typeof value === "boolean" ? succeed(value) : wrongType(field, value);
    case "int":
    case "number":
      return checkNumber(field, value);
    case "text":
      if (typeof value !== "string") return wrongType(field, value);
      if (value.length > LIMITS.textCharacters) {
        return refuse("text_too_long", `a text of ${value.length} characters`, {
          hint: `at most ${LIMITS.textCharacters}`,
        });
      }
      return succeed(value);
    case "enum":
      if (typeof value !== "string") return wrongType(field, value);
      if (field.values.includes(value)) return succeed(value);
      return refuse("out_of_range", `${JSON.stringify(value)} is no word of this enum`, {
        hint: suggest(value, field.values),
      });
    case "place":
      if (typeof value !== "string") return wrongType(field, value);
      return checkPlace(around, value);
    case "ref":
      return value === null ? succeed(null) : checkReference(around, field.of, value, field);
    case "refs":
      return checkReferences(around, field, value);
  }
}

type NumberField = Extract<Field, { kind: "int" | "number" }>;

function checkNumber(field: NumberField, value: unknown): Result<FieldValue> {
  if (typeof value !== "number") return wrongType(field, value);
  if (!Number.isFinite(value))
    return refuse("out_of_range", `${value} is no finite number`, { hint: `the field is ${describeField(field)}` });
  if (field.kind === "int" && !Number.isSafeInteger(value)) {
    return refuse("out_of_range", `${value} is no whole number`, { hint: `the field is ${describeField(field)}` });
  }
  const rounded = field.kind === "int" ? value + 0 : roundTo(value, field.digits);
  if ((field.min !== undefined && rounded < field.min) || (field.max !== undefined && rounded > field.max)) {
    return refuse("out_of_range", `${rounded} is out of range`, { hint: `the field is ${describeField(field)}` });
  }
  return succeed(rounded);
}

function checkPlace(around: Surroundings, value: string): Result<string> {
  if (Object.hasOwn(around.map.places, value)) return succeed(value);
  return refuse("unknown_place", `there is no place ${JSON.stringify(value)}`, {
    hint: suggest(value, Object.keys(around.map.places)),
  });
}

function checkReference(around: Surroundings, of: string, value: unknown, field: Field): Result<string> {
  if (typeof value !== "string") return wrongType(field, value);
  const entity = getEntity(around.entities, value);
  if (entity === undefined) {
    return refuse("broken_reference", `there is no entity ${JSON.stringify(value)}`, {
      hint: suggest(value, entityIds(around.entities)),
    });
  }
  if (entity.type !== of) {
    return refuse("wrong_entity_type", `${value} is of type ${entity.type}`, {
      hint: `the field is ${describeField(field)}`,
    });
  }
  return succeed(value);
}

function checkReferences(
  around: Surroundings,
  field: Extract<Field, { kind: "refs" }>,
  value: unknown,
): Result<FieldValue> {
  if (!Array.isArray(value)) return wrongType(field, value);
  for (const one of value as readonly unknown[]) {
    const checked = checkReference(around, field.of, one, field);
    if (!checked.ok) return checked;
  }
  return succeed([...new Set(value as readonly string[])].sort(compareText));
}

function wrongType(field: Field, value: unknown): Result<never> {
  return refuse("wrong_type", `${show(value)} is not ${describeField(field)}`);
}

/** The place or holder that was meant, or the places there are. */
function suggestPlace({ map, entities }: Surroundings, value: string): string | undefined {
  const places = Object.keys(map.places);
  const near = nearestWord(value, [...places, ...entityIds(entities)]);
  return near === undefined ? suggest(value, places) : `did you mean "${near}"?`;
}

/** A place, a holder or null, as `at` keeps it. */
export function checkAt(around: Surroundings, value: unknown): Result<string | null> {
  if (value === null) return succeed(null);
  if (typeof value !== "string") return refuse("wrong_type", `${show(value)} is no place and no entity`);
  if (Object.hasOwn(around.map.places, value) || getEntity(around.entities, value) !== undefined) return succeed(value);
  return refuse("broken_reference", `${JSON.stringify(value)} is no place and no entity`, {
    hint: suggestPlace(around, value),
  });
}

/**
 * The circle of containment that `id` stands in or hangs on, or undefined. `safe` collects what is known to lead out:
 * shared between the questions about one arrangement, it makes them cost together what the arrangement holds.
 */
export function circleFrom(entities: EntityTable, id: string, safe: Set<string>): readonly string[] | undefined {
  const way: string[] = [];
  const seen = new Set<string>();
  for (
    let at: string | null | undefined = id;
    typeof at === "string" && !safe.has(at);
    at = getEntity(entities, at)?.at
  ) {
    way.push(at);
    if (seen.has(at)) return way.slice(way.indexOf(at));
    seen.add(at);
  }
  for (const one of way) safe.add(one);
  return undefined;
}

const SHOWN = 80;

/** A value in an error message, cut to a readable length. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  const isLong = Array.isArray(value) || typeof value === "string";
  return shorten(JSON.stringify(isLong ? value.slice(0, SHOWN) : value), SHOWN);
}
