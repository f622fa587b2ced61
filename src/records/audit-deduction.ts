/** The audit of a run of deduction beyond its log: the score follows from the replay, and nobody judges anything. */
import type { DeductionCase } from "../cases/index.ts";
import type { DeductionScore } from "../contracts/index.ts";
import { listAnswerSets } from "./answer-file.ts";
import type { SoundLog } from "./audit-log.ts";
import { compareScore } from "./audit-score.ts";
import type { Difference } from "./difference.ts";
import { listJudgmentSets } from "./judgment-file.ts";
import { staysOpen, type Outcome } from "./outcome.ts";
import type { RunRecord } from "./run-folder.ts";
import { scoreDeductionRun } from "./score-deduction.ts";
import { listScores } from "./score-file.ts";

/** Scores the run again and compares; what differs is added. A run that goes on has an outcome at most, and no score yet. */
export function auditDeduction(
  case_: DeductionCase,
  record: RunRecord,
  { replayer, outcome }: SoundLog,
  differences: Difference[],
): { readonly deduction: DeductionScore } | { readonly open: Outcome | "unfinished" } {
  refuseJudging(record, differences);
  if (outcome === "unfinished" || staysOpen(outcome)) return { open: outcome };
  const score = scoreDeductionRun(case_, record, replayer, outcome);
  compareScore(record, undefined, score, differences);
  return { deduction: score };
}

/** Files of a judge beside a run that no judge has a say in, and scores that would follow from them. */
function refuseJudging(record: RunRecord, differences: Difference[]): void {
  const expected = "no such file: truth is the rollout of the rules, and no judge has a say in it";
  const refuse = (kind: Difference["kind"], where: string): void =>
    void differences.push({ kind, where, expected, seen: "one" });
  for (const name of listJudgmentSets(record.path)) refuse("judgment", fileOf("judgments", name, "jsonl"));
  for (const name of listAnswerSets(record.path)) refuse("judgment", fileOf("answers", name, "jsonl"));
  for (const name of listScores(record.path)) if (name !== undefined) refuse("score", fileOf("score", name, "json"));
}

function fileOf(what: string, name: string | undefined, ending: string): string {
  return name === undefined ? `${what}.${ending}` : `${what}.${name}.${ending}`;
}
