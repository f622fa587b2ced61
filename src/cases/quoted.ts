/** Where in a narrative the words stand that a contract item points at. */

/** A stretch of a text: from the first character to before the last, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The stretches of `narrative` that `told` quotes, piece by piece, read as the check that they are there reads them: white
 * space counts as one blank, `...` or `…` stands for words left out, and pieces between `;` may stand anywhere. Empty
 * where one of them is not there.
 */
export function spansOf(narrative: string, told: string): readonly Span[] {
  const flat = flatten(narrative);
  const whole = inOrder(flat.text, told);
  const found = whole ?? (told.includes(";") ? everyPart(flat.text, told) : undefined) ?? [];
  return found.map(({ start, end }) => ({
    start: flat.from[start] as number,
    end: (flat.from[end - 1] as number) + 1,
  }));
}

/** The text with every white space as one blank, and where each of its characters comes from. */
function flatten(text: string): { readonly text: string; readonly from: readonly number[] } {
  const characters: string[] = [];
  const from: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const isBlank = /\s/.test(text.charAt(i));
    if (isBlank && (characters.length === 0 || characters.at(-1) === " ")) continue;
    characters.push(isBlank ? " " : text.charAt(i));
    from.push(i);
  }
  return { text: characters.join(""), from };
}

function everyPart(text: string, told: string): readonly Span[] | undefined {
  const parts = told.split(";").map((part) => inOrder(text, part));
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

function inOrder(text: string, told: string): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (const piece of told.split(/\.{3}|…/).map((one) => one.replace(/\s+/g, " ").trim())) {
    if (piece === "") continue;
    const start = text.indexOf(piece, spans.at(-1)?.end ?? 0);
    if (start < 0) return undefined;
    spans.push({ start, end: start + piece.length });
  }
  return spans;
}
