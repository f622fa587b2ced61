import * as z from "zod";
import type { Json } from "../runtime/index.ts";

/** Nesting that a record may have; above it some reader's stack would give way. */
export const MAX_DEPTH = 200;

/** Why a value is not JSON that a record can hold, and where in it (`answer.rows[2]`). */
export interface JsonFault {
  readonly path: string;
  readonly fault: string;
}

function faultOfScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "string":
      return value.isWellFormed() ? undefined : "a text with half a surrogate pair";
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    default:
      return value === undefined ? "undefined" : `a ${typeof value}`;
  }
}

/** Why an object or list is not JSON by itself, its parts apart. */
function faultOfObject(value: object, depth: number): string | undefined {
  if (depth >= MAX_DEPTH) return `nesting above ${MAX_DEPTH}`;
  if (Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? undefined : `an instance of ${value.constructor.name}`;
}

/** Whether faultOfJson finds nothing; builds no paths, since every line that is written or read goes through here. */
function isJson(value: unknown, depth: number): boolean {
  if (value === null) return true;
  if (typeof value !== "object") return faultOfScalar(value) === undefined;
  if (faultOfObject(value, depth) !== undefined) return false;
  if (Array.isArray(value)) {
    // Not `every`, which would pass over the holes of a list.
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], depth + 1)) return false;
    return true;
  }
  const record = value as Readonly<Record<string, unknown>>;
  return Object.keys(record).every(
    (key) => key.isWellFormed() && (record[key] === undefined || isJson(record[key], depth + 1)),
  );
}

/**
 * Finds the first place where `value` is not JSON: a number that is not finite, `undefined` in a list, a function,
 * a class instance, text that is not Unicode, nesting above MAX_DEPTH. Keys that hold `undefined` are absent.
 * A serialiser alone would turn several of these into something else without a word.
 */
export function faultOfJson(value: unknown): JsonFault | undefined {
  return isJson(value, 0) ? undefined : locateFault(value, "", 0);
}

function locateFault(value: unknown, path: string, depth: number): JsonFault | undefined {
  if (value === null) return undefined;
  const fault = typeof value === "object" ? faultOfObject(value, depth) : faultOfScalar(value);
  if (fault !== undefined) return { path: path.slice(0, 80), fault };
  if (typeof value !== "object") return undefined;
  const parts: Iterable<readonly [string, string, unknown]> = Array.isArray(value)
    ? Array.from(value, (part: unknown, i) => ["", `${path}[${i}]`, part] as const)
    : Object.entries(value).map(([key, part]) => [key, path === "" ? key : `${path}.${key}`, part] as const);
  for (const [key, at, part] of parts) {
    if (!key.isWellFormed()) return { path: at.slice(0, 80), fault: "a key with half a surrogate pair" };
    const found = part === undefined && !Array.isArray(value) ? undefined : locateFault(part, at, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Any JSON, passed on untouched. Not `z.json()`: that rebuilds objects and loses a key `__proto__`, and a call an
 * agent made must be replayed with exactly the keys it had.
 */
export const jsonSchema = z.custom<Json>((value) => faultOfJson(value) === undefined, "not JSON");

/** A JSON object, passed on untouched. */
export const jsonObjectSchema = z.custom<Readonly<Record<string, Json>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && faultOfJson(value) === undefined,
  "not a JSON object",
);

/** The first issues of a failed parse in one line: `agent.name: Invalid input`. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? "" : `${issue.path.join(".")}: `}${issue.message}`)
    .join("; ");
}
