/**
 * `answers.jsonl`, or `answers.<name>.jsonl` of a named set: a header, then every answer of a judge that is a model, in
 * the order in which they came. Append-only: what was paid for is on disk before anything is made of it.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { canonicalJson, idOf, sameJson } from "../runtime/index.ts";
import { syncFolder } from "./atomic-file.ts";
import { differencesOfJson } from "./difference.ts";
import { explainFsError, RecordError } from "./error.ts";
import { diskIo, type RecordIo } from "./io.ts";
import { describeIssues, faultOfJson, jsonObjectSchema } from "./json.ts";
import { judgeAnswerSchema, type JudgeAnswer } from "./judge-answer.ts";
import { LineAppender } from "./line-appender.ts";
import { readLines } from "./lines.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { digestSchema } from "./manifest.ts";
import { listNamed, namedPath } from "./named-file.ts";
import { findSecret } from "./secret.ts";

/** Line 1: who was asked about what. */
export const answerHeaderSchema = z.strictObject({
  v: z.literal(1),
  kind: z.literal("answers"),
  judge: jsonObjectSchema
    .refine((judge) => findSecret(judge) === undefined, "holds what looks like a secret, which no record may hold")
    .describe("Its name and everything that can change what it is asked"),
  case: idOf,
  worldDigest: digestSchema,
  contractDigest: digestSchema,
  log: digestSchema.describe("The hash of the last line of the log that is judged"),
});
export type AnswerHeader = z.infer<typeof answerHeaderSchema>;

export interface AnswerSet {
  readonly header: AnswerHeader;
  readonly answers: readonly JudgeAnswer[];
  /** Bytes of a torn last line, as a killed process leaves it; left out is none. */
  readonly tornBytes?: number;
}

export function answersPath(folder: string, name?: string): string {
  return namedPath(folder, "answers", "jsonl", name);
}

/** The names of the sets of answers of a run; undefined is the unnamed one. */
export function listAnswerSets(folder: string): readonly (string | undefined)[] {
  return listNamed(folder, "answers", "jsonl");
}

/**
 * Reads a set of answers; undefined where there is none, or nothing but the torn beginning of one. A torn last line, as a
 * killed process leaves it, is passed over. Throws `bad_file`, naming the line.
 */
export async function readAnswers(folder: string, name?: string): Promise<AnswerSet | undefined> {
  const path = answersPath(folder, name);
  if (!existsSync(path)) return undefined;
  const { header, answers, torn } = await readPrefix(path);
  return header && { header, answers, ...(torn > 0 && { tornBytes: torn }) };
}

/** A set of answers that this process may add to. It holds the run's folder until it is closed. */
export interface AnswerFile {
  readonly path: string;
  /** What was there when it was opened. */
  readonly answers: readonly JudgeAnswer[];
  /** The torn last line that a killed process left and that was cut off, in bytes; undefined where there was none. */
  readonly cutBytes: number | undefined;
  /**
   * Adds an answer; it is on disk when this returns. Throws `bad_entry` where it breaks its schema or its question, vote
   * and attempt are there already, `not_json`, `line_too_long`, `log_closed`, or a fault of the disk, after which the
   * file takes no more.
   */
  readonly append: (answer: JudgeAnswer) => void;
  /** Closes the file and lets go of the folder. Twice does nothing. */
  readonly close: () => void;
}

export interface AnswerFileOptions {
  /** Whether a line is on disk before `append` returns. Default true. */
  readonly sync?: boolean;
  readonly io?: RecordIo;
}

/**
 * Opens a set of answers to add to it, and makes it where there is none. Throws `locked`, `set_exists` where the set is of
 * another judge, log or contract, `bad_file`, or a fault of the disk.
 */
export async function openAnswers(
  folder: string,
  header: AnswerHeader,
  name?: string,
  options: AnswerFileOptions = {},
): Promise<AnswerFile> {
  const path = answersPath(folder, name);
  const checked = parseHeader(header, path);
  const lock = acquireLock(folder);
  try {
    return await openLocked(path, checked, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openLocked(
  path: string,
  header: AnswerHeader,
  lock: Lock,
  options: AnswerFileOptions,
): Promise<AnswerFile> {
  const io = options.io ?? diskIo;
  const isNew = !existsSync(path);
  const before: Prefix = isNew ? { answers: [], bytes: 0, torn: 0 } : await readPrefix(path);
  if (before.header !== undefined) requireSameHeader(path, before.header, header);
  let fd: number;
  try {
    fd = io.openSync(path, "a");
  } catch (error) {
    throw explainFsError(error, path, "it could not be opened for writing");
  }
  try {
    if (before.torn > 0) {
      io.ftruncateSync(fd, before.bytes);
      if (options.sync ?? true) io.fsyncSync(fd);
    }
    const lines = new LineAppender(path, fd, before.bytes, options);
    if (before.header === undefined) lines.append(canonicalJson(header));
    if (isNew) syncFolder(dirname(path), io);
    return makeHandle(path, before, lines, lock);
  } catch (error) {
    io.closeSync(fd);
    throw explainFsError(error, path, "it could not be opened for writing");
  }
}

function makeHandle(path: string, before: Prefix, lines: LineAppender, lock: Lock): AnswerFile {
  const keys = new Set(before.answers.map(keyOf));
  return {
    path,
    answers: before.answers,
    cutBytes: before.torn > 0 ? before.torn : undefined,
    append(answer) {
      const parsed = judgeAnswerSchema.safeParse(answer);
      if (!parsed.success) throw badEntry(path, `it is no answer of a judge: ${describeIssues(parsed.error)}`);
      const fault = faultOfJson(parsed.data);
      if (fault !== undefined) {
        throw new RecordError("not_json", {
          where: path,
          what: `${fault.path} of an answer is ${fault.fault}`,
          remedy: "This is a fault of the program",
          facts: { path: fault.path },
        });
      }
      if (keys.has(keyOf(answer))) throw badEntry(path, `${keyOf(answer)} is there already`);
      lines.append(canonicalJson(parsed.data));
      keys.add(keyOf(answer));
    },
    close() {
      lines.close();
      lock.release();
    },
  };
}

function keyOf({ question, vote, attempt }: JudgeAnswer): string {
  return `attempt ${attempt} of vote ${vote} on ${question}`;
}

interface Prefix {
  /** Undefined where the file does not even hold its first line. */
  readonly header?: AnswerHeader;
  readonly answers: readonly JudgeAnswer[];
  /** Of the complete lines. */
  readonly bytes: number;
  /** Of what follows them without a newline. */
  readonly torn: number;
}

async function readPrefix(path: string): Promise<Prefix> {
  let header: AnswerHeader | undefined;
  const answers: JudgeAnswer[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let torn = 0;
  for await (const { line, text, fault, start, end } of readLines(path)) {
    const where = `${path}:${line}`;
    if (fault?.kind === "torn") {
      torn = end - start;
      break;
    }
    if (text === undefined)
      throw badFile(where, `expected ${fault?.expected ?? "text"}, seen ${fault?.seen ?? "none"}`);
    const value = parseText(text, where);
    if (header === undefined) header = parseHeader(value, where);
    else answers.push(parseAnswer(value, where, seen));
    bytes = end;
  }
  return { ...(header && { header }), answers, bytes, torn };
}

function parseText(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badFile(where, "it is not JSON");
  }
}

function parseHeader(value: unknown, where: string): AnswerHeader {
  const parsed = answerHeaderSchema.safeParse(value);
  if (!parsed.success) throw badFile(where, `the header of answers is wrong: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

function parseAnswer(value: unknown, where: string, seen: Set<string>): JudgeAnswer {
  const parsed = judgeAnswerSchema.safeParse(value);
  if (!parsed.success) throw badFile(where, `it is no answer of a judge: ${describeIssues(parsed.error)}`);
  const notJson = faultOfJson(parsed.data);
  if (notJson !== undefined) throw badFile(where, `${notJson.path} is ${notJson.fault}`);
  const key = keyOf(parsed.data);
  if (seen.has(key)) throw badFile(where, `${key} comes twice`);
  seen.add(key);
  return parsed.data;
}

function requireSameHeader(path: string, saved: AnswerHeader, planned: AnswerHeader): void {
  if (sameJson(saved, planned)) return;
  const shown = differencesOfJson(planned, saved, 3).map(
    ({ path: at, expected, seen }) => `${at} is ${seen} there and ${expected} now`,
  );
  throw new RecordError("set_exists", {
    where: path,
    what: `it holds answers to other questions or of another judge: ${shown.join("; ")}`,
    remedy: "Judge with the settings it was begun with, or into a new set: --as NAME",
  });
}

function badEntry(where: string, what: string): RecordError {
  return new RecordError("bad_entry", { where, what, remedy: "This is a fault of the program" });
}

function badFile(where: string, what: string): RecordError {
  return new RecordError("bad_file", {
    where,
    what,
    remedy: "Judge the run again under another name (--as NAME), or restore the file from a copy",
  });
}
