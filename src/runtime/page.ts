/** Keeps answers small: pages of entries, entries cut to size, long texts in pieces. */
import { compareText, inOrder, type Json } from "./canonical.ts";
import { LIMITS } from "./limits.ts";
import { indexAfter, MOST_NUMBERED, numberKey } from "./numbered.ts";
import { cutIntoPieces } from "./pieces.ts";
import { isHighSurrogate, shorten } from "./show.ts";

export type Entry = { readonly [key: string]: Json };

/** An entry with the key that a cursor after it carries. */
export interface Keyed {
  readonly key: string;
  readonly entry: Entry;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** The key of the last entry, where there are more after it. */
  readonly lastKey?: string;
}

/** Bytes of an answer beside its entries: its own keys and a cursor. */
const RESERVE = 512;
/** Bytes an entry may have to be shown whole. */
const ENTRY_BYTES = LIMITS.answerBytes - RESERVE;
/** UTF-16 units of one piece of a text: even where each takes three bytes, a piece fits an answer. */
const PIECE_UNITS = 2_000;

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), "utf8");
}

/** Takes entries from `keyed` until the page is full: at most `limit`, at most 8 KB. */
export function takePage(keyed: Iterable<Keyed>, limit: number): Page {
  const entries: Entry[] = [];
  let bytes = RESERVE;
  let lastKey: string | undefined;
  for (const { key, entry } of keyed) {
    bytes += bytesOf(entry) + 1;
    if (entries.length === limit || bytes > LIMITS.answerBytes)
      return lastKey === undefined ? { entries } : { entries, lastKey };
    entries.push(entry);
    lastKey = key;
  }
  return { entries };
}

/** How far an entry that is too large is cut: characters of a text, items of a list, members of an object. */
const CUTS = [
  { text: 200, items: 20, members: 40, depth: 8 },
  { text: 100, items: 8, members: 12, depth: 6 },
  { text: 64, items: 3, members: 12, depth: 3 },
  { text: 64, items: 1, members: 12, depth: 1 },
] as const;

/**
 * The entry as a listing shows it: whole, or cut with a remark that says how to read it whole. Depends on the entry
 * alone, never on the room that is left, so that pages of any size show the same.
 */
export function fitEntry(entry: Entry, howToReadWhole: string): Entry {
  if (fits(entry, ENTRY_BYTES)) return withOrderedMembers(entry);
  for (const cut of CUTS) {
    const shown = { ...(cutValue(entry, cut, 0) as Entry), cut: howToReadWhole };
    if (bytesOf(shown) <= ENTRY_BYTES / 2) return shown;
  }
  return { ...(entry["id"] === undefined ? {} : { id: entry["id"] }), cut: howToReadWhole };
}

/** An entry that is asked for by id: whole, or its JSON text in pieces, to be joined in their order; those after `after`. */
export function piecesOf(entry: Entry, key: string, after: string): readonly Keyed[] {
  if (fits(entry, ENTRY_BYTES)) return key > after ? [{ key, entry: withOrderedMembers(entry) }] : [];
  const first = indexAfter(after, MOST_NUMBERED) + 1;
  // One more than a page may hold tells that there are more.
  const { of, texts } = cutIntoPieces(entry, PIECE_UNITS, { first, most: LIMITS.pageEntries + 1 });
  return texts.map((json, i) => ({ key: numberKey(first + i - 1), entry: { piece: first + i, of, json } }));
}

/** Whether the JSON of `value` takes at most `bytes`; of what is much larger little is looked at. */
function fits(value: Json, bytes: number): boolean {
  return leftOf(value, bytes) >= 0 && bytesOf(value) <= bytes;
}

/** What is left of `bytes` at most: a character takes a byte, and so does whatever is no text. Stops where nothing is left. */
function leftOf(value: Json, bytes: number): number {
  if (typeof value === "string") return bytes - value.length;
  let left = bytes - 1;
  if (typeof value !== "object" || value === null) return left;
  for (const member of Object.values(value)) {
    left = leftOf(member, left);
    if (left < 0) return left;
  }
  return left;
}

function withOrderedMembers(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).map(([key, member]) => [key, inOrder(member)]));
}

/** As many of `items` from the front as fit into `bytes` of JSON. */
export function takeFitting<T>(items: readonly T[], bytes: number): readonly T[] {
  // A list is its items, a comma between them, and two brackets: mostly all of them fit.
  if (bytesOf(items) - 1 <= bytes) return items;
  let left = bytes;
  const taken: T[] = [];
  for (const item of items) {
    left -= bytesOf(item) + 1;
    if (left < 0) break;
    taken.push(item);
  }
  return taken;
}

type Cut = (typeof CUTS)[number];

function cutValue(value: Json, cut: Cut, depth: number): Json {
  if (typeof value === "string") return shorten(value, cut.text);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= cut.depth) return Array.isArray(value) ? `… (${value.length} items)` : "…";
  if (isList(value)) {
    const items = value.slice(0, cut.items).map((item) => cutValue(item, cut, depth + 1));
    return items.length < value.length ? [...items, `… (${value.length - items.length} more)`] : items;
  }
  const members = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  const shown = members.slice(0, cut.members).map(([key, member]) => [key, cutValue(member, cut, depth + 1)]);
  return Object.fromEntries(
    members.length > cut.members ? [...shown, ["…", `${members.length - cut.members} more`]] : shown,
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Bytes of JSON that one part of an instalment may take; the rest of an answer is small. */
const PART_BYTES = 6_000;

/** The end of the part that begins at `start`: the end of the text, or of a paragraph, a sentence or a word. */
export function endOfPart(text: string, start: number, bytes = PART_BYTES): number {
  const left = text.length - start;
  // A unit takes a byte at least: of a text of megabytes no more is looked at than a part can hold.
  if (left < bytes && bytesOf(text.slice(start)) <= bytes) return text.length;
  let length = Math.min(left, bytes);
  while (bytesOf(text.slice(start, start + length)) > bytes) length = Math.floor(length * 0.9);
  const part = text.slice(start, start + length);
  for (const pause of ["\n\n", ". ", " "]) {
    const at = part.lastIndexOf(pause);
    if (at > length / 2) return start + at + pause.length;
  }
  return isHighSurrogate(part.charCodeAt(length - 1)) ? start + length - 1 : start + length;
}
