/** The runs of a set as they lie on disk, judged and scored one after the other. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { AnyCase } from "../../cases/index.ts";
import type { DeductionScore, Score } from "../../contracts/index.ts";
import {
  judgeFolder,
  keyOfId,
  listRuns,
  listJudgmentSets,
  LOG_FILE,
  MANIFEST_FILE,
  readPlanned,
  readRunFolder,
  RecordError,
  scoreDeductionFolder,
  scoreFolder,
  staysOpen,
  type Outcome,
  type RunId,
  type RunRecord,
} from "../../records/index.ts";
import { compareText, CONDITIONS, MODES, TIERS } from "../../runtime/index.ts";
import type { DeductionName } from "../deduction/plan.ts";
import type { MaintenanceName } from "../maintenance/plan.ts";
import { nameOfKey, type RunName } from "./plan.ts";

export interface SetOnDisk {
  /** Runs that were begun, by id. */
  readonly records: readonly RunRecord[];
  /** Runs that were planned and have no folder yet. */
  readonly unbegun: readonly RunId[];
}

/** Whether a folder is the folder of one run. */
export function isRunFolder(path: string): boolean {
  return [MANIFEST_FILE, LOG_FILE].some((file) => existsSync(join(path, file)));
}

/** Reads what there is in a set; a run's folder counts as a set of one. Throws RecordError. */
export async function readSet(path: string): Promise<SetOnDisk> {
  if (isRunFolder(path)) return { records: [await readRunFolder(path)], unbegun: [] };
  const records = await listRuns(path);
  const begun = new Set<string>(records.map(({ id }) => id));
  return { records, unbegun: readPlanned(path).filter((id) => !begun.has(id)) };
}

/** The cases of a set, by id. */
export type CasesById = ReadonlyMap<string, AnyCase>;

/** What judging a run came to. */
export interface JudgedRun {
  readonly run: RunId;
  /** `left`: why it was not judged is no fault. `fault`: its record or its case refused it, or the judge broke off. */
  readonly status: "judged" | "left" | "fault";
  readonly why?: string;
  /** The exception behind a fault of ours, for whoever mends it. */
  readonly cause?: unknown;
}

export interface JudgeOptions {
  /** The name of the judgment set; the unnamed one where left out. */
  readonly as?: string;
  /** Leaves alone a run that has judgments of that name, whatever they are of. */
  readonly onlyMissing?: boolean;
}

/**
 * Judges a run with the exact judge, where it is finished and the judge applies. What is wrong with the run is a value,
 * so that the others are judged; throws RecordError `bad_name` where no set of judgments can be called so.
 */
export async function judgeRecord(
  case_: AnyCase | undefined,
  record: RunRecord,
  options: JudgeOptions = {},
): Promise<JudgedRun> {
  const run = record.id;
  if (record.manifest.track === "deduction") return { run, status: "left", why: NEEDS_NO_JUDGE };
  if (case_ === undefined) return { run, status: "fault", why: noCase(record) };
  if (case_.track !== "maintenance") return { run, status: "fault", why: otherTrack(case_, record) };
  if (record.state !== "sealed") return { run, status: "left", why: whyOpen(record) };
  if (options.onlyMissing === true && listJudgmentSets(record.path).includes(options.as))
    return { run, status: "left" };
  try {
    const judged = await judgeFolder(case_, record, options.as);
    return judged.ok ? { run, status: "judged" } : { run, status: "left", why: judged.why };
  } catch (error) {
    return { run, status: "fault", ...faultOfRun(error) };
  }
}

/** Why no run of deduction is judged. */
const NEEDS_NO_JUDGE = "a run of deduction needs no judge: its score follows from its log";

/** A planned run with its score, or why it has none. */
export type ScoredRun = ScoredMaintenanceRun | ScoredDeductionRun;

export interface ScoredMaintenanceRun extends MaintenanceName, ScoredAs {
  readonly score?: Score;
}

export interface ScoredDeductionRun extends DeductionName, ScoredAs {
  /** Of its case; the case's own id where there is no such case here. */
  readonly family: string;
  readonly score?: DeductionScore;
}

/** How a run stands, and why it has no score. */
export interface ScoredAs {
  /** `unfinished`: it was never begun, was interrupted, or goes on. */
  readonly outcome: Outcome | "unfinished";
  /** Why it has no score, or why the score that is here could not be kept. */
  readonly why?: string;
  /** Whether the record refused to be scored or the disk to keep it, which is more than that something is still missing. */
  readonly faulty?: boolean;
  /** The exception behind a fault of ours, for whoever mends it. */
  readonly cause?: unknown;
}

/**
 * Scores every run of maintenance that has judgments of the name `as`, and every run of deduction that has ended, and
 * writes the scores. Every planned run is in the result, with what is wrong with it; throws RecordError `bad_name` where
 * no set of judgments can be called so.
 */
export async function scoreSet(set: SetOnDisk, cases: CasesById, as?: string): Promise<readonly ScoredRun[]> {
  const scored: ScoredRun[] = [];
  for (const record of set.records) {
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
    scored.push(await scoreRun(record, cases.get(record.manifest.case), as));
  }
  for (const run of set.unbegun) {
    const name = nameOfKey(keyOfId(run));
    const never = { outcome: "unfinished", why: "it was planned and never begun" } as const;
    scored.push(
      name.track === "maintenance"
        ? { ...name, ...never }
        : { ...name, family: cases.get(name.case)?.family ?? name.case, ...never },
    );
  }
  return sortRuns(scored);
}

/** Scores one run, as scoreSet does. */
export async function scoreRun(record: RunRecord, case_: AnyCase | undefined, as?: string): Promise<ScoredRun> {
  const name = nameOfKey(record.manifest);
  const outcome = outcomeOfRecord(record);
  if (name.track === "maintenance") {
    const score = await scoreRecord(record, case_, (write) => scoreJudged(case_, record, as, write));
    return { ...name, outcome, ...score };
  }
  const score = await scoreRecord(record, case_, (write) => scoreLogged(case_, record, write));
  return { ...name, family: case_?.family ?? name.case, outcome, ...score };
}

/** Runs in the order in which tables list them. */
export function sortRuns<R extends RunName>(runs: readonly R[]): readonly R[] {
  return [...runs].sort(compareRuns);
}

/** How a run ended, as it stands: an end that leaves it open counts as long as nobody has taken the run up again. */
function outcomeOfRecord({ state, outcome }: RunRecord): ScoredRun["outcome"] {
  if (outcome === undefined) return "unfinished";
  return state === "sealed" || (state === "ended" && staysOpen(outcome)) ? outcome : "unfinished";
}

/** Why a run whose log bears no seal is neither judged nor scored. */
function whyOpen(record: RunRecord): string {
  return outcomeOfRecord(record) === "endpoint_fault"
    ? "it ended on a fault of its endpoint, and goes on when the set is run again"
    : "it is not finished; the command that played it goes on with it";
}

/** By track and case, then tier from easy to extreme, or condition, mode and fold; agent and repeat. */
function compareRuns(a: RunName, b: RunName): number {
  return (
    compareText(b.track, a.track) ||
    compareText(a.case, b.case) ||
    compareHow(a, b) ||
    compareText(a.agent, b.agent) ||
    a.repeat - b.repeat
  );
}

function compareHow(a: RunName, b: RunName): number {
  if (a.track === "maintenance" && b.track === "maintenance") return TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier);
  if (a.track === "maintenance" || b.track === "maintenance") return 0;
  return (
    CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition) ||
    MODES.indexOf(a.mode) - MODES.indexOf(b.mode) ||
    a.fold - b.fold
  );
}

/** What scoring one run came to. */
type ScoredWith<S> = Pick<ScoredAs, "why" | "faulty" | "cause"> & { readonly score?: S };

/** Scores a run; `write` is told where the disk would not keep the score. */
type Scoring<S> = (write: (error: RecordError) => void) => Promise<S | string>;

async function scoreRecord<S extends object>(
  record: RunRecord,
  case_: AnyCase | undefined,
  scoring: Scoring<S>,
): Promise<ScoredWith<S>> {
  if (case_ === undefined) return { why: noCase(record), faulty: true };
  if (case_.track !== record.manifest.track) return { why: otherTrack(case_, record), faulty: true };
  // A log of deduction is read even so: a line behind its seal makes one that looks unfinished.
  if (record.state !== "sealed" && case_.track === "maintenance") return { why: whyOpen(record) };
  try {
    const unwritten: RecordError[] = [];
    const score = await scoring((error) => unwritten.push(error));
    if (typeof score === "string") return { why: score };
    const [refused] = unwritten;
    return refused === undefined ? { score } : { score, why: refused.message, faulty: true };
  } catch (error) {
    return { ...faultOfRun(error), faulty: true };
  }
}

async function scoreJudged(
  case_: AnyCase | undefined,
  record: RunRecord,
  as: string | undefined,
  write: (error: RecordError) => void,
): Promise<Score | string> {
  const score = case_?.track === "maintenance" ? await scoreFolder(case_, record, as, write) : undefined;
  return score ?? `it has no judgments${as === undefined ? "" : ` named ${as}`}`;
}

async function scoreLogged(
  case_: AnyCase | undefined,
  record: RunRecord,
  write: (error: RecordError) => void,
): Promise<DeductionScore | string> {
  const score = case_?.track === "deduction" ? await scoreDeductionFolder(case_, record, write) : undefined;
  return score ?? whyOpen(record);
}

/** What an exception says of the run it came from. A bad name was the caller's, and is thrown on. */
function faultOfRun(error: unknown): { readonly why: string; readonly cause?: unknown } {
  if (error instanceof RecordError) {
    if (error.code === "bad_name") throw error;
    return { why: error.message };
  }
  return { why: `internal error: ${error instanceof Error ? error.message : String(error)}`, cause: error };
}

function noCase(record: RunRecord): string {
  return `there is no case ${record.manifest.case} here`;
}

function otherTrack(case_: AnyCase, { manifest }: RunRecord): string {
  return `it is a run of ${manifest.track}, and the case ${case_.id} is of the track ${case_.track}`;
}
