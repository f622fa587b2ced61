/**
 * Refuses a key that somebody gave in a flag or a file, where it would be kept: the program holds the key and can
 * compare, whatever the key looks like. What is said never repeats it.
 */
import type { Setting } from "./config/layers.ts";
import { UserError } from "./user-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A key below this many characters is a stand-in ("none", "EMPTY") rather than a secret. */
const SHORT_KEY = 8;
const DEFAULT_VARIABLE = "OPENAI_API_KEY";

/** Whether a value holds one of the keys: in a text, in a name of a member, at any depth. */
export type HoldsKey = (value: unknown) => boolean;

/** Looks for the keys that these variables hold; one that is not set, or is short, is none. */
export function lookForKeys(variables: readonly (string | null | undefined)[], env: Environment): HoldsKey {
  const keys = variables
    .flatMap((variable) => (typeof variable === "string" ? [env[variable]?.trim().toLowerCase() ?? ""] : []))
    .filter((key) => key.length >= SHORT_KEY);
  return (value) => keys.length > 0 && holds(value, keys);
}

/**
 * Refuses a key among the flags of a command that asks a model: before settings are made of them, since what is wrong
 * with a flag may be said with its value. Throws UserError.
 */
export function refuseKeyInFlags(flags: object, env: Environment, variables = variablesOf(flags)): void {
  const holdsKey = lookForKeys(variables, env);
  // yargs keeps the command's own words under _ and $0.
  const found = Object.entries(flags).find(([name, value]) => name !== "_" && name !== "$0" && holdsKey(value));
  if (found !== undefined) throw keyGiven(flagOf(found[0]));
}

/** The variable of the key, as flags name it. */
function variablesOf(flags: object): readonly (string | null)[] {
  const { apiKeyEnv, noApiKey } = flags as { readonly apiKeyEnv?: unknown; readonly noApiKey?: unknown };
  if (noApiKey === true) return [];
  return [typeof apiKeyEnv === "string" ? apiKeyEnv : DEFAULT_VARIABLE];
}

/** Refuses a key among settings that were stated, each in its place. Throws UserError. */
export function refuseKeyInSettings(said: readonly Setting[], holdsKey: HoldsKey): void {
  const found = said.find(({ value, from }) => from !== "default" && holdsKey(value));
  if (found !== undefined) throw keyGiven(holdsKey(found.from) ? "the config file" : found.from);
}

/** The way to the first thing in a config file that holds the key of a variable which it names, or which holds where it names none. */
export function pathOfKey(file: unknown, env: Environment): readonly (string | number)[] | undefined {
  const holdsKey = lookForKeys([DEFAULT_VARIABLE, ...variablesIn(file)], env);
  const find = (value: unknown): readonly (string | number)[] | undefined => {
    if (!holdsKey(value)) return undefined;
    if (typeof value !== "object" || value === null) return [];
    for (const [name, part] of Object.entries(value)) {
      const segment = Array.isArray(value) ? Number(name) : name;
      // The way is said, so that it ends before a name that must not be.
      if (holdsKey(name)) return [];
      const below = find(part);
      if (below !== undefined) return [segment, ...below];
    }
    return [];
  };
  return find(file);
}

/** What is said of a value that holds the key. */
export const KEY_GIVEN =
  "this holds the key that is read from the environment, and no record may hold it: leave it out";

function keyGiven(where: string): UserError {
  return new UserError(`${where}: ${KEY_GIVEN}`);
}

function flagOf(name: string): string {
  return name === "set"
    ? "the folder of the set"
    : `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The variables of keys that a config file names, wherever in it. */
function variablesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "apiKeyEnv" && typeof part === "string" ? [part] : variablesIn(part),
  );
}

function holds(value: unknown, keys: readonly string[]): boolean {
  if (typeof value === "string") {
    // In lower case, since a host and the name of a model's runs have no other.
    const texts = [value, decoded(value)].map((text) => text.toLowerCase());
    return keys.some((key) => texts.some((text) => text.includes(key))) || holds(membersIn(value), keys);
  }
  if (typeof value === "number") return keys.includes(String(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => holds(name, keys) || holds(part, keys));
}

/** An address may write any character as %xx. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `--extra` is JSON, in which a key can be written with escapes. */
function membersIn(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
