/** The worked example of docs/authoring.md: the case as begun, with the page's snippets put into its files. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";

const PAGE = fileURLToPath(new URL("../../docs/authoring.md", import.meta.url));

/** A fenced block of the page: `kind` is what stands behind the fence. */
interface Block {
  readonly kind: string;
  readonly text: string;
}

/** A snippet and the file it is put into. */
interface Snippet {
  readonly file: string;
  readonly text: string;
}

/** A snippet that is wrong, and what the page says that the program says of it. */
interface Wrong extends Snippet {
  readonly message: string;
}

function blocks(): readonly Block[] {
  const found = readFileSync(PAGE, "utf8").matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, kind, text]) => ({ kind: kind ?? "", text: text ?? "" }));
}

function snippetOf({ text }: Block): Snippet {
  const file = /^# (case\.yaml|rounds\/\d\d\.yaml)\n/.exec(text)?.[1];
  if (file === undefined) throw new Error(`a snippet of the page names no file: ${text.slice(0, 60)}`);
  return { file, text };
}

/** What an author who follows the page writes. */
export function snippets(): readonly Snippet[] {
  return blocks()
    .filter(({ kind }) => kind === "yaml")
    .map(snippetOf);
}

/** What the page shows as wrong; each is followed by the message. */
export function wrongSnippets(): readonly Wrong[] {
  const all = blocks();
  return all.flatMap((block, i) => {
    if (block.kind !== "yaml wrong") return [];
    const next = all[i + 1];
    if (next?.kind !== "text") throw new Error(`nothing is said of what is wrong in ${block.text}`);
    return [{ ...snippetOf(block), message: next.text.trim() }];
  });
}

/** Blocks whose kind is none that a test looks at. */
export function otherBlocks(): readonly Block[] {
  return blocks().filter(({ kind }) => !["yaml", "yaml wrong", "text"].includes(kind));
}

/** The tables of `verify` on the page: by tier the items of each kind and their sum. */
export function tables(): readonly Readonly<Record<string, readonly number[]>>[] {
  return blocks()
    .filter(({ kind, text }) => kind === "text" && text.startsWith("ferry: proves itself\n"))
    .map(({ text }) =>
      Object.fromEntries(
        [...text.matchAll(/^ {2}(easy|hard|extreme) +([\d ]+)$/gm)].map(([, tier, row]) => [
          tier ?? "",
          (row ?? "").trim().split(/ +/).map(Number),
        ]),
      ),
    );
}

/** Copies a case and puts snippets into its files. */
export function writeExample(begun: string, folder: string, added: readonly Snippet[]): void {
  cpSync(begun, folder, { recursive: true });
  mkdirSync(join(folder, "rounds"), { recursive: true });
  for (const { file, text } of added) {
    const path = join(folder, file);
    const before = readMap(path);
    writeFileSync(path, stringify(merged(before, parse(text) as Tree)));
  }
}

type Tree = { readonly [key: string]: unknown };

function readMap(path: string): Tree {
  try {
    return parse(readFileSync(path, "utf8")) as Tree;
  } catch {
    return {};
  }
}

/** Keys go into maps, items with ids into lists by their ids, relations to the end of theirs; all else is replaced. */
function merged(before: Tree, added: Tree): Tree {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(added)) {
    const there = before[key];
    if (isTree(value) && isTree(there)) result[key] = merged(there, value);
    else if (Array.isArray(value) && Array.isArray(there)) result[key] = mergedList(key, there, value);
    else result[key] = value;
  }
  return result;
}

function mergedList(key: string, before: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  if (key === "relations") return [...before, ...added];
  if (!added.every((one) => isTree(one) && "id" in one)) return added;
  const items = added as readonly Tree[];
  const there = before as readonly Tree[];
  const changed = there.map((one) => ({ ...one, ...items.find(({ id }) => id === one["id"]) }));
  return [...changed, ...items.filter(({ id }) => !there.some((one) => one["id"] === id))];
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
