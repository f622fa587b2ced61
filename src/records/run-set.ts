/** A set is a folder of runs. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "../runtime/index.ts";
import { explainFsError, RecordError } from "./error.ts";
import { LOG_FILE, MANIFEST_FILE, readRunFolder, type RunRecord } from "./run-folder.ts";
import { parseRunId, type RunId } from "./run-id.ts";

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

/** The names in a set that can be a run's folder, sorted; none where there is no set. */
export function runNamesIn(setFolder: string): readonly RunId[] {
  try {
    return readdirSync(setFolder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [parseRunId(entry.name)] : []))
      .filter((id) => id !== undefined)
      .sort(compareText);
  } catch (error) {
    const explained = explainFsError(error, setFolder, "the set could not be read");
    if (explained.code === "missing") return [];
    throw explained;
  }
}

/** What a command keeps of a set beside its runs. */
export const PLANNED_FILE = "planned.json";
export const AGENTS_FOLDER = "agents";

/**
 * Refuses what is no set and would become one by mistake: the folder of a run, and a folder of other things. One that
 * is not there, or is empty, is a set that nothing was planned in yet. Throws `not_a_set` or a fault of the file system.
 */
export function requireSet(setFolder: string): void {
  const names = namesIn(setFolder);
  const what = faultOfSet(names);
  if (what === undefined) return;
  throw new RecordError("not_a_set", {
    where: setFolder,
    what,
    remedy: "Name a folder that is new, empty, or a set of runs",
  });
}

function faultOfSet(names: readonly string[]): string | undefined {
  const ofRun = [MANIFEST_FILE, LOG_FILE].find((file) => names.includes(file));
  if (ofRun !== undefined) return `it is the folder of a run and not of a set: it holds a ${ofRun}`;
  const isKnown = (name: string): boolean =>
    name === PLANNED_FILE || name === AGENTS_FOLDER || parseRunId(name) !== undefined;
  if (names.length === 0 || names.some(isKnown)) return undefined;
  const shown = names.slice(0, 3).join(", ");
  return `it holds other things and no runs (${shown}${names.length > 3 ? ` and ${names.length - 3} more` : ""})`;
}

/** What lies in a folder, but for what systems and this program hide there. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !/^(?:\.|lock\.\d+$)/.test(name))
      .sort(compareText);
  } catch (error) {
    const explained = explainFsError(error, folder, "the set could not be read");
    if (explained.code === "missing") return [];
    throw explained;
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
