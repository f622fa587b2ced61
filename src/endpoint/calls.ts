/** The calls of an answer, in their order, whatever shape the server gave them. Pure: a log is read again with it. */
import type { Tolerated } from "../records/index.ts";
import { sha256, type Json } from "../runtime/index.ts";
import { readArguments } from "./arguments.ts";
import type { JsonObject, WireCall } from "./chat.ts";
import { isObject, member, textOf } from "./json.ts";
import { findTextCalls, suspectCall, type TextCall } from "./text-calls.ts";

/** How the calls of a message are read. */
export interface CallReading {
  /** The number of the request that was answered: ids that are made derive from it. */
  readonly request: number;
  /** Take calls that came as text. */
  readonly textCalls: boolean;
}

export interface ReadCalls {
  readonly calls: readonly WireCall[];
  readonly tolerated: readonly Tolerated[];
}

/** How often one quirk of a message is told in full. */
const TOLD = 4;

export function readCalls(message: JsonObject, how: CallReading): ReadCalls {
  const tolerated: Tolerated[] = [];
  const listed = wireCallsOf(message);
  const taken = listed.length === 0 && how.textCalls ? textCallsOf(message) : [];
  const raw = listed.length > 0 ? listed.map(partsOf) : taken.map(partsOfText);
  const ids = new Set(raw.map(({ id }) => id).filter((id) => id !== ""));
  const calls = raw.map(({ id, name, raw: given }, at): WireCall => {
    const { input, note } = readArguments(given);
    const where = `call ${at + 1} (${name.slice(0, 64)})`;
    if (note !== undefined) tolerated.push({ quirk: note.quirk, says: `${where}: arguments ${note.says}` });
    const made = id === "" ? makeId(how.request, at, ids) : undefined;
    if (made !== undefined && listed.length > 0)
      tolerated.push({ quirk: "made_call_id", says: `${where} came without an id and is called ${made}` });
    return { id: made ?? id, name, raw: (given ?? null) as Json, input };
  });
  return { calls, tolerated: [...notesOfText(message, listed.length, taken.length, how), ...summarise(tolerated)] };
}

/** The entries of `tool_calls` that are objects. */
export function wireCallsOf(message: JsonObject): readonly JsonObject[] {
  const listed = message["tool_calls"];
  return Array.isArray(listed) ? (listed as readonly Json[]).filter((call): call is JsonObject => isObject(call)) : [];
}

/** The calls that stand in the text of a message, in the forms that may be taken. */
export function textCallsOf(message: JsonObject): readonly TextCall[] {
  return findTextCalls(textOf(message["content"]) ?? "");
}

function partsOf(call: JsonObject): { readonly id: string; readonly name: string; readonly raw: unknown } {
  return {
    id: textOf(call["id"]) ?? "",
    name: textOf(member(call, "function", "name")) ?? "",
    raw: member(call, "function", "arguments"),
  };
}

/** Within a text arguments are data as a rule, and no quirk. */
function partsOfText({ name, arguments: given }: TextCall): ReturnType<typeof partsOf> {
  return { id: "", name, raw: typeof given === "string" ? given : JSON.stringify(given) };
}

function notesOfText(message: JsonObject, listed: number, taken: number, how: CallReading): readonly Tolerated[] {
  if (listed > 0) return [];
  if (taken > 0) return [{ quirk: "text_call_taken", says: `${taken} of the text, as the settings say` }];
  if (isObject(message["function_call"]))
    return [{ quirk: "unparsed_call", says: "a call in the old form function_call, which is not read" }];
  const seen = suspectCall(spokenText(message));
  if (seen === undefined) return [];
  const advice = how.textCalls ? "it is in no form that is taken" : "text is not taken for an action";
  return [{ quirk: "unparsed_call", says: `the text holds ${seen}; ${advice}` }];
}

/** What is said in a message; where nothing is, what was thought: some servers leave the call there. */
function spokenText(message: JsonObject): string {
  const { content } = message;
  if (Array.isArray(content)) {
    return (content as readonly Json[]).map((part) => textOf(member(part, "text")) ?? "").join("\n");
  }
  return textOf(content) ?? textOf(message["reasoning_content"]) ?? textOf(message["reasoning"]) ?? "";
}

/** The first of each quirk in full, the rest of it counted. */
function summarise(tolerated: readonly Tolerated[]): readonly Tolerated[] {
  return [...new Set(tolerated.map(({ quirk }) => quirk))].flatMap((quirk) => {
    const same = tolerated.filter((one) => one.quirk === quirk);
    const rest = same.length - TOLD;
    return [...same.slice(0, TOLD), ...(rest > 0 ? [{ quirk, says: `and ${rest} more of this message` }] : [])];
  });
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An id of nine letters and digits, as the strictest provider wants it; the same for the same call, and no other's. */
function makeId(request: number, at: number, taken: Set<string>): string {
  for (let turn = 0; ; turn += 1) {
    const digest = sha256(`${request}.${at}.${turn}`);
    const id = Array.from(
      { length: 9 },
      (_, i) => LETTERS[parseInt(digest.slice(2 * i, 2 * i + 2), 16) % LETTERS.length],
    ).join("");
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
