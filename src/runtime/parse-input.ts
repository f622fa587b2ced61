/** Checks an admitted input against its tool's schema, and says in one answer what is wrong with it. */
import type { z } from "zod";
import type { Json } from "./canonical.ts";
import { compareText } from "./canonical.ts";
import { ERROR_CODES, nearestWord, succeed, toolError, type ErrorCode, type Result, type ToolError } from "./errors.ts";
import { describeNode, keysAt, nodeAt } from "./schema-words.ts";
import { formatPath, showText, showValue, type Path } from "./show.ts";
import { inputJsonSchema, type Tool } from "./tools.ts";

type Issue = z.core.$ZodIssue;

const schemas = new WeakMap<Tool, ReturnType<typeof inputJsonSchema>>();

/** The JSON Schema of a tool's input, made once: it is asked for with every input that is refused. */
function schemaOf(tool: Tool): ReturnType<typeof inputJsonSchema> {
  const known = schemas.get(tool) ?? inputJsonSchema(tool);
  schemas.set(tool, known);
  return known;
}

/** The parsed input of `tool`, defaults filled in; or the first fault, with its path and what would be right. */
export function parseInput<T>(tool: Tool, schema: z.ZodType<T>, input: Json): Result<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  const issues = parsed.error.issues;
  const chosen = issues.find((issue) => issue.code === "unrecognized_keys") ?? (issues[0] as Issue);
  const fault = explain(innermost(chosen, input), tool, input);
  const more = issues.length - 1;
  const message =
    more === 0 ? fault.message : `${fault.message} (${more} more fault${more === 1 ? "" : "s"} in this input)`;
  return { ok: false, error: { ...fault, message } };
}

/** Of a union, the fault of the alternative that was meant; of a bad key, the fault of the key. */
function innermost(issue: Issue, input: Json): Issue {
  if (issue.code === "invalid_key") return rebased(issue.issues[0], issue, input) ?? issue;
  if (issue.code !== "invalid_union" || issue.discriminator !== undefined) return issue;
  const meant = issue.errors.find((faults) => !(faults[0]?.code === "invalid_type" && faults[0].path.length === 0));
  return rebased(meant?.[0], issue, input) ?? issue;
}

function rebased(inner: Issue | undefined, outer: Issue, input: Json): Issue | undefined {
  return inner && innermost({ ...inner, path: [...outer.path, ...inner.path] }, input);
}

function explain(issue: Issue, tool: Tool, input: Json): ToolError {
  const path = issue.path;
  const seen = valueAt(input, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return unknownKey(path, [...issue.keys].sort(compareText), tool, input);
    case "invalid_type":
    case "invalid_union":
      if ("options" in issue) return wrongWord(path, seen, issue.options, tool);
      if (seen === undefined) return missingKey(path, tool);
      return wrongType(path, seen, tool, input);
    case "invalid_value":
      return wrongWord(path, seen, issue.values, tool);
    case "too_big":
    case "too_small":
      return wrongSize(path, seen, issue, tool);
    case "custom":
      return toolError(codeOf(issue.params), issue.message, { path: formatPath(path), hint: exampleFor(path, tool) });
    default:
      return toolError("invalid_value", issue.message, { path: formatPath(path), hint: exampleFor(path, tool) });
  }
}

/** What other programs call the same thing, too far off for an edit distance. */
const ALIASES: Readonly<Record<string, string>> = {
  action: "capability",
  arguments: "args",
  conditions: "requires",
  description: "says",
  filter: "where",
  inputs: "params",
  parameters: "params",
  preconditions: "requires",
  requirements: "requires",
  location: "at",
  maximum: "max",
  minimum: "min",
  options: "values",
  place: "at",
  page_size: "limit",
  source: "from",
  wait: "advance",
};

function unknownKey(path: Path, keys: readonly string[], tool: Tool, input: Json): ToolError {
  const key = keys[0] as string;
  const known = keysAt(schemaOf(tool), path, input);
  const alias = ALIASES[key];
  const near = alias !== undefined && known.includes(alias) ? alias : nearestWord(key, known);
  const where = path.length === 0 ? tool.name : formatPath(path);
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : known.length === 0
        ? "leave it out: nothing is taken here"
        : `known keys: ${known.join(", ")}`;
  return toolError("unknown_key", `${where} has no key ${showText(key)}`, { path: formatPath([...path, key]), hint });
}

function missingKey(path: Path, tool: Tool, expected = describeNode(nodeAt(schemaOf(tool), path))): ToolError {
  return toolError("missing_key", `${formatPath(path)} is missing: ${expected} is needed`, {
    path: formatPath(path),
    hint: exampleFor(path, tool),
  });
}

function wrongType(path: Path, seen: Json, tool: Tool, input: Json): ToolError {
  const expected = describeNode(nodeAt(schemaOf(tool), path, input));
  return toolError("wrong_type", `${nameAt(path)}: expected ${expected}, received ${describeSeen(seen)}`, {
    path: formatPath(path),
    hint: correctionOf(path, seen, expected) ?? exampleFor(path, tool),
  });
}

function wrongWord(path: Path, seen: Json | undefined, options: unknown, tool: Tool): ToolError {
  const words = Array.isArray(options) ? options.map(String) : [];
  const near = typeof seen === "string" ? nearestWord(seen, words) : undefined;
  const listed = words.map((word) => JSON.stringify(word)).join(", ");
  const expected = words.length === 1 ? listed : `one of ${listed}`;
  if (seen === undefined) return missingKey(path, tool, expected);
  const code = typeof seen === "string" ? "invalid_value" : "wrong_type";
  return toolError(code, `${nameAt(path)}: expected ${expected}, received ${describeSeen(seen)}`, {
    path: formatPath(path),
    hint: near !== undefined ? `did you mean "${near}"?` : exampleFor(path, tool),
  });
}

const TOO_MANY_PREDICTIONS = {
  code: "too_many_predictions",
  hint: "predict what you think changes, each path once",
} as const;

/** Lists whose limit has an error code of its own. */
const TOO_MANY: Readonly<Record<string, { readonly code: ErrorCode; readonly hint: string }>> = {
  triggers: { code: "too_many_triggers", hint: "share them out over several steps" },
  requires: { code: "too_many_requirements", hint: "join some with &&, or share the doing out over two capabilities" },
  effects: { code: "too_many_effects", hint: "use `for`, or share the doing out over two capabilities" },
  segment: TOO_MANY_PREDICTIONS,
  interval: TOO_MANY_PREDICTIONS,
  lookahead: TOO_MANY_PREDICTIONS,
  action: TOO_MANY_PREDICTIONS,
  happening: TOO_MANY_PREDICTIONS,
  fires: TOO_MANY_PREDICTIONS,
};

function wrongSize(
  path: Path,
  seen: Json | undefined,
  issue: Extract<Issue, { code: "too_big" | "too_small" }>,
  tool: Tool,
): ToolError {
  const bound = issue.code === "too_big" ? `at most ${String(issue.maximum)}` : `at least ${String(issue.minimum)}`;
  const last = path.at(-1);
  if (typeof seen === "string") {
    const code = issue.code === "too_big" ? "text_too_long" : "invalid_value";
    return toolError(code, `${nameAt(path)}: a text of ${bound} characters is needed, received ${seen.length}`, {
      path: formatPath(path),
      hint: issue.code === "too_big" ? "shorten it" : exampleFor(path, tool),
    });
  }
  if (Array.isArray(seen)) {
    const tooMany = issue.code === "too_big" && typeof last === "string" ? TOO_MANY[last] : undefined;
    return toolError(tooMany?.code ?? "invalid_value", `${nameAt(path)}: ${bound} are taken, received ${seen.length}`, {
      path: formatPath(path),
      hint: tooMany?.hint ?? exampleFor(path, tool),
    });
  }
  return toolError("invalid_value", `${nameAt(path)}: ${bound} is taken, received ${showValue(seen ?? null)}`, {
    path: formatPath(path),
    hint: exampleFor(path, tool),
  });
}

/** The same value in the right type, where it is plain what was meant. */
function correctionOf(path: Path, seen: Json, expected: string): string | undefined {
  const key = typeof path.at(-1) === "string" ? `"${String(path.at(-1))}": ` : "";
  if (seen === null && expected.startsWith("a list")) return `an empty list is written ${key}[]`;
  if (seen === null) return `leave ${formatPath(path)} out where nothing is meant`;
  if (typeof seen === "string") {
    if (/number/.test(expected) && /^-?\d+(\.\d+)?$/.test(seen.trim()) && seen.length < 16) {
      return `write it without quotes: ${key}${Number(seen)}`;
    }
    if (/true or false/.test(expected) && (seen === "true" || seen === "false"))
      return `write it without quotes: ${key}${seen}`;
    if (/list|object/.test(expected) && /^\s*[[{]/.test(seen))
      return `send the ${expected.startsWith("a list") ? "list" : "object"} itself, not a text that holds one`;
  }
  if (expected === "a text" && (typeof seen === "number" || typeof seen === "boolean"))
    return `write it in double quotes: ${key}"${seen}"`;
  if (expected.startsWith("a list") && typeof seen === "object" && !Array.isArray(seen))
    return `put it in square brackets: ${key}[ { … } ]`;
  return undefined;
}

/** A valid value for this place from the tool's examples, or a whole valid input. */
function exampleFor(path: Path, tool: Tool): string {
  for (const example of tool.examples) {
    const found = valueAt(example, path, "like");
    const last = path.at(-1);
    if (found !== undefined && path.length > 0) {
      return `for example ${typeof last === "string" ? `"${last}": ` : ""}${JSON.stringify(found)}`;
    }
  }
  return `for example ${JSON.stringify(tool.examples[0])}`;
}

/** The value at `path`; `like` takes the first item or member where the example has others than asked for. */
function valueAt(value: Json, path: Path, mode: "exact" | "like" = "exact"): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path) {
    if (typeof found !== "object" || found === null) return undefined;
    const members = found as Readonly<Record<string, Json>>;
    const key = String(part);
    if (Object.hasOwn(members, key)) found = members[key];
    else if (mode === "like" && Array.isArray(found)) found = found[0] as Json | undefined;
    else return undefined;
  }
  return found;
}

function describeSeen(seen: Json): string {
  if (seen === null) return "null";
  if (Array.isArray(seen)) return `a list (${showValue(seen)})`;
  if (typeof seen === "object") return `an object (${showValue(seen)})`;
  return `${typeof seen === "string" ? "the text" : typeof seen === "number" ? "the number" : ""} ${showValue(seen)}`.trim();
}

function nameAt(path: Path): string {
  return path.length === 0 ? "the input" : formatPath(path);
}

function codeOf(params: unknown): ErrorCode {
  const code = typeof params === "object" && params !== null && "code" in params ? params.code : undefined;
  return ERROR_CODES.find((known) => known === code) ?? "invalid_value";
}
