/** A case in figures, and as people read it: its book, or what an agent is given of it. */
import type { Case } from "../cases/index.ts";
import { isScored, ITEM_KINDS, itemsOf, type ItemKind } from "../contracts/index.ts";
import { TIERS, type Tier } from "../runtime/index.ts";

/** What `cases list` says of a case. */
export interface CaseSummary {
  readonly id: string;
  readonly track: "maintenance";
  readonly title: string;
  readonly family: string;
  readonly stratum: string;
  readonly version: number;
  /** The world digest: what a run is of. */
  readonly digest: string;
  readonly contractDigest: string;
  readonly rounds: number;
  /** Items of the contract, each once. */
  readonly items: number;
  readonly itemsByKind: Readonly<Record<ItemKind, number>>;
  /** Items that count in each tier; their sum places the case in its stratum. */
  readonly scored: Readonly<Record<Tier, number>>;
}

export function summaryOf(case_: Case): CaseSummary {
  const items = itemsOf(case_.contract);
  const count = <Key extends string>(keys: readonly Key[], number: (key: Key) => number) =>
    Object.fromEntries(keys.map((key) => [key, number(key)])) as Readonly<Record<Key, number>>;
  return {
    id: case_.id,
    track: "maintenance",
    title: case_.title,
    family: case_.family,
    stratum: case_.stratum,
    version: case_.version,
    digest: case_.worldDigest,
    contractDigest: case_.contractDigest,
    rounds: case_.narratives.length,
    items: items.length,
    itemsByKind: count(ITEM_KINDS, (kind) => items.filter((item) => item.kind === kind).length),
    scored: count(TIERS, (tier) => items.filter((item) => isScored(item, tier)).length),
  };
}
