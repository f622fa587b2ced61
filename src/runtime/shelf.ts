import type { ErrorCode } from "./errors.ts";
import type { ItShape } from "./expression/index.ts";
import type { Entry } from "./page.ts";
import type { World } from "./world.ts";

/** One entry before it is shown: its key, what `it` is in a `where`, and how to make what is shown. */
export interface Candidate {
  /** Keys of a source sort as its entries do. */
  readonly key: string;
  /** What `it` stands for: an entity's id, or a record. */
  readonly it: unknown;
  readonly show: () => Entry;
}

/** One source of `read_data`: its entries in one total order, and what may be asked of them. */
export interface Shelf {
  readonly from: string;
  /** What a `where` is evaluated in. */
  readonly world: World;
  /** The entries whose keys come after `after`, in order; those of one type where it is named. */
  readonly candidates: (type: string | undefined, after: string) => Iterable<Candidate>;
  readonly byId: (id: string) => Candidate | undefined;
  /** How many entries there are at most. */
  readonly size: (type: string | undefined) => number;
  readonly shape: (type: string | undefined) => ItShape;
  /** What `fields` may name. */
  readonly shown: (type: string | undefined) => readonly string[];
  /** How one entry is called, and the code of a refusal that there is none of an id. */
  readonly singular: string;
  readonly unknown: ErrorCode;
  readonly hintForId: (id: string) => string | undefined;
  /** How a part of an entry that is too large is read, where there is a way. */
  readonly partHint?: string;
}
