/** Finds the narrative that holds the words an item points at, and gives each such place a note. */
import { spansOf } from "../../cases/index.ts";
import type { ItemKind } from "../../contracts/index.ts";
import type { BookItem, BookRound, Quote, Told } from "./model.ts";

/** Notes of a case under way: by round, the words that are quoted of its narrative. */
export interface Notes {
  readonly take: (round: number, kind: ItemKind, says: string, told: string) => Told;
  readonly quotesOf: (round: number) => readonly Quote[];
}

/** Words are looked for in the narrative of the item's own round, and then in the earlier ones, the nearest first. */
export function takeNotes(narratives: readonly string[]): Notes {
  const quotes = new Map<number, Quote[]>();
  const counts = new Map<number, number>();
  return {
    take: (round, kind, says, told) => {
      const number = (counts.get(round) ?? 0) + 1;
      counts.set(round, number);
      const note = `${round}.${number}`;
      for (let there = round; there > 0; there -= 1) {
        const spans = spansOf(narratives[there - 1] ?? "", told);
        if (spans.length === 0) continue;
        quotes.set(there, [...(quotes.get(there) ?? []), { note, kind, spans, says }]);
        return { words: told, note, round: there };
      }
      return { words: told, note, round: undefined };
    },
    quotesOf: (round) => quotes.get(round) ?? [],
  };
}

/** The rounds with their notes numbered as their words end one after the other in the story; words of earlier rounds come last. */
export function inOrderOfTelling(rounds: readonly BookRound[]): readonly BookRound[] {
  const places = new Map(
    rounds.flatMap(({ number, quotes }) =>
      quotes.map(({ note, spans }) => [note, { round: number, end: spans.at(-1)?.end ?? 0 }] as const),
    ),
  );
  const numbers = new Map<string, string>();
  for (const { number, chapters } of rounds) {
    const place = (note: string): number => {
      const found = places.get(note);
      return found?.round === number ? found.end : Infinity;
    };
    const own = chapters.flatMap(({ items }) => items.flatMap(toldOf)).map(({ note }) => note);
    // Infinity less Infinity is no order.
    const sorted = [...own].sort((a, b) => (place(a) === place(b) ? 0 : place(a) < place(b) ? -1 : 1));
    sorted.forEach((note, i) => numbers.set(note, `${number}.${i + 1}`));
  }
  const rename = (note: string): string => numbers.get(note) ?? note;
  return rounds.map((round) => ({
    ...round,
    quotes: round.quotes.map((quote) => ({ ...quote, note: rename(quote.note) })),
    chapters: round.chapters.map(({ head, items }) => ({
      head,
      items: items.map((item) => ({
        ...item,
        details: item.details.map((detail) =>
          detail.told === undefined ? detail : { ...detail, told: { ...detail.told, note: rename(detail.told.note) } },
        ),
      })),
    })),
  }));
}

function toldOf({ details }: BookItem): readonly Told[] {
  return details.flatMap(({ told }) => told ?? []);
}
