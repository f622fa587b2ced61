/**
 * How data that may hold an agent's words stands in a prompt: JSON, one entry a line, between two tags that nobody who
 * writes into the data can know.
 */
import type { JsonObject } from "../endpoint/index.ts";

/**
 * Characters that do not show, or that turn the direction of text: control and format characters, fillers, variation
 * selectors, tags. A list of our own and no property of Unicode, so that the same data gives the same prompt whatever
 * version of it a machine knows.
 */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** What is written as a JSON escape: those, and a `<` that could begin a tag. */
const ESCAPED = new RegExp(
  `<(?![ =0-9])|[${UNSEEN.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("")}]`,
  "gu",
);

/** One value as it stands in a block: JSON in one line, in which nothing looks like a tag and nothing is unseen. */
export function encodeData(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, escapeCharacter);
}

/** A character of the upper planes is two escapes, as JSON has it. */
function escapeCharacter(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The lines of a block's data. */
export function dataLines(data: JsonObject | readonly JsonObject[]): readonly string[] {
  return (Array.isArray(data) ? data : [data]).map(encodeData);
}

/** Bytes of an entry in a prompt, its newline included. */
export function bytesOfEntry(entry: JsonObject): number {
  return Buffer.byteLength(encodeData(entry)) + 1;
}

/**
 * Tokens of a text, estimated: a token every three bytes of UTF-8. JSON full of ids comes to about that; prose to less.
 * It decides what a prompt can hold, so that a change of it is a change of the prompts.
 */
export function estimatePromptTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
export const BYTES_PER_TOKEN = 3;
