/** One run is one folder: making it, going on with it, reading it. */
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { canonicalJson, sameJson } from "../runtime/index.ts";
import { readIfThere, replaceFile, syncFolder } from "./atomic-file.ts";
import { errnoOf, explainFsError, RecordError } from "./error.ts";
import { diskIo } from "./io.ts";
import { describeIssues } from "./json.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { readEntries } from "./log-reader.ts";
import { readProgress, type LogProgress } from "./log-tail.ts";
import { makeFolders } from "./make-folders.ts";
import { openLogWriter, type LogWriter, type LogWriterOptions } from "./log-writer.ts";
import { compareManifests, manifestSchema, withoutTime, type Manifest, type ManifestDifference } from "./manifest.ts";
import type { Outcome } from "./outcome.ts";
import { runIdOf, type RunId } from "./run-id.ts";

export const MANIFEST_FILE = "manifest.json";
export const LOG_FILE = "log.jsonl";

/** Where a manifest stands that is not written yet. */
const NEW_MANIFEST = "the manifest of a new run";

/** What can be done about a manifest that is gone or damaged: no command writes it again beside a log. */
const RESTORE = "Restore it from a copy; or move the run's folder away, and the same command then plays the run anew";

/** A run that this process holds and may append to. */
export interface RunFolder {
  readonly id: RunId;
  readonly path: string;
  readonly manifest: Manifest;
  /** Its `repair` says what a torn end lost when the folder was opened. */
  readonly log: LogWriter;
  /** What changed of version, commit, Node or machine since the run began; empty for a new run. */
  readonly surroundings: readonly ManifestDifference[];
  /** Closes the log and lets go of the folder. Twice does nothing. */
  readonly close: () => void;
}

/** How far a run has come; `absent` where its folder has no manifest yet. */
export type RunProgress = LogProgress | { readonly state: "absent" };
export type RunState = RunProgress["state"];

/** A run as it lies on disk. */
export interface RunRecord {
  readonly id: RunId;
  readonly path: string;
  readonly manifest: Manifest;
  readonly state: Exclude<RunState, "absent">;
  readonly outcome?: Outcome;
  readonly logPath: string;
}

/** The path of a run in its set. */
export function runPath(setFolder: string, id: RunId): string {
  return join(setFolder, id);
}

/**
 * Makes the folder of a new run, holds it, and writes the manifest and line 0 of the log. A folder in which a killed
 * process left no manifest yet counts as new. Throws `run_exists`, `locked`, `bad_manifest`, or a fault of the file system.
 */
export async function createRunFolder(
  setFolder: string,
  manifest: Manifest,
  options: LogWriterOptions = {},
): Promise<RunFolder> {
  const checked = checkManifest(manifest, NEW_MANIFEST);
  const id = runIdOf(checked);
  const path = runPath(setFolder, id);
  makeFolder(setFolder, path, options);
  return await whileLocked(path, async (lock) => {
    if (readIfThere(join(path, MANIFEST_FILE)) !== undefined) {
      throw new RecordError("run_exists", {
        where: path,
        what: "this run was begun already",
        remedy: "Give the same command again and it goes on, or name another set (--out DIR)",
        facts: { run: id },
      });
    }
    // The manifest is written first, so this is a run that lost it, and no beginning.
    if ((statSync(join(path, LOG_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0) throw missingManifest(path);
    replaceFile(join(path, MANIFEST_FILE), prettyManifest(checked), options.io);
    const log = await openLog(path, checked, options);
    return makeHandle(id, path, checked, log, [], lock);
  });
}

/**
 * Opens a begun run to go on with it, and cuts a torn end off its log (see `log.repair`). The planned manifest must
 * describe the same run: all but the start and the surroundings must be equal. Throws `other_case` where the case has
 * another digest now, `other_manifest`, `log_sealed`, `log_damaged`, `locked`, `missing`, or a fault of the file system.
 */
export async function openRunFolder(
  setFolder: string,
  planned: Manifest,
  options: LogWriterOptions = {},
): Promise<RunFolder> {
  const id = runIdOf(planned);
  const path = runPath(setFolder, id);
  requireFolder(path);
  return await whileLocked(path, async (lock) => {
    const { saved, surroundings } = requireSameRun(path, planned);
    const log = await openLog(path, saved, options);
    return makeHandle(id, path, saved, log, surroundings, lock);
  });
}

/**
 * The manifest of a begun run, which must be of the planned run: all but the start and the surroundings equal.
 * Throws `other_case`, `other_manifest`, `bad_manifest`, `missing`.
 */
export function requireSameRun(
  path: string,
  planned: Manifest,
): { readonly saved: Manifest; readonly surroundings: readonly ManifestDifference[] } {
  const saved = readManifest(path);
  const { run, surroundings } = compareManifests(saved, planned);
  if (run.length > 0) throw anotherRun(path, saved, planned, run);
  return { saved, surroundings };
}

/** Reads what a run is and how far it has come; takes no lock. Throws `missing` where there is no run. */
export async function readRunFolder(path: string): Promise<RunRecord> {
  requireFolder(path);
  const manifest = readManifest(path);
  const logPath = join(path, LOG_FILE);
  const progress = await readProgress(logPath);
  return { id: runIdOf(manifest), path, manifest, ...progress, logPath };
}

/** How far a run has come, `absent` where its folder or its manifest is not there. */
export async function readRunProgress(path: string): Promise<RunProgress> {
  if (readIfThere(join(path, MANIFEST_FILE)) === undefined) return { state: "absent" };
  return await readProgress(join(path, LOG_FILE));
}

/** The manifest of the run in this folder, checked. */
export function readManifest(path: string): Manifest {
  const file = join(path, MANIFEST_FILE);
  const text = readIfThere(file);
  if (text === undefined) throw missingManifest(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RecordError("bad_manifest", {
      where: file,
      what: "it is not JSON",
      remedy: RESTORE,
    });
  }
  return checkManifest(value, file);
}

function checkManifest(value: unknown, where: string): Manifest {
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RecordError("bad_manifest", {
    where,
    what: `it is no manifest: ${describeIssues(parsed.error)}`,
    remedy: where === NEW_MANIFEST ? "Nothing was written; mend the settings of the run" : RESTORE,
  });
}

/** Two-space JSON with sorted keys, as people read it and diffs show it. */
export function prettyManifest(manifest: Manifest): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`;
}

/** Opens the log; writes line 0 where it has none, else checks that it tells of this manifest. */
async function openLog(path: string, manifest: Manifest, options: LogWriterOptions): Promise<LogWriter> {
  const logPath = join(path, LOG_FILE);
  const log = await openLogWriter(logPath, options);
  try {
    if (log.lines === 0) log.append({ kind: "manifest", manifest: withoutTime(manifest) });
    else await requireSameManifest(logPath, manifest);
    return log;
  } catch (error) {
    log.close();
    throw error;
  }
}

async function requireSameManifest(logPath: string, manifest: Manifest): Promise<void> {
  for await (const entry of readEntries(logPath)) {
    if (entry.kind === "manifest" && sameJson(entry.manifest, withoutTime(manifest))) return;
    break;
  }
  throw new RecordError("bad_manifest", {
    where: `${logPath}:1`,
    what: `line 1 tells of another run than ${MANIFEST_FILE} beside it`,
    remedy: "Restore both from a copy; or move the run's folder away, and the same command then plays the run anew",
  });
}

function makeHandle(
  id: RunId,
  path: string,
  manifest: Manifest,
  log: LogWriter,
  surroundings: readonly ManifestDifference[],
  lock: Lock,
): RunFolder {
  const close = (): void => {
    log.close();
    lock.release();
  };
  return { id, path, manifest, log, surroundings, close };
}

/** Runs `open` under the folder's lock, which its result keeps; lets go where it throws. */
async function whileLocked(path: string, open: (lock: Lock) => Promise<RunFolder>): Promise<RunFolder> {
  const lock = acquireLock(path);
  try {
    return await open(lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeFolder(setFolder: string, path: string, options: LogWriterOptions): void {
  const io = options.io ?? diskIo;
  try {
    makeFolders(setFolder, io);
    io.mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw explainFsError(error, path, "the run's folder could not be made");
    requireFolder(path);
  }
  syncFolder(setFolder, options.io);
}

function requireFolder(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (error) {
    throw explainFsError(error, path, "there is no such run");
  }
  throw new RecordError("not_a_directory", {
    where: path,
    what: "a file stands where a run's folder should",
    remedy: "Check the path, or move that file away",
  });
}

function missingManifest(path: string): RecordError {
  const what = `${basename(path)} in ${dirname(path)} has no ${MANIFEST_FILE}`;
  return new RecordError("missing", {
    where: join(path, MANIFEST_FILE),
    what,
    remedy: RESTORE,
  });
}

function anotherRun(path: string, saved: Manifest, planned: Manifest, run: readonly ManifestDifference[]): RecordError {
  const where = join(path, MANIFEST_FILE);
  if (saved.worldDigest !== planned.worldDigest) {
    return new RecordError("other_case", {
      where,
      what: `the run was begun on ${saved.case} with world digest ${saved.worldDigest}, and that case has ${planned.worldDigest} now`,
      remedy: "Give the case it was begun with (--cases-dir DIR), or begin a new set (--out DIR)",
      facts: { case: saved.case, savedDigest: saved.worldDigest, plannedDigest: planned.worldDigest },
    });
  }
  const shown = run.slice(0, 5).map(({ path: at, saved: was, planned: is }) => `${at} was ${was} and is ${is}`);
  return new RecordError("other_manifest", {
    where,
    what: `the run was begun with other settings: ${shown.join("; ")}${run.length > 5 ? `; and ${run.length - 5} more` : ""}`,
    remedy: "Give the settings it was begun with, or begin a new set (--out DIR)",
    facts: { fields: run.map((difference) => difference.path) },
  });
}
