/** A session whose every call is on disk before its answer is shown. */
import {
  callTool,
  canonicalJson,
  digestOfWorld,
  openSession,
  type AdmittedCall,
  type Json,
  type Scenario,
  type Session,
  type ToolAnswer,
} from "../runtime/index.ts";
import type { CallBody, LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { readEntries } from "./log-reader.ts";
import type { LogRepair, LogWriterOptions } from "./log-writer.ts";
import type { Manifest } from "./manifest.ts";
import type { Outcome } from "./outcome.ts";
import { Replayer } from "./replay.ts";
import {
  createRunFolder,
  LOG_FILE,
  openRunFolder,
  readRunProgress,
  requireSameRun,
  runPath,
  type RunFolder,
} from "./run-folder.ts";
import { runIdOf } from "./run-id.ts";
import { join } from "node:path";

export interface RecordedCall {
  readonly call: CallBody;
  readonly answer: ToolAnswer;
}

/** A run that this process plays and records. */
export class RecordedRun {
  /** The calls that were logged before this process took the run up, in order. */
  readonly logged: readonly RecordedCall[];
  /** How the run ended already, where a process was killed between that line and the seal. */
  readonly ended: Outcome | undefined;
  readonly #folder: RunFolder;
  #session: Session;

  /** Use beginRun or resumeRun. */
  constructor(folder: RunFolder, session: Session, logged: readonly RecordedCall[], ended: Outcome | undefined) {
    this.#folder = folder;
    this.#session = session;
    this.logged = logged;
    this.ended = ended;
  }

  get session(): Session {
    return this.#session;
  }

  get path(): string {
    return this.#folder.path;
  }

  /** What opening the log cut off, where it cut something. */
  get repair(): LogRepair | undefined {
    return this.#folder.log.repair;
  }

  /** Answers a call; its line is on disk when this returns. Throws RecordError where the disk fails. */
  call(call: AdmittedCall): ToolAnswer {
    const turn = callTool(this.#session, call);
    this.#folder.log.append({
      kind: "call",
      tool: call.tool,
      ...(call.ok ? { input: call.input } : { refused: call.error }),
      answer: turn.answer as Json,
      ...(turn.record === undefined ? {} : { record: turn.record }),
      digest: digestOfWorld(turn.session.world),
    });
    this.#session = turn.session;
    return turn.answer;
  }

  note(text: string): void {
    this.#folder.log.append({ kind: "note", text });
  }

  /** Writes how the run ended and seals the log. Nothing can be added afterwards. */
  end(outcome: Outcome, detail?: Json): void {
    if (this.ended === undefined)
      this.#folder.log.append({ kind: "outcome", outcome, ...(detail === undefined ? {} : { detail }) });
    this.#folder.log.append({ kind: "seal", lines: this.#folder.log.lines });
  }

  /** Lets go of the folder. A run that has not ended can be resumed. */
  close(): void {
    this.#folder.close();
  }
}

/** Begins a new run. Throws RecordError. */
export async function beginRun(
  setFolder: string,
  manifest: Manifest,
  scenario: Scenario,
  options: LogWriterOptions = {},
): Promise<RecordedRun> {
  const folder = await createRunFolder(setFolder, manifest, options);
  return new RecordedRun(folder, openSession(scenario), [], undefined);
}

/**
 * Takes up a run where its log ends: the torn end is cut, the calls are replayed, each answer and digest compared.
 * Throws RecordError where the run is of another case or settings, or where the replay differs from the log.
 */
export async function resumeRun(
  setFolder: string,
  manifest: Manifest,
  scenario: Scenario,
  options: LogWriterOptions = {},
): Promise<RecordedRun> {
  const folder = await openRunFolder(setFolder, manifest, options);
  try {
    const replayer = new Replayer(scenario);
    const logged: RecordedCall[] = [];
    let ended: Outcome | undefined;
    for await (const entry of readEntries(join(folder.path, LOG_FILE))) {
      replayer.take(entry);
      const [difference] = replayer.differences;
      if (difference !== undefined) throw replayDiffers(folder.path, difference);
      if (entry.kind === "call") logged.push({ call: bodyOf(entry), answer: entry.answer as ToolAnswer });
      // Whatever was done after an outcome took the run up again.
      if (entry.kind === "call" || entry.kind === "message") ended = undefined;
      if (entry.kind === "outcome") ended = entry.outcome;
    }
    return new RecordedRun(folder, replayer.session, logged, ended);
  } catch (error) {
    folder.close();
    throw error;
  }
}

/**
 * Begins a run, or takes it up where it was begun; undefined where it is sealed already. Throws RecordError, also where
 * a sealed run is of another version of the case or of other settings: it is not the run that was planned.
 */
export async function openRun(
  setFolder: string,
  manifest: Manifest,
  scenario: Scenario,
  options: LogWriterOptions = {},
): Promise<RecordedRun | undefined> {
  const path = runPath(setFolder, runIdOf(manifest));
  const { state } = await readRunProgress(path);
  switch (state) {
    case "absent":
      return await beginRun(setFolder, manifest, scenario, options);
    case "sealed":
      requireSameRun(path, manifest);
      dropStaleLock(path);
      return undefined;
    default:
      return await resumeRun(setFolder, manifest, scenario, options);
  }
}

function bodyOf(entry: LogEntry & { readonly kind: "call" }): CallBody {
  const { seq: _, prev: __, hash: ___, ...body } = entry;
  return body;
}

function replayDiffers(
  path: string,
  difference: { readonly where: string; readonly expected: string; readonly seen: string },
): RecordError {
  return new RecordError("log_damaged", {
    where: `${path}/${difference.where}`,
    what: `the runtime answers otherwise than the log says: ${difference.expected} instead of ${difference.seen}`,
    remedy: "Resume it with the version it was begun with, or begin a new set",
  });
}

/** Whether a logged call and one that is to be made are the same call. */
export function isSameCall(logged: CallBody, call: AdmittedCall): boolean {
  if (logged.tool !== call.tool) return false;
  return (
    canonicalJson(logged.refused ?? { input: logged.input ?? {} }) ===
    canonicalJson(call.ok ? { input: call.input } : call.error)
  );
}

/** A process that was killed between the seal and letting go leaves its lock; a live one, or a folder that takes no files, is left alone. */
function dropStaleLock(path: string): void {
  try {
    acquireLock(path).release();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
  }
}
