/** Looks into data that came from outside, whose shape nobody has checked. */
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

/** JSON, or undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
