/** Settings that come from several places: the strongest place that states one decides, and is told. */
import type * as z from "zod";
import { parseWith } from "../../cases/index.ts";
import { findSecret } from "../../records/index.ts";
import type { Json } from "../../runtime/index.ts";
import { UserError } from "../user-error.ts";

/** One setting as it is in force, and where it came from: `--tier`, `worldagent.config.yaml:3:1`, `OPENAI_BASE_URL`, `default`. */
export interface Setting {
  readonly name: string;
  readonly value: Json;
  readonly from: string;
}

/** One place that states settings by key. A value that is undefined is not stated. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>;
  /** Where this place states a key, as it is told. */
  readonly from: (key: string) => string;
}

export interface Merged<T> {
  readonly value: T;
  /** In the order of the schema; what is neither stated nor has a default is left out. */
  readonly said: readonly Setting[];
  /** Keys that some layer states: no default. */
  readonly stated: ReadonlySet<string>;
}

/**
 * The settings that layers, the strongest first, come to by a schema with its defaults. Throws UserError that names the
 * place of the first value that does not fit; a value that looks like a secret is refused and never repeated.
 */
export function mergeLayers<S extends z.ZodObject>(schema: S, layers: readonly Layer[]): Merged<z.output<S>> {
  const found = new Map<string, { readonly value: unknown; readonly from: string }>();
  for (const { values, from } of layers)
    for (const [key, value] of Object.entries(values))
      if (value !== undefined && !found.has(key)) found.set(key, { value, from: from(key) });
  const stated = Object.fromEntries([...found].map(([key, { value }]) => [key, value]));
  refuseSecrets(stated, (key) => found.get(key)?.from ?? key);
  const parsed = parseWith(schema, stated);
  if (!parsed.ok) {
    const [first] = parsed.error;
    const key = String(first?.path[0] ?? "");
    const at = found.get(key)?.from;
    throw new UserError(`${at === undefined ? "" : `${at}: `}${first?.message ?? "not possible"}`, first?.hint);
  }
  const value: Readonly<Record<string, unknown>> = parsed.value;
  const said = Object.keys(schema.shape).flatMap((key): readonly Setting[] => {
    const one = value[key];
    return one === undefined ? [] : [{ name: key, value: one as Json, from: found.get(key)?.from ?? "default" }];
  });
  return { value: parsed.value, said, stated: new Set(found.keys()) };
}

/** Throws where a stated value looks like a key or a password; says where and what to do, and never what was seen. */
function refuseSecrets(stated: Readonly<Record<string, unknown>>, from: (key: string) => string): void {
  const path = findSecret(stated);
  if (path === undefined) return;
  const [key = ""] = path.split(".");
  throw new UserError(`${from(key)}: ${secretAdvice(key)}`);
}

/** What is said of a value that looks like a secret. */
export function secretAdvice(key: string): string {
  return key === "baseUrl"
    ? "the address holds a user, a password or a key, and no record may hold one: leave it out, put the key into an environment variable and name that with --api-key-env or apiKeyEnv"
    : "this looks like a key, and no record may hold one: put it into an environment variable and name that with --api-key-env or apiKeyEnv";
}
