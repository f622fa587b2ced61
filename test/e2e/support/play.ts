/** Runs of a scripted model, with what their records came to. */
import { loadCase, printFault, type Case } from "../../../src/cases/index.ts";
import type { Score } from "../../../src/contracts/index.ts";
import { applyFindings, runPreflight } from "../../../src/endpoint/index.ts";
import {
  judgeFolder,
  readRunFolder,
  scoreFolder,
  type LogEntry,
  type Outcome,
  type Quirk,
} from "../../../src/records/index.ts";
import type { Tier } from "../../../src/runtime/index.ts";
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

/** Plays a run into `folder` and judges it. */
export async function playModel(case_: Case, tier: Tier, asked: Asked, folder: string): Promise<Came> {
  const result = await play(planOf(agentOf(asked), tier, case_), folder);
  const record = await readRunFolder(result.path);
  const judged = await judgeFolder(case_, record);
  const score = judged.ok ? await scoreFolder(case_, record) : undefined;
  const entries = await entriesOf(result.path);
  return {
    outcome: result.outcome,
    score: score && sayScore(score),
    isWhole: score !== undefined && [score.completion, score.relation].every((rate) => rate.passed === rate.scored),
    tolerated: toleratedIn(entries),
    entries,
    path: result.path,
  };
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
