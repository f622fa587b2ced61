/** The runs of a set as they lie on disk, judged and scored one after the other. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Case } from "../../cases/index.ts";
import type { Score } from "../../contracts/index.ts";
import {
  judgeFolder,
  listRuns,
  listJudgmentSets,
  LOG_FILE,
  MANIFEST_FILE,
  parseRunId,
  readPlanned,
  readRunFolder,
  RecordError,
  scoreFolder,
  staysOpen,
  type Outcome,
  type RunId,
  type RunRecord,
} from "../../records/index.ts";
import { compareText, tierSchema, TIERS } from "../../runtime/index.ts";
import type { RunName } from "./set.ts";

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
export type CasesById = ReadonlyMap<string, Case>;

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
  case_: Case | undefined,
  record: RunRecord,
  options: JudgeOptions = {},
): Promise<JudgedRun> {
  const run = record.id;
  if (case_ === undefined) return { run, status: "fault", why: noCase(record) };
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

/** A planned run with its score, or why it has none. */
export interface ScoredRun extends RunName {
  /** `unfinished`: it was never begun, was interrupted, or goes on. */
  readonly outcome: Outcome | "unfinished";
  readonly score?: Score;
  /** Why it has no score, or why the score that is here could not be kept. */
  readonly why?: string;
  /** Whether the record refused to be scored or the disk to keep it, which is more than that something is still missing. */
  readonly faulty?: boolean;
  /** The exception behind a fault of ours, for whoever mends it. */
  readonly cause?: unknown;
}

/**
 * Scores every run that has judgments of the name `as`, and writes the scores. Every planned run is in the result, with
 * what is wrong with it; throws RecordError `bad_name` where no set of judgments can be called so.
 */
export async function scoreSet(set: SetOnDisk, cases: CasesById, as?: string): Promise<readonly ScoredRun[]> {
  const scored: ScoredRun[] = [];
  for (const record of set.records) {
    const { manifest } = record;
    if (manifest.track !== "maintenance") continue;
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
    const name: RunName = {
      run: record.id,
      case: manifest.case,
      tier: manifest.tier,
      agent: manifest.agent.name,
      repeat: manifest.repeat,
    };
    scored.push({
      ...name,
      outcome: outcomeOfRecord(record),
      ...(await scoreRecord(cases.get(manifest.case), record, as)),
    });
  }
  for (const run of set.unbegun) {
    const name = nameOfId(run);
    if (name !== undefined) scored.push({ ...name, outcome: "unfinished", why: "it was planned and never begun" });
  }
  return scored.sort(compareRuns);
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

/** By case, then tier from easy to extreme, agent and repeat. */
function compareRuns(a: RunName, b: RunName): number {
  return (
    compareText(a.case, b.case) ||
    TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
    compareText(a.agent, b.agent) ||
    a.repeat - b.repeat
  );
}

async function scoreRecord(
  case_: Case | undefined,
  record: RunRecord,
  as: string | undefined,
): Promise<Pick<ScoredRun, "score" | "why" | "faulty" | "cause">> {
  if (case_ === undefined) return { why: noCase(record), faulty: true };
  if (record.state !== "sealed") return { why: whyOpen(record) };
  try {
    const unwritten: RecordError[] = [];
    const score = await scoreFolder(case_, record, as, (error) => unwritten.push(error));
    if (score === undefined) return { why: `it has no judgments${as === undefined ? "" : ` named ${as}`}` };
    const [refused] = unwritten;
    return refused === undefined ? { score } : { score, why: refused.message, faulty: true };
  } catch (error) {
    return { ...faultOfRun(error), faulty: true };
  }
}

/** What an exception says of the run it came from. A bad name was the caller's, and is thrown on. */
function faultOfRun(error: unknown): { readonly why: string; readonly cause?: unknown } {
  if (error instanceof RecordError) {
    if (error.code === "bad_name") throw error;
    return { why: error.message };
  }
  return { why: `internal error: ${error instanceof Error ? error.message : String(error)}`, cause: error };
}

/** The parts of a maintenance run's id; undefined for a run of another track. */
function nameOfId(id: RunId): RunName | undefined {
  const [case_, tier, agent, repeat, ...more] = id.split(".");
  const parsed = tierSchema.safeParse(tier);
  if (!parsed.success || more.length > 0 || parseRunId(id) === undefined) return undefined;
  return { run: id, case: case_ as string, tier: parsed.data, agent: agent as string, repeat: Number(repeat) };
}

function noCase(record: RunRecord): string {
  return `there is no case ${record.manifest.case} here`;
}
