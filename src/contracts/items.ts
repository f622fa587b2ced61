import { mayConstruct, type Level, type Tier } from "../runtime/index.ts";
import type { CaseContract, ItemId, ItemKind } from "./contract.ts";

/** One item of a contract, as lists, scores and reports count it. */
export interface ContractItem {
  readonly id: ItemId;
  readonly kind: ItemKind;
  readonly round: number;
  /** Of a structure. */
  readonly level?: Level;
}

/** All items of a case: round by round, in each its events, structures, probes and relations in the order of the file. */
export function itemsOf(contract: CaseContract): readonly ContractItem[] {
  return contract.rounds.flatMap(({ round, events, structures, probes, relations }): readonly ContractItem[] => [
    // An event is an item as well: its two brands are one id.
    ...events.map(({ id }) => ({ id: id as string as ItemId, kind: "E" as const, round })),
    ...structures.map(({ id, level }) => ({ id, kind: "A" as const, round, level })),
    ...probes.map(({ id }) => ({ id, kind: "P" as const, round })),
    ...relations.map(({ id, kind }) => ({ id, kind, round })),
  ]);
}

/**
 * Whether an item counts in a tier. Events, probes and relations always do; a structure where the tier leaves its
 * construction to the agent (capabilities in hard and extreme, entities in extreme); a type never.
 */
export function isScored(item: Pick<ContractItem, "kind" | "level">, tier: Tier): boolean {
  if (item.kind !== "A") return true;
  return item.level !== undefined && item.level !== "type" && mayConstruct(tier, item.level);
}
