/** The audit and the replay of runs as they lie on disk: whatever is wrong with a folder is a difference, never an end. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AnyCase } from "../../cases/index.ts";
import {
  auditOutcome,
  auditRun,
  checkLog,
  LOG_FILE,
  readPlanned,
  readRunFolder,
  RecordError,
  Replayer,
  scenarioOfRun,
  type Difference,
  type JudgeAuditor,
  type OutcomeEntry,
  type RunAudit,
  type RunRecord,
} from "../../records/index.ts";
import { compareText } from "../../runtime/index.ts";
import { isRunFolder, type CasesById } from "./set-on-disk.ts";

/** The folders of the runs of a set, sorted; of a run, its own. Throws the file system's error where it cannot be read. */
export function runFoldersIn(path: string): readonly string[] {
  if (isRunFolder(path)) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .filter(isRunFolder)
    .sort(compareText);
}

/** What the audit of a set can find beyond what the audit of a run finds. */
export interface SetDifference extends Omit<Difference, "kind"> {
  /** `planned`: a run that was planned is not there. `fault`: the audit of the run broke off, by a fault of ours. */
  readonly kind: Difference["kind"] | "planned" | "fault";
}

/** The audit of a run as it lies in a set. */
export interface FolderAudit extends Omit<RunAudit, "differences"> {
  readonly differences: readonly SetDifference[];
  /** The exception behind a `fault`, for whoever mends it. */
  readonly cause?: unknown;
}

const PLANNED = "planned.json";

/** What a set lacks of what was planned in it. */
export interface PlanAudit {
  /** How many runs were planned; null where nothing says so: then it cannot be told whether runs were taken away. */
  readonly planned: number | null;
  /** An entry for each planned run that is not there, or one for a plan that cannot be read. */
  readonly missing: readonly FolderAudit[];
}

/** Compares what lies in a set with what was planned in it. The folder of one run has no plan. */
export function auditPlan(path: string): PlanAudit {
  if (isRunFolder(path) || !existsSync(join(path, PLANNED))) return { planned: null, missing: [] };
  let planned: readonly string[];
  try {
    planned = readPlanned(path);
  } catch (error) {
    const expected = "a list of the runs that were planned";
    const difference = { kind: "planned", where: PLANNED, expected, seen: messageOf(error) } as const;
    return { planned: null, missing: [differs(PLANNED, difference)] };
  }
  const there = new Set(runFoldersIn(path).map((folder) => basename(folder)));
  const missing = planned
    .filter((run) => !there.has(run))
    .map((run) => {
      const expected = `the run ${run}, which was planned`;
      return differs(run, { kind: "planned", where: PLANNED, expected, seen: sayWhatStandsAt(join(path, run)) });
    });
  return { planned: planned.length, missing };
}

function sayWhatStandsAt(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "no such folder: it was never begun";
  if (stat.isDirectory()) return "a folder without manifest and log";
  return stat.isSymbolicLink() ? "a link, which is not followed" : "a file";
}

/**
 * Audits the run in a folder. Whatever is wrong with it, and whatever breaks meanwhile, is a difference: the other runs
 * of a set are still to be audited. `id` is the run it should be, which in a set is the folder's name; a folder by itself may
 * be called anything. `auditors` know how the judgments of models follow from their answers.
 */
export async function auditFolder(
  path: string,
  cases: CasesById,
  id?: string,
  auditors: readonly JudgeAuditor[] = [],
): Promise<FolderAudit> {
  const name = id ?? basename(resolve(path));
  try {
    return await auditRunIn(path, cases, name, id, auditors);
  } catch (error) {
    const difference = {
      kind: "fault",
      where: name,
      expected: "an audit that comes to its end",
      seen: messageOf(error),
    } as const;
    return { ...differs(name, difference), cause: error };
  }
}

async function auditRunIn(
  path: string,
  cases: CasesById,
  name: string,
  id: string | undefined,
  auditors: readonly JudgeAuditor[],
): Promise<FolderAudit> {
  let record: RunRecord;
  try {
    record = await readRunFolder(path);
  } catch (error) {
    return faulty(name, "manifest", error);
  }
  const { manifest } = record;
  if (id !== undefined && record.id !== id) {
    return differs(name, {
      kind: "manifest",
      where: "manifest.json",
      expected: `the run ${id}, as its folder is called`,
      seen: `the run ${record.id}`,
    });
  }
  const case_ = cases.get(manifest.case);
  if (case_ === undefined)
    return differs(name, {
      kind: "world",
      where: "manifest.json case",
      expected: "a case that is there",
      seen: manifest.case,
    });
  if (case_.track !== manifest.track)
    return differs(name, {
      kind: "world",
      where: "manifest.json track",
      expected: `${case_.track}, as the case ${case_.id} is`,
      seen: manifest.track,
    });
  try {
    return await auditRun(case_, record, auditors);
  } catch (error) {
    return faulty(name, "chain", error);
  }
}

/** What a replay of one run found. */
export interface RunReplay {
  readonly run: string;
  readonly ok: boolean;
  /** Calls that were answered again. */
  readonly calls: number;
  readonly differences: readonly Difference[];
}

/**
 * Answers every call of a run again with a fresh runtime and compares each answer, record and digest with the log. Throws
 * RecordError `other_case` where the case is of another track.
 */
export async function replayRecord(case_: AnyCase, record: RunRecord): Promise<RunReplay> {
  const { manifest } = record;
  if (manifest.worldDigest !== case_.worldDigest) {
    const difference: Difference = {
      kind: "world",
      where: "manifest.json worldDigest",
      expected: case_.worldDigest,
      seen: manifest.worldDigest,
    };
    return { run: record.id, ok: false, calls: 0, differences: [difference] };
  }
  const replayer = new Replayer(scenarioOfRun(case_, manifest));
  let end: OutcomeEntry | undefined;
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => {
    replayer.take(entry);
    if (entry.kind === "outcome") end = entry;
  });
  const chain = check.faults.map((fault): Difference => ({
    kind: "chain",
    where: `${fault.file}:${fault.line}`,
    expected: fault.expected,
    seen: `${fault.kind}: ${fault.seen}`,
  }));
  const differences = [...chain, ...replayer.differences];
  // After any other difference, where the calls led follows from it.
  if (differences.length === 0) auditOutcome(replayer.session, end, differences);
  return { run: record.id, ok: differences.length === 0, calls: replayer.calls, differences };
}

function differs(run: string, difference: SetDifference): FolderAudit {
  return { run, ok: false, differences: [difference], notes: [], scores: [], settled: undefined, read: undefined };
}

function faulty(run: string, kind: Difference["kind"], error: unknown): FolderAudit {
  if (!(error instanceof RecordError)) throw error;
  return differs(run, { kind, where: error.where, expected: "a record that can be read", seen: error.message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
