/**
 * Cuts the key out of what came back. An endpoint may echo it (in an error's text, in a model's answer), and what
 * comes back is kept in logs that are shared.
 */
import { MAX_ANSWER_DEPTH } from "./limits.ts";
import type { Json } from "../runtime/index.ts";

/** What stands where the key was. */
export const CUT = "[key]";

/** A key below this many characters is a stand-in ("none", "EMPTY") rather than a secret. */
const SHORT_KEY = 8;

export interface Redactor {
  /** Of a text in an endpoint's own voice: errors, names. It may have been shortened, and end within a key. */
  readonly text: (text: string) => string;
  /** Of an answer, names of members included. undefined where it is nested deeper than MAX_ANSWER_DEPTH. */
  readonly value: (value: unknown) => Json | undefined;
}

/**
 * Makes a redactor for a key. It finds the key as it is, as a URL and as JSON escape it, and in base64. A short key is
 * cut from errors where it is a word of its own, and from answers only after "Bearer" or "key": "none" is a word a
 * story may hold, and cutting it there would change what a model said.
 */
export function makeRedactor(key: string | undefined): Redactor {
  const inText = cutterOf(key, "text");
  const inAnswer = cutterOf(key, "answer");
  const cutTail = tailCutterOf(key);
  const text = (seen: string): string => cutTail(inText(wellFormed(seen)));
  return { text, value: (value) => mapTexts(value, (seen) => inAnswer(wellFormed(seen)), 0) };
}

function cutterOf(key: string | undefined, where: "text" | "answer"): (text: string) => string {
  if (key === undefined || key === "") return (text) => text;
  const forms = formsOf(key).map(escapeForPattern).join("|");
  if (key.length >= SHORT_KEY) {
    const pattern = new RegExp(forms, "g");
    return (text) => text.replace(pattern, CUT);
  }
  const pattern =
    where === "text"
      ? new RegExp(`(?<![A-Za-z0-9_-])(?:${forms})(?![A-Za-z0-9_-])`, "g")
      : new RegExp(`(?<=\\b(?:bearer|key)["']?[ :=]{1,3}["']?)(?:${forms})(?![A-Za-z0-9_-])`, "gi");
  return (text) => text.replace(pattern, CUT);
}

/** Characters of a key that are cut where a text ends in them: what begins there may have been shortened before. */
const TELLING = 4;

/** Cuts the beginning of a key from the end of a text, quotes behind it apart. */
function tailCutterOf(key: string | undefined): (text: string) => string {
  if (key === undefined || key.length < SHORT_KEY) return (text) => text;
  const forms = formsOf(key);
  return (text) => {
    const behind = /["…]{0,2}$/.exec(text)?.[0] ?? "";
    const said = text.slice(0, text.length - behind.length);
    const lengths = forms.map((form) => {
      for (let length = Math.min(form.length, said.length); length >= TELLING; length -= 1) {
        if (said.endsWith(form.slice(0, length))) return length;
      }
      return 0;
    });
    const longest = Math.max(...lengths);
    return longest === 0 ? text : `${said.slice(0, said.length - longest)}${CUT}${behind}`;
  };
}

/** The ways in which a key may be written, the longest first, so that none is cut in half by another. */
function formsOf(key: string): readonly string[] {
  const inUrl = encodeURIComponent(key);
  const inJson = JSON.stringify(key).slice(1, -1);
  const base64 = Buffer.from(key).toString("base64");
  const forms = [
    key,
    inUrl,
    inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    inJson,
    inJson.replaceAll("/", "\\/"),
    ...(key.length < SHORT_KEY ? [] : [base64, base64.replaceAll("=", ""), Buffer.from(key).toString("base64url")]),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** Half of a surrogate pair can be written to no file: it becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function mapTexts(value: unknown, map: (text: string) => string, depth: number): Json | undefined {
  if (typeof value === "string") return map(value);
  if (typeof value !== "object" || value === null) return value as Json;
  if (depth >= MAX_ANSWER_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const parts: Json[] = [];
    for (const part of value as readonly unknown[]) {
      const mapped = mapTexts(part, map, depth + 1);
      if (mapped === undefined) return undefined;
      parts.push(mapped);
    }
    return parts;
  }
  const members: [string, Json][] = [];
  for (const [name, part] of Object.entries(value)) {
    const mapped = mapTexts(part, map, depth + 1);
    if (mapped === undefined) return undefined;
    members.push([map(name), mapped]);
  }
  // fromEntries defines members: a name like __proto__ stays a name
  return Object.fromEntries(members);
}

/** Headers of an answer that are looked at. No other is ever read, so no other can be kept. */
const ANSWER_HEADERS: ReadonlySet<string> = new Set(["content-type", "retry-after", "retry-after-ms"]);

/** Headers that are sent: what the protocol needs, and nothing the client library or its environment adds. */
const REQUEST_HEADERS: ReadonlySet<string> = new Set(["accept", "authorization", "content-type", "user-agent"]);

export function isAnswerHeader(name: string): boolean {
  return ANSWER_HEADERS.has(name.toLowerCase());
}

export function isRequestHeader(name: string): boolean {
  return REQUEST_HEADERS.has(name.toLowerCase());
}
