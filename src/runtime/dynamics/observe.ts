/** The observation filter: what the controlled character sees of a world. */
import { freeze } from "immer";
import type { FieldValue } from "../field.ts";
import { lookUp } from "../ids.ts";
import { countEntities, entityIds, getEntity, tableOf } from "../state/index.ts";
import type { Entity, World } from "../world.ts";
import type { Dynamics } from "./dynamics.ts";
import type { Visibility } from "./visibility.ts";

/** How far the value of a field of a type is seen; `at` among the fields. */
export function visibilityOf(dynamics: Dynamics, type: string, field: string): Visibility {
  return lookUp(lookUp(dynamics.visibility, type) ?? {}, field) ?? "public";
}

/** The outermost place an entity is in, through whatever holds it; null where it is nowhere, or that is not seen. */
export function placeOf(world: World, id: string): string | null {
  let at: string | null | undefined = id;
  for (let steps = 0; typeof at === "string" && steps <= countEntities(world.entities); steps += 1) {
    const entity = getEntity(world.entities, at);
    if (entity === undefined) return at;
    at = entity.at;
  }
  return null;
}

/** Where an entity is seen to be: a place, a holder or nowhere (null); undefined where that is not seen. */
export function placeSeen({ at }: { readonly at?: string | null }): string | null | undefined {
  return at;
}

/** Whether the character sees the value of a field of an entity that exists. */
export function isSeen(dynamics: Dynamics, world: World, entity: Entity, field: string): boolean {
  switch (visibilityOf(dynamics, entity.type, field)) {
    case "public":
      return true;
    case "hidden":
    case "sealed":
      return false;
    case "local": {
      if (entity.id === dynamics.character) return true;
      const here = placeOf(world, dynamics.character);
      return here !== null && placeOf(world, entity.id) === here;
    }
  }
}

/**
 * The world as the character sees it: values that are not seen are missing from their entities, and so is a place that
 * is not seen (null would say that they are nowhere); sealed fields are in no type. That an entity exists, its type and
 * its name, everybody knows. Expressions have no value where they turn on what is missing.
 */
export function observe(dynamics: Dynamics, world: World): World {
  return filtered(observedOf, dynamics, world, (entity, field) => isSeen(dynamics, world, entity, field));
}

/** The world as it is given where nobody acts (M1): all but what is sealed. */
export function unsealed(dynamics: Dynamics, world: World): World {
  return filtered(
    unsealedOf,
    dynamics,
    world,
    (entity, field) => visibilityOf(dynamics, entity.type, field) !== "sealed",
  );
}

type Known = WeakMap<Dynamics, WeakMap<World, World>>;
const observedOf: Known = new WeakMap();
const unsealedOf: Known = new WeakMap();

function filtered(
  known: Known,
  dynamics: Dynamics,
  world: World,
  sees: (entity: Entity, field: string) => boolean,
): World {
  const ofDynamics = known.get(dynamics) ?? new WeakMap<World, World>();
  known.set(dynamics, ofDynamics);
  const there = ofDynamics.get(world);
  if (there !== undefined) return there;
  const entities = entityIds(world.entities).map((id): Entity => {
    const entity = getEntity(world.entities, id) as Entity;
    const fields: Record<string, FieldValue> = {};
    for (const [field, value] of Object.entries(entity.fields)) if (sees(entity, field)) fields[field] = value;
    const { at, ...rest } = entity;
    return (sees(entity, "at") ? { ...rest, at, fields } : { ...rest, fields }) as Entity;
  });
  const seen = freeze({ ...world, types: dynamics.types, entities: tableOf(entities) });
  ofDynamics.set(world, seen);
  return seen;
}
