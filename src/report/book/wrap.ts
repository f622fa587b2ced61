/** Fills lines: words are put onto lines that are no wider than the paper. */

/** How a block is set: the blanks before its first line, and before the others. */
export interface Indent {
  readonly first: string;
  readonly rest: string;
}

/** The columns a text may take: what the paper has, in bounds in which a story can be read. */
export function paperWidth(columns: number | undefined): number {
  return Math.min(100, Math.max(40, columns ?? 80));
}

/** `text` as lines of at most `width` columns; a word that is longer stands alone and is not cut. */
export function fill(
  text: string,
  width: number,
  { first, rest }: Indent = { first: "", rest: "" },
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line = isEmpty ? line + word : `${line} ${word}`;
    isEmpty = false;
  }
  return isEmpty && lines.length > 0 ? lines : [...lines, line.trimEnd()];
}

/** A narrative's paragraphs, a blank line between them. */
export function fillParagraphs(text: string, width: number): readonly string[] {
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/).filter((one) => one.trim() !== "");
  return paragraphs.flatMap((paragraph, i) => [...(i === 0 ? [] : [""]), ...fill(paragraph, width)]);
}

/** Columns of a terminal that a text takes, near enough: one a character. */
function columnsOf(text: string): number {
  return Array.from(text).length;
}
