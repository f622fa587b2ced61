/** A narrative with the words marked that items point at. */
import type { Quote } from "./model.ts";
import { html, type Html } from "./html-text.ts";

/** A stretch of a narrative over which the same quotes lie, and the notes of those that end with it. */
interface Stretch {
  readonly text: string;
  readonly over: readonly Quote[];
  readonly ending: readonly Quote[];
}

/** The paragraphs of a narrative; each quote is marked and ends with a link to its note. */
export function markedParagraphs(narrative: string, quotes: readonly Quote[], round: number): readonly Html[] {
  return paragraphsOf(narrative).map(({ start, end }) => {
    const stretches = stretchesOf(narrative, start, end, quotes);
    return html`<p>${stretches.map((one) => stretchHtml(one, round))}</p>`;
  });
}

function paragraphsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const paragraphs: { start: number; end: number }[] = [];
  let start = 0;
  for (const gap of [...text.matchAll(/\n[^\S\n]*\n\s*/g), undefined]) {
    const end = gap?.index ?? text.length;
    if (text.slice(start, end).trim() !== "") paragraphs.push({ start, end });
    start = end + (gap?.[0].length ?? 0);
  }
  return paragraphs;
}

function stretchesOf(text: string, start: number, end: number, quotes: readonly Quote[]): readonly Stretch[] {
  const spans = quotes.flatMap((quote) =>
    quote.spans.map((span) => ({ ...span, quote, last: quote.spans.at(-1) === span })),
  );
  const edges = spans.flatMap((span) => [span.start, span.end]).filter((edge) => edge > start && edge < end);
  const cuts = [...new Set([start, ...edges, end])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, i): Stretch => {
    const to = cuts[i + 1] as number;
    return {
      text: text.slice(from, to),
      over: spans.filter((span) => span.start < to && span.end > from).map(({ quote }) => quote),
      ending: spans.filter((span) => span.last && span.end === to).map(({ quote }) => quote),
    };
  });
}

function stretchHtml({ text, over, ending }: Stretch, round: number): Html {
  const said = text.replaceAll(/\s+/g, " ");
  const kinds = [...new Set(over.map(({ kind }) => kind))];
  const marked = over.length === 0 ? html`${said}` : html`<mark class="${kinds.join(" ")}">${said}</mark>`;
  return html`${marked}${ending.map((quote) => noteLink(quote, round))}`;
}

function noteLink({ note, kind, says }: Quote, round: number): Html {
  return html`<sup class="${kind}"
    ><a id="${wordsId(note)}" href="#${noteId(note)}" title="${kind}: ${says}">${shortNote(note, round)}</a></sup
  >`;
}

/** A note as it is numbered in a round: by its own number there, with its round before it elsewhere. */
export function shortNote(note: string, round: number): string {
  return note.startsWith(`${round}.`) ? note.slice(note.indexOf(".") + 1) : note;
}

/** Where the words of a note stand, and where the note. */
export function wordsId(note: string): string {
  return `words-${note.replace(".", "-")}`;
}

export function noteId(note: string): string {
  return `note-${note.replace(".", "-")}`;
}
