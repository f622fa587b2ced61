import { configure } from "safe-stable-stringify";

/** JSON without `undefined`, as everything that is stored, hashed or compared must be. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const write = configure({ strict: true, circularValue: TypeError, deterministic: true });

/** What JSON writes for half of a surrogate pair begins so; so does a text that holds these very characters. */
const PERHAPS_HALF_PAIR = "\\ud";

/**
 * The canonical JSON (RFC 8785) of `value`: sorted keys, one spelling for every number.
 * Two values are equal exactly when their canonical texts are.
 * Throws where `value` is not JSON (a number that is not finite, half a surrogate pair, a bare `undefined`).
 */
export function canonicalJson(value: unknown): string {
  const text = write(value);
  if (text === undefined) throw new TypeError("canonicalJson: undefined is not JSON");
  if (text.includes(PERHAPS_HALF_PAIR) && /(?<!\\)(?:\\\\)*\\ud/.test(text))
    throw new TypeError("canonicalJson: half a surrogate pair is no character");
  return text;
}

/** Whether two JSON values are the same value. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const areContainers = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  return areContainers && canonicalJson(a) === canonicalJson(b);
}

/** A copy with its keys in order, all the way down; absent members stay absent. */
export function inOrder(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => compareText(a, b)).map(([key, member]) => [key, inOrder(member)]),
  );
}

/** The total order of ids and texts used wherever order shows outside: by UTF-16 code unit, no locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
