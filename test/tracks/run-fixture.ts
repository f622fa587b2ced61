/** The horn case as runs are played on it, in folders that go away after the test. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { loadCase, loadDeductionCase, printFault, type Case, type DeductionCase } from "../../src/cases/index.ts";
import type { Score } from "../../src/contracts/index.ts";
import {
  judgeFolder,
  readEntries,
  readRunFolder,
  scoreFolder,
  type LogEntry,
  type RunRecord,
} from "../../src/records/index.ts";
import type { Tier } from "../../src/runtime/index.ts";
import {
  playRun,
  type Agent,
  type AgentCall,
  type DeductionPlan,
  type MaintenancePlan,
  type RunOptions,
  type RunPlan,
  type RunResult,
  type Surroundings,
} from "../../src/tracks/index.ts";

/** Reads a case that must be without fault. */
function caseAt(directory: string): Case {
  const loaded = loadCase(directory);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

export const HORN = "test/fixtures/cases/horn";
export const horn = caseAt(HORN);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "runs-"));
  folders.push(folder);
  return folder;
}

/** The small case of deduction. */
export const POND = "test/fixtures/cases/mill_pond";
export const pond = deductionCaseAt(POND);

/** Reads a case of deduction that must be without fault. */
export function deductionCaseAt(directory: string): DeductionCase {
  const loaded = loadDeductionCase(directory);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

/** The horn case with one text in one of its files replaced. */
export function changedHorn(file: string, from: string, to: string): Case {
  const directory = join(tempFolder(), "horn");
  cpSync(HORN, directory, { recursive: true });
  const text = readFileSync(join(directory, file), "utf8");
  if (!text.includes(from)) throw new Error(`the fixture does not contain ${from}`);
  writeFileSync(join(directory, file), text.replace(from, to));
  return caseAt(directory);
}

export const surroundings: Surroundings = {
  packageVersion: "0.1.0",
  gitCommit: null,
  nodeVersion: "20.20.0",
  platform: "linux-x64",
  now: () => "2025-01-02T03:04:05.678Z",
};

export function planOf(agent: Agent, tier: Tier, case_: Case = horn): MaintenancePlan {
  return { track: "maintenance", case: case_, tier, agent, repeat: 1 };
}

export function deductionPlanOf(
  agent: Agent,
  case_: DeductionCase,
  how: Partial<Pick<DeductionPlan, "condition" | "mode" | "fold">> = {},
): DeductionPlan {
  const { condition = "open", mode = "M2", fold = 1 } = how;
  return { track: "deduction", case: case_, condition, mode, fold, agent, repeat: 1 };
}

/** Plays without waiting for the disk: what is tested here is order and bytes, not durability. */
export async function play(
  plan: RunPlan,
  set: string,
  options: RunOptions = {},
  around: Surroundings = surroundings,
): Promise<RunResult> {
  return await playRun(plan, set, around, { sync: false, ...options });
}

export function logOf(result: Pick<RunResult, "path">): Buffer {
  return readFileSync(join(result.path, "log.jsonl"));
}

/** Plays, judges and scores a run. */
export async function playAndScore(
  plan: MaintenancePlan,
  set: string,
): Promise<{ readonly result: RunResult; readonly record: RunRecord; readonly score: Score }> {
  const result = await play(plan, set);
  const record = await readRunFolder(result.path);
  const judged = await judgeFolder(plan.case, record);
  if (!judged.ok) throw new Error(judged.why);
  const score = await scoreFolder(plan.case, record);
  if (score === undefined) throw new Error("no judgments");
  return { result, record, score };
}

/** A begun run in a set of its own: the manifest of `result`, and the first `bytes` of its log. */
export function cutRun(result: RunResult, bytes: number): string {
  const set = tempFolder();
  const path = join(set, result.run);
  mkdirSync(path);
  cpSync(join(result.path, "manifest.json"), join(path, "manifest.json"));
  writeFileSync(join(path, "log.jsonl"), logOf(result).subarray(0, bytes));
  return set;
}

/** The offsets after each newline of a log. */
export function lineEnds(log: Buffer): readonly number[] {
  return [...log.keys()].filter((i) => log[i] === 0x0a).map((i) => i + 1);
}

/** An agent that makes these calls and stops. */
export function scripted(calls: readonly AgentCall[], more: Partial<Agent> = {}): Agent {
  return {
    name: "scripted",
    says: "makes the calls it was given",
    settings: {},
    async *play() {
      for (const call of calls) yield call;
      return undefined;
    },
    ...more,
  };
}

/** The entries of a run's log, which must be sound. */
export async function entriesOf(path: string): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of readEntries(join(path, "log.jsonl"))) entries.push(entry);
  return entries;
}
