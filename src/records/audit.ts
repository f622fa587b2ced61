/**
 * Audit = chain + replay + digests + every binding + relations recomputed + score recomputed, each compared with what
 * was saved. Nothing that lies in the folder is trusted.
 */
import { join } from "node:path";
import { scenarioOf, type Case } from "../cases/index.ts";
import { checkWitness, settleRun, type Judgment, type Score, type SettledRun } from "../contracts/index.ts";
import { outcomeOf, sameJson, type Json, type Scenario, type Session } from "../runtime/index.ts";
import { differencesOfJson, showJson, type Difference } from "./difference.ts";
import type { LogEntry } from "./entry.ts";
import { RecordError } from "./error.ts";
import { readIfThere } from "./atomic-file.ts";
import { judgmentsText, listJudgmentSets, readJudgments, type JudgmentSet } from "./judgment-file.ts";
import { checkLog } from "./log-reader.ts";
import { withoutTime } from "./manifest.ts";
import { Replayer } from "./replay.ts";
import { LOG_FILE, MANIFEST_FILE, prettyManifest, type RunRecord } from "./run-folder.ts";
import { listScores, readScore, scoreText } from "./score-file.ts";
import { faultOfExact, judgeRunExactly, marksFor, readRun, scoreOf, type ReadRun } from "./score-run.ts";

export interface RunAudit {
  readonly run: string;
  readonly ok: boolean;
  readonly differences: readonly Difference[];
  /** The scores recomputed, by set; undefined is the unnamed one. */
  readonly scores: readonly { readonly set: string | undefined; readonly score: Score }[];
  readonly settled: SettledRun | undefined;
  readonly read: ReadRun | undefined;
}

/** Differences of one kind that are listed one by one. */
const MOST = 20;

/** Audits a run's folder against its case. */
export async function auditRun(case_: Case, record: RunRecord): Promise<RunAudit> {
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
  for (const name of listJudgmentSets(record.path)) {
    const audited = await auditSet(case_, record, read, name, differences);
    if (audited === undefined) continue;
    scores.push({ set: name, score: audited.score });
    settled ??= audited.settled;
  }
  auditOrphans(record, differences);
  return finish(record, differences, { scores, settled, read });
}

function finish(record: RunRecord, differences: readonly Difference[], more?: Partial<RunAudit>): RunAudit {
  return {
    run: record.id,
    ok: differences.length === 0,
    differences,
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
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => {
    if (entry.kind === "outcome") ends.push(entry);
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
  if (!check.sealed && check.faults.length === 0) {
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

async function auditSet(
  case_: Case,
  record: RunRecord,
  read: ReadRun,
  name: string | undefined,
  differences: Difference[],
): Promise<{ readonly score: Score; readonly settled: SettledRun } | undefined> {
  const file = name === undefined ? "judgments.jsonl" : `judgments.${name}.jsonl`;
  let set: JudgmentSet | undefined;
  try {
    set = await readJudgments(record.path, name);
    if (set === undefined) {
      differences.push({ kind: "judgment", where: file, expected: "a file that can be read", seen: "none" });
      return undefined;
    }
    const before = differences.length;
    const score = scoreOf(case_, read, set);
    const again = judgeAgain(case_, read);
    compareJudgments(again, set, file, differences);
    // What holds the same and is written otherwise (lines in another order, a key twice) was touched all the same.
    const text = judgmentsText(again ?? set);
    if (differences.length === before) compareText(join(record.path, file), text, "judgment", file, differences);
    const settled = settleRun({
      contract: case_.contract,
      trace: read.trace,
      judgments: set.judgments,
      roundsPlayed: read.roundsPlayed,
      marks: marksFor(case_, read),
    });
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

/** One vote on one item. */
function keyOf({ item, vote }: Judgment): string {
  return vote === 1 ? item : `${item} vote ${vote}`;
}

function judgeAgain(case_: Case, read: ReadRun): JudgmentSet | undefined {
  return faultOfExact(read) === undefined ? judgeRunExactly(case_, read) : undefined;
}

/** The exact judge judges again: each verdict, binding and reason must be what it was. */
function compareJudgments(
  again: JudgmentSet | undefined,
  saved: JudgmentSet,
  file: string,
  differences: Difference[],
): void {
  if (again === undefined) {
    differences.push({
      kind: "judgment",
      where: file,
      expected: "another judge than exact: it cannot judge this run",
      seen: "exact",
    });
    return;
  }
  for (const one of differencesOfJson(again.header, saved.header, MOST)) {
    differences.push({ kind: "judgment", where: `${file} ${one.path}`, expected: one.expected, seen: one.seen });
  }
  const byKey = new Map<string, Judgment>(saved.judgments.map((one) => [keyOf(one), one]));
  for (const expected of again.judgments) {
    const seen = byKey.get(keyOf(expected));
    byKey.delete(keyOf(expected));
    if (seen !== undefined && sameJson(expected, seen)) continue;
    for (const one of differencesOfJson(expected, seen, 3)) {
      differences.push({
        kind: one.path.startsWith("triggers") ? "binding" : "judgment",
        where: `${file} ${expected.item} ${one.path}`.trim(),
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

function compareScore(record: RunRecord, name: string | undefined, score: Score, differences: Difference[]): void {
  const file = name === undefined ? "score.json" : `score.${name}.json`;
  const saved = readSavedScore(record, name, file, differences);
  if (saved === undefined) return;
  const plain = JSON.parse(JSON.stringify(score)) as Json;
  const found = differencesOfJson(plain, saved, MOST);
  for (const one of found) {
    differences.push({ kind: "score", where: `${file} ${one.path}`, expected: one.expected, seen: one.seen });
  }
  if (found.length === 0) compareText(join(record.path, file), scoreText(plain), "score", file, differences);
}

/** Names the first line in which a file differs from what it should be to the byte. */
function compareText(
  path: string,
  expected: string,
  kind: Difference["kind"],
  file: string,
  differences: Difference[],
): void {
  const seen = readIfThere(path);
  if (seen === expected || seen === undefined) return;
  const [wanted, found] = [expected.split("\n"), seen.split("\n")];
  const line = wanted.findIndex((text, i) => text !== found[i]);
  const at = line === -1 ? wanted.length : line;
  differences.push({ kind, where: `${file}:${at + 1}`, expected: showJson(wanted[at]), seen: showJson(found[at]) });
}

/** A score that cannot be read is a difference of the score, not of the judgments. */
function readSavedScore(
  record: RunRecord,
  name: string | undefined,
  file: string,
  differences: Difference[],
): Json | undefined {
  try {
    return readScore(record.path, name);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({ kind: "score", where: file, expected: "a score in JSON", seen: error.message });
    return undefined;
  }
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
