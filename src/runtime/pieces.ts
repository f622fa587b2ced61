/**
 * An entry that is too large for an answer, as its canonical JSON in pieces. The text is written piece by piece and
 * never held whole: what a step wrote may be hundreds of megabytes.
 */
import { compareText, type Json } from "./canonical.ts";
import { isHighSurrogate } from "./show.ts";

export interface Pieces {
  /** How many there are in all. */
  readonly of: number;
  /** Those that were asked for, in order; a piece's number is `first` and its place. */
  readonly texts: readonly string[];
}

/** Cuts the canonical JSON of `value` into pieces of `units` UTF-16 units; keeps `most` of them from number `first` (from 1) on. */
export function cutIntoPieces(
  value: Json,
  units: number,
  { first, most }: { readonly first: number; readonly most: number },
): Pieces {
  const texts: string[] = [];
  let of = 0;
  let left = "";
  const keep = (text: string): void => {
    of += 1;
    if (of >= first && texts.length < most) texts.push(text);
  };
  writeCanonical(value, (text) => {
    left += text;
    if (left.length <= units) return;
    let start = 0;
    while (left.length - start > units) {
      const end = endOfPiece(left, start, units);
      keep(left.slice(start, end));
      start = end;
    }
    left = left.slice(start);
  });
  if (left !== "") keep(left);
  return { of, texts };
}

/** Never parts a character. */
function endOfPiece(text: string, start: number, units: number): number {
  return isHighSurrogate(text.charCodeAt(start + units - 1)) ? start + units - 1 : start + units;
}

/** Says the canonical JSON of `value` bit by bit. */
function writeCanonical(value: Json, say: (text: string) => void): void {
  if (typeof value !== "object" || value === null) return say(JSON.stringify(value));
  if (isList(value)) {
    say("[");
    for (const [index, item] of value.entries()) {
      if (index > 0) say(",");
      writeCanonical(item, say);
    }
    return say("]");
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  say("{");
  for (const [index, [key, member]] of members.sort(([a], [b]) => compareText(a, b)).entries()) {
    say(`${index > 0 ? "," : ""}${JSON.stringify(key)}:`);
    writeCanonical(member, say);
  }
  say("}");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
