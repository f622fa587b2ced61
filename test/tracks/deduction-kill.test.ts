import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEntries } from "../../src/records/index.ts";
import { randomAt } from "../endpoint/scripted/random.ts";
import { POND, tempFolder } from "./run-fixture.ts";
import { bundleChild, startChild } from "./run-process.ts";

const KILLS = 12;
/** How long a new call takes, and the longest a process lives after its first new call, in milliseconds. */
const CALL_MS = 15;
const LONGEST_LIFE_MS = 60;
const SEED = Number(process.env["KILL_SEED"] ?? 20250305);
const RUN = "mill_pond.open.m2.1.rules.1";

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kill-"));
  bundle = await bundleChild(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (set: string, ms: number) => startChild(bundle, set, "rules", "open.M2.1", ms, POND);

async function readFinished(set: string): Promise<{ readonly log: string; readonly score: string }> {
  const path = join(set, RUN);
  for await (const entry of readEntries(join(path, "log.jsonl"))) expect(entry.seq).toBeGreaterThanOrEqual(0);
  return {
    log: readFileSync(join(path, "log.jsonl"), "utf8"),
    score: readFileSync(join(path, "score.json"), "utf8"),
  };
}

it(`DD89 a run in M2 that is killed ${KILLS} times resumes to the log and the score of one that was left alone (KILL_SEED=${SEED})`, async () => {
  const calm = tempFolder();
  expect(await start(calm, 0).ended).toBe(0);
  const expected = await readFinished(calm);
  let kills = 0;
  for (let lives = 1; kills < KILLS; lives += 1) {
    const killed = tempFolder();
    for (let isDone = false; !isDone;) {
      const child = start(killed, kills < KILLS ? CALL_MS : 0);
      await child.said("call");
      const left = randomAt(SEED, 100 * lives + kills) * LONGEST_LIFE_MS;
      const timer = kills < KILLS ? setTimeout(() => child.process.kill("SIGKILL"), left) : undefined;
      const end = await child.ended;
      clearTimeout(timer);
      if (end === "SIGKILL") kills += 1;
      else if (end === 0) isDone = true;
      else throw new Error(`the child ended with ${end}: ${child.lines.join(" / ")}`);
    }
    expect(await readFinished(killed)).toEqual(expected);
    expect(readdirSync(join(killed, RUN)).filter((file) => file.startsWith("lock."))).toEqual([]);
  }
}, 240_000);
