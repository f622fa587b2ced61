/** The command that plays a set is killed on the way, over and over, at an endpoint that fails one request in five. */
import { rmSync } from "node:fs";
import { setTimeout as sleepFor } from "node:timers/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readPlanned } from "../../src/records/index.ts";
import { horn } from "../contracts/horn-plays.ts";
import { solver, type FaultName, type ScriptedEndpoint } from "../endpoint/scripted/index.ts";
import { randomAt } from "../endpoint/scripted/random.ts";
import { answeredIn, askedAgain, serialsIn } from "./support/account.ts";
import { bundleCommand, KEY_VARIABLE, startCommand } from "./support/command.ts";
import { serve } from "./support/model.ts";
import { scoresIn } from "./support/play.ts";
import { guardedFolder, leaksInText } from "./support/secret.ts";

const FAULTS: readonly FaultName[] = ["rate_limited_milliseconds", "server_error", "cut", "stall", "error_inside"];
const KILLS = 10;
const REPEATS = 100;
const CONCURRENCY = 32;
const SEED = Number(process.env["KILL_SEED"] ?? 20250102);
/** Requests that a set of this size makes at least; a kill comes after each eleventh of them, and some more by chance. */
const REQUESTS = 2 * REPEATS * 2;

let bundle: string;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => rmSync(bundle, { force: true }));

/** Resolves when so many requests have come in all, or the process has ended. */
async function whenAsked(endpoint: ScriptedEndpoint, count: number, hasEnded: () => boolean): Promise<void> {
  while (endpoint.requests().length < count && !hasEnded()) await sleepFor(2);
}

it(`a set that is killed ${KILLS} times on the way ends with the scores of one that was left alone, and nothing that was kept is asked again (KILL_SEED=${SEED})`, async () => {
  const endpoint = await serve({
    policy: solver([horn], { parallel: "round" }),
    faults: { rate: 0.2, kinds: FAULTS },
    keepsBodies: false,
    seed: 12,
  });
  const set = join(guardedFolder(), "killed");
  const cases = resolve("test/fixtures/cases");
  const words = [
    `run --cases-dir ${cases} --cases horn --tier easy,hard --repeats ${REPEATS} --concurrency ${CONCURRENCY} --out ${set}`,
    `--agent model --model scripted --base-url ${endpoint.url} --api-key-env ${KEY_VARIABLE} --no-preflight --judge none`,
    "--attempts 4 --timeout 3 --longest-wait 0.2",
  ].flatMap((line) => line.split(" "));
  let kills = 0;
  let text = "";
  while (kills < KILLS) {
    let over = false;
    const from = endpoint.requests().length;
    const command = startCommand(bundle, words);
    const ended = command.ended.finally(() => (over = true));
    const most = (REQUESTS - CONCURRENCY) / KILLS;
    await whenAsked(endpoint, from + 1 + Math.floor(randomAt(SEED, kills) * most), () => over);
    command.process.kill("SIGKILL");
    const { end, said } = await ended;
    text += said;
    // A life that ends by itself has either played everything or failed: neither is what this test is about.
    if (end !== "SIGKILL") throw new Error(`the command ended with ${end} after ${kills} kills: ${said}`);
    kills += 1;
  }
  // What an endpoint's fault ended (exit code 3) is taken up by the next command.
  let last: number | NodeJS.Signals = 3;
  for (let commands = 0; last === 3 && commands < 5; commands += 1) {
    const { end, said } = await startCommand(bundle, words).ended;
    last = end;
    text += said;
  }
  expect(last).toBe(0);
  expect(leaksInText(text)).toEqual([]);
  expect(text).not.toContain("Warning");

  expect(readPlanned(set)).toHaveLength(2 * REPEATS);
  // Those of a set that nobody killed: test/e2e/storm.test.ts.
  expect(await scoresIn(horn, set)).toEqual({ easy: ["11/11", "9/9"], hard: ["15/15", "9/9"] });

  const kept = new Set([...(await serialsIn(set)).values()].flat());
  const answered = answeredIn(endpoint.requests());
  expect(askedAgain(endpoint.requests(), kept)).toEqual([]);
  // Lost is only what was on its way to a process that was killed.
  const lost = answered.filter(({ serial }) => !kept.has(String(serial)));
  expect(lost.length).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  expect(kept.size).toBe(answered.length - lost.length);
}, 240_000);
