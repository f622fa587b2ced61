/** How values, paths and long texts are shown in messages: briefly, and always the same. */
import type { Json } from "./canonical.ts";

export type Path = readonly PropertyKey[];

const SHOWN_CHARACTERS = 80;

/** `triggers[0].args.who` */
export function formatPath(path: Path): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? shortKey(part) : `.${shortKey(part)}`;
  }
  return shorten(text, 300);
}

/** A text in double quotes, cut where it is long. */
export function showText(text: string): string {
  return JSON.stringify(shorten(text, SHOWN_CHARACTERS));
}

/** A JSON value, cut where it is long. */
export function showValue(value: Json): string {
  return typeof value === "string" ? showText(value) : shorten(JSON.stringify(value), SHOWN_CHARACTERS);
}

/** `text` of at most `length` characters; one that is cut ends with an ellipsis. Never cuts a character in two. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isHighSurrogate(text.charCodeAt(length - 2)) ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function shortKey(part: PropertyKey): string {
  return shorten(String(part), SHOWN_CHARACTERS);
}
