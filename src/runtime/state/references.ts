/**
 * Who refers to whom. A large world that destroys things keeps an index of that, from its first destruction on; in a
 * small one everybody is asked.
 */
import { compareText } from "../canonical.ts";
import type { Entity } from "../world.ts";
import { bucketsOf, find, withChanges, type Buckets, type Identified } from "./buckets.ts";
import { SortedIds } from "./sorted-ids.ts";
import type { EntityTable } from "./table.ts";

/** In worlds of fewer entities looking through them costs less than keeping an index. */
const SMALL = 64;

/** An entity, and the ids of those that hold its id somewhere. */
interface Referred extends Identified {
  readonly from: SortedIds;
}

type Index = Buckets<Referred>;

const indexOf = new WeakMap<EntityTable, Index>();

/** The ids of the entities that may refer to one of `targets`, sorted: all that do, and perhaps others. */
export function mayReferTo(table: EntityTable, targets: readonly string[]): readonly string[] {
  if (table.ids.length <= SMALL) return table.ids.all();
  const index = indexOf.get(table) ?? built(table);
  indexOf.set(table, index);
  const ids = new Set(targets.flatMap((target) => find(index, target)?.from.all() ?? []));
  return [...ids].sort(compareText);
}

/** Gives `after`, which came of `before` by what was written, an index where `before` has one. */
export function keepReferences(
  before: EntityTable,
  after: EntityTable,
  written: ReadonlyMap<string, Entity | undefined>,
): void {
  const index = indexOf.get(before);
  if (index === undefined) return;
  const moves = new Moves();
  for (const [id, now] of written) {
    const was = find(before.buckets, id);
    const [old, own] = [new Set(idsIn(was)), new Set(idsIn(now).filter((one) => find(after.buckets, one)))];
    for (const target of old) if (!own.has(target)) moves.of(target).gone.push(id);
    for (const target of own) if (!old.has(target) || find(index, target) === undefined) moves.of(target).come.push(id);
  }
  indexOf.set(after, moves.appliedTo(index));
}

function built(table: EntityTable): Index {
  const moves = new Moves();
  for (const id of table.ids.all())
    for (const target of idsIn(find(table.buckets, id)))
      if (find(table.buckets, target) !== undefined) moves.of(target).come.push(id);
  return moves.appliedTo(bucketsOf<Referred>([]));
}

/** Every text of an entity that may be an id; whether it stands for one is for the fields' kinds to say. */
function idsIn(entity: Entity | undefined): readonly string[] {
  if (entity === undefined) return [];
  return [entity.at, ...Object.values(entity.fields).flat()].filter((value) => typeof value === "string");
}

class Moves {
  readonly #byTarget = new Map<string, { readonly come: string[]; readonly gone: string[] }>();

  of(target: string): { readonly come: string[]; readonly gone: string[] } {
    let moves = this.#byTarget.get(target);
    if (moves === undefined) this.#byTarget.set(target, (moves = { come: [], gone: [] }));
    return moves;
  }

  appliedTo(index: Index): Index {
    const changes = new Map<string, Referred | undefined>();
    for (const [id, { come, gone }] of this.#byTarget) {
      const from = (find(index, id)?.from ?? SortedIds.none).with(come, gone);
      changes.set(id, from.length === 0 ? undefined : Object.freeze({ id, from }));
    }
    return withChanges(index, changes);
  }
}
