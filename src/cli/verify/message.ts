/** What a command that verifies and its workers say to one another. */
import type { Tier } from "../../runtime/index.ts";
import type { PartFound, PartName } from "../../tracks/index.ts";

/** One part of one case, to be found. */
export interface PartOrder {
  readonly directory: string;
  /** The digest of the case's content as the command loaded it: a worker that loads another says so. */
  readonly content: string;
  readonly part: PartName;
  readonly tiers: readonly Tier[];
}

export type WorkerSays =
  | { readonly kind: "progress"; readonly text: string }
  | { readonly kind: "found"; readonly found: PartFound }
  /** The part cannot be found: a fault of ours, or the case was changed meanwhile. */
  | { readonly kind: "fault"; readonly message: string };
