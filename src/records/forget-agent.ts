/** Takes an agent out of a set's ledger that nothing was ever heard of: a model whose name was mistyped, as a rule. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./atomic-file.ts";
import { RecordError } from "./error.ts";
import { readLines } from "./lines.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { LOG_FILE, runPath } from "./run-folder.ts";
import { plannedText, readPlanned } from "./planned.ts";
import { agentOfRun } from "./run-id.ts";
import { PLANNED_FILE, requireSet, runNamesIn } from "./run-set.ts";
import { agentFile, isSetAgent } from "./set-agents.ts";
import { amendSet } from "./set-lock.ts";

/** What a run that was begun and brought nothing leaves in its folder. */
const OUR_FILE = /^(?:manifest\.json|log\.jsonl|lock\.\d+|\..+\.tmp)$/;

/** Lines that are worth something: what was heard, what was done, and the seal of a run that came to its end. */
const WORTH_KEEPING = /"kind":"(?:answer|call|seal)"/;

export interface Forgotten {
  /** Runs that were planned for it. */
  readonly planned: number;
  /** Folders of runs that were begun and brought nothing, which are removed. */
  readonly removed: number;
}

/**
 * Takes an agent out of a set: its runs out of what is planned, its file, and folders of runs that hold neither an answer
 * nor a call. Everything is looked at before anything is removed. undefined where the set does not know the agent. Throws
 * RecordError: `run_exists` where one of its runs holds more, `locked` where one is being played, `bad_name`, `bad_file`.
 */
export async function forgetAgent(setFolder: string, name: string): Promise<Forgotten | undefined> {
  requireSet(setFolder);
  const runs = runNamesIn(setFolder).filter((run) => agentOfRun(run) === name);
  const isPlanned = readPlanned(setFolder).some((run) => agentOfRun(run) === name);
  if (runs.length === 0 && !isPlanned && !isSetAgent(setFolder, name)) return undefined;
  const locks: Lock[] = [];
  try {
    for (const run of runs) {
      const path = runPath(setFolder, run);
      locks.push(acquireLock(path));
      await requireNothingHeard(path, name);
      requireOurs(path);
    }
    // The ledger goes first: where the process is killed here, folders are left that the next --forget takes away.
    const planned = forgetInLedger(setFolder, name);
    for (const run of runs) rmSync(runPath(setFolder, run), { recursive: true, force: true });
    return { planned, removed: runs.length };
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Returns how many runs were planned. */
function forgetInLedger(setFolder: string, name: string): number {
  return amendSet(setFolder, () => {
    const known = readPlanned(setFolder);
    const others = known.filter((run) => agentOfRun(run) !== name);
    if (others.length < known.length) replaceFile(join(setFolder, PLANNED_FILE), plannedText(others));
    rmSync(agentFile(setFolder, name), { force: true });
    return known.length - others.length;
  });
}

function requireOurs(path: string): void {
  const foreign = readdirSync(path, { withFileTypes: true }).find(
    (entry) => !entry.isFile() || !OUR_FILE.test(entry.name),
  );
  if (foreign === undefined) return;
  throw new RecordError("run_exists", {
    where: path,
    what: `it holds ${foreign.name}, which would be lost`,
    remedy: "Move it away first",
  });
}

async function requireNothingHeard(path: string, name: string): Promise<void> {
  const log = join(path, LOG_FILE);
  if (lstatSync(log, { throwIfNoEntry: false }) === undefined) return;
  for await (const { line, text, remains } of readLines(log)) {
    if (!WORTH_KEEPING.test(text ?? remains ?? "")) continue;
    throw new RecordError("run_exists", {
      where: `${log}:${line}`,
      what: `a run of ${name} was played: only an agent of which nothing was heard can be forgotten`,
      remedy: "To leave its runs out all the same, begin a new set (--out DIR)",
    });
  }
}
