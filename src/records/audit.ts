/**
 * Audit = chain + replay + digests + every binding + relations recomputed + score recomputed, each compared with what
 * was saved. Nothing that lies in the folder is trusted.
 */
import type { AnyCase, Case } from "../cases/index.ts";
import type { DeductionScore, Score, SettledRun } from "../contracts/index.ts";
import { auditDeduction } from "./audit-deduction.ts";
import { auditLog } from "./audit-log.ts";
import { auditSet, type JudgeAuditor } from "./audit-set.ts";
import type { Difference } from "./difference.ts";
import { RecordError } from "./error.ts";
import { listAnswerSets } from "./answer-file.ts";
import { listJudgmentSets } from "./judgment-file.ts";
import type { Outcome } from "./outcome.ts";
import { readRun, type ReadRun } from "./read-run.ts";
import type { RunRecord } from "./run-folder.ts";
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
  /** The score of a run of deduction, recomputed. */
  readonly deduction?: DeductionScore;
  /** How a run of deduction stands that goes on, and so has no score yet. */
  readonly open?: Outcome | "unfinished";
}

/**
 * Audits a run's folder against its case, whichever track it is of. Judgments of a model are derived again from its answers by the auditor that
 * bears the judge's name; without one it is a difference that they could not be.
 */
export async function auditRun(
  case_: AnyCase,
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
  try {
    const log = await auditLog(case_, record, differences);
    if (log === undefined) return finish(record, differences);
    if (case_.track === "deduction")
      return finish(record, differences, auditDeduction(case_, record, log, differences));
    return await auditJudged(case_, record, auditors, differences);
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
}

/** Everything that follows from the judgments of a maintenance run. */
async function auditJudged(
  case_: Case,
  record: RunRecord,
  auditors: readonly JudgeAuditor[],
  differences: Difference[],
): Promise<RunAudit> {
  const read = await readRun(case_, record);
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
