/** `score.json`, or `score.<name>.json` of a named set: any JSON, sorted and indented for people. */
import { canonicalJson, type Json } from "../runtime/index.ts";
import { readIfThere } from "./atomic-file.ts";
import { RecordError } from "./error.ts";
import type { RecordIo } from "./io.ts";
import { faultOfJson } from "./json.ts";
import type { Manifest } from "./manifest.ts";
import { listNamed, namedPath, writeNamed } from "./named-file.ts";

export function scorePath(folder: string, name?: string): string {
  return namedPath(folder, "score", "json", name);
}

/**
 * Writes a score and returns its path. Throws `set_exists` where another score lies there already, `not_json` for a
 * number that is not finite.
 */
export function writeScore(
  folder: string,
  score: Json,
  name?: string,
  io?: RecordIo,
  track: Manifest["track"] = "maintenance",
): string {
  const path = scorePath(folder, name);
  const fault = faultOfJson(score);
  if (fault !== undefined) {
    throw new RecordError("not_json", {
      where: path,
      what: `${fault.path || "the score"} is ${fault.fault}`,
      remedy: "This is a fault of the program",
      facts: { path: fault.path },
    });
  }
  writeNamed(path, scoreText(score), REMAKE[track], io);
  return path;
}

/** A score as its file holds it. */
export function scoreText(score: Json): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(score)), null, 2)}\n`;
}

/** Reads a score; undefined where there is none. Throws `bad_file` where it is not JSON. */
export function readScore(folder: string, name?: string, track: Manifest["track"] = "maintenance"): Json | undefined {
  const path = scorePath(folder, name);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  let score: unknown;
  try {
    score = JSON.parse(text);
  } catch {
    throw badScore(path, "it is not JSON", track);
  }
  const fault = faultOfJson(score);
  if (fault !== undefined) throw badScore(path, `${fault.path || "it"} is ${fault.fault}`, track);
  return score as Json;
}

/** A score follows from log and case, and in maintenance from judgments: to delete it loses nothing. */
const REMAKE: Readonly<Record<Manifest["track"], string>> = {
  maintenance: "Delete it; it is made from the judgments again when the run is scored",
  deduction: "Delete it; it is made anew from log and case when the run is scored",
};

function badScore(path: string, what: string, track: Manifest["track"]): RecordError {
  return new RecordError("bad_file", { where: path, what, remedy: REMAKE[track] });
}

/** The names of the scores of a run; undefined is the unnamed one. */
export function listScores(folder: string): readonly (string | undefined)[] {
  return listNamed(folder, "score", "json");
}
