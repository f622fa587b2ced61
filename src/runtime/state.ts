/**
 * The one module that owns how the entities of a world are laid out and digested. Everything else reads and
 * changes them through these functions, so that the layout can change without touching anything else.
 */
import { freeze, produce, type Draft } from "immer";
import { compareText } from "./canonical.ts";
import { digestOf, sha256 } from "./digest.ts";
import type { FieldValue } from "./field.ts";
import { lookUp } from "./ids.ts";
import type { Entity } from "./world.ts";

/** The entities of a world. Opaque: see the functions below. */
export interface EntityTable {
  readonly byId: Readonly<Record<string, Entity>>;
  /** All ids, sorted. */
  readonly ids: readonly string[];
  /** Ids by type, sorted; every type that has entities. */
  readonly byType: Readonly<Record<string, readonly string[]>>;
}

/** One change of one entity. `set` writes a field or `at`; `name` mends the name. */
export type EntityChange =
  | { readonly kind: "set"; readonly id: string; readonly field: string; readonly value: FieldValue }
  | { readonly kind: "rename"; readonly id: string; readonly name: string }
  | { readonly kind: "put"; readonly entity: Entity }
  | { readonly kind: "delete"; readonly id: string };

export function tableOf(entities: Iterable<Entity>): EntityTable {
  return changeEntities(
    { byId: {}, ids: [], byType: {} },
    [...entities].map((entity) => ({ kind: "put", entity })),
  );
}

export function getEntity(table: EntityTable, id: string): Entity | undefined {
  const entity = table.byId[id];
  // What a key of the prototype leads to bears no id: this is quicker than to ask whose property it is.
  return entity !== undefined && entity.id === id ? entity : undefined;
}

export function countEntities(table: EntityTable): number {
  return table.ids.length;
}

/** All entity ids, sorted. */
export function entityIds(table: EntityTable): readonly string[] {
  return table.ids;
}

/** The ids of the entities of `type`, sorted. */
export function entityIdsOfType(table: EntityTable, type: string): readonly string[] {
  return lookUp(table.byType, type) ?? [];
}

/** The value of `field` (or `at`) of an entity; undefined where it has no such field. */
export function valueOf(entity: Entity, field: string): FieldValue | undefined {
  if (field === "at") return entity.at;
  const value = entity.fields[field];
  // Keys of the prototype lead to functions and to an object that is no list: no field holds such.
  if (typeof value === "object" ? value === null || Array.isArray(value) : typeof value !== "function") return value;
  return undefined;
}

/** The table after `changes`, in their order. Shares all that they leave alone. */
export function changeEntities(table: EntityTable, changes: readonly EntityChange[]): EntityTable {
  if (changes.every(isSetting)) return setValues(table, changes);
  const byId = produce(table.byId, (draft: Record<string, Draft<Entity>>) => {
    for (const change of changes) {
      switch (change.kind) {
        case "put":
          draft[change.entity.id] = change.entity as Draft<Entity>;
          break;
        case "delete":
          delete draft[change.id];
          break;
        default: {
          const entity = draft[change.id];
          if (entity === undefined) throw new Error(`changeEntities: no entity ${change.id}`);
          if (change.kind === "rename") entity.name = change.name;
          else if (change.field === "at") entity.at = change.value as string | null;
          else entity.fields[change.field] = change.value as Draft<FieldValue>;
        }
      }
    }
  });
  if (changes.every((change) => change.kind === "rename" || isSetting(change)))
    return Object.freeze({ ...table, byId });
  const ids = Object.keys(byId).sort(compareText);
  const byType: Record<string, string[]> = {};
  for (const id of ids) (byType[(byId[id] as Entity).type] ??= []).push(id);
  for (const list of Object.values(byType)) Object.freeze(list);
  return Object.freeze({ byId: freeze(byId, true), ids: Object.freeze(ids), byType: Object.freeze(byType) });
}

type Setting = Extract<EntityChange, { kind: "set" }>;

function isSetting(change: EntityChange): change is Setting {
  return change.kind === "set";
}

/** By far the most frequent change, made without a draft of the whole table; each entity is copied once. */
function setValues(table: EntityTable, changes: readonly Setting[]): EntityTable {
  const changed = new Map<
    string,
    { at: string | null; fields: Record<string, FieldValue> | undefined; from: Entity }
  >();
  for (const { id, field, value } of changes) {
    const from = lookUp(table.byId, id);
    if (from === undefined) throw new Error(`changeEntities: no entity ${id}`);
    const known = changed.get(id);
    const before = field === "at" ? (known === undefined ? from.at : known.at) : (known?.fields ?? from.fields)[field];
    if (known === undefined && before === value) continue;
    const now = known ?? { at: from.at, fields: undefined, from };
    if (known === undefined) changed.set(id, now);
    if (field === "at") now.at = value as string | null;
    else (now.fields ??= { ...from.fields })[field] = freeze(value, true);
  }
  if (changed.size === 0) return table;
  const byId: Record<string, Entity> = { ...table.byId };
  for (const [id, { at, fields, from }] of changed)
    byId[id] = Object.freeze({ ...from, at, fields: fields === undefined ? from.fields : Object.freeze(fields) });
  const next = Object.freeze({ ...table, byId: Object.freeze(byId) });
  const deepest = deepestOf.get(table);
  if (deepest !== undefined && !changes.some(({ field }) => field === "at")) deepestOf.set(next, deepest);
  return next;
}

const deepestOf = new WeakMap<EntityTable, number>();

/** How many holders the most deeply contained entity has above it; found once for each arrangement of holders. */
export function deepestContainment(table: EntityTable): number {
  const known = deepestOf.get(table);
  if (known !== undefined) return known;
  const depths = new Map<string, number>();
  let deepest = 0;
  for (const id of table.ids) {
    const way: string[] = [];
    for (
      let at: string | null | undefined = id;
      typeof at === "string" && !depths.has(at);
      at = getEntity(table, at)?.at
    ) {
      depths.set(at, 0);
      way.push(at);
    }
    for (const one of way.reverse()) {
      const at = getEntity(table, one)?.at ?? null;
      const depth = at === null ? 0 : 1 + (depths.get(at) ?? 0);
      depths.set(one, depth);
      deepest = Math.max(deepest, depth);
    }
  }
  deepestOf.set(table, deepest);
  return deepest;
}

/** Merkle root over per-entity hashes, in the order of their ids. */
export function digestOfEntities(table: EntityTable): string {
  return sha256(table.ids.map((id) => digestOf(table.byId[id])).join("\n"));
}
