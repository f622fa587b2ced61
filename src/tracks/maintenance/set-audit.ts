/** The audit and the replay of runs as they lie on disk: whatever is wrong with a folder is a difference, never an end. */
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { scenarioOf, type Case } from "../../cases/index.ts";
import {
  auditRun,
  checkLog,
  LOG_FILE,
  readRunFolder,
  RecordError,
  Replayer,
  type Difference,
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

/**
 * Audits the run in a folder. `id` is the run it should be, which in a set is the folder's name; a folder by itself may
 * be called anything.
 */
export async function auditFolder(path: string, cases: CasesById, id?: string): Promise<RunAudit> {
  const name = id ?? basename(resolve(path));
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
  if (manifest.track !== "maintenance")
    return differs(name, {
      kind: "manifest",
      where: "manifest.json track",
      expected: "maintenance",
      seen: manifest.track,
    });
  const case_ = cases.get(manifest.case);
  if (case_ === undefined)
    return differs(name, {
      kind: "world",
      where: "manifest.json case",
      expected: "a case that is there",
      seen: manifest.case,
    });
  try {
    return await auditRun(case_, record);
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

/** Answers every call of a run again with a fresh runtime and compares each answer, record and digest with the log. */
export async function replayRecord(case_: Case, record: RunRecord): Promise<RunReplay> {
  const { manifest } = record;
  if (manifest.track !== "maintenance") throw new Error(`replayRecord: track ${manifest.track}`);
  if (manifest.worldDigest !== case_.worldDigest) {
    const difference: Difference = {
      kind: "world",
      where: "manifest.json worldDigest",
      expected: case_.worldDigest,
      seen: manifest.worldDigest,
    };
    return { run: record.id, ok: false, calls: 0, differences: [difference] };
  }
  const replayer = new Replayer(scenarioOf(case_, manifest.tier));
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => replayer.take(entry));
  const chain = check.faults.map((fault): Difference => ({
    kind: "chain",
    where: `${fault.file}:${fault.line}`,
    expected: fault.expected,
    seen: `${fault.kind}: ${fault.seen}`,
  }));
  const differences = [...chain, ...replayer.differences];
  return { run: record.id, ok: differences.length === 0, calls: replayer.calls, differences };
}

function differs(run: string, difference: Difference): RunAudit {
  return { run, ok: false, differences: [difference], scores: [], settled: undefined, read: undefined };
}

function faulty(run: string, kind: Difference["kind"], error: unknown): RunAudit {
  if (!(error instanceof RecordError)) throw error;
  return differs(run, { kind, where: error.where, expected: "a record that can be read", seen: error.message });
}
