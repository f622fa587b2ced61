/** Plain tables: columns two blanks apart, as wide as their widest cell. */
import { escapeText } from "./escape.ts";

export interface Column<Row> {
  readonly head: string;
  readonly align?: "left" | "right";
  readonly cell: (row: Row) => string;
}

/** The lines of a table: heads, then the rows. Ends of lines hold no blanks. None where there are no rows. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ cell }) => escapeText(cell(row)))),
  ];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => widthOf(line[i] ?? ""))));
  return cells.map((line) =>
    line
      .map((cell, i) => pad(cell, widths[i] ?? 0, columns[i]?.align ?? "left"))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: "left" | "right"): string {
  const blanks = " ".repeat(width - widthOf(cell));
  return align === "right" ? blanks + cell : cell + blanks;
}

/** Columns of a terminal that a text takes, near enough: one a character. */
function widthOf(text: string): number {
  return Array.from(text).length;
}
