import { changeEntities, getEntity, valueOf, type FieldValue, type World } from "../runtime/index.ts";

/** `entity.field`, taken apart. */
export function splitPath(path: string): { readonly id: string; readonly field: string } {
  const dot = path.indexOf(".");
  return { id: path.slice(0, dot), field: path.slice(dot + 1) };
}

/** What a path holds in a world; undefined where there is no such entity or field. */
export function valueAt(world: World, path: string): FieldValue | undefined {
  const { id, field } = splitPath(path);
  const entity = getEntity(world.entities, id);
  return entity && valueOf(entity, field);
}

/** The world with other values at some paths, and nothing checked; undefined where a path is not there. */
export function withValues(
  world: World,
  values: Readonly<Record<string, FieldValue>>,
  clock?: number,
): World | undefined {
  const changes = Object.entries(values).map(([path, value]) => ({ kind: "set" as const, ...splitPath(path), value }));
  if (changes.some((change) => valueAt(world, `${change.id}.${change.field}`) === undefined)) return undefined;
  const entities = changes.length === 0 ? world.entities : changeEntities(world.entities, changes);
  return { ...world, entities, clock: clock ?? world.clock };
}

/** Whether a value is an entity's or place's id, or holds it. */
export function holdsId(value: FieldValue | undefined, id: string): boolean {
  return value === id || (Array.isArray(value) && value.includes(id));
}
