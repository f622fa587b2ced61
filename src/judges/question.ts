/** One question to a judge, and nothing beside it: what the prompt is built from is all the judge can know. */
import type { JsonObject } from "../endpoint/index.ts";

/** What a judge may be asked about: one item, or one entity of the contract in a world whose ids are the agent's own. */
export type Question =
  | {
      readonly kind: "event";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      readonly involves: readonly Participant[];
    }
  | {
      readonly kind: "structure";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      readonly level: "type" | "entity" | "capability";
      /** The sentence of the event it is used by, and of the event before which it must be there. */
      readonly usedBy: string;
      readonly availableBefore?: string;
    }
  | {
      readonly kind: "probe";
      readonly item: string;
      readonly round: number;
      readonly says: string;
      /** The sentences of the events that open and close its window. */
      readonly after: string;
      readonly until?: string;
    }
  | { readonly kind: "identity"; readonly entity: string; readonly name: string; readonly says: string };

/** An entity that must have taken part: its name in the story, and its id in the judged world where that is known. */
export interface Participant {
  readonly name: string;
  readonly id: string | null;
}

/** What the record shows for a question: facts as data, every word an agent wrote among them kept apart as claims. */
export interface Evidence {
  /** The instalment of the round the item belongs to (for an identity: all that were played), as the agent read it. */
  readonly narrative: string;
  /** Blocks in order: a title of ours and data that may hold an agent's words. */
  readonly blocks: readonly { readonly title: string; readonly data: JsonObject | readonly JsonObject[] }[];
}
