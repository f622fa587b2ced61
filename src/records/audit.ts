/**
 * Audit = chain + replay + digests + every binding + relations recomputed + score recomputed, each compared with what
 * was saved. Nothing that lies in the folder is trusted.
 */
import { join } from "node:path";
import { scenarioOf, type Case } from "../cases/index.ts";
import type { Score, SettledRun } from "../contracts/index.ts";
import { outcomeOf, sameJson, type Scenario, type Session } from "../runtime/index.ts";
import { auditSet, MOST, type JudgeAuditor } from "./audit-set.ts";
import { compareText } from "./compare-text.ts";
import { differencesOfJson, showJson, type Difference } from "./difference.ts";
import { isPlay, type LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { listAnswerSets } from "./answer-file.ts";
import { listJudgmentSets } from "./judgment-file.ts";
import { checkLog } from "./log-reader.ts";
import { withoutTime } from "./manifest.ts";
import { staysOpen } from "./outcome.ts";
import { readRun, type ReadRun } from "./read-run.ts";
import { Replayer } from "./replay.ts";
import { LOG_FILE, MANIFEST_FILE, prettyManifest, type RunRecord } from "./run-folder.ts";
import { listScores } from "./score-file.ts";

export interface RunAudit {
  readonly run: string;
  readonly ok: boolean;
  readonly differences: readonly Difference[];
  /** What is no difference, and should be known. */
  readonly notes: readonly string[];
  /** The scores recomputed, by set; undefined is the unnamed one. */
  readonly scores: readonly { readonly set: string | undefined; readonly score: Score }[];
  readonly settled: SettledRun | undefined;
  readonly read: ReadRun | undefined;
}

/**
 * Audits a run's folder against its case. Judgments of a model are derived again from its answers by the auditor that
 * bears the judge's name; without one it is a difference that they could not be.
 */
export async function auditRun(
  case_: Case,
  record: RunRecord,
  auditors: readonly JudgeAuditor[] = [],
): Promise<RunAudit> {
  const differences: Difference[] = [];
  if (record.manifest.worldDigest !== case_.worldDigest) {
    differences.push({
      kind: "world",
      where: "manifest.json worldDigest",
      expected: case_.worldDigest,
      seen: record.manifest.worldDigest,
    });
    return finish(record, differences);
  }
  let read: ReadRun;
  try {
    const sound = await auditLog(case_, record, differences);
    if (!sound) return finish(record, differences);
    read = await readRun(case_, record);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({
      kind: error.code === "log_damaged" ? "replay" : "chain",
      where: error.where,
      expected: "a log that fits its case",
      seen: error.message,
    });
    return finish(record, differences);
  }
  const scores: { set: string | undefined; score: Score }[] = [];
  let settled: SettledRun | undefined;
  const answersRead = new Set<string | undefined>();
  for (const name of listJudgmentSets(record.path)) {
    const audited = await auditSet({ case: case_, record, read, auditors, differences, answersRead }, name);
    if (audited === undefined) continue;
    scores.push({ set: name, score: audited.score });
    settled ??= audited.settled;
  }
  auditOrphans(record, differences);
  const notes = unjudgedAnswers(record, answersRead);
  return finish(record, differences, { scores, settled, read, notes });
}

function finish(record: RunRecord, differences: readonly Difference[], more?: Partial<RunAudit>): RunAudit {
  return {
    run: record.id,
    ok: differences.length === 0,
    differences,
    notes: [],
    scores: [],
    settled: undefined,
    read: undefined,
    ...more,
  };
}

/** Chain, manifest and replay. Returns whether the log is sound enough to be judged again. */
async function auditLog(case_: Case, record: RunRecord, differences: Difference[]): Promise<boolean> {
  const { manifest } = record;
  if (manifest.track !== "maintenance") throw new Error(`auditRun: track ${manifest.track}`);
  const scenario = scenarioOf(case_, manifest.tier);
  compareText(join(record.path, MANIFEST_FILE), prettyManifest(manifest), "manifest", MANIFEST_FILE, differences);
  auditBudgets(scenario, record, differences);
  const replayer = new Replayer(scenario);
  const ends: OutcomeEntry[] = [];
  /** Whether the log ends in an outcome that is not for good, and bears no seal. */
  let open = false;
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => {
    if (entry.kind === "outcome") ends.push(entry);
    if (entry.kind === "outcome") open = staysOpen(entry.outcome);
    else if (isPlay(entry)) open = false;
    if (entry.kind === "manifest" && !sameJson(entry.manifest, withoutTime(manifest))) {
      for (const one of differencesOfJson(entry.manifest, withoutTime(manifest), 5)) {
        differences.push({
          kind: "manifest",
          where: `manifest.json ${one.path}`,
          expected: one.expected,
          seen: one.seen,
        });
      }
    }
    if (replayer.differences.length === 0) replayer.take(entry);
  });
  for (const fault of check.faults.slice(0, MOST)) {
    differences.push({
      kind: "chain",
      where: `${fault.file}:${fault.line}`,
      expected: fault.expected,
      seen: `${fault.kind}: ${fault.seen}`,
    });
  }
  if (!check.sealed && !open && check.faults.length === 0) {
    differences.push({
      kind: "chain",
      where: LOG_FILE,
      expected: "a seal on the last line",
      seen: "an unfinished run: resume it, or it is not to be compared",
    });
  }
  // What a damaged log replays to follows from the damage.
  if (check.faults.length > 0) return false;
  differences.push(...replayer.differences.slice(0, MOST));
  if (replayer.differences.length > 0) return false;
  auditOutcome(replayer.session, ends.at(-1), differences);
  return true;
}

type OutcomeEntry = Extract<LogEntry, { kind: "outcome" }>;

/** The budgets a run was given are its case's: the chain alone would not tell. */
function auditBudgets({ budgets }: Scenario, { manifest }: RunRecord, differences: Difference[]): void {
  for (const one of differencesOfJson(budgets, manifest.budgets, MOST)) {
    differences.push({
      kind: "manifest",
      where: `manifest.json budgets.${one.path}`,
      expected: one.expected,
      seen: one.seen,
    });
  }
}

/** `finished` and `limit` are the world's to say: a log may claim neither where its calls did not lead there. */
function auditOutcome(session: Session, ended: OutcomeEntry | undefined, differences: Difference[]): void {
  if (ended === undefined) return;
  const { seq, outcome, detail } = ended;
  const led = outcomeOf(session);
  const where = `log.jsonl:${seq + 1} outcome`;
  if (led.kind === "playing") {
    if (outcome === "finished" || outcome === "limit") {
      differences.push({
        kind: "replay",
        where,
        expected: "an outcome of a run that was left before its end",
        seen: showJson(outcome),
      });
    }
    return;
  }
  const expected = led.kind === "limit" ? { outcome: "limit", detail: { ...led.limit } } : { outcome: "finished" };
  for (const one of differencesOfJson(expected, { outcome, ...(detail === undefined ? {} : { detail }) }, MOST)) {
    differences.push({
      kind: "replay",
      where: `log.jsonl:${seq + 1} ${one.path}`,
      expected: one.expected,
      seen: one.seen,
    });
  }
}

/** Answers from which no judgments were read: judging is under way, or somebody took the judgments away. */
function unjudgedAnswers(record: RunRecord, read: ReadonlySet<string | undefined>): readonly string[] {
  const judged = listJudgmentSets(record.path);
  return listAnswerSets(record.path)
    .filter((name) => !read.has(name) && !judged.includes(name))
    .map((name) => {
      const file = name === undefined ? "answers.jsonl" : `answers.${name}.jsonl`;
      return `${file} is there, and no judgments that follow from it: judging was not finished, or they were taken away`;
    });
}

/** A score without the judgments it was made of cannot be checked. */
function auditOrphans(record: RunRecord, differences: Difference[]): void {
  const sets = listJudgmentSets(record.path);
  for (const name of listScores(record.path)) {
    if (sets.includes(name)) continue;
    differences.push({
      kind: "score",
      where: name === undefined ? "score.json" : `score.${name}.json`,
      expected: "judgments of the same name",
      seen: "none",
    });
  }
}
