/** `worldagent.config.yaml`: found, read, checked; what is wrong with it is said with file, line and column. */
import { dirname, isAbsolute, join } from "node:path";
import * as z from "zod";
import {
  parseWith,
  placeFaults,
  printFault,
  readSource,
  readText,
  type Fault,
  type Path,
  type PathFault,
  type Source,
} from "../../cases/index.ts";
import { findSecret } from "../../records/index.ts";
import { KEY_GIVEN, pathOfKey } from "../given-key.ts";
import { kindAt, requirePath } from "../paths.ts";
import { UserError } from "../user-error.ts";
import { secretAdvice } from "./layers.ts";
import { configSchemaOf, type Config } from "./schema.ts";

export const CONFIG_FILE = "worldagent.config.yaml";

export interface ConfigFile {
  readonly file: string;
  readonly config: Config;
  /** What the file itself states at a path, without defaults; a map, or an empty one where there is none. */
  readonly statedAt: (path: Path) => Readonly<Record<string, unknown>>;
  /** `worldagent.config.yaml:3:7` */
  readonly place: (path: Path) => string;
  /** A path in the file is seen from the folder the file lies in. */
  readonly resolve: (path: string) => string;
}

/**
 * The config file that is named, else the one in the present folder, else none; `builtIn` names the built-in agents. A
 * key of `env` that stands in it is refused.
 * Throws UserError with a line for each fault.
 */
export function readConfig(
  named: string | undefined,
  builtIn: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ConfigFile | undefined {
  if (named === undefined && kindAt(CONFIG_FILE) !== "file") return undefined;
  const file = named ?? CONFIG_FILE;
  requirePath(file, "file", `a config file is YAML; ${CONFIG_FILE} in the present folder is found without --config`);
  const text = readText(file);
  if (!text.ok) throw new UserError(`${file} ${text.error}`);
  const source = readSource(file, text.value, "config file");
  if (!source.ok) throw faulty(file, source.error);
  const secret = secretIn(source.value);
  if (secret !== undefined) throw faulty(file, placeFaults(source.value, [secret]));
  const path = pathOfKey(source.value.value, env);
  if (path !== undefined) throw faulty(file, placeFaults(source.value, [{ path, message: KEY_GIVEN }]));
  const parsed = parseWith(configSchemaOf(builtIn), source.value.value);
  if (!parsed.ok) throw faulty(file, placeFaults(source.value, parsed.error));
  return {
    file,
    config: parsed.value,
    statedAt: (path) => mapAt(source.value.value, path),
    place: (path) => {
      const { line, column } = source.value.locate(path);
      return `${file}:${line}:${column}`;
    },
    resolve: (path) => (isAbsolute(path) ? path : join(dirname(file), path)),
  };
}

/** Where a word of a list, or of a text with commas, stands at a key of a file. */
export function placeOfWord(config: ConfigFile, key: string, word: string): string {
  const stated = config.statedAt([])[key];
  const i = Array.isArray(stated)
    ? stated.findIndex((one) => typeof one === "string" && one.split(",").some((part) => part.trim() === word))
    : -1;
  return config.place(i === -1 ? [key] : [key, i]);
}

/** Makes something of a word that stands at a place of a file: what is wrong with it is said with that place. */
export function inPlace<T>(place: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (place === undefined || !(error instanceof UserError)) throw error;
    throw new UserError(`${place} ${error.message}`, undefined, error.details);
  }
}

/** A fault of a config file that only shows when its parts are put together. */
export function faultIn(config: ConfigFile, path: Path, message: string, hint?: string): UserError {
  return new UserError(`${config.place(path)} ${message}`, hint);
}

function secretIn(source: Source): PathFault | undefined {
  const found = findSecret(source.value);
  if (found === undefined) return undefined;
  const path = found.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { path, message: secretAdvice(String(path.at(-1))) };
}

function faulty(file: string, faults: readonly Fault[]): UserError {
  const lines = faults.map(printFault);
  const [only = ""] = lines;
  return lines.length === 1
    ? new UserError(only)
    : new UserError(`${file} has ${lines.length} faults`, undefined, lines);
}

function mapAt(root: unknown, path: Path): Readonly<Record<string, unknown>> {
  let value = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return {};
    value = (value as Readonly<Record<string | number, unknown>>)[segment];
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  return parsed.success ? parsed.data : {};
}
