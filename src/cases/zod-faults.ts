import * as z from "zod";
import { suggest, succeed, type Result } from "../runtime/index.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";

type Issue = z.core.$ZodIssue;

/**
 * Parses `value` with a schema; what does not fit comes back as faults in plain words, each with the path of the
 * offending key or value and, where one can be guessed, what was meant.
 */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, readonly PathFault[]> {
  const known = new Map<string, readonly string[]>();
  const parsed = schema.safeParse(value, {
    error: (issue) => {
      // Only here does the schema that refused a key say which keys it knows.
      if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject) {
        for (const key of issue.keys) known.set(key, [...(known.get(key) ?? []), ...Object.keys(issue.inst.shape)]);
      }
      return undefined;
    },
  });
  if (parsed.success) return succeed(parsed.data);
  return { ok: false, error: parsed.error.issues.flatMap((issue) => explain(issue, [], value, known)) };
}

type KnownKeys = ReadonlyMap<string, readonly string[]>;

/** `base` is the path of the value the issue's own path begins at; `root` is the whole file. */
function explain(issue: Issue, base: Path, root: unknown, known: KnownKeys): readonly PathFault[] {
  const path: Path = [...base, ...(issue.path as Path)];
  const seen = valueAt(root, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) =>
        faultAt([...path, key], `unknown key ${quote(key)}`, suggest(key, [...new Set(known.get(key))]), "key"),
      );
    case "invalid_key": {
      const [first] = issue.issues;
      return [faultAt(path, first?.message ?? "not a possible key", undefined, "key")];
    }
    case "invalid_type":
      if (seen === undefined)
        return [faultAt(path.slice(0, -1), `${quote(path.at(-1))} is missing`, `it is ${kindName(issue.expected)}`)];
      return [faultAt(path, `expected ${kindName(issue.expected)}, seen ${kindOf(seen)}`)];
    case "invalid_value":
      if (seen === undefined)
        return [faultAt(path.slice(0, -1), `${quote(path.at(-1))} is missing`, oneOf(issue.values))];
      return [faultAt(path, `${quote(seen)} is not possible here`, suggestValue(seen, issue.values))];
    case "too_small":
    case "too_big":
      return [faultAt(path, sizeMessage(issue, seen))];
    case "invalid_union":
      return explainUnion(issue, path, root, known);
    default:
      return [faultAt(path, issue.message)];
  }
}

/** Of the ways a value may be written, tells the faults of the one it comes nearest to. */
function explainUnion(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: Path,
  root: unknown,
  known: KnownKeys,
): readonly PathFault[] {
  const seen = valueAt(root, path);
  if (issue.errors.length === 0) {
    const options: unknown = "options" in issue ? issue.options : undefined;
    const words = Array.isArray(options) ? options.map(String) : [];
    if (seen === undefined) return [faultAt(path.slice(0, -1), `${quote(path.at(-1))} is missing`, oneOf(words))];
    return [faultAt(path, `${quote(seen)} is not possible here`, suggestValue(seen, words))];
  }
  const ways = issue.errors.map((issues) => ({
    issues,
    far: issues.some(refusesWhole),
    unknown: issues.filter((one) => one.code === "unrecognized_keys").length,
  }));
  const near = ways
    .filter((way) => !way.far)
    .sort((a, b) => a.unknown - b.unknown || a.issues.length - b.issues.length);
  const [best, next] = near;
  const bestIsUnsure = best !== undefined && next !== undefined && best.unknown > 0 && next.unknown === best.unknown;
  if (best !== undefined && bestIsUnsure)
    return best.issues
      .filter((one) => one.code === "unrecognized_keys")
      .flatMap((one) => explain(one, path, root, known));
  if (best !== undefined) return best.issues.flatMap((one) => explain(one, path, root, known));
  const kinds = issue.errors
    .flat()
    .flatMap((one) => (one.code === "invalid_type" && one.path.length === 0 ? [kindName(one.expected)] : []));
  return [faultAt(path, `expected ${orList([...new Set(kinds)])}, seen ${kindOf(seen)}`)];
}

/** Whether an issue says that the value as a whole is of another kind (rather than that something in it is wrong). */
function refusesWhole(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function sizeMessage(issue: Extract<Issue, { code: "too_small" | "too_big" }>, seen: unknown): string {
  const least = issue.code === "too_small";
  const bound = least ? issue.minimum : issue.maximum;
  const allowed = `${least ? "at least" : "at most"} ${bound}`;
  if (seen === "") return "is empty";
  if (typeof seen === "string") return `has ${seen.length} characters, allowed are ${allowed}`;
  if (Array.isArray(seen))
    return `has ${seen.length} ${seen.length === 1 ? "entry" : "entries"}, allowed are ${allowed}`;
  return `is ${quote(seen)}, allowed is ${allowed}`;
}

function valueAt(root: unknown, path: Path): unknown {
  let value: unknown = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[segment];
  }
  return value;
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "a map",
  record: "a map",
  array: "a list",
  tuple: "a list of two",
};

function kindName(expected: string): string {
  return KIND_NAMES[expected] ?? expected;
}

function kindOf(seen: unknown): string {
  if (seen === null) return "nothing (null)";
  if (Array.isArray(seen)) return `a list ${quote(seen)}`;
  switch (typeof seen) {
    case "string":
      return `the text ${quote(seen)}`;
    case "number":
      return `the number ${String(seen)}`;
    case "boolean":
      return String(seen);
    default:
      return `a map ${quote(seen)}`;
  }
}

function suggestValue(seen: unknown, values: readonly unknown[]): string | undefined {
  const words = values.map(String);
  return typeof seen === "string" && words.length > 1 ? suggest(seen, words) : oneOf(values);
}

function oneOf(values: readonly unknown[]): string {
  return `it is ${orList(values.map(quote))}`;
}

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
