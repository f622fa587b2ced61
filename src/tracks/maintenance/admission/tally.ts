/** What the mutants of a round came to in one tier, as plain data. */
import type { ItemId } from "../../../contracts/index.ts";
import type { MutantKind } from "./mutants/mutant.ts";

/** The mutant that showed of an item that it can fail. */
export interface Kill {
  readonly kind: MutantKind;
  /** The round that the mutant changes. */
  readonly round: number;
  /** What was done, in a few words. */
  readonly says: string;
  /** Whether it was made for this item; else the item fell with another. */
  readonly isAimed: boolean;
}

/** Mutants of one kind. */
export interface KindTally {
  readonly made: number;
  /** Those that fail something that counts. */
  readonly killed: number;
  /** Those that fail more than they may. */
  readonly overkills: number;
}

export interface Tally {
  readonly kinds: Readonly<Partial<Record<MutantKind, KindTally>>>;
  readonly kills: Readonly<Record<ItemId, Kill>>;
}

export const NOTHING_TALLIED: Tally = { kinds: {}, kills: {} };

/** Two tallies together. Of two kills of one item that which was aimed at it counts, else the one of the earlier round. */
export function addTallies(a: Tally, b: Tally): Tally {
  const kinds: Partial<Record<MutantKind, KindTally>> = { ...a.kinds };
  for (const [kind, more] of Object.entries(b.kinds) as [MutantKind, KindTally][])
    kinds[kind] = addKinds(kinds[kind], more);
  const kills: Record<ItemId, Kill> = { ...a.kills };
  for (const [id, kill] of Object.entries(b.kills) as [ItemId, Kill][]) kills[id] = betterOf(kills[id], kill);
  return { kinds, kills };
}

export function addKinds(a: KindTally | undefined, b: KindTally): KindTally {
  if (a === undefined) return b;
  return { made: a.made + b.made, killed: a.killed + b.killed, overkills: a.overkills + b.overkills };
}

export function betterOf(known: Kill | undefined, kill: Kill): Kill {
  if (known === undefined) return kill;
  if (known.isAimed !== kill.isAimed) return known.isAimed ? known : kill;
  return kill.round < known.round ? kill : known;
}
