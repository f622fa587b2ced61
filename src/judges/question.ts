/** One question to a judge, and nothing beside it: what the prompt is built from is all the judge can know. */
import type { JsonObject } from "../endpoint/index.ts";

/** What every question about an item carries. */
interface OfWorld {
  /** The entities that the contract names up to this round, in its order: a map that is frozen for the run. */
  readonly who?: readonly Participant[];
  /** Whether the ids are the agent's own: then the judge is told who is who. */
  readonly ownIds?: boolean;
}

/** What a judge may be asked about: one item, or one entity of the contract in a world whose ids are the agent's own. */
export type Question =
  | (OfWorld & {
      readonly kind: "event";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      readonly involves: readonly Participant[];
    })
  | (OfWorld & {
      readonly kind: "structure";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      readonly level: "type" | "entity" | "capability";
      /** The sentence of the event it is used by, and of the event before which it must be there. */
      readonly usedBy: string;
      readonly availableBefore?: string;
    })
  | (OfWorld & {
      readonly kind: "probe";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      /** The sentences of the events that open and close its window. */
      readonly after: string;
      readonly until?: string;
    })
  | { readonly kind: "identity"; readonly entity: string; readonly name: string; readonly says: string };

/** An entity of the contract: its name in the story, and its id in the judged world. */
export interface Participant {
  readonly name: string;
  /** null where the world has none; undefined where it is not settled which it is. */
  readonly id: string | null | undefined;
}

/** What the record shows for a question: facts as data, every word an agent wrote among them kept apart as claims. */
export interface Evidence {
  /** The instalment of the round the item belongs to (for an identity: all that were played), as the agent read it. */
  readonly narrative: string;
  /** Blocks in order: a title of ours and data that may hold an agent's words. */
  readonly blocks: readonly { readonly title: string; readonly data: JsonObject | readonly JsonObject[] }[];
}
