import { canonicalJson } from "../canonical.ts";
import { bucketsOf, find, rootOf, withChanges, type Buckets, type Hashing, type Identified } from "./buckets.ts";
import { SortedIds } from "./sorted-ids.ts";

/** The ids of entities that are gone: an id is never used again. Opaque: see the functions below. */
export interface RetiredIds {
  readonly buckets: Buckets<Identified>;
  readonly ids: SortedIds;
}

export const NO_RETIRED_IDS: RetiredIds = Object.freeze({ buckets: bucketsOf([]), ids: SortedIds.none });

export function isRetired({ buckets }: RetiredIds, id: string): boolean {
  return find(buckets, id) !== undefined;
}

/** All of them, sorted. */
export function retiredIds({ ids }: RetiredIds): readonly string[] {
  return ids.all();
}

export function retire(retired: RetiredIds, ids: readonly string[]): RetiredIds {
  if (ids.length === 0) return retired;
  const buckets = withChanges(retired.buckets, new Map(ids.map((id) => [id, Object.freeze({ id })])));
  return Object.freeze({ buckets, ids: retired.ids.with(ids, []) });
}

const HASHING: Hashing<Identified> = { line: ({ id }) => id, text: canonicalJson };

/** Merkle root over the ids. */
export function digestOfRetired({ buckets }: RetiredIds): string {
  return rootOf(buckets, HASHING);
}
