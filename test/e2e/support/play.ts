/** Runs of a scripted model, with what their records came to. */
import { loadCase, printFault, type Case } from "../../../src/cases/index.ts";
import type { Score } from "../../../src/contracts/index.ts";
import { applyFindings, runPreflight } from "../../../src/endpoint/index.ts";
import {
  judgeFolder,
  listRuns,
  readRunFolder,
  scoreFolder,
  type LogEntry,
  type Outcome,
  type Quirk,
} from "../../../src/records/index.ts";
import { digestOf, type Tier } from "../../../src/runtime/index.ts";
import { entriesOf, planOf, play } from "../../tracks/run-fixture.ts";
import { agentOf, surroundingsOf, type Asked } from "./model.ts";

export function caseAt(directory: string): Case {
  const loaded = loadCase(directory);
  if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
  return loaded.value;
}

/** What a run came to, as the tests compare it. */
export interface Came {
  readonly outcome: Outcome;
  /** Passed of scored items, and held of all relations, by the exact judge; undefined where nothing was judged. */
  readonly score: readonly [completion: string, relation: string] | undefined;
  /** Whether all items passed and all relations held. */
  readonly isWhole: boolean;
  /** What was put up with, sorted, without what comes with every answer of the scripted endpoint. */
  readonly tolerated: readonly Quirk[];
  readonly entries: readonly LogEntry[];
  readonly path: string;
}

/** Plays a run into `folder` and judges it, unless told not to: that is most of the work. */
export async function playModel(
  case_: Case,
  tier: Tier,
  asked: Asked,
  folder: string,
  { judged = true }: { readonly judged?: boolean } = {},
): Promise<Came> {
  const { outcome, path } = await play(planOf(agentOf(asked), tier, case_), folder);
  const score = judged ? await scoreAt(case_, path) : undefined;
  const entries = await entriesOf(path);
  return {
    outcome,
    score: score && sayScore(score),
    isWhole: score !== undefined && [score.completion, score.relation].every(({ passed, scored }) => passed === scored),
    tolerated: toleratedIn(entries),
    entries,
    path,
  };
}

/** Judges a run by the exact judge; undefined where it does not judge it. */
export async function scoreAt(case_: Case, path: string): Promise<Score | undefined> {
  const record = await readRunFolder(path);
  const judged = await judgeFolder(case_, record);
  return judged.ok ? await scoreFolder(case_, record) : undefined;
}

/** The digest of the world after the last call. */
export function lastWorld(entries: readonly LogEntry[]): string | undefined {
  return entries.findLast((entry) => entry.kind === "call")?.digest;
}

/** Names every call of a run with its answer and its effect: runs of one name have one score. */
export async function traceOf(path: string): Promise<string> {
  const calls = (await entriesOf(path)).flatMap((entry) => {
    if (entry.kind !== "call") return [];
    const { seq: _seq, prev: _prev, hash: _hash, ...call } = entry;
    return [call];
  });
  return digestOf(calls);
}

/**
 * The score of the runs of a set, by tier. All of a tier must have been finished and played alike, call by call: then one
 * of them stands for all.
 */
export async function scoresIn(case_: Case, set: string): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const played = new Map<string, Set<string>>();
  const scores: Record<string, readonly [string, string]> = {};
  for (const { path, id, outcome } of await listRuns(set)) {
    const tier = id.split(".")[1] ?? "";
    if (outcome !== "finished") throw new Error(`${path} is ${outcome ?? "not finished"}`);
    const traces = played.get(tier) ?? new Set();
    played.set(tier, traces.add(await traceOf(path)));
    if (traces.size > 1) throw new Error(`${path} was played otherwise than the runs before it`);
    if (scores[tier] !== undefined) continue;
    const score = await scoreAt(case_, path);
    if (score !== undefined) scores[tier] = sayScore(score);
  }
  return scores;
}

/** Settings with what a preflight of that model finds put in. */
export async function afterPreflight(asked: Asked): Promise<Asked> {
  const stop = new AbortController().signal;
  const preflight = await runPreflight(asked.endpoint, asked.model, surroundingsOf(), { stop });
  if (preflight === undefined) throw new Error("the preflight was stopped");
  return { ...asked, model: applyFindings(asked.model, preflight.found) };
}

export function sayScore({ completion, relation }: Score): readonly [string, string] {
  return [`${completion.passed}/${completion.scored}`, `${relation.passed}/${relation.scored}`];
}

/** Every answer of the scripted endpoint carries a serial, which is kept and sent back. */
const ALWAYS: ReadonlySet<Quirk> = new Set(["unknown_fields_kept"]);

function toleratedIn(entries: readonly LogEntry[]): readonly Quirk[] {
  const all = entries.flatMap((entry) => (entry.kind === "answer" ? entry.tolerated.map(({ quirk }) => quirk) : []));
  return [...new Set(all)].filter((quirk) => !ALWAYS.has(quirk)).sort();
}
