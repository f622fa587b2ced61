import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node, type Pair } from "yaml";
import { succeed, type Result } from "../runtime/index.ts";
import { sortFaults, type Fault, type Path, type PathFault } from "./fault.ts";
import { scanYaml } from "./scan.ts";
import { describePath } from "./subject.ts";

/** Bytes of one case file. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Faults told of one file; a file that is wrong all over is said so often enough. */
const MAX_FAULTS = 100;

/** A position in a file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file that was read: plain data, and where each part of it stands. */
export interface Source {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Where the value (or the key) of `path` stands; its nearest existing ancestor where it is not there. */
  readonly locate: (path: Path, at?: "key" | "value") => Position;
}

/**
 * Reads one YAML document whose root is a map. Refuses more than 1 MB, anchors, aliases, tags, directives, deep
 * nesting, duplicate keys, tabs as indentation and the key `__proto__`; each fault has its line and column. `what` is what
 * its faults call the file: other files than cases are read as strictly.
 */
export function readSource(file: string, text: string, what = "case file"): Result<Source, readonly Fault[]> {
  const fail = (faults: readonly Fault[]): Result<Source, readonly Fault[]> => ({
    ok: false,
    error: sortFaults(faults).slice(0, MAX_FAULTS),
  });
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES) {
    return fail([{ file, line: 1, column: 1, message: `the file has ${bytes} bytes, more than ${MAX_FILE_BYTES}` }]);
  }
  // One spelling of line ends, so that a checkout on another system has the same digests.
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const scanned = scanYaml(source, what);
  if (scanned.length > 0) {
    markLines(lines, source);
    return fail(scanned.map(({ offset, message, hint }) => ({ file, ...place(offset), message, hint })));
  }

  // uniqueKeys of the library compares every key with every other; duplicates are looked for below instead.
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: false,
    stringKeys: true,
    merge: false,
    prettyErrors: false,
    schema: "core",
  });
  if (document.errors.length > 0) {
    // A tab upsets all that follows: what else is said then is noise.
    const tabs = document.errors.filter(({ code }) => code === "TAB_AS_INDENT");
    const first = new Map<number, Fault>();
    for (const { code, message, pos } of tabs.length > 0 ? tabs : document.errors) {
      const at = place(pos[0]);
      if (!first.has(at.line)) first.set(at.line, { file, ...at, ...explainSyntax(code, message) });
    }
    return fail([...first.values()]);
  }
  if (document.contents === null) return fail([{ file, line: 1, column: 1, message: "the file is empty" }]);
  if (!isMap(document.contents)) {
    const kind = isSeq(document.contents) ? "a list" : "a text or a number";
    return fail([
      {
        file,
        ...place(document.contents.range[0]),
        message: `the file is ${kind}, not a map of keys`,
        ...(what === "case file" ? { hint: 'begin with "id: …" or "round: …"' } : {}),
      },
    ]);
  }
  const keys = faultsOfKeys(document, place, what).map((fault) => ({ file, ...fault }));
  if (keys.length > 0) return fail(keys);
  const value = document.toJS({ maxAliasCount: 0 }) as Readonly<Record<string, unknown>>;
  const root: Node = document.contents;
  return succeed({ file, value, locate: (path, at = "value") => place(offsetOf(root, path, at)) });
}

/** Path faults of a file as faults with positions, each beginning with what it is about. */
export function placeFaults(source: Source, faults: readonly PathFault[]): readonly Fault[] {
  return faults.slice(0, MAX_FAULTS).map(({ path, at, message, hint }) => {
    // A fault of a key names the key itself: what it is about is the map around it.
    const subject = describePath(source.value, at === "key" ? path.slice(0, -1) : path);
    return {
      file: source.file,
      ...source.locate(path, at),
      message: subject === "" ? message : `${subject}: ${message}`,
      ...(hint === undefined ? {} : { hint }),
    };
  });
}

function offsetOf(root: Node, path: Path, at: "key" | "value"): number {
  let node: Node = root;
  let key: Node = root;
  for (const segment of path) {
    let next: Node | undefined;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === String(segment)) as
        | Pair<Node, Node | null>
        | undefined;
      if (pair) {
        key = pair.key;
        next = pair.value ?? pair.key;
      }
    } else if (isSeq(node) && typeof segment === "number") {
      next = node.items[segment] as Node | undefined;
      if (next) key = next;
    }
    if (next === undefined) return (node.range as readonly number[])[0] as number;
    node = next;
  }
  return ((at === "key" ? key : node).range as readonly number[])[0] as number;
}

function faultsOfKeys(
  document: Document,
  place: (offset: number) => Position,
  what: string,
): readonly Omit<Fault, "file">[] {
  const faults: Omit<Fault, "file">[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Map<unknown, number>();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue;
        const at = place(key.range[0]);
        const first = seen.get(key.value);
        if (key.value === "__proto__") faults.push({ ...at, message: 'the key "__proto__" is not allowed' });
        else if (key.value === "<<")
          faults.push({ ...at, message: `a merge key (<<) has no place in a ${what}`, hint: "write the keys out" });
        else if (first === undefined) seen.set(key.value, at.line);
        else {
          const shown = JSON.stringify(key.value);
          faults.push({
            ...at,
            message: `the key ${shown} stands twice in one map, first in line ${first}`,
            hint: "keep one of the two",
          });
        }
      }
    },
  });
  return faults;
}

function explainSyntax(code: string, message: string): { readonly message: string; readonly hint?: string } {
  switch (code) {
    case "TAB_AS_INDENT":
      return { message: "a tab stands in the indentation", hint: "indent with spaces" };
    case "MULTIPLE_DOCS":
      return { message: "a second YAML document begins here", hint: "keep one document in a file" };
    case "NON_STRING_KEY":
      return { message: "a list or a map cannot be a key", hint: "write a plain word before the colon" };
    default:
      return { message: `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
  }
}

/** What the parser does as it reads; for texts that never reach it. */
function markLines(lines: LineCounter, text: string): void {
  lines.addNewLine(0);
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) lines.addNewLine(i + 1);
}
