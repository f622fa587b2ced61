/** A text of at most `length` UTF-16 units in which every character is whole: half a surrogate pair cannot be stored. */
export function shortenText(text: string, length: number): string {
  const cut = text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  return wellFormed(cut);
}

/** Halves of surrogate pairs become the sign for a character that could not be read. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}
