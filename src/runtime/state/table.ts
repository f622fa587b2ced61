import { freeze } from "immer";
import { compareText } from "../canonical.ts";
import { sha256 } from "../digest.ts";
import type { FieldValue } from "../field.ts";
import { lookUp } from "../ids.ts";
import type { Entity } from "../world.ts";
import { bucketsOf, find, rootOf, withChanges, type Buckets, type Hashing } from "./buckets.ts";
import { keepReferences } from "./references.ts";
import { SortedIds } from "./sorted-ids.ts";

/** The entities of a world. Opaque: see the functions below. */
export interface EntityTable {
  readonly buckets: Buckets<Entity>;
  readonly ids: SortedIds;
  /** Ids by type; every type that has entities. */
  readonly byType: Readonly<Record<string, SortedIds>>;
  /** How many entities are in another entity. */
  readonly held: number;
}

/** One change of one entity. `set` writes a field or `at`; `rename` mends the name; `put` creates or replaces. */
export type EntityChange =
  | { readonly kind: "set"; readonly id: string; readonly field: string; readonly value: FieldValue }
  | { readonly kind: "rename"; readonly id: string; readonly name: string }
  | { readonly kind: "put"; readonly entity: Entity }
  | { readonly kind: "delete"; readonly id: string };

const EMPTY: EntityTable = Object.freeze({
  buckets: bucketsOf<Entity>([]),
  ids: SortedIds.none,
  byType: Object.freeze({}),
  held: 0,
});

export function tableOf(entities: Iterable<Entity>): EntityTable {
  return changeEntities(
    EMPTY,
    Array.from(entities, (entity) => ({ kind: "put", entity })),
  );
}

export function getEntity(table: EntityTable, id: string): Entity | undefined {
  return find(table.buckets, id);
}

export function countEntities(table: EntityTable): number {
  return table.ids.length;
}

/** How many entities of `type` there are. */
export function countOfType(table: EntityTable, type: string): number {
  return lookUp(table.byType, type)?.length ?? 0;
}

/** All entity ids, sorted. */
export function entityIds(table: EntityTable): readonly string[] {
  return table.ids.all();
}

/** All entities, in the order of their ids. */
export function entitiesOf(table: EntityTable): readonly Entity[] {
  return table.ids.all().map((id) => getEntity(table, id) as Entity);
}

/** The ids of the entities of `type`, sorted. */
export function entityIdsOfType(table: EntityTable, type: string): readonly string[] {
  return lookUp(table.byType, type)?.all() ?? [];
}

/** The ids that come after `after`, in order; those of one type where it is named. Costs what is taken of it. */
export function entityIdsAfter(table: EntityTable, type: string | undefined, after: string): Iterable<string> {
  const ids = type === undefined ? table.ids : lookUp(table.byType, type);
  return ids?.after(after) ?? [];
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
  const drafts = new Map<string, Draft>();
  for (const change of changes) {
    const id = change.kind === "put" ? change.entity.id : change.id;
    let draft = drafts.get(id);
    if (draft === undefined) drafts.set(id, (draft = new Draft(getEntity(table, id))));
    draft.apply(change);
  }
  const written = new Map<string, Entity | undefined>();
  for (const [id, draft] of drafts) if (draft.isChanged()) written.set(id, draft.finish());
  if (written.size === 0) return table;
  const buckets = withChanges(table.buckets, written);
  const { ids, byType } = withPopulation(table, written);
  const held = table.held + heldMore(table.buckets, buckets, written);
  const next = Object.freeze({ buckets, ids, byType, held });
  keepReferences(table, next, written);
  return next;
}

/** One entity while changes are made to it. It is copied when the first of them changes something. */
class Draft {
  readonly #before: Entity | undefined;
  #now: Entity | undefined;
  #fields: Record<string, FieldValue> | undefined;

  constructor(before: Entity | undefined) {
    this.#before = before;
    this.#now = before;
  }

  apply(change: EntityChange): void {
    switch (change.kind) {
      case "put":
        this.#now = inOrder(change.entity);
        this.#fields = undefined;
        break;
      case "delete":
        this.#now = undefined;
        this.#fields = undefined;
        break;
      case "rename":
        this.#now = { ...this.#known(change.id), name: change.name };
        break;
      case "set":
        this.#set(this.#known(change.id), change.field, change.value);
    }
  }

  #set(now: Entity, field: string, value: FieldValue): void {
    if (field === "at") {
      if (now.at !== value) this.#now = { ...now, at: value as string | null };
    } else if ((this.#fields ?? now.fields)[field] !== value) {
      (this.#fields ??= { ...now.fields })[field] = freeze(value, true);
    }
  }

  #known(id: string): Entity {
    if (this.#now === undefined) throw new Error(`changeEntities: no entity ${id}`);
    return this.#now;
  }

  isChanged(): boolean {
    return this.#now !== this.#before || this.#fields !== undefined;
  }

  finish(): Entity | undefined {
    if (this.#now === undefined) return undefined;
    const { at, id, name, type, fields } = this.#now;
    return Object.freeze({
      at,
      fields: this.#fields === undefined ? fields : Object.freeze(this.#fields),
      id,
      name,
      type,
    });
  }
}

/** The entity with its fields in the order of their names, so that its plain JSON is its canonical one. */
function inOrder(entity: Entity): Entity {
  const { at, fields, id, name, type } = entity;
  const names = Object.keys(fields);
  const isSorted = names.every((one, i) => i === 0 || compareText(names[i - 1] as string, one) < 0);
  const own = isSorted ? fields : Object.fromEntries(names.sort(compareText).map((one) => [one, fields[one]]));
  return { at, fields: freeze(own as Record<string, FieldValue>, true), id, name, type };
}

type Written = ReadonlyMap<string, Entity | undefined>;

/** Who there is, and of which types, after the changes. */
function withPopulation(table: EntityTable, written: Written): Pick<EntityTable, "ids" | "byType"> {
  const come: Entity[] = [];
  const gone: Entity[] = [];
  for (const [id, now] of written) {
    const before = getEntity(table, id);
    if (before?.type === now?.type) continue;
    if (before !== undefined) gone.push(before);
    if (now !== undefined) come.push(now);
  }
  if (come.length + gone.length === 0) return table;
  const byType: Record<string, SortedIds> = { ...table.byType };
  for (const type of new Set([...come, ...gone].map((one) => one.type))) {
    const left = (lookUp(byType, type) ?? SortedIds.none).with(idsOfType(come, type), idsOfType(gone, type));
    if (left.length === 0) delete byType[type];
    else byType[type] = left;
  }
  const stay = new Set(come.map(({ id }) => id));
  const lost = gone.flatMap(({ id }) => (stay.has(id) ? [] : [id]));
  return { ids: table.ids.with([...stay], lost), byType: Object.freeze(byType) };
}

function idsOfType(entities: readonly Entity[], type: string): readonly string[] {
  return entities.flatMap((one) => (one.type === type ? [one.id] : []));
}

/** By how many the entities that are in another entity have become more. */
function heldMore(before: Buckets<Entity>, after: Buckets<Entity>, written: Written): number {
  let more = 0;
  for (const [id, now] of written) {
    const was = find(before, id);
    if (was?.at === now?.at && was !== undefined && now !== undefined) continue;
    if (isHeld(before, was)) more -= 1;
    if (isHeld(after, now)) more += 1;
  }
  return more;
}

/** Whether it is in another entity. Where it is may be left out: of what an agent does not see, that is not known. */
function isHeld(among: Buckets<Entity>, entity: Entity | undefined): boolean {
  return typeof entity?.at === "string" && find(among, entity.at) !== undefined;
}

/** Entities keep their keys in order, so that plain JSON is canonical JSON. */
const HASHING: Hashing<Entity> = {
  line: (entity) => sha256(JSON.stringify(entity)),
  text: (lines) => lines.join("\n"),
};

/** Merkle root over per-entity hashes. */
export function digestOfEntities(table: EntityTable): string {
  return rootOf(table.buckets, HASHING);
}
