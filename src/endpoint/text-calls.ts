/**
 * Calls that came as plain text because the server has no parser for the model. They are found here; whether they are
 * taken is a setting, and the default is that text is never turned into an action.
 */
import { TOOL_NAMES, type Json } from "../runtime/index.ts";
import type { JsonObject } from "./chat.ts";
import { isObject, parseJson } from "./json.ts";

/** A call in a text, and where it stands in it. */
export interface TextCall {
  readonly name: string;
  readonly arguments: Json;
  readonly start: number;
  readonly end: number;
}

/** Marks that a model was taught to begin a call with. A server that has a parser for the model takes them away. */
const CALL_MARKS = [
  "<tool_call>",
  "<function=",
  "<function_call>",
  "<invoke name=",
  "[TOOL_CALLS]",
  "<|python_tag|>",
  "<|tool_call",
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁call▁begin｜>",
  "<|channel|>commentary to=",
  "functools[",
] as const;

/** Objects that are looked at in one text; a hostile one may hold any number. */
const MAX_OBJECTS = 64;

/** Blocks that are looked at in one text. */
const MAX_BLOCKS = 1024;

/** Bytes of an object that is looked at: no tool takes more. */
const MAX_OBJECT_CHARACTERS = 64 * 1024;

/**
 * What in a text looks like a call that the server did not read: the mark, or the tool that a bare object names.
 * undefined where nothing does.
 */
export function suspectCall(text: string): string | undefined {
  const mark = CALL_MARKS.find((one) => text.includes(one));
  if (mark !== undefined) return mark;
  const named = findObjects(text).find((found) => callOf(found.value, isTool) !== undefined);
  return named === undefined ? undefined : `an object that names a tool: ${text.slice(named.start, named.start + 60)}`;
}

/**
 * The calls of a text in the two forms that are taken: `<tool_call>{"name": …, "arguments": …}</tool_call>`, and such an
 * object alone in a code fence where it names one of the six tools. A call that is cut off is none. What stands before
 * `</think>` is thought and not said.
 */
export function findTextCalls(text: string): readonly TextCall[] {
  const thought = text.lastIndexOf("</think>");
  const from = thought === -1 ? 0 : thought + "</think>".length;
  const tagged = between(text, from, "<tool_call>", "</tool_call>", () => true);
  return tagged.length > 0 ? tagged : between(text, from, "```", "```", isTool);
}

function between(
  text: string,
  from: number,
  open: string,
  close: string,
  admits: (name: string) => boolean,
): readonly TextCall[] {
  const calls: TextCall[] = [];
  let start = text.indexOf(open, from);
  for (let looked = 0; start !== -1 && looked < MAX_BLOCKS; looked += 1) {
    const closed = text.indexOf(close, start + open.length);
    if (closed === -1) break;
    const end = closed + close.length;
    // a fence may name its language
    const inner = text.slice(start + open.length, closed).replace(/^(json|tool_call)\b/, "");
    const call = callOf(parseJson(inner.trim()), admits);
    if (call !== undefined) calls.push({ ...call, start, end });
    start = text.indexOf(open, end);
  }
  return calls;
}

function callOf(value: unknown, admits: (name: string) => boolean): Pick<TextCall, "name" | "arguments"> | undefined {
  if (!isObject(value) || typeof value["name"] !== "string" || !admits(value["name"])) return undefined;
  const given = value["arguments"] ?? value["parameters"];
  if (!isObject(given) && typeof given !== "string") return undefined;
  return { name: value["name"], arguments: given as JsonObject | string };
}

function isTool(name: string): boolean {
  return (TOOL_NAMES as readonly string[]).includes(name);
}

/** The outermost objects of a text that are JSON and begin with a name, the first MAX_OBJECTS of them. */
function findObjects(text: string): readonly { readonly start: number; readonly value: unknown }[] {
  const found: { start: number; value: unknown }[] = [];
  const begins = /\{\s{0,40}"name"\s{0,40}:/g;
  for (let looked = 0; looked < MAX_OBJECTS; looked += 1) {
    const begin = begins.exec(text);
    if (begin === null) break;
    const end = endOfObject(text, begin.index, begin.index + MAX_OBJECT_CHARACTERS);
    if (end === undefined) continue;
    found.push({ start: begin.index, value: parseJson(text.slice(begin.index, end)) });
    begins.lastIndex = end;
  }
  return found;
}

/** Where the object that begins at `start` ends, texts in it respected; undefined where it does not before `limit`. */
export function endOfObject(text: string, start: number, limit = text.length): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < Math.min(text.length, limit); at += 1) {
    const character = text[at];
    if (inText) {
      if (character === "\\") at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
