import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadCase, printFault, type Case } from "../../src/cases/index.ts";
import { withoutSeal } from "../runtime/support/sealed-engine.ts";

export const HORN = "test/fixtures/cases/horn";

/** One edit of a file of the case: the first `from` becomes `to`, or the whole text is given, or the file is taken away. */
export type Edit =
  | { readonly file: string; readonly from: string; readonly to: string }
  | { readonly file: string; readonly text: string | Uint8Array }
  | { readonly file: string; readonly remove: true };

/**
 * A copy of the horn case in a folder of its own, with some edits made, for as long as `use` runs. Disk and parser read
 * the environment, which the engine's tests may not.
 */
export function withCase<T>(edits: readonly Edit[], use: (directory: string, root: string) => T): T {
  return withoutSeal(() => withCopy(edits, use));
}

function withCopy<T>(edits: readonly Edit[], use: (directory: string, root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), "cases-"));
  try {
    const directory = `${root}/horn`;
    cpSync(HORN, directory, { recursive: true });
    for (const edit of edits) applyEdit(directory, edit);
    return use(directory, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The faults of the horn case with some edits made, as they are printed, with files named from `horn/` on. */
export function faultsAfter(...edits: readonly Edit[]): readonly string[] {
  return withCase(edits, (directory, root) => {
    const loaded = loadCase(directory);
    return loaded.ok ? [] : loaded.error.map((fault) => printFault(fault).replaceAll(`${root}/`, ""));
  });
}

/** What is wrong, the edits that make it so, and every line that is then printed, whole. */
export type Row = readonly [says: string, edits: Edit | readonly Edit[], ...lines: string[]];

/** A test for each row. */
export function expectLines(rows: readonly Row[]): void {
  const cases = rows.map(([says, edits, ...lines]) => [says, [edits].flat(), lines] as const);
  it.each(cases)("%s", (_says, edits, lines) => {
    expect(faultsAfter(...edits)).toEqual(lines);
  });
}

/** The horn case with some edits made that leave it without fault. */
export function caseAfter(...edits: readonly Edit[]): Case {
  return withCase(edits, (directory) => {
    const loaded = loadCase(directory);
    if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
    return loaded.value;
  });
}

function applyEdit(directory: string, edit: Edit): void {
  const file = join(directory, edit.file);
  if ("remove" in edit) return rmSync(file);
  if ("text" in edit) return writeFileSync(file, edit.text);
  const text = readFileSync(file, "utf8");
  if (!text.includes(edit.from)) throw new Error(`the fixture does not contain ${edit.from}`);
  return writeFileSync(
    file,
    text.replace(edit.from, () => edit.to),
  );
}

/** A second round of the horn case without fault; each list may get one more entry. */
export function secondRound(
  more: Readonly<Partial<Record<"events" | "structures" | "probes" | "relations" | "reference", string>>>,
): Edit {
  const list = (key: keyof typeof more, own?: string): readonly string[] => {
    const entries = [own, more[key]].filter((entry) => entry !== undefined);
    return entries.length === 0 ? [] : [`${key}:`, ...entries.map((entry) => `  - ${entry}`)];
  };
  const lines = [
    "round: 2",
    'narrative: "Because Ilka had left the knife at the ford, Teo went and fetched it, and laid it by the hearth."',
    ...list(
      "events",
      "{ id: knife_home, says: Teo lays the knife by the hearth, involves: [teo, iron_knife], defining: [iron_knife.at] }",
    ),
    ...list("structures"),
    ...list("probes"),
    ...list("relations"),
    ...list(
      "reference",
      "{ triggers: [ { capability: lay_down, args: { who: teo, what: iron_knife }, realises: [knife_home] } ] }",
    ),
  ];
  return { file: "rounds/02.yaml", text: `${lines.join("\n")}\n` };
}
