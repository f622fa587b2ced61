import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEntries } from "../../src/records/index.ts";
import { tempFolder } from "./run-fixture.ts";
import { bundleChild, startChild } from "./run-process.ts";

const LEAST_KILLS = 50;
/** Of the built command, which is slow to start and quick to play. */
const COMMAND_KILLS = 8;
/** How long a new call takes, and the longest a process lives after the moment its life is counted from, in milliseconds. */
const CALL_MS = 15;
const LONGEST_LIFE_MS = 60;
/** How many are killed while they still read what is there, and not after their first new call. */
const EARLY = 0.3;
const SEED = Number(process.env["KILL_SEED"] ?? 20250102);

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kill-"));
  bundle = await bundleChild(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Mulberry32: numbers from 0 to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Finished {
  readonly log: Buffer;
  readonly judgments: string;
  readonly score: string;
  /** The digest of the world after the last call. */
  readonly digest: string;
}

async function readFinished(set: string, run: string): Promise<Finished> {
  const path = join(set, run);
  let digest = "";
  for await (const entry of readEntries(join(path, "log.jsonl"))) if (entry.kind === "call") digest = entry.digest;
  const text = (file: string): string => readFileSync(join(path, file), "utf8");
  return {
    log: readFileSync(join(path, "log.jsonl")),
    judgments: text("judgments.jsonl"),
    score: text("score.json"),
    digest,
  };
}

/**
 * Starts processes over one run until one of them gets to its end, and kills them, at most `most`. Returns how many
 * were killed alive.
 * Most lives are counted from their first new call: what is replayed before takes a slow machine longer than a life.
 */
async function killUntilDone(
  set: string,
  agent: string,
  tier: string,
  most: number,
  random: () => number,
): Promise<number> {
  for (let kills = 0; ;) {
    const child = startChild(bundle, set, agent, tier, kills < most ? CALL_MS : 0);
    await child.said(random() < EARLY ? "begun" : "call");
    const timer =
      kills < most ? setTimeout(() => child.process.kill("SIGKILL"), random() * LONGEST_LIFE_MS) : undefined;
    const end = await child.ended;
    clearTimeout(timer);
    if (end === "SIGKILL") kills += 1;
    else if (end === 0) return kills;
    else throw new Error(`the child ended with ${end}: ${child.lines.join(" / ")}`);
  }
}

/** Compares runs that were killed with one that was left alone, until `least` processes were killed. */
async function compareKilled(agent: string, tier: string, least: number, random: () => number): Promise<number> {
  const run = `horn.${tier}.${agent}.1`;
  const calm = tempFolder();
  const alone = startChild(bundle, calm, agent, tier, 0);
  expect([await alone.ended, alone.lines]).toEqual([0, ["begun", "call", "done"]]);
  const expected = await readFinished(calm, run);
  let kills = 0;
  while (kills < least) {
    const killed = tempFolder();
    kills += await killUntilDone(killed, agent, tier, least - kills, random);
    const seen = await readFinished(killed, run);
    expect(seen.digest).toBe(expected.digest);
    expect(seen.score).toBe(expected.score);
    expect(seen.judgments).toBe(expected.judgments);
    expect(seen.log.equals(expected.log)).toBe(true);
    // What dead processes held is let go of.
    expect(readdirSync(join(killed, run)).filter((file) => file.startsWith("lock."))).toEqual([]);
  }
  return kills;
}

it(`RC3 RC4 runs killed at ${LEAST_KILLS} random moments end with the bytes of runs that were left alone (KILL_SEED=${SEED})`, async () => {
  const plans = [
    ["lexical", "easy"],
    ["reference", "hard"],
    ["reference", "extreme"],
  ] as const;
  const least = Math.ceil(LEAST_KILLS / plans.length);
  // Most of the time goes into starting processes, so several runs go on at once.
  const kills = await Promise.all(
    plans.map(([agent, tier], i) => compareKilled(agent, tier, least, randomFrom(SEED + i))),
  );
  expect(kills.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(LEAST_KILLS);
}, 240_000);

function runsIn(set: string): readonly string[] {
  return readdirSync(set).filter((name) => name.startsWith("horn."));
}

/** The bytes of every record in a set, by name; the manifests, which hold times, left out. */
function bytesOfSet(set: string): Readonly<Record<string, string>> {
  const files = runsIn(set).flatMap((run) =>
    ["log.jsonl", "judgments.jsonl", "score.json"].map((file) => join(run, file)),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(set, file), "utf8")]));
}

/** Bytes of all logs that are there. */
function sizeOfLogs(set: string): number {
  if (!existsSync(set)) return 0;
  const logs = runsIn(set).map((run) => join(set, run, "log.jsonl"));
  return logs.reduce((sum, log) => sum + (statSync(log, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Resolves when the logs of a set have grown, or the process is gone. */
async function whenGrown(set: string, from: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null && sizeOfLogs(set) <= from) {
    await new Promise((wake) => setTimeout(wake, 2));
  }
}

it(`RC3 RC4 so does a set that the built command plays, killed ${COMMAND_KILLS} times and resumed (KILL_SEED=${SEED})`, async () => {
  const random = randomFrom(SEED);
  const words = (out: string): readonly string[] =>
    `run --cases-dir test/fixtures/cases --cases horn --tier easy --agent reference,lexical --repeats 3 --resume --out ${out}`.split(
      " ",
    );
  const start = (out: string): ChildProcess =>
    spawn(process.execPath, ["dist/worldagent.js", ...words(out)], { stdio: "ignore" });
  const ended = async (child: ChildProcess): Promise<unknown> => {
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    return signal ?? code;
  };
  const [calm, killed] = [join(tempFolder(), "calm"), join(tempFolder(), "killed")];
  expect(await ended(start(calm))).toBe(0);
  let kills = 0;
  for (let lives = 0; kills < COMMAND_KILLS && lives < 3 * COMMAND_KILLS; lives += 1) {
    const before = sizeOfLogs(killed);
    const child = start(killed);
    const end = ended(child);
    await whenGrown(killed, before, child);
    const timer = setTimeout(() => child.kill("SIGKILL"), random() * LONGEST_LIFE_MS);
    if ((await end) === "SIGKILL") kills += 1;
    clearTimeout(timer);
  }
  expect(kills).toBe(COMMAND_KILLS);
  expect(await ended(start(killed))).toBe(0);
  expect(Object.keys(bytesOfSet(calm))).toHaveLength(18);
  expect(bytesOfSet(killed)).toEqual(bytesOfSet(calm));
}, 240_000);
