/** Words that a narrative does not say. */
export interface MissingWords {
  readonly piece: string;
  /** Whether they stand there, but before what they should follow. */
  readonly isEarlier: boolean;
  /** The most words of its beginning that are there. */
  readonly found: string;
}

/**
 * Whether the words a contract item points at stand in a narrative. White space counts as one blank. `...` or `…`
 * stands for words left out: its pieces follow one another. Pieces between `;` may stand anywhere, each of them,
 * unless the words with their `;` stand there as they are.
 *
 * Returns the first piece that is not there; undefined where all is there.
 */
export function findMissing(narrative: string, told: string): MissingWords | undefined {
  const text = flat(narrative);
  const whole = missingInOrder(text, told);
  if (whole === undefined || !told.includes(";")) return whole;
  for (const part of told.split(";")) {
    const missing = missingInOrder(text, part);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function missingInOrder(text: string, told: string): MissingWords | undefined {
  let from = 0;
  for (const piece of told.split(/\.{3}|…/).map(flat)) {
    if (piece === "") continue;
    const at = text.indexOf(piece, from);
    if (at < 0) return { piece, isEarlier: text.includes(piece), found: longestBeginning(text, piece) };
    from = at + piece.length;
  }
  return undefined;
}

/** The most words from the beginning of `piece` that stand in `text`. */
function longestBeginning(text: string, piece: string): string {
  const words = piece.split(" ");
  for (let count = words.length - 1; count > 0; count -= 1) {
    const beginning = words.slice(0, count).join(" ");
    if (text.includes(beginning)) return beginning;
  }
  return "";
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
