/** What is wrong with a case file, and where. */

/** The way to a node of a file: keys of maps, positions in lists (from 0). */
export type Path = readonly (string | number)[];

/** A fault at a place of a file; line and column from 1. `message` says what is wrong, `hint` what would be right. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

/** A fault whose place is still a path; `at: "key"` points at the key rather than at its value. */
export interface PathFault {
  readonly path: Path;
  readonly at?: "key" | "value";
  readonly message: string;
  readonly hint?: string;
}

/** Makes a fault of a path; leaves `hint` out where there is none. */
export function faultAt(path: Path, message: string, hint?: string, at: "key" | "value" = "value"): PathFault {
  return { path, at, message, ...(hint === undefined ? {} : { hint }) };
}

/** One line: `file:line:column what is wrong. What would be right.` */
export function printFault(fault: Fault): string {
  const said = [fault.message, ...(fault.hint === undefined ? [] : [capitalised(fault.hint)])];
  return `${fault.file}:${fault.line}:${fault.column} ${said.map(closed).join(" ")}`;
}

/** Faults in the order of files, lines and columns, each line said once. */
export function sortFaults(faults: readonly Fault[]): readonly Fault[] {
  const order = (a: Fault, b: Fault): number =>
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;
  const seen = new Set<string>();
  return [...faults].sort(order).filter((fault) => {
    const line = printFault(fault);
    return !seen.has(line) && seen.add(line);
  });
}

/** A value as a message quotes it: short JSON. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function closed(sentence: string): string {
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
