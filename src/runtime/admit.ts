/**
 * The border for what comes from outside. What is admitted is plain JSON data of bounded size, copied, with sorted
 * keys; what is not is a refusal that can be logged and replayed. Nothing here throws, recurses without bound, or
 * runs code that hides in the input.
 */
import { types } from "node:util";
import type { Json } from "./canonical.ts";
import { compareText } from "./canonical.ts";
import { refuse, suggest, toolError, type Result, type ToolError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { formatPath, shorten, showText, type Path } from "./show.ts";
import { isToolName, TOOL_NAMES, type ToolName } from "./tools.ts";

export type JsonObject = { readonly [key: string]: Json };

/** A call that may be handed to `callTool`: its input is plain data, or its refusal is known. */
export type AdmittedCall =
  | { readonly ok: true; readonly tool: ToolName; readonly input: JsonObject }
  | { readonly ok: false; readonly tool: string; readonly error: ToolError };

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Admits a call whose input is data of this process. `undefined` and null are the empty input. */
export function admitCall(tool: unknown, input: unknown): AdmittedCall {
  if (typeof tool !== "string" || !isToolName(tool)) return refuseTool(tool);
  if (input === undefined || input === null) return { ok: true, tool, input: {} };
  const copied = copyPlain(input, [], { bytesLeft: LIMITS.inputBytes });
  if (!copied.ok) return { ok: false, tool, error: copied.error };
  if (!isObject(copied.value)) return { ok: false, tool, error: notAnObject(copied.value) };
  return { ok: true, tool, input: copied.value };
}

/** Admits a call whose input is the raw text of a JSON object. Empty text, blanks and `null` are the empty input. */
export function admitText(tool: unknown, text: unknown): AdmittedCall {
  if (text === undefined || text === null) return admitCall(tool, undefined);
  if (typeof tool !== "string" || !isToolName(tool)) return refuseTool(tool);
  if (typeof text !== "string") return { ok: false, tool, error: toolError("malformed_input", "the input is no text") };
  if (isTooLong(text)) return { ok: false, tool, error: tooLarge() };
  if (text.trim() === "") return { ok: true, tool, input: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // the engine's own words about the fault differ between versions of Node, so they are not repeated
    return {
      ok: false,
      tool,
      error: toolError("malformed_input", `the input is no JSON: ${showText(text.trim())}`, {
        hint: 'write one JSON object with its keys in double quotes, such as {"from": "entities"}',
      }),
    };
  }
  return admitCall(tool, parsed);
}

function refuseTool(tool: unknown): AdmittedCall {
  const name = typeof tool === "string" && isUnicode(tool) ? shorten(tool, LIMITS.idCharacters) : "";
  const message = typeof tool === "string" ? `there is no tool ${showText(tool)}` : "the name of a tool is a text";
  const error = toolError("unknown_tool", message, { hint: suggest(name, TOOL_NAMES) });
  return { ok: false, tool: name, error };
}

/** A deep copy of plain JSON data with sorted keys, or the first thing about `value` that is not. */
function copyPlain(value: unknown, path: Path, room: { bytesLeft: number }): Result<Json> {
  switch (typeof value) {
    case "boolean":
      return spend(room, value ? 4 : 5) ? { ok: true, value } : { ok: false, error: tooLarge() };
    case "number":
      if (!Number.isFinite(value)) return refuseNumber(value, path);
      return spend(room, String(value).length)
        ? { ok: true, value: value === 0 ? 0 : value }
        : { ok: false, error: tooLarge() };
    case "string":
      if (!spendText(room, value)) return { ok: false, error: tooLarge() };
      return isUnicode(value)
        ? { ok: true, value }
        : refuse("malformed_input", "half a surrogate pair is no character", at(path));
    case "object":
      if (value === null) return spend(room, 4) ? { ok: true, value } : { ok: false, error: tooLarge() };
      if (path.length >= LIMITS.inputDepth) {
        return refuse(
          "input_too_deep",
          `lists and objects lie at most ${LIMITS.inputDepth} deep in one another`,
          at(path),
        );
      }
      if (types.isProxy(value)) return notPlain(path);
      return Array.isArray(value) ? copyList(value, path, room) : copyObject(value, path, room);
    default:
      return refuse("malformed_input", `${typeof value} is no JSON`, at(path));
  }
}

function copyList(list: readonly unknown[], path: Path, room: { bytesLeft: number }): Result<Json> {
  if (Object.getPrototypeOf(list) !== Array.prototype) return notPlain(path);
  if (!spend(room, 2 + Math.max(0, list.length - 1))) return { ok: false, error: tooLarge() };
  if (Reflect.ownKeys(list).length !== list.length + 1) return notPlain(path);
  const copy: Json[] = [];
  for (let i = 0; i < list.length; i += 1) {
    const property = Object.getOwnPropertyDescriptor(list, i);
    if (property === undefined || !("value" in property)) return notPlain([...path, i]);
    const item = copyPlain(property.value, [...path, i], room);
    if (!item.ok) return item;
    copy.push(item.value);
  }
  return { ok: true, value: copy };
}

function copyObject(object: object, path: Path, room: { bytesLeft: number }): Result<Json> {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return notPlain(path);
  const keys = Reflect.ownKeys(object);
  if (!spend(room, 2 + Math.max(0, 2 * keys.length - 1))) return { ok: false, error: tooLarge() };
  if (!keys.every((key) => typeof key === "string")) return notPlain(path);
  const copy: Record<string, Json> = {};
  for (const key of keys.sort(compareText)) {
    if (FORBIDDEN_KEYS.has(key))
      return refuse("forbidden_id", `the key ${key} is refused everywhere`, at([...path, key]));
    if (!spendText(room, key)) return { ok: false, error: tooLarge() };
    if (!isUnicode(key)) return refuse("malformed_input", "half a surrogate pair is no character", at(path));
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (property === undefined || !("value" in property) || property.enumerable !== true)
      return notPlain([...path, key]);
    const item = copyPlain(property.value, [...path, key], room);
    if (!item.ok) return item;
    copy[key] = item.value;
  }
  return { ok: true, value: copy };
}

function refuseNumber(value: number, path: Path): Result<never> {
  const seen = Number.isNaN(value) ? "NaN is no number" : "the number is too large to be held";
  return refuse("invalid_value", seen, { ...at(path), hint: "write a finite number, such as 100" });
}

function notPlain(path: Path): Result<never> {
  return refuse(
    "malformed_input",
    "only plain JSON data is taken: no accessors, symbols, gaps, classes or functions",
    at(path),
  );
}

function notAnObject(value: Json): ToolError {
  const seen = Array.isArray(value) ? "a list" : typeof value === "string" ? "a text" : JSON.stringify(value);
  const hint =
    typeof value === "string" && value.trim().startsWith("{")
      ? "send the object itself, not a text that holds one"
      : 'send one JSON object, such as {"from": "entities"}';
  return toolError("malformed_input", `the input is ${seen}, not an object`, { hint });
}

function tooLarge(): ToolError {
  return toolError("input_too_large", `an input is at most ${LIMITS.inputBytes} bytes of JSON`, {
    hint: "send less at once: several steps, or several constructions",
  });
}

function at(path: Path): { readonly path: string } {
  return { path: formatPath(path) };
}

function spend(room: { bytesLeft: number }, bytes: number): boolean {
  room.bytesLeft -= bytes;
  return room.bytesLeft >= 0;
}

/** A text that JSON writes as it is, a byte a character: most are. */
const PLAIN = /^[ !#-[\]-~]*$/;

function spendText(room: { bytesLeft: number }, text: string): boolean {
  if (text.length <= LIMITS.inputBytes && PLAIN.test(text)) return spend(room, text.length + 2);
  return !isTooLong(text) && spend(room, Buffer.byteLength(JSON.stringify(text)));
}

function isTooLong(text: string): boolean {
  return text.length > LIMITS.inputBytes || Buffer.byteLength(text) > LIMITS.inputBytes;
}

/** Whether a text can be written as UTF-8 and read back the same. */
function isUnicode(text: string): boolean {
  return text.isWellFormed();
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
