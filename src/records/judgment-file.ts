/**
 * `judgments.jsonl`, or `judgments.<name>.jsonl` of a named set: a header, then one line an entity and vote where it had
 * to be settled who is who, then one line an item and vote.
 */
import { existsSync } from "node:fs";
import * as z from "zod";
import { identitySchema, judgmentSchema, type Identity, type Judgment } from "../contracts/index.ts";
import { canonicalJson, idOf } from "../runtime/index.ts";
import { RecordError } from "./error.ts";
import type { RecordIo } from "./io.ts";
import { describeIssues, faultOfJson, jsonObjectSchema } from "./json.ts";
import { readLines } from "./lines.ts";
import { digestSchema } from "./manifest.ts";
import { listNamed, namedPath, setNameSchema, writeNamed } from "./named-file.ts";
import { findSecret } from "./secret.ts";

/** Line 1: who judged what. A judgment holds for this log and this contract alone. */
export const judgmentHeaderSchema = z.strictObject({
  v: z.literal(1),
  kind: z.literal("judgments"),
  judge: jsonObjectSchema
    .refine((judge) => findSecret(judge) === undefined, "holds what looks like a secret, which no record may hold")
    .describe("Its name and everything that can change what it says"),
  case: idOf,
  worldDigest: digestSchema,
  contractDigest: digestSchema,
  log: digestSchema.describe("The hash of the last line of the log that was judged"),
  answers: setNameSchema
    .nullable()
    .optional()
    .describe("The set of answers it was read from, where that has another name; null is the unnamed one"),
});
export type JudgmentHeader = z.infer<typeof judgmentHeaderSchema>;

/** One set of judgments. An item, as an entity, may have several votes, each once. */
export interface JudgmentSet {
  readonly header: JudgmentHeader;
  /** Who is who, where the judged world has ids of its own; left out is none. */
  readonly identities?: readonly Identity[];
  readonly judgments: readonly Judgment[];
}

export function judgmentPath(folder: string, name?: string): string {
  return namedPath(folder, "judgments", "jsonl", name);
}

/**
 * Writes a set of judgments and returns its path. Throws `set_exists` where another set lies there already,
 * `bad_file` for a judgment that breaks its schema or comes twice.
 */
export function writeJudgments(folder: string, set: JudgmentSet, name?: string, io?: RecordIo): string {
  const path = judgmentPath(folder, name);
  const lines: unknown[] = [parseHeader(set.header, path)];
  const seen = new Set<string>();
  for (const identity of set.identities ?? []) lines.push(parseIdentity(identity, `${path}:${lines.length + 1}`, seen));
  for (const judgment of set.judgments) lines.push(parseJudgment(judgment, `${path}:${lines.length + 1}`, seen));
  writeNamed(
    path,
    textOfLines(lines),
    "Judge into another set (--as NAME); nothing that was judged is overwritten",
    io,
  );
  return path;
}

/** A set of judgments as its file holds it. */
export function judgmentsText(set: JudgmentSet): string {
  return textOfLines([set.header, ...(set.identities ?? []), ...set.judgments]);
}

function textOfLines(lines: readonly unknown[]): string {
  return lines.map((line) => `${canonicalJson(line)}\n`).join("");
}

/** Reads a set of judgments; undefined where there is none. Throws `bad_file`, naming the line. */
export async function readJudgments(folder: string, name?: string): Promise<JudgmentSet | undefined> {
  const path = judgmentPath(folder, name);
  if (!existsSync(path)) return undefined;
  let header: JudgmentHeader | undefined;
  const identities: Identity[] = [];
  const judgments: Judgment[] = [];
  const seen = new Set<string>();
  for await (const { line, text, fault } of readLines(path)) {
    const where = `${path}:${line}`;
    if (text === undefined)
      throw badFile(where, `expected ${fault?.expected ?? "text"}, seen ${fault?.seen ?? "none"}`);
    const value = parseText(text, where);
    if (header === undefined) header = parseHeader(value, where);
    else if (!isIdentity(value)) judgments.push(parseJudgment(value, where, seen));
    else if (judgments.length === 0) identities.push(parseIdentity(value, where, seen));
    else throw badFile(where, "who is who stands before all judgments on items, and this stands after one");
  }
  if (header === undefined) throw badFile(path, "it is empty");
  return { header, ...(identities.length > 0 && { identities }), judgments };
}

/** The names of the judgment sets of a run; undefined is the unnamed one. */
export function listJudgmentSets(folder: string): readonly (string | undefined)[] {
  return listNamed(folder, "judgments", "jsonl");
}

function isIdentity(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "identity";
}

function parseText(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badFile(where, "it is not JSON");
  }
}

function parseHeader(value: unknown, where: string): JudgmentHeader {
  const parsed = judgmentHeaderSchema.safeParse(value);
  if (!parsed.success) throw badFile(where, `the header of judgments is wrong: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

/** `seen` gathers the items and votes so far. */
function parseJudgment(value: unknown, where: string, seen: Set<string>): Judgment {
  const parsed = judgmentSchema.safeParse(value);
  if (!parsed.success) throw badFile(where, `it is no judgment: ${describeIssues(parsed.error)}`);
  requireNew(parsed.data, parsed.data.item, where, seen);
  return parsed.data;
}

function parseIdentity(value: unknown, where: string, seen: Set<string>): Identity {
  const parsed = identitySchema.safeParse(value);
  if (!parsed.success) throw badFile(where, `it is no judgment on who is who: ${describeIssues(parsed.error)}`);
  requireNew(parsed.data, `who is ${parsed.data.entity}`, where, seen);
  return parsed.data;
}

function requireNew(line: { readonly vote: number }, subject: string, where: string, seen: Set<string>): void {
  const notJson = faultOfJson(line);
  if (notJson !== undefined) throw badFile(where, `${notJson.path} is ${notJson.fault}`);
  const key = `${subject} ${line.vote}`;
  if (seen.has(key)) throw badFile(where, `vote ${line.vote} on ${subject} comes twice`);
  seen.add(key);
}

function badFile(where: string, what: string): RecordError {
  return new RecordError("bad_file", {
    where,
    what,
    remedy: "Judge the run again under another name (--as NAME), or restore the file from a copy",
  });
}
