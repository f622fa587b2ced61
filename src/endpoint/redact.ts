/**
 * Cuts the key out of what came back. An endpoint may echo it (in an error's text, in a model's answer), and what
 * comes back is kept in logs that are shared. Texts are cut as they came, before anything is decoded from them: what
 * decodes to the key is cut as well.
 */
import { isTooDeep } from "./depth.ts";
import { keyFinder, LONG_KEY, type Found } from "./key-finder.ts";
import { MAX_ANSWER_DEPTH } from "./limits.ts";
import type { Json } from "../runtime/index.ts";
import { readingsOf, startOf, withoutBegun } from "./unescape.ts";

/** What stands where the key was. */
export const CUT = "[key]";

/** A key below this many characters is a stand-in ("none", "EMPTY") rather than a secret. */
const SHORT_KEY = 8;

/** Characters of a key in a row that are cut: of an error, since servers shorten keys there; of an answer, from long keys alone. */
const STRETCH_IN_TEXT = 8;
const STRETCH_IN_ANSWER = 12;

/** Characters of the beginning of a key that are cut where a text ends in them: it may have been shortened there. */
const TELLING = 4;

/** Words of the protocol: an answer is made of them, whatever the key is. */
const PROTOCOL =
  "assistant arguments function_call tool_calls function content role refusal reasoning_content reasoning_details " +
  "reasoning thinking annotations signature encrypted finish_reason stop length content_filter message choices text type";

export interface Redactor {
  /** Of a text in an endpoint's own voice: errors, headers. It may have been shortened, and end within a key. */
  readonly text: (text: string) => string;
  /**
   * Of an answer, names of members included. undefined where it is nested deeper than MAX_ANSWER_DEPTH. What the request
   * itself `said` is no secret and stays: where the key is an ordinary word, a model must be able to say it. It is asked
   * for only where something was found.
   */
  readonly value: (value: unknown, said?: () => string) => Json | undefined;
  /** The same of a name or a word beside an answer. */
  readonly word: (text: string, said?: () => string) => string;
}

/**
 * Makes a redactor for a key. A short key is cut from errors where it is a word of its own, and from answers only after
 * "Bearer" or "key": "none" is a word a story may hold, and cutting it there would change what a model said.
 */
export function makeRedactor(key: string | undefined): Redactor {
  const { inText, inAnswer } = cuttersOf(key);
  return {
    text: (text) => inText(wellFormed(text)),
    word: (text, said = () => "") => inAnswer(wellFormed(text), saidIn(said)),
    value: (value, said = () => "") => {
      if (isTooDeep(value, MAX_ANSWER_DEPTH)) return undefined;
      const isSaid = saidIn(said);
      return mapTexts(value, (text) => inAnswer(wellFormed(text), isSaid));
    },
  };
}

/** Whether the request says something, in whatever writing. */
type IsSaid = (words: string) => boolean;

interface Cutters {
  readonly inText: (text: string) => string;
  readonly inAnswer: (text: string, isSaid: IsSaid) => string;
}

function cuttersOf(key: string | undefined): Cutters {
  if (key === undefined || key === "") return { inText: (text) => text, inAnswer: (text) => text };
  if (key.length < SHORT_KEY) return cuttersOfShort(key);
  const inText = keyFinder(key, STRETCH_IN_TEXT);
  const inAnswer = keyFinder(key, key.length < LONG_KEY ? Infinity : STRETCH_IN_ANSWER);
  const whole = key.toLowerCase();
  return {
    inText: (text) => cutAll(text, [...inText(text), ...beginningAtEnd(text, whole)]),
    inAnswer: (text, isSaid) => {
      const found = inAnswer(text);
      if (found.length === 0 || isSaid(whole)) return text;
      return cutAll(
        text,
        found.filter(({ says }) => !isSaid(says)),
      );
    },
  };
}

function cuttersOfShort(key: string): Cutters {
  const forms = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`))
    .join("|");
  const word = new RegExp(`(?<![A-Za-z0-9_-])(?:${forms})(?![A-Za-z0-9_-])`, "g");
  const named = new RegExp(`(?<=\\b(?:bearer|key)["']?[ :=]{1,3}["']?)(?:${forms})(?![A-Za-z0-9_-])`, "gi");
  return { inText: (text) => text.replace(word, CUT), inAnswer: (text) => text.replace(named, CUT) };
}

/** Different words that are looked for in one request; an answer that holds more parts of a key is no honest one. */
const MAX_LOOKED_FOR = 256;

function saidIn(said: () => string): IsSaid {
  const known = new Map<string, boolean>();
  let readings: readonly string[] | undefined;
  return (words) => {
    const looked = known.get(words) ?? (known.size < MAX_LOOKED_FOR ? undefined : false);
    if (looked !== undefined) return looked;
    readings ??= readingsOf(`${PROTOCOL} ${said()}`).map(({ text }) => text.toLowerCase());
    const found = readings.some((text) => text.includes(words.toLowerCase()));
    known.set(words, found);
    return found;
  };
}

/** The beginning of a key that a text ends in, quotes and dots behind it apart. */
function beginningAtEnd(text: string, key: string): readonly Found[] {
  const behind = /["…]{0,2}$/.exec(text)?.[0] ?? "";
  const said = text.slice(0, text.length - behind.length);
  return readingsOf(said).flatMap((reading) => {
    const written = withoutBegun(reading.text);
    // a key has no letters but those of ASCII, and what may end in it is not longer than it
    const end = written.slice(-key.length).toLowerCase();
    for (let length = Math.min(key.length, end.length); length >= TELLING; length -= 1) {
      if (!end.endsWith(key.slice(0, length))) continue;
      return [{ start: startOf(reading, written.length - length), end: said.length, says: key.slice(0, length) }];
    }
    return [];
  });
}

/** The text without these places; those that overlap are one. */
function cutAll(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  const parts: string[] = [];
  let upTo = 0;
  let hasCut = false;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (!hasCut || start >= upTo) parts.push(text.slice(upTo, start), CUT);
    hasCut = true;
    upTo = Math.max(upTo, end);
  }
  return [...parts, text.slice(upTo)].join("");
}

/** Half of a surrogate pair can be written to no file: it becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

/** Recurses, and is given nothing that is nested deeper than MAX_ANSWER_DEPTH. */
function mapTexts(value: unknown, map: (text: string) => string): Json {
  if (typeof value === "string") return map(value);
  // a key may be a number
  if (typeof value === "number") return map(String(value)) === String(value) ? value : CUT;
  if (typeof value !== "object" || value === null) return value as Json;
  if (Array.isArray(value)) return (value as readonly unknown[]).map((part) => mapTexts(part, map));
  // fromEntries defines members: a name like __proto__ stays a name
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [map(name), mapTexts(part, map)]));
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
