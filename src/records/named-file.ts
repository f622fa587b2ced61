/** Judgments and scores come in sets that lie beside one another: `score.json`, `score.<name>.json`. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { compareText } from "../runtime/index.ts";
import { writeOnce } from "./atomic-file.ts";
import { explainFsError, RecordError } from "./error.ts";
import type { RecordIo } from "./io.ts";

const SET_NAME = /^[a-z0-9][a-z0-9_-]{0,40}$/;

/** The name of a set. */
export const setNameSchema = z.string().regex(SET_NAME, "not the name of a set");

/** The path of a set's file; throws `bad_name` for a name that is none. */
export function namedPath(folder: string, stem: string, extension: string, name: string | undefined): string {
  if (name === undefined) return join(folder, `${stem}.${extension}`);
  if (SET_NAME.test(name)) return join(folder, `${stem}.${name}.${extension}`);
  throw new RecordError("bad_name", {
    where: JSON.stringify(name.slice(0, 100)),
    what: `this cannot name a set of ${stem}`,
    remedy: "Take lower-case letters, digits, _ and -, at most 41, beginning with a letter or digit",
    facts: { seen: name },
  });
}

/** The names of the sets in a run's folder, sorted; undefined, the unnamed one, comes first. */
export function listNamed(folder: string, stem: string, extension: string): readonly (string | undefined)[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw explainFsError(error, folder, "the run's folder could not be read");
  }
  const named = names
    .filter((file) => file.startsWith(`${stem}.`) && file.endsWith(`.${extension}`))
    .map((file) => file.slice(stem.length + 1, -extension.length - 1))
    .filter((name) => SET_NAME.test(name))
    .sort(compareText);
  return names.includes(`${stem}.${extension}`) ? [undefined, ...named] : named;
}

/**
 * Writes a set's file. The same bytes again are fine; other bytes throw `set_exists` with this remedy, since a set is
 * never overwritten.
 */
export function writeNamed(path: string, text: string, remedy: string, io?: RecordIo): void {
  if (writeOnce(path, text, io) !== "different") return;
  throw new RecordError("set_exists", {
    where: path,
    what: "it exists and holds something else",
    remedy,
  });
}
