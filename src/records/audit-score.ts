/** The audit of a score: made again, it must be the one that was saved. */
import { join } from "node:path";
import type { DeductionScore, Score } from "../contracts/index.ts";
import type { Json } from "../runtime/index.ts";
import { compareText } from "./compare-text.ts";
import { differencesOfJson, MOST, type Difference } from "./difference.ts";
import { RecordError } from "./error.ts";
import type { RunRecord } from "./run-folder.ts";
import { readScore, scoreText } from "./score-file.ts";

/** Compares a score with the one of that name in the folder, where there is one; what differs is added. */
export function compareScore(
  record: RunRecord,
  name: string | undefined,
  score: Score | DeductionScore,
  differences: Difference[],
): void {
  const file = name === undefined ? "score.json" : `score.${name}.json`;
  const saved = readSavedScore(record, name, file, differences);
  if (saved === undefined) return;
  const plain = JSON.parse(JSON.stringify(score)) as Json;
  const found = differencesOfJson(plain, saved, MOST);
  for (const one of found) {
    differences.push({ kind: "score", where: `${file} ${one.path}`, expected: one.expected, seen: one.seen });
  }
  if (found.length === 0) compareText(join(record.path, file), scoreText(plain), "score", file, differences);
}

/** A score that cannot be read is a difference of the score, not of the judgments. */
function readSavedScore(
  record: RunRecord,
  name: string | undefined,
  file: string,
  differences: Difference[],
): Json | undefined {
  try {
    return readScore(record.path, name, record.manifest.track);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({ kind: "score", where: file, expected: "a score in JSON", seen: error.message });
    return undefined;
  }
}
