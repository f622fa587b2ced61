/** A session whose every call, and every line an agent keeps beside them, is on disk before its effect is shown. */
import {
  callTool,
  canonicalJson,
  digestOfWorld,
  openSession,
  soundTurn,
  type AdmittedCall,
  type Json,
  type Scenario,
  type Session,
  type ToolAnswer,
} from "../runtime/index.ts";
import { isJournal, isPlay, logBodySchema, type CallBody, type JournalBody, type LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { readEntries } from "./log-reader.ts";
import type { LogRepair, LogWriterOptions } from "./log-writer.ts";
import type { Manifest } from "./manifest.ts";
import { staysOpen, type Outcome } from "./outcome.ts";
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

/** What of a logged call tells it from others. */
export type LoggedCall = Pick<CallBody, "tool" | "input" | "refused">;

/**
 * A line that was logged before this process took the run up. The answer of a call is the one that the replay gave: equal
 * to the logged one, with its keys in the order in which the agent saw them.
 */
export type LoggedLine =
  | { readonly kind: "call"; readonly seq: number; readonly call: LoggedCall; readonly answer: ToolAnswer }
  | { readonly kind: "journal"; readonly seq: number; readonly line: JournalBody };

/** A run that this process plays and records. */
export class RecordedRun {
  /** How many calls were logged before this process took the run up. */
  readonly loggedCalls: number;
  /** How the run ended already, where a process was killed between that line and the seal. */
  readonly ended: Outcome | undefined;
  readonly #folder: RunFolder;
  /** What was logged before and was not yet given again, the next one last: what is given is no longer held. */
  readonly #pending: LoggedLine[];
  #session: Session;

  /** Use beginRun or resumeRun. */
  constructor(folder: RunFolder, session: Session, logged: readonly LoggedLine[], ended: Outcome | undefined) {
    this.#folder = folder;
    this.#session = session;
    this.#pending = logged.toReversed();
    this.loggedCalls = logged.filter(({ kind }) => kind === "call").length;
    this.ended = ended;
  }

  /** The next line that was logged before and was not yet given again; undefined where all were. */
  get next(): LoggedLine | undefined {
    return this.#pending.at(-1);
  }

  /** Takes the next logged line, which is then no longer held. */
  takeNext(): LoggedLine | undefined {
    return this.#pending.pop();
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

  /**
   * Answers a call; its line is on disk when this returns. Throws RecordError where the disk fails, and what was thrown
   * inside where this program does: then nothing was answered or written, and the run is open before that call.
   */
  call(call: AdmittedCall): ToolAnswer {
    const turn = soundTurn(callTool(this.#session, call));
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

  /**
   * Keeps a line of the agent's journal, on disk when this returns. Returns it as it is read again: who goes by that goes
   * by the same when the run is taken up. Throws RecordError.
   */
  keep(line: JournalBody): JournalBody {
    this.#folder.log.append(line);
    return logBodySchema.parse(JSON.parse(canonicalJson(line))) as JournalBody;
  }

  note(text: string): void {
    this.#folder.log.append({ kind: "note", text });
  }

  /** Writes how the run ended and seals the log, so that nothing can be added; an end that is not for good gets no seal. */
  end(outcome: Outcome, detail?: Json): void {
    if (this.ended === undefined)
      this.#folder.log.append({ kind: "outcome", outcome, ...(detail === undefined ? {} : { detail }) });
    if (!staysOpen(this.ended ?? outcome)) this.#folder.log.seal();
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
    const logged: LoggedLine[] = [];
    let ended: Outcome | undefined;
    for await (const entry of readEntries(join(folder.path, LOG_FILE))) {
      const answer = replayer.take(entry);
      const [difference] = replayer.differences;
      if (difference !== undefined) throw replayDiffers(folder.path, difference);
      const line = loggedLine(entry, answer);
      if (line !== undefined) logged.push(line);
      if (isPlay(entry)) ended = undefined;
      if (entry.kind !== "outcome") continue;
      if (entry.outcome === "endpoint_fault") dropFault(logged);
      ended = staysOpen(entry.outcome) ? undefined : entry.outcome;
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

function loggedLine(entry: LogEntry, answer: ToolAnswer | undefined): LoggedLine | undefined {
  const { seq, prev: _, hash: __, ...body } = entry;
  if (body.kind === "call" && answer !== undefined) {
    const { tool, input, refused } = body;
    const call = {
      tool,
      ...(input === undefined ? {} : { input }),
      ...(refused === undefined ? {} : { refused }),
    };
    return { kind: "call", seq, call, answer };
  }
  return isJournal(body) ? { kind: "journal", seq, line: body } : undefined;
}

/** The request whose fault ended a run is asked again: its fault was not the last word. */
function dropFault(logged: LoggedLine[]): void {
  const last = logged.at(-1);
  if (last?.kind === "journal" && last.line.kind === "fault") logged.pop();
}

function replayDiffers(
  path: string,
  difference: { readonly where: string; readonly expected: string; readonly seen: string },
): RecordError {
  return new RecordError("log_damaged", {
    where: `${path}/${difference.where}`,
    what: `the runtime answers otherwise than the log says: ${difference.expected} instead of ${difference.seen}`,
    remedy: "Go on with it by the version of this program it was begun with, or begin a new set (--out DIR)",
  });
}

/** Whether a logged call and one that is to be made are the same call. */
export function isSameCall(logged: LoggedCall, call: AdmittedCall): boolean {
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
