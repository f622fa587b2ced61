/**
 * Finds a key in a text, however it is written there: as it is in letters of any case, in hex, in base64 at any of its
 * three alignments, each behind escapes of any kind; whole, or a stretch of it. Linear in the text.
 */
import { endOf, readingsOf, startOf, type Reading } from "./unescape.ts";

/** A place in a text, from `start` up to `end`, and what is said there once escapes are undone. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly says: string;
}

/** One writing of the key: a text that holds one of these stretches, each of `length` characters, holds the key. */
interface Writing {
  readonly stretches: ReadonlySet<string>;
  readonly length: number;
  /** The first two characters of each stretch: nearly every place of a text is passed over by them. */
  readonly begins: Uint8Array;
  readonly anyCase: boolean;
}

/** From here on a key is long enough that a part of it, in whatever writing, is nobody's word. */
export const LONG_KEY = 20;

/** Bytes of a long key that are a telling part of it in base64 and in hex. */
const PART_BYTES = 12;

/** Makes a finder of stretches of `least` characters of the key and more; of the whole key where it has fewer. */
export function keyFinder(key: string, least: number): (text: string) => readonly Found[] {
  const writings = [
    writingOf(key.toLowerCase(), least, true),
    writingOf(Buffer.from(key).toString("hex"), key.length < LONG_KEY ? Infinity : PART_BYTES * 2, true),
    ...base64Of(key).map((core) => writingOf(core, key.length < LONG_KEY ? Infinity : (PART_BYTES / 3) * 4, false)),
  ];
  return (text) =>
    text === "" ? [] : readingsOf(text).flatMap((reading) => writings.flatMap((one) => findIn(reading, one)));
}

/** What base64 writes for the key whatever stands around it: of its first and last character only a part may be the key's. */
function base64Of(key: string): readonly string[] {
  const cores = [0, 1, 2].flatMap((before) => {
    const bits = 8 * (before + key.length);
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    return (["base64", "base64url"] as const).map((alphabet) =>
      bytes.toString(alphabet).slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6)),
    );
  });
  return [...new Set(cores)];
}

function writingOf(written: string, least: number, anyCase: boolean): Writing {
  const length = Math.min(least, written.length);
  const stretches = new Set<string>();
  const begins = new Uint8Array(128 * 128);
  for (let at = 0; at + length <= written.length; at += 1) {
    stretches.add(written.slice(at, at + length));
    begins[pairAt(written, at)] = 1;
  }
  return { stretches, length, begins, anyCase };
}

/** Two characters as one number. Those beyond ASCII are of no key, and fall together with others: that costs a look, no more. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);
}

function findIn(reading: Reading, { stretches, length, begins, anyCase }: Writing): readonly Found[] {
  const text = anyCase ? lowered(reading) : reading.text;
  const found: Found[] = [];
  const close = (from: number, to: number): void => {
    found.push({ start: startOf(reading, from), end: endOf(reading, to - 1), says: text.slice(from, to) });
  };
  let from = -1;
  let to = -1;
  for (let at = 0; at + length <= text.length; at += 1) {
    if (begins[pairAt(text, at)] === 0 || !stretches.has(text.slice(at, at + length))) continue;
    // stretches that overlap are one; those that only touch are two
    if (from !== -1 && at >= to) close(from, to);
    if (from === -1 || at >= to) from = at;
    to = at + length;
  }
  if (from !== -1) close(from, to);
  return found;
}

/** In lower case, with every character where it was: only letters of ASCII are in a key. */
function lowered({ text }: Reading): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
