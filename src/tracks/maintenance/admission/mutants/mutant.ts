/** What all mutants have in common: a play that departs from the reference in one point, and what it is aimed at. */
import type { EventId, ItemId, RelationItem } from "../../../../contracts/index.ts";
import type { Script } from "../script.ts";

export const MUTANT_KINDS = [
  "drop",
  "swap",
  "join",
  "split",
  "move",
  "delay",
  "defer",
  "late",
  "weaken",
  "strip",
  "forbid",
  "wrong",
] as const;
export type MutantKind = (typeof MUTANT_KINDS)[number];

export interface Mutant {
  readonly kind: MutantKind;
  /** What was done, in a few words. */
  readonly says: string;
  /** The events and other items it is aimed at. */
  readonly over: readonly ItemId[];
  readonly script: Script;
  /** Requirements are evaluated for what they read and refuse nothing. */
  readonly stripped: boolean;
}

/** An event is an item as well: its two brands are one id. */
export function itemOf(event: EventId): ItemId {
  return event as string as ItemId;
}

/** Two events that a relation puts in order or together; of a CA with several causes there are several pairs. */
export interface RelatedPair {
  readonly relation: RelationItem;
  readonly first: EventId;
  readonly then: EventId;
}

/** The pairs of a relation that lie in its own round. */
export function pairsOf(relation: RelationItem, isOwn: (event: EventId) => boolean): readonly RelatedPair[] {
  switch (relation.kind) {
    case "CA":
      return relation.causes.filter(isOwn).map((cause) => ({ relation, first: cause, then: relation.effect }));
    case "TM":
      return [{ relation, first: relation.before, then: relation.after }];
    case "CC":
      return [{ relation, first: relation.events[0], then: relation.events[1] }];
  }
}
