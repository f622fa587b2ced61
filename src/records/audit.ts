/**
 * Audit = chain + replay + digests + every binding + relations recomputed + score recomputed, each compared with what
 * was saved. Nothing that lies in the folder is trusted.
 */
import { join } from "node:path";
import { scenarioOf, type Case } from "../cases/index.ts";
import { checkWitness, settleRun, type Judgment, type Score, type SettledRun } from "../contracts/index.ts";
import { sameJson } from "../runtime/index.ts";
import { differencesOfJson, showJson, type Difference } from "./difference.ts";
import { RecordError } from "./error.ts";
import { listJudgmentSets, readJudgments, type JudgmentSet } from "./judgment-file.ts";
import { checkLog } from "./log-reader.ts";
import { withoutTime } from "./manifest.ts";
import { Replayer } from "./replay.ts";
import { LOG_FILE, type RunRecord } from "./run-folder.ts";
import { listScores, readScore } from "./score-file.ts";
import { faultOfExact, judgeRunExactly, readRun, scoreOf, type ReadRun } from "./score-run.ts";

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
    differences.push({ kind: "world", where: "manifest.json worldDigest", expected: case_.worldDigest, seen: record.manifest.worldDigest });
    return finish(record, differences);
  }
  const sound = await auditLog(case_, record, differences);
  if (!sound) return finish(record, differences);
  let read: ReadRun;
  try {
    read = await readRun(case_, record);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({ kind: "replay", where: error.where, expected: "a log that fits its case", seen: error.message });
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
  return { run: record.id, ok: differences.length === 0, differences, scores: [], settled: undefined, read: undefined, ...more };
}

/** Chain, manifest and replay. Returns whether the log is sound enough to be judged again. */
async function auditLog(case_: Case, record: RunRecord, differences: Difference[]): Promise<boolean> {
  const { manifest } = record;
  if (manifest.track !== "maintenance") throw new Error(`auditRun: track ${manifest.track}`);
  const replayer = new Replayer(scenarioOf(case_, manifest.tier));
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => {
    if (entry.kind === "manifest" && !sameJson(entry.manifest, withoutTime(manifest))) {
      for (const one of differencesOfJson(entry.manifest, withoutTime(manifest), 5)) {
        differences.push({ kind: "manifest", where: `manifest.json ${one.path}`, expected: one.expected, seen: one.seen });
      }
    }
    if (replayer.differences.length === 0) replayer.take(entry);
  });
  for (const fault of check.faults.slice(0, MOST)) {
    differences.push({ kind: "chain", where: `${fault.file}:${fault.line}`, expected: fault.expected, seen: `${fault.kind}: ${fault.seen}` });
  }
  if (!check.sealed && check.faults.length === 0) {
    differences.push({ kind: "chain", where: LOG_FILE, expected: "a seal on the last line", seen: "an unfinished run: resume it, or it is not to be compared" });
  }
  // What a damaged log replays to follows from the damage.
  if (check.faults.length === 0) differences.push(...replayer.differences.slice(0, MOST));
  return check.faults.length === 0 && replayer.differences.length === 0;
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
    if (set === undefined) return undefined;
    if (set.header.judge["name"] === "exact") compareJudgments(judgeAgain(case_, read), set, file, differences);
    const score = scoreOf(case_, read, set);
    const settled = settleRun({ contract: case_.contract, trace: read.trace, judgments: set.judgments, roundsPlayed: read.roundsPlayed });
    auditWitnesses(case_, score, settled, differences);
    compareScore(record, name, score, differences);
    return { score, settled };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    differences.push({ kind: error.code === "other_case" ? "contract" : "judgment", where: file, expected: "a set of this log and this contract", seen: error.message });
    return undefined;
  }
}

function judgeAgain(case_: Case, read: ReadRun): JudgmentSet | undefined {
  return faultOfExact(read) === undefined ? judgeRunExactly(case_, read) : undefined;
}

/** The exact judge judges again: each verdict, binding and reason must be what it was. */
function compareJudgments(again: JudgmentSet | undefined, saved: JudgmentSet, file: string, differences: Difference[]): void {
  if (again === undefined) {
    differences.push({ kind: "judgment", where: file, expected: "another judge than exact: it cannot judge this run", seen: "exact" });
    return;
  }
  const byItem = new Map<string, Judgment>(saved.judgments.map((one) => [one.item, one]));
  for (const expected of again.judgments) {
    const seen = byItem.get(expected.item);
    byItem.delete(expected.item);
    if (seen !== undefined && sameJson(expected, seen)) continue;
    for (const one of differencesOfJson(expected, seen, 3)) {
      differences.push({ kind: one.path.startsWith("triggers") ? "binding" : "judgment", where: `${file} ${expected.item} ${one.path}`.trim(), expected: one.expected, seen: one.seen });
    }
  }
  for (const item of byItem.keys()) differences.push({ kind: "judgment", where: `${file} ${item}`, expected: "no such judgment", seen: showJson(byItem.get(item)) });
}

/** Every failed relation carries a witness that the second, independent checker accepts. */
function auditWitnesses(case_: Case, score: Score, settled: SettledRun, differences: Difference[]): void {
  const relations = new Map(case_.contract.rounds.flatMap((round) => round.relations).map((item) => [item.id, item]));
  const played = new Set(score.rounds.filter((round) => round.played).map(({ round }) => round));
  for (const item of score.items) {
    const relation = relations.get(item.id);
    if (relation === undefined || item.status === "pass" || !played.has(item.round)) continue;
    const check = item.witness === undefined ? undefined : checkWitness(relation, settled.held, settled.steps, settled.boundTo, item.witness);
    if (check?.accepted === true) continue;
    differences.push({ kind: "relation", where: item.id, expected: "a witness that the independent checker accepts", seen: check === undefined ? "no witness" : check.why });
  }
}

function compareScore(record: RunRecord, name: string | undefined, score: Score, differences: Difference[]): void {
  const file = name === undefined ? "score.json" : `score.${name}.json`;
  const saved = readScore(record.path, name);
  if (saved === undefined) return;
  for (const one of differencesOfJson(JSON.parse(JSON.stringify(score)), saved, MOST)) {
    differences.push({ kind: "score", where: `${file} ${one.path}`, expected: one.expected, seen: one.seen });
  }
}

/** A score without the judgments it was made of cannot be checked. */
function auditOrphans(record: RunRecord, differences: Difference[]): void {
  const sets = listJudgmentSets(record.path);
  for (const name of listScores(record.path)) {
    if (sets.includes(name)) continue;
    differences.push({ kind: "score", where: name === undefined ? "score.json" : `score.${name}.json`, expected: "judgments of the same name", seen: "none" });
  }
}
