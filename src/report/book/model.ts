/** A case as a book: what its title page and its rounds hold, before it is set as text or as a page. */
import type { Span } from "../../cases/index.ts";
import type { ItemKind } from "../../contracts/index.ts";

export interface Book {
  readonly id: string;
  readonly title: string;
  /** Short facts under the title, each a line. */
  readonly facts: readonly string[];
  /** Who and what there is, by type; those who act most come first. */
  readonly cast: readonly CastGroup[];
  readonly places: readonly Named[];
  readonly ways: readonly string[];
  /** What can be done, each with the rules that refuse it. */
  readonly doings: readonly Doing[];
  /** What may never be. */
  readonly invariants: readonly string[];
  /** What nothing uses, with why it is there. */
  readonly unused: readonly Named[];
  readonly rounds: readonly BookRound[];
}

export interface Named {
  readonly id: string;
  readonly says: string;
}

export interface CastGroup extends Named {
  readonly members: readonly { readonly id: string; readonly name: string; readonly state: string }[];
}

export interface Doing extends Named {
  readonly lasts: string | undefined;
  readonly rules: readonly string[];
}

export interface BookRound {
  readonly number: number;
  readonly narrative: string;
  /** Words of this narrative that items point at, those of later rounds too. */
  readonly quotes: readonly Quote[];
  readonly chapters: readonly Chapter[];
  readonly steps: readonly BookStep[];
}

/** Words of a narrative that carry an item: its place in the text, and the note that speaks of it. */
export interface Quote {
  readonly note: string;
  readonly kind: ItemKind;
  readonly spans: readonly Span[];
  /** What the item says, for who rests on the words. */
  readonly says: string;
}

/** The items of one kind of a round. */
export interface Chapter {
  readonly head: string;
  readonly items: readonly BookItem[];
}

export interface BookItem {
  readonly id: string;
  readonly kind: ItemKind;
  /** Of an event its number in the round, by which others name it. */
  readonly number: number | undefined;
  readonly says: string;
  readonly details: readonly Detail[];
}

/** A line under an item: what it is about, what it says, and the words of the story that carry it. */
export interface Detail {
  readonly about: string;
  readonly says: string;
  /** Set as code: an expression. */
  readonly code?: string;
  readonly told?: Told;
}

export interface Told {
  readonly words: string;
  /** The note, `round.number`; unique in the book. */
  readonly note: string;
  /** The round whose narrative holds the words; undefined where none up to here does. */
  readonly round: number | undefined;
}

/** One step of the reference: what begins at once, or a wait. */
export interface BookStep {
  readonly doings: readonly {
    readonly capability: string;
    readonly args: readonly string[];
    readonly realises: readonly string[];
  }[];
  readonly waits: string;
}
