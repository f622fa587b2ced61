/**
 * How data that may hold an agent's words stands in a prompt: JSON, one entry a line, between two tags that nobody who
 * writes into the data can know.
 */
import type { JsonObject } from "../endpoint/index.ts";

/**
 * What could open or close a tag, hide, or turn the direction of text: written as JSON escapes instead. A list of our
 * own and no property of Unicode, so that the same data gives the same prompt whatever version of it a machine knows.
 */
const ESCAPED =
  /<(?![ =0-9])|[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

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
