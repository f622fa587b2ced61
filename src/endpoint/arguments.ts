/**
 * Reads the arguments of a call as they came. The repairs are few and listed: each brings back what stands there whole.
 * Nothing that was cut off is ever completed, since nobody knows what it would have been.
 */
import type { Json } from "../runtime/index.ts";
import type { WireCall } from "./chat.ts";
import { MAX_DEPTH } from "./depth.ts";
import { isObject, parseAny, parseJson } from "./json.ts";
import { endOfObject } from "./text-calls.ts";

export interface ReadArguments {
  readonly input: WireCall["input"];
  /** Empty arguments, or the repair that was made. */
  readonly note?: {
    readonly quirk: "empty_arguments" | "repaired_arguments" | "unreadable_arguments";
    readonly says: string;
  };
}

/** What may stand before a whole object or behind it without being part of anything. */
const STRAY_BEFORE = /^[\s'"`]{0,8}$/;
const STRAY_BEHIND = /^[\s'"`}\]),;]{0,16}$/;
const FENCE = /^```[a-z]{0,10}\s/;

export function readArguments(raw: unknown): ReadArguments {
  if (raw === undefined || raw === null) return empty(raw === null ? "null" : "missing");
  if (typeof raw !== "string") {
    const input = accept(raw as Json);
    return isObject(raw) ? repaired(input, "they came as data, not as the text of it") : { input };
  }
  if (raw.trim() === "") return empty(raw === "" ? '""' : "blanks");
  const read = parseAny(raw);
  if (read.kind === "too_deep") return unreadable(raw, `nested more than ${MAX_DEPTH} deep`);
  const parsed = read.kind === "json" ? read.value : undefined;
  if (parsed === null) return empty('"null"');
  if (typeof parsed === "string") return readTwiceEncoded(raw, parsed);
  if (parsed !== undefined) return { input: accept(parsed as Json) };
  return readBroken(raw);
}

function readTwiceEncoded(raw: string, inner: string): ReadArguments {
  if (inner.trim() === "") return empty("an empty text, encoded twice");
  const parsed = parseJson(inner);
  return isObject(parsed) ? repaired(accept(parsed as Json), "they were encoded twice") : unreadable(raw);
}

/** What is no JSON as a whole: an object in a code fence, or with stray marks around it. */
function readBroken(raw: string): ReadArguments {
  const trimmed = raw.trim();
  const fence = FENCE.exec(trimmed);
  const text = fence === null ? trimmed : trimmed.slice(fence[0].length);
  const start = text.indexOf("{");
  const end = start === -1 ? undefined : endOfObject(text, start);
  if (end === undefined) return unreadable(raw);
  const before = text.slice(0, start);
  const behind = text.slice(end);
  if (!STRAY_BEFORE.test(before) || !STRAY_BEHIND.test(behind)) return unreadable(raw);
  const parsed = parseJson(text.slice(start, end));
  if (!isObject(parsed)) return unreadable(raw);
  const what = fence === null ? "stray marks around a whole object were taken away" : "they stood in a code fence";
  return repaired(accept(parsed as Json), what);
}

function accept(value: Json): WireCall["input"] {
  return { ok: true, value };
}

function empty(seen: string): ReadArguments {
  return { input: accept({}), note: { quirk: "empty_arguments", says: `${seen}, read as {}` } };
}

function repaired(input: WireCall["input"], says: string): ReadArguments {
  return { input, note: { quirk: "repaired_arguments", says } };
}

function unreadable(text: string, why: string = "no JSON"): ReadArguments {
  return {
    input: { ok: false, text },
    note: { quirk: "unreadable_arguments", says: `${why}, and answered with an error` },
  };
}
