import { canonicalJson } from "../runtime/index.ts";

/** One thing in which a record is not what it must be. */
export interface Difference {
  readonly kind: "chain" | "manifest" | "world" | "replay" | "judgment" | "binding" | "relation" | "score" | "contract";
  /** A line of a file, an item, a path. */
  readonly where: string;
  readonly expected: string;
  readonly seen: string;
}

/** Differences of one kind that are listed one by one. */
export const MOST = 20;

/** A value in a difference: its canonical JSON, cut to a readable length. */
export function showJson(value: unknown): string {
  const text = value === undefined ? "nothing" : canonicalJson(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The places in which two JSON values differ, named as `components.CA.passed`; at most `most`. */
export function differencesOfJson(
  expected: unknown,
  seen: unknown,
  most: number,
  path = "",
): readonly { readonly path: string; readonly expected: string; readonly seen: string }[] {
  if (isContainer(expected) && isContainer(seen) && Array.isArray(expected) === Array.isArray(seen)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(seen)])];
    const found: { readonly path: string; readonly expected: string; readonly seen: string }[] = [];
    for (const key of keys) {
      if (found.length >= most) break;
      found.push(
        ...differencesOfJson(expected[key], seen[key], most - found.length, path === "" ? key : `${path}.${key}`),
      );
    }
    return found;
  }
  return showJson(expected) === showJson(seen) && sameLeaf(expected, seen)
    ? []
    : [{ path, expected: showJson(expected), seen: showJson(seen) }];
}

function sameLeaf(a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
