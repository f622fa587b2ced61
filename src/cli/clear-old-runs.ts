/** Makes room for runs that are to be played anew, and takes away nothing that is somebody else's. */
import { lstatSync, readdirSync, rmSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { acquireLock, LOG_FILE, MANIFEST_FILE, readManifest, RecordError, runIdOf } from "../records/index.ts";
import type { RunName } from "../tracks/index.ts";
import { UserError } from "./user-error.ts";

/** What playing, judging and scoring leave in a run's folder, and what a process that was killed leaves of them. */
const OUR_FILE = /^(?:manifest\.json|log\.jsonl|judgments\.jsonl|score\.json|lock\.\d+|\..+\.tmp)$/;

/**
 * Removes from a set the folders of exactly these runs. Everything is looked at before anything is removed. Throws where
 * a folder of such a name is not that run, holds what the run did not write, or is held by a process that plays it.
 */
export function clearOldRuns(out: string, runs: readonly RunName[]): void {
  const old = runs.filter(({ run }) => lstatSync(join(out, run), { throwIfNoEntry: false }) !== undefined);
  for (const run of old) requireOurs(join(out, run.run), run);
  for (const { run } of old) {
    const path = join(out, run);
    const lock = acquireLock(path);
    rmSync(path, { recursive: true, force: true });
    lock.release();
  }
}

function requireOurs(path: string, run: RunName): void {
  const remedy = "move it away, or name another folder with --out";
  if (!lstatSync(path).isDirectory()) throw new UserError(`${path} is no folder of a run`, remedy);
  const entries = readdirSync(path, { withFileTypes: true });
  const foreign = entries.find((entry) => !isOurFile(entry));
  if (foreign !== undefined)
    throw new UserError(`${join(path, foreign.name)} would be lost: it was not written by that run`, remedy);
  // A process that is killed at once leaves a lock and nothing else.
  const empty = !entries.some(({ name }) => [MANIFEST_FILE, LOG_FILE].includes(name));
  if (!empty && !isRun(path, run)) throw new UserError(`${path} holds another run than ${run.run}`, remedy);
}

function isOurFile(entry: Dirent): boolean {
  return entry.isFile() && OUR_FILE.test(entry.name);
}

/** Whether the manifest says that it is this run. */
function isRun(path: string, run: RunName): boolean {
  try {
    return runIdOf(readManifest(path)) === run.run;
  } catch (error) {
    if (error instanceof RecordError) return false;
    throw error;
  }
}
