/**
 * `planned.json` of a set: the runs that were asked for. A run that was never begun has no folder, and would otherwise
 * drop out of "n scored of n planned" without a word.
 */
import { join } from "node:path";
import * as z from "zod";
import { compareText } from "../runtime/index.ts";
import { readIfThere, replaceFile } from "./atomic-file.ts";
import { RecordError } from "./error.ts";
import { describeIssues } from "./json.ts";
import { makeFolders } from "./make-folders.ts";
import { parseRunId, type RunId } from "./run-id.ts";
import { PLANNED_FILE, requireSet } from "./run-set.ts";
import { amendSet } from "./set-lock.ts";

const plannedSchema = z.strictObject({
  v: z.literal(1),
  runs: z.array(z.string().refine((id) => parseRunId(id) !== undefined, "not the id of a run")),
});

/**
 * Adds runs to what is planned in a set, and makes the set's folder where there is none. Of two processes that add at
 * once neither loses what the other added. Throws RecordError: `not_a_set` where the folder holds something else.
 */
export function addPlanned(setFolder: string, runs: readonly RunId[]): void {
  makeFolders(setFolder);
  requireSet(setFolder);
  amendSet(setFolder, () => {
    const known = readPlanned(setFolder);
    const all = [...new Set([...known, ...runs])].sort(compareText);
    if (all.length === known.length) return;
    replaceFile(join(setFolder, PLANNED_FILE), plannedText(all));
  });
}

/** What the file holds of these runs, which are sorted. */
export function plannedText(runs: readonly RunId[]): string {
  return `${JSON.stringify({ v: 1, runs }, null, 2)}\n`;
}

/** The runs that were planned in a set, sorted; none where nothing says so. Throws `bad_file`. */
export function readPlanned(setFolder: string): readonly RunId[] {
  const file = join(setFolder, PLANNED_FILE);
  const text = readIfThere(file);
  if (text === undefined) return [];
  const parsed = plannedSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const remedy = "Delete it: what is planned is then what was begun";
    throw new RecordError("bad_file", {
      where: file,
      what: `it is no list of planned runs: ${describeIssues(parsed.error)}`,
      remedy,
    });
  }
  return (parsed.data.runs as RunId[]).sort(compareText);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
