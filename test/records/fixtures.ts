import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import {
  diskIo,
  openLogWriter,
  RecordError,
  withoutTime,
  type AnswerBody,
  type JournalBody,
  type LogBody,
  type LoggedLine,
  type Manifest,
  type RecordedRun,
  type RecordErrorCode,
  type RecordIo,
  type Usage,
} from "../../src/records/index.ts";
import { triggerId } from "../../src/runtime/index.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "records-"));
  folders.push(folder);
  return folder;
}

export const DIGEST_A = "a".repeat(64);
export const DIGEST_B = "b".repeat(64);

export const manifest: Extract<Manifest, { track: "maintenance" }> = {
  v: 1,
  track: "maintenance",
  case: "mill_001",
  tier: "hard",
  worldDigest: DIGEST_A,
  repeat: 1,
  agent: { name: "last-change", settings: { maxTokens: 4096, prompt: "keep the mill running" } },
  budgets: { callsPerRound: [52, 40] },
  packageVersion: "0.1.0",
  gitCommit: null,
  nodeVersion: "20.20.2",
  platform: "linux-x64",
  start: "2025-01-02T03:04:05.678Z",
};

const acceptedStep: LogBody = {
  kind: "call",
  tool: "commit_step",
  input: { triggers: [{ capability: "grind", args: { sacks: 2.5 } }] },
  answer: { ok: true, clock: 4 },
  record: {
    kind: "accepted",
    step: 1,
    round: 1,
    start: 3,
    clock: 4,
    advance: 0,
    triggers: [
      {
        id: triggerId(1, 1),
        capability: "grind",
        version: 1,
        args: { sacks: 2.5 },
        start: 3,
        end: 4,
        reads: ["bin.flour"],
        writes: [{ kind: "add", path: "bin.flour", before: 1, after: 3.5, by: 2.5 }],
      },
    ],
    digest: DIGEST_B,
  },
  digest: DIGEST_B,
};

/** A line of each kind that an agent keeps beside its calls. */
export const journalBodies: readonly JournalBody[] = [
  { kind: "message", role: "user", text: "go on: “ça va”\n 𝄞" },
  answerBody(1, { input: 90, cachedInput: 10, output: 20, reasoning: 3, total: 123 }),
  {
    kind: "fault",
    request: 2,
    fault: { kind: "server_error", status: 503, code: null, message: "no worker is free" },
    attempts: [{ fault: { kind: "timeout", status: null, code: null, message: "60 s" }, waitMs: 1500 }],
  },
  { kind: "fold", calls: [1, 2], why: "window" },
];

/** An answer with one call in it. */
export function answerBody(request: number, usage: Usage | null, more: Partial<AnswerBody> = {}): AnswerBody {
  return {
    kind: "answer",
    request,
    message: {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `call_${request}`, type: "function", function: { name: "get_context", arguments: "{}" } }],
    },
    finish: "tool_calls",
    model: "tester-1",
    usage,
    tolerated: [],
    attempts: [],
    adapted: [],
    ...more,
  };
}

/** `count` bodies after the manifest: calls with and without records, lines of the journal, notes; text beyond ASCII. */
export function sampleBodies(count: number): readonly LogBody[] {
  const kinds: readonly ((i: number) => LogBody)[] = [
    (i) => ({
      kind: "call",
      tool: "read_data",
      input: { from: "map", page: i },
      answer: { ok: true, rows: [i, 0.5, null] },
      digest: DIGEST_A,
    }),
    (i) => ({ kind: "message", role: "user", text: `line ${i}: “ça va”\n 𝄞` }),
    () => acceptedStep,
    (i) => journalBodies[i % journalBodies.length] as JournalBody,
    () => ({
      kind: "call",
      tool: "commit_stp",
      refused: { code: "unknown_tool", message: "there is no tool commit_stp", hint: 'did you mean "commit_step"?' },
      answer: { ok: false },
      digest: DIGEST_B,
    }),
    (i) => ({ kind: "note", text: `note ${i}` }),
  ];
  return Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] as (i: number) => LogBody)(i));
}

/** Writes a log of the manifest and `bodies`, sealed where asked, and returns its bytes. */
export async function writeLog(path: string, bodies: readonly LogBody[], seal = false): Promise<Buffer> {
  const log = await openLogWriter(path, { sync: false });
  log.append({ kind: "manifest", manifest: withoutTime(manifest) });
  for (const body of bodies) log.append(body);
  if (seal) log.seal();
  log.close();
  return readFileSync(path);
}

/** The lines of a log, without their newlines. */
export function linesOf(bytes: Buffer): readonly string[] {
  return bytes.toString("utf8").trimEnd().split("\n");
}

/** Takes everything that was logged before a run was taken up. */
export function takeLogged(run: RecordedRun): readonly LoggedLine[] {
  const lines: LoggedLine[] = [];
  for (let line = run.takeNext(); line !== undefined; line = run.takeNext()) lines.push(line);
  return lines;
}

/** All that a generator yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The RecordError that `act` throws, which must have this code. */
export async function thrown(code: RecordErrorCode, act: () => unknown): Promise<RecordError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof RecordError && error.code === code) return error;
    throw error;
  }
  throw new Error(`nothing was thrown; expected ${code}`);
}

/** The disk, but that `call` fails with `errno`, from its `nth` use on. */
export function failingIo(call: keyof RecordIo, errno: string, nth = 1): RecordIo {
  let uses = 0;
  const real = diskIo[call] as (...args: readonly unknown[]) => unknown;
  const failing = (...args: readonly unknown[]): unknown => {
    uses += 1;
    if (uses >= nth) throw Object.assign(new Error(`${errno}: made up`), { code: errno });
    return real(...args);
  };
  return { ...diskIo, [call]: failing };
}
