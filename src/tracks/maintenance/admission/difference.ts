/** How two worlds of one round differ, and a world with another's differences put into it. */
import {
  type Capability,
  type Entity,
  type EntityType,
  type FieldValue,
  type World,
  changeEntities,
  entityIds,
  getEntity,
  retiredIds,
  sameJson,
  valueOf,
} from "../../../runtime/index.ts";

export interface Difference {
  /** By path, what the other world holds. */
  readonly values: ReadonlyMap<string, FieldValue>;
  /** By id, the capability of the other world; undefined where it has none. */
  readonly capabilities: ReadonlyMap<string, Capability | undefined>;
}

export function isNoDifference({ values, capabilities }: Difference): boolean {
  return values.size === 0 && capabilities.size === 0;
}

/**
 * What `other` holds otherwise than `world`, the clock apart; undefined where they differ in more than values and
 * capabilities (in types, or in who there is).
 */
export function differenceOf(world: World, other: World): Difference | undefined {
  const ids = entityIds(world.entities);
  if (!sameEntries(world.types, other.types) || !sameIds(retiredIds(world.retired), retiredIds(other.retired)))
    return undefined;
  if (!sameIds(ids, entityIds(other.entities))) return undefined;
  const values = new Map<string, FieldValue>();
  for (const id of ids) {
    const [was, is] = [getEntity(world.entities, id) as Entity, getEntity(other.entities, id) as Entity];
    if (was === is) continue;
    if (was.type !== is.type || was.name !== is.name) return undefined;
    for (const field of ["at", ...Object.keys(was.fields)]) {
      const [a, b] = [valueOf(was, field), valueOf(is, field)];
      if (b === undefined) return undefined;
      if (!isSame(a, b)) values.set(`${id}.${field}`, b);
    }
  }
  return { values, capabilities: differingEntries(world.capabilities, other.capabilities) };
}

/** Whether two lists hold the same ids in the same order. */
export function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((id, i) => id === b[i]));
}

function sameEntries(a: Readonly<Record<string, EntityType>>, b: Readonly<Record<string, EntityType>>): boolean {
  return differingEntries(a, b).size === 0;
}

/** The entries of `b` that are not those of `a`, and undefined for what only `a` has. */
function differingEntries<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
): ReadonlyMap<string, T | undefined> {
  if (a === b) return new Map();
  const differing = new Map<string, T | undefined>();
  for (const id of Object.keys(a)) if (!Object.hasOwn(b, id)) differing.set(id, undefined);
  for (const [id, own] of Object.entries(b)) if (!Object.hasOwn(a, id) || !isSame(a[id], own)) differing.set(id, own);
  return differing;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && sameJson(a, b));
}

/** The world with what differs put into it, `ticks` later. */
export function withDifference(world: World, { values, capabilities }: Difference, ticks: number): World {
  const changes = [...values].map(([path, value]) => {
    const dot = path.indexOf(".");
    return { kind: "set", id: path.slice(0, dot), field: path.slice(dot + 1), value } as const;
  });
  if (isNoDifference({ values, capabilities }) && ticks === 0) return world;
  return {
    ...world,
    entities: changes.length === 0 ? world.entities : changeEntities(world.entities, changes),
    capabilities: capabilities.size === 0 ? world.capabilities : withCapabilities(world.capabilities, capabilities),
    clock: world.clock + ticks,
  };
}

function withCapabilities(own: World["capabilities"], others: Difference["capabilities"]): World["capabilities"] {
  const all: Record<string, Capability> = { ...own };
  for (const [id, other] of others) {
    if (other === undefined) delete all[id];
    else all[id] = other;
  }
  return all;
}
