/** Results go to stdout, everything said about them to stderr. */
import { escapeJson } from "../report/index.ts";

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** One JSON value, indented; it holds no character that a terminal would act on. */
export function printJson(value: unknown): void {
  // The newlines of the indentation are no part of any text: they are put in after escaping.
  const lines = JSON.stringify(value, null, 2).split("\n");
  print(lines.map(escapeJson));
}

export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
