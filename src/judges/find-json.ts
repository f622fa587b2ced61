/** Finds the JSON object in what a model wrote around it. Every step goes over the text once. */

import { shortenText } from "./text.ts";

/** A text that is longer is cut when it is kept, and can be no answer. */
export const MAX_ANSWER_CHARACTERS = 32_768;

/**
 * The one JSON object of a text: thinking and code fences apart. Several objects are several answers and none of them
 * is taken, unless they are all the same.
 */
export function findJsonObject(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string } {
  const said = withoutThinking(text);
  const found = objectsIn(said);
  const fallback = found.length > 0 ? found : objectsIn(lastBlock(said));
  const twice = fallback.map(({ text: one }) => keyGivenTwice(one)).find((key) => key !== undefined);
  if (twice !== undefined) return { ok: false, fault: `the key ${twice} twice in one JSON object` };
  const values = fallback.map(({ value }) => value);
  const texts = new Set(values.map((one) => JSON.stringify(one)));
  if (texts.size === 1) return { ok: true, value: values[0] };
  if (texts.size > 1) return { ok: false, fault: `${texts.size} different JSON objects` };
  return { ok: false, fault: said.trim() === "" ? "no text" : "no JSON object that can be read" };
}

/** What follows a model's thinking, where a server leaves it in the text. */
function withoutThinking(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end === -1 ? text : text.slice(end + "</think>".length);
}

/** From the last line that begins an object: prose before it may hold braces and quotes that never close. */
function lastBlock(text: string): string {
  const at = text.lastIndexOf("\n{");
  return at === -1 ? "" : text.slice(at + 1);
}

interface FoundObject {
  readonly text: string;
  readonly value: unknown;
}

/** The outermost pieces between braces that parse. Strings and escapes are followed, since they may hold braces. */
function objectsIn(text: string): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = depth > 0;
    else if (character === "{") {
      if (depth === 0) start = i;
      depth += 1;
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      const piece = text.slice(start, i + 1);
      const value = parseObject(piece);
      if (value !== undefined) found.push({ text: piece, value });
    }
  }
  return found;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The first key that an object of this JSON gives twice, as it is written there. Parsing keeps the last of them without a
 * word, and an answer that says two things says neither.
 */
function keyGivenTwice(json: string): string | undefined {
  /** The keys of each object that is open; undefined stands for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.endsWith(":")) {
      const written = token.slice(0, -1).trimEnd();
      const key = JSON.parse(written) as string;
      const keys = open.at(-1);
      if (keys?.has(key) === true) return shortenText(written, 60);
      keys?.add(key);
    }
  }
  return undefined;
}
