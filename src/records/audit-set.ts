/** The audit of one set of judgments of a run: they are made again, settled and scored, and each is compared with what was saved. */
import { join } from "node:path";
import type { Case } from "../cases/index.ts";
import { checkWitness, type Identity, type Judgment, type Score, type SettledRun } from "../contracts/index.ts";
import { sameJson } from "../runtime/index.ts";
import { readAnswers, type AnswerSet } from "./answer-file.ts";
import { compareScore } from "./audit-score.ts";
import { compareText } from "./compare-text.ts";
import { differencesOfJson, MOST, showJson, type Difference } from "./difference.ts";
import { RecordError } from "./error.ts";
import { judgmentsText, readJudgments, type JudgmentHeader, type JudgmentSet } from "./judgment-file.ts";
import { requireKnownJudge } from "./known-judge.ts";
import { isIdle, type ReadRun } from "./read-run.ts";
import type { RunRecord } from "./run-folder.ts";
import { judgeRunExactly, settleAndScore } from "./score-run.ts";

/** Judgments made again from what a model answered. */
export interface Rederived {
  readonly identities: readonly Identity[];
  readonly judgments: readonly Judgment[];
  /** What does not fit between the answers and what must have been asked: the digest of a prompt, above all. */
  readonly differences: readonly Difference[];
}

/**
 * Knows how the judgments of one judge follow from its answers: without a network, from the case, the run and the answers
 * alone. `answers` is undefined where nothing had to be asked.
 */
export interface JudgeAuditor {
  /** The judge's, as headers name it. */
  readonly name: string;
  readonly rederive: (
    case_: Case,
    run: ReadRun,
    header: JudgmentHeader,
    answers: AnswerSet | undefined,
  ) => Rederived | Promise<Rederived>;
}

export interface SetToAudit {
  readonly case: Case;
  readonly record: RunRecord;
  readonly read: ReadRun;
  readonly auditors: readonly JudgeAuditor[];
  /** Added to. */
  readonly differences: Difference[];
  /** The sets of answers that judgments were read from; added to. */
  readonly answersRead: Set<string | undefined>;
}

/** Audits the set of a name. Undefined where it cannot be read or is not of this run; `differences` then says why. */
export async function auditSet(
  audit: SetToAudit,
  name: string | undefined,
): Promise<{ readonly score: Score; readonly settled: SettledRun } | undefined> {
  const { case: case_, record, read, differences } = audit;
  const file = name === undefined ? "judgments.jsonl" : `judgments.${name}.jsonl`;
  try {
    const set = await readJudgments(record.path, name);
    if (set === undefined) {
      differences.push({ kind: "judgment", where: file, expected: "a file that can be read", seen: "none" });
      return undefined;
    }
    const before = differences.length;
    const { score, settled } = settleAndScore(case_, read, set);
    const again = await judgeAgain(audit, set, name, file);
    if (again !== undefined) compareJudgments(again, set, file, differences);
    // What holds the same and is written otherwise (lines in another order, a key twice) was touched all the same.
    const text = judgmentsText(again ?? set);
    if (differences.length === before) compareText(join(record.path, file), text, "judgment", file, differences);
    auditWitnesses(case_, score, settled, differences);
    compareScore(record, name, score, differences);
    return { score, settled };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({
      kind: error.code === "other_case" ? "contract" : "judgment",
      where: file,
      expected: "a set of this log and this contract",
      seen: error.message,
    });
    return undefined;
  }
}

/** The set as its judge must have made it; undefined where that cannot be told, which is a difference. */
async function judgeAgain(
  audit: SetToAudit,
  saved: JudgmentSet,
  name: string | undefined,
  file: string,
): Promise<JudgmentSet | undefined> {
  const { case: case_, read, differences } = audit;
  const judge = requireKnownJudge(saved.header.judge["name"], file);
  if (judge === "exact") return judgeRunExactly(case_, read);
  const auditor = audit.auditors.find((one) => one.name === judge);
  if (auditor === undefined) {
    const expected = "judgments that follow from the judge's answers";
    const seen = `not derived again: nobody here knows how those of the judge ${judge} follow`;
    differences.push({ kind: "judgment", where: file, expected, seen });
    return undefined;
  }
  const answers = await answersFor(audit, saved.header, name, file);
  if (!answers.ok) return undefined;
  const again = await auditor.rederive(case_, read, saved.header, answers.set);
  differences.push(...again.differences.slice(0, MOST));
  const { identities, judgments } = again;
  return { header: saved.header, ...(identities.length > 0 && { identities }), judgments };
}

type AnswersFound = { readonly ok: true; readonly set: AnswerSet | undefined } | { readonly ok: false };

/** The answers a set was read from, which must be to questions about this run. */
async function answersFor(
  { record, read, differences, answersRead }: SetToAudit,
  header: JudgmentHeader,
  name: string | undefined,
  judgments: string,
): Promise<AnswersFound> {
  const of = header.answers === undefined ? name : (header.answers ?? undefined);
  const file = of === undefined ? "answers.jsonl" : `answers.${of}.jsonl`;
  const before = differences.length;
  answersRead.add(of);
  const set = await readAnswers(record.path, of);
  if (set === undefined) {
    if (isIdle(read)) return { ok: true, set };
    const expected = `the answers that ${judgments} was read from`;
    differences.push({ kind: "judgment", where: file, expected, seen: "none" });
    return { ok: false };
  }
  // A judge that goes on cuts a torn line off before it writes judgments.
  if (set.tornBytes !== undefined) {
    const seen = `${set.tornBytes} bytes without an end`;
    differences.push({ kind: "judgment", where: `${file} last line`, expected: "whole lines", seen });
  }
  const pairs = [
    ["case", header.case, set.header.case],
    ["worldDigest", header.worldDigest, set.header.worldDigest],
    ["contractDigest", header.contractDigest, set.header.contractDigest],
    ["log", header.log, set.header.log],
    ["judge.name", header.judge["name"], set.header.judge["name"]],
    ["judge.model", header.judge["model"], set.header.judge["model"]],
  ] as const;
  for (const [path, expected, seen] of pairs) {
    if (expected === seen) continue;
    differences.push({
      kind: "judgment",
      where: `${file} ${path}`,
      expected: showJson(expected),
      seen: showJson(seen),
    });
  }
  const isOfThis = differences.slice(before).every(({ where }) => where === `${file} last line`);
  return isOfThis ? { ok: true, set } : { ok: false };
}

/** One vote on one item, or on who an entity is. */
function keyOf(line: Judgment | Identity): string {
  return line.vote === 1 ? subjectOf(line) : `${subjectOf(line)} vote ${line.vote}`;
}

function subjectOf(line: Judgment | Identity): string {
  return "entity" in line ? `who is ${line.entity}` : line.item;
}

function linesOf({ identities = [], judgments }: JudgmentSet): readonly (Judgment | Identity)[] {
  return [...identities, ...judgments];
}

/** Each verdict, binding and reason must be what it is when it is made again. */
function compareJudgments(again: JudgmentSet, saved: JudgmentSet, file: string, differences: Difference[]): void {
  for (const one of differencesOfJson(again.header, saved.header, MOST)) {
    differences.push({ kind: "judgment", where: `${file} ${one.path}`, expected: one.expected, seen: one.seen });
  }
  const byKey = new Map(linesOf(saved).map((one) => [keyOf(one), one]));
  for (const expected of linesOf(again)) {
    const seen = byKey.get(keyOf(expected));
    byKey.delete(keyOf(expected));
    if (seen !== undefined && sameJson(expected, seen)) continue;
    for (const one of differencesOfJson(expected, seen, 3)) {
      differences.push({
        kind: one.path.startsWith("triggers") ? "binding" : "judgment",
        where: `${file} ${subjectOf(expected)} ${one.path}`.trim(),
        expected: one.expected,
        seen: one.seen,
      });
    }
  }
  for (const [key, one] of byKey)
    differences.push({ kind: "judgment", where: `${file} ${key}`, expected: "no such judgment", seen: showJson(one) });
}

/** Every failed relation carries a witness that the second, independent checker accepts. */
function auditWitnesses(case_: Case, score: Score, settled: SettledRun, differences: Difference[]): void {
  const relations = new Map(case_.contract.rounds.flatMap((round) => round.relations).map((item) => [item.id, item]));
  const played = new Set(score.rounds.filter((round) => round.played).map(({ round }) => round));
  for (const item of score.items) {
    const relation = relations.get(item.id);
    if (relation === undefined || item.status === "pass" || !played.has(item.round)) continue;
    const check =
      item.witness === undefined
        ? undefined
        : checkWitness(relation, settled.held, settled.steps, settled.boundTo, item.witness);
    if (check?.accepted === true) continue;
    differences.push({
      kind: "relation",
      where: item.id,
      expected: "a witness that the independent checker accepts",
      seen: check === undefined ? "no witness" : check.why,
    });
  }
}
