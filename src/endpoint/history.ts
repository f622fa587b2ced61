/** What is sent back of earlier answers. Pure: the next request after a resume must be the one that would have been sent. */
import { jsonObjectSchema, type Tolerated } from "../records/index.ts";
import { canonicalJson, type Json } from "../runtime/index.ts";
import { readCalls, textCallsOf, wireCallsOf, type CallReading } from "./calls.ts";
import type { JsonObject, WireCall } from "./chat.ts";
import { isObject, parseJson, textOf } from "./json.ts";
import type { ModelSettings } from "./settings.ts";
import type { TextCall } from "./text-calls.ts";

export interface HistoryForm extends CallReading {
  readonly emptyContent: ModelSettings["emptyContent"];
}

/** In place of an answer that held neither text nor a call: no server takes nothing at all. */
const NO_TEXT = "(no text)";

/** Names every provider accepts. */
const SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Members that are made anew rather than sent back as they are. */
const MADE: ReadonlySet<string> = new Set(["role", "content", "tool_calls"]);

/**
 * The message to send back for a logged assistant message. Unknown members are sent as they came (a thinking model wants
 * its thoughts back); those that hold nothing are left out. Arguments that cannot be read go out as `{}`: one malformed
 * call would make every later request fail.
 */
export function messageToSend(
  message: JsonObject,
  form: HistoryForm,
): { readonly message: JsonObject; readonly tolerated: readonly Tolerated[] } {
  const { calls } = readCalls(message, form);
  const wire = wireCallsOf(message);
  const tolerated: Tolerated[] = [];
  const toolCalls = calls.map((call, at) => callToSend(call, wire[at], tolerated));
  const content = contentToSend(message, wire.length === 0 && calls.length > 0);
  const kept = Object.entries(message).filter(([name, value]) => !MADE.has(name) && holdsSomething(value));
  const said = holdsText(content) ? content : calls.length > 0 ? emptyContent(form) : noText(form, tolerated);
  const sent = Object.fromEntries<Json>([
    ["role", "assistant"],
    ...(said === undefined ? [] : [["content", said] as const]),
    ...(toolCalls.length === 0 ? [] : [["tool_calls", toolCalls] as const]),
    ...kept,
  ]);
  return { message: sent, tolerated };
}

/** The message that answers a call. */
export function toolMessage(id: string, text: string): JsonObject {
  return { role: "tool", tool_call_id: id, content: text };
}

function callToSend(call: WireCall, wire: JsonObject | undefined, tolerated: Tolerated[]): JsonObject {
  const placeholder = (what: string): void => {
    tolerated.push({ quirk: "placeholder_sent", says: `call ${call.id.slice(0, 64)}: ${what}` });
  };
  const name = SAFE_NAME.test(call.name) ? call.name : safeName(call.name);
  if (name !== call.name) placeholder(`the name goes out as ${name}`);
  const text = argumentsText(call);
  if (text === undefined) placeholder("the arguments go out as {}");
  // what else a call bears is the provider's (a signature of its thoughts) and wanted back
  const others = Object.entries(wire ?? {}).filter(
    ([key, value]) => key !== "index" && key !== "id" && key !== "type" && key !== "function" && holdsSomething(value),
  );
  return Object.fromEntries<Json>([
    ["id", call.id],
    ["type", "function"],
    ["function", { name, arguments: text ?? "{}" }],
    ...others,
  ]);
}

/** The arguments as the text of a JSON object, verbatim where they came so; undefined where they are none. */
function argumentsText({ raw, input }: WireCall): string | undefined {
  if (!input.ok || !isObject(input.value)) return undefined;
  if (typeof raw === "string" && isObject(parseJson(raw))) return raw;
  // canonical, since a log has its keys sorted; without 1e999 and half characters, which JSON reads and cannot write
  return jsonObjectSchema.safeParse(input.value).success ? canonicalJson(input.value) : undefined;
}

function safeName(name: string): string {
  return name.slice(0, 64).replaceAll(/[^A-Za-z0-9_-]/g, "_") || "unknown";
}

/** The content as it came; without the calls that were taken out of it. */
function contentToSend(message: JsonObject, tookText: boolean): Json | undefined {
  const { content } = message;
  if (!tookText || typeof content !== "string") return content;
  return cutOut(content, textCallsOf(message)).trim();
}

function cutOut(text: string, calls: readonly TextCall[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of calls) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}

function holdsText(content: Json | undefined): content is Json {
  return textOf(content) !== undefined || (Array.isArray(content) && content.length > 0);
}

function emptyContent({ emptyContent }: HistoryForm): Json | undefined {
  switch (emptyContent) {
    case "null":
      return null;
    case "empty":
      return "";
    case "omit":
      return undefined;
  }
}

function noText(form: HistoryForm, tolerated: Tolerated[]): Json {
  if (form.emptyContent === "empty") return "";
  tolerated.push({ quirk: "placeholder_sent", says: `an answer without text and calls goes out as "${NO_TEXT}"` });
  return NO_TEXT;
}

function holdsSomething(value: Json): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
