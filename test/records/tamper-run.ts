/** A finished, judged and scored run of the horn case, and what a forger does to it. */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { worldOfTier } from "../../src/cases/index.ts";
import {
  auditRun,
  FIRST_PREV,
  judgeFolder,
  readRunFolder,
  RecordError,
  runIdOf,
  scoreFolder,
  sealLine,
  type LogBody,
  type RunRecord,
} from "../../src/records/index.ts";
import {
  applyConstruction,
  applyStepRecord,
  canonicalJson,
  digestOfWorld,
  type AcceptedStep,
  type Construction,
  type Tier,
} from "../../src/runtime/index.ts";
import { horn, playAndScore, planOf, tempFolder } from "../tracks/run-fixture.ts";

export const FILES = {
  log: "log.jsonl",
  manifest: "manifest.json",
  judgments: "judgments.jsonl",
  score: "score.json",
} as const;

/** JSON that a forger may change. */
export type Draft = Record<string, unknown>;

/** What lies at a path of keys and indices: `record.triggers.0`. */
export function at(value: unknown, path: string): Draft {
  const found = path.split(".").reduce<unknown>((part, key) => (part as Draft | undefined)?.[key], value);
  if (typeof found !== "object" || found === null) throw new Error(`nothing at ${path}`);
  return found as Draft;
}

/** Puts a value at a path where there is one already; a function is given what was there. */
export function put(value: unknown, path: string, next: unknown): void {
  const dot = path.lastIndexOf(".");
  const parent = dot === -1 ? (value as Draft) : at(value, path.slice(0, dot));
  const key = path.slice(dot + 1);
  parent[key] = typeof next === "function" ? (next as (before: unknown) => unknown)(parent[key]) : next;
}

const home = mkdtempSync(join(tmpdir(), "tamper-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
const honest = {
  reference: playAndScore(planOf(referenceAgent, "hard"), home),
  lexical: playAndScore(planOf(lexicalAgent, "easy"), home),
};

/** A copy of a run that was played honestly: of the reference at hard, or of `lexical`, which fails most items, at easy. */
export async function copyOfRun(agent: keyof typeof honest = "reference"): Promise<RunRecord> {
  const { record } = await honest[agent];
  const path = join(tempFolder(), record.id);
  cpSync(record.path, path, { recursive: true });
  return await readRunFolder(path);
}

export function textOf(record: RunRecord, file: string): string {
  return readFileSync(join(record.path, file), "utf8");
}

export function linesOf(record: RunRecord, file: string): readonly string[] {
  return textOf(record, file).trimEnd().split("\n");
}

export function writeLines(record: RunRecord, file: string, lines: readonly string[]): void {
  writeFileSync(join(record.path, file), lines.map((line) => `${line}\n`).join(""));
}

/** Changes one JSON file. */
export function editJson(record: RunRecord, file: string, edit: (value: Draft) => void): void {
  const value = JSON.parse(textOf(record, file)) as Draft;
  edit(value);
  writeFileSync(join(record.path, file), `${JSON.stringify(value, null, 2)}\n`);
}

/** Changes the judgments: line 0 is the header. */
export function editJudgments(record: RunRecord, edit: (lines: Draft[]) => void): void {
  const lines = linesOf(record, FILES.judgments).map((line) => JSON.parse(line) as Draft);
  edit(lines);
  writeLines(
    record,
    FILES.judgments,
    lines.map((line) => canonicalJson(line)),
  );
}

/** The judgment of an item. */
export function judgmentOf(lines: readonly Draft[], item: string): Draft {
  const found = lines.find((line) => line["item"] === item);
  if (found === undefined) throw new Error(`no judgment of ${item}`);
  return found;
}

/** Computes the world's digest anew at each call, as it would be if the world had done what the records say. */
export function fitDigests(bodies: readonly Draft[]): void {
  let world = worldOfTier(horn.world, at(bodies, "0.manifest")["tier"] as Tier);
  for (const body of bodies) {
    if (body["kind"] !== "call") continue;
    const record = body["record"] as Draft | undefined;
    if (record?.["kind"] === "accepted") world = applyStepRecord(world, record as unknown as AcceptedStep);
    if (record?.["kind"] === "construction") world = applyConstruction(world, record as unknown as Construction);
    const digest = digestOfWorld(world);
    body["digest"] = digest;
    if (record !== undefined && Object.hasOwn(record, "digest")) record["digest"] = digest;
  }
}

/**
 * The cleverer forger: changes the bodies of the log's lines, then computes every seq, prev and hash anew, writes a
 * manifest that fits, moves the folder where it belongs, and judges and scores the falsified run with our own tools
 * (which refuse where the world's digests do not follow from the writes).
 */
export async function forge(record: RunRecord, edit: (bodies: Draft[]) => void): Promise<RunRecord> {
  const bodies = linesOf(record, FILES.log).map((line) => {
    const { seq: _, prev: __, hash: ___, ...body } = JSON.parse(line) as Draft;
    return body;
  });
  edit(bodies);
  let prev = FIRST_PREV;
  const lines = bodies.map((body, seq) => {
    const sealed = sealLine((body["kind"] === "seal" ? { ...body, lines: seq } : body) as LogBody, seq, prev);
    prev = sealed.hash;
    return sealed.text;
  });
  writeLines(record, FILES.log, lines);
  editJson(record, FILES.manifest, (manifest) => Object.assign(manifest, at(bodies, "0.manifest")));
  const { manifest } = await readRunFolder(record.path);
  const path = join(dirname(record.path), runIdOf(manifest));
  renameSync(record.path, path);
  for (const file of [FILES.judgments, FILES.score]) rmSync(join(path, file));
  const forged = await readRunFolder(path);
  try {
    await judgeFolder(horn, forged);
    await scoreFolder(horn, forged);
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== "log_damaged") throw error;
  }
  return forged;
}

/** The body of the nth call of a log (from 1), and the line it stands on. */
export function callIn(
  bodies: readonly Draft[],
  tool: string,
  nth = 1,
): { readonly body: Draft; readonly line: number } {
  let count = 0;
  for (const [i, body] of bodies.entries()) {
    if (body["kind"] === "call" && body["tool"] === tool) count += 1;
    if (count === nth) return { body, line: i + 1 };
  }
  throw new Error(`no ${nth}. ${tool}`);
}

/** What an audit finds, each as `kind where`. */
export async function findings(record: RunRecord): Promise<readonly string[]> {
  const { ok, differences } = await auditRun(horn, await readRunFolder(record.path));
  if (ok !== (differences.length === 0)) throw new Error("ok contradicts the differences");
  return differences.map(({ kind, where }) => `${kind} ${where}`);
}
