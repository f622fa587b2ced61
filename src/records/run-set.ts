/** A set is a folder of runs. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "../runtime/index.ts";
import { explainFsError, RecordError } from "./error.ts";
import { LOG_FILE, MANIFEST_FILE, readRunFolder, type RunRecord } from "./run-folder.ts";

/**
 * The runs of a set, sorted by id. What is no folder, and folders with neither manifest nor log, are passed over.
 * Throws `duplicate_run` where two folders hold one run (a copy, say), `misnamed_run` where a folder's name is not its
 * run's id, `missing` where a log has no manifest, and what readRunFolder throws.
 */
export async function listRuns(setFolder: string): Promise<readonly RunRecord[]> {
  const runs = new Map<string, RunRecord>();
  const misnamed: RunRecord[] = [];
  for (const name of foldersIn(setFolder)) {
    const path = join(setFolder, name);
    if (![MANIFEST_FILE, LOG_FILE].some((file) => existsSync(join(path, file)))) continue;
    const run = await readRunFolder(path);
    if (run.id === name) runs.set(run.id, run);
    else misnamed.push(run);
  }
  for (const run of misnamed)
    throw misnamedRun(run, runs.get(run.id) ?? misnamed.find((other) => other !== run && other.id === run.id));
  return [...runs.values()].sort((a, b) => compareText(a.id, b.id));
}

function foldersIn(setFolder: string): readonly string[] {
  try {
    return readdirSync(setFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort(compareText);
  } catch (error) {
    throw explainFsError(error, setFolder, "the set could not be read");
  }
}

function misnamedRun(run: RunRecord, other: RunRecord | undefined): RecordError {
  const remedy = `A run lies in the folder that bears its id: move this one out of the set, or rename it to ${run.id} if it is the only one`;
  const facts = { run: run.id, folder: run.path, other: other?.path ?? null };
  return other === undefined
    ? new RecordError("misnamed_run", { where: run.path, what: `it holds the run ${run.id}`, remedy, facts })
    : new RecordError("duplicate_run", {
        where: run.path,
        what: `it holds the run ${run.id}, and so does ${other.path}`,
        remedy,
        facts,
      });
}
