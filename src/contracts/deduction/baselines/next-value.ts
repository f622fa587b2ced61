/** What a field that changes without any reason becomes. */
import {
  checkFieldValue,
  entityIdsOfType,
  getEntity,
  type Field,
  type FieldValue,
  type World,
} from "../../../runtime/index.ts";

/** By how much a number changed when it was last seen to, and whether it may turn round at its bounds. */
export interface Step {
  readonly difference: number | undefined;
  readonly turns: boolean;
}

/**
 * Bools flip; enums, places and references go to the next in order and begin again after the last; a set of references
 * takes in the next one it lacks and is empty again after all; numbers repeat their last difference, or add 1, and stop
 * at their bounds. undefined where there is no other value, or none to be thought of: a text stays as it is.
 */
export function nextValue(world: World, field: Field, value: FieldValue, step: Step): FieldValue | undefined {
  const next = unchecked(world, field, value, step);
  if (next === undefined) return undefined;
  const checked = checkFieldValue(world, field, next);
  return checked.ok && checked.value !== value ? checked.value : undefined;
}

function unchecked(world: World, field: Field, value: FieldValue, step: Step): FieldValue | undefined {
  switch (field.kind) {
    case "bool":
      return value !== true;
    case "int":
    case "number":
      return typeof value === "number" ? nextNumber(field, value, step) : undefined;
    case "text":
      return undefined;
    case "enum":
      return following(field.values, value);
    case "place":
      return following(placesOf(world), value);
    case "ref": {
      const ids = entityIdsOfType(world.entities, field.of);
      // With one entity alone the only other value is none.
      return following(ids, value) ?? (value === null ? undefined : null);
    }
    case "refs": {
      const ids = entityIdsOfType(world.entities, field.of);
      const held: readonly unknown[] = Array.isArray(value) ? value : [];
      const next = ids.find((id) => !held.includes(id));
      if (next !== undefined) return [...(held as readonly string[]), next];
      return held.length === 0 ? undefined : [];
    }
  }
}

/** Where an entity goes next: from place to place, from holder to holder of one type. What is nowhere stays so. */
export function nextPlace(world: World, id: string, at: string | null): string | undefined {
  if (at === null) return undefined;
  const holder = getEntity(world.entities, at);
  if (holder === undefined) return following(placesOf(world), at);
  return following(
    entityIdsOfType(world.entities, holder.type).filter((one) => one !== id),
    at,
  );
}

/** The first place there is: where somebody is said to go of whom nobody knows where they are. */
export function firstPlace(world: World): string | undefined {
  return placesOf(world)[0];
}

function placesOf(world: World): readonly string[] {
  return Object.keys(world.map.places).sort();
}

/** The word after `value`, the first after the last one or after one that is not among them; undefined without another. */
function following(words: readonly string[], value: FieldValue): string | undefined {
  const next = words[(words.indexOf(value as string) + 1) % words.length];
  return next === value ? undefined : next;
}

type NumberField = Extract<Field, { kind: "int" | "number" }>;

function nextNumber({ min, max }: NumberField, value: number, { difference, turns }: Step): number {
  const by = difference === undefined || difference === 0 ? 1 : difference;
  const within = (wanted: number) => Math.min(Math.max(wanted, min ?? -Infinity), max ?? Infinity);
  const next = within(value + by);
  return next === value && turns ? within(value - by) : next;
}
