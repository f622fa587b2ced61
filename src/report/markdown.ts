/** Pages of docs/ of which a part is made from data. */

/** The page with what is between the marks of `part` made anew. Throws where the marks are missing: the page is ours. */
export function withPart(page: string, part: string, lines: readonly string[]): string {
  const begin = `<!-- begin: ${part} -->\n`;
  const end = "<!-- end -->\n";
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`withPart: the page lacks ${begin}or ${end}`);
  return [page.slice(0, from + begin.length), "\n", ...lines, "\n", page.slice(to)].join("");
}

/** A Markdown table; a bar in a cell would end it. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll(/[|\\]/g, String.raw`\$&`)).join(" | ")} |\n`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("");
}
