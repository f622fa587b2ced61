/** Looks into data that came from outside, whose shape nobody has checked. */
import { isTooDeep } from "./depth.ts";

export type Loose = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object, by its own name; undefined where `value` is no object or has none. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** A text with something in it; undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** JSON, or undefined where the text is none, or is nested too deeply to be looked into. */
export function parseJson(text: string): unknown {
  const parsed = parseAny(text);
  return parsed.kind === "json" ? parsed.value : undefined;
}

/** As `parseJson`, for those who have to say which of the two it is. */
export type Parsed =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "no_json" }
  | { readonly kind: "too_deep" };

export function parseAny(text: string): Parsed {
  let value: unknown;
  try {
    // does not recurse, whatever it is given
    value = JSON.parse(text);
  } catch {
    return { kind: "no_json" };
  }
  return isTooDeep(value) ? { kind: "too_deep" } : { kind: "json", value };
}
