/** A large set against an endpoint that fails one request in five. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { readPlanned, type Outcome } from "../../src/records/index.ts";
import { planSet, playSet, type SetResult } from "../../src/tracks/index.ts";
import { horn } from "../contracts/horn-plays.ts";
import { solver, type FaultName } from "../endpoint/scripted/index.ts";
import { surroundings } from "../tracks/run-fixture.ts";
import { answeredIn, askedAgain, serialsIn } from "./support/account.ts";
import { agentOf, serve, settingsOf } from "./support/model.ts";
import { scoresIn } from "./support/play.ts";
import { guardedFolder } from "./support/secret.ts";

const FAULTS: readonly FaultName[] = [
  "rate_limited_seconds",
  "rate_limited_milliseconds",
  "server_error",
  "cut",
  "cut_quietly",
  "stall",
  "error_inside",
];
const REPEATS = 100;
const CONCURRENCY = 32;
/** Of three, so that some requests fail for good and their runs are taken up by the next command. */
const ATTEMPTS = 3;
const TIMEOUT_MS = 6000;

const collect = ((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

/** Bytes of heap that are still held by something. */
function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const MEGABYTE = 1024 * 1024;

function countOutcomes({ runs }: SetResult): Readonly<Record<string, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of runs) if (outcome !== null) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

it("200 runs at concurrency 32 with a fifth of all requests failing: each is in the ledger, whole and answered once", async () => {
  const endpoint = await serve({
    policy: solver([horn], { parallel: "round" }),
    faults: { rate: 0.2, kinds: FAULTS },
    keepsBodies: false,
    seed: 11,
  });
  const asked = settingsOf(
    endpoint.url,
    { stream: true },
    { concurrency: CONCURRENCY, attempts: ATTEMPTS, timeoutMs: TIMEOUT_MS, longestWaitMs: 2000 },
  );
  const folder = guardedFolder();
  const { plans } = planSet({
    track: "maintenance",
    cases: [horn],
    tiers: ["easy", "hard"],
    agents: [agentOf(asked)],
    repeats: REPEATS,
  });
  const held: number[] = [];
  let done = 0;
  const afterRun = async (): Promise<void> => {
    done += 1;
    if (done % REPEATS === REPEATS / 2) held.push(heldBytes());
  };
  let result = await playSet(plans, folder, surroundings, { sync: false, afterRun });
  const first = countOutcomes(result);
  // What an endpoint's fault ended is taken up by the same command again.
  for (let commands = 1; commands < 5 && countOutcomes(result)["finished"] !== plans.length; commands += 1)
    result = await playSet(plans, folder, surroundings, { sync: false, afterRun });

  expect(Object.keys(first).filter((outcome) => outcome !== "finished" && outcome !== "endpoint_fault")).toEqual([]);
  expect(first["endpoint_fault"]).toBeGreaterThan(0);
  expect(countOutcomes(result)).toEqual({ finished: 2 * REPEATS });
  expect(readPlanned(folder)).toHaveLength(2 * REPEATS);
  expect(await scoresIn(horn, folder)).toEqual({ easy: ["11/11", "9/9"], hard: ["15/15", "9/9"] });

  const kept = [...(await serialsIn(folder)).values()].flat();
  const answered = answeredIn(endpoint.requests());
  expect(answered).toHaveLength(kept.length);
  expect(new Set(answered.map(({ serial }) => serial))).toEqual(new Set(kept));
  expect(askedAgain(endpoint.requests(), new Set(kept))).toEqual([]);
  const met = new Set(endpoint.requests().map(({ outcome }) => outcome));
  expect([...met].sort()).toEqual(["answered", ...FAULTS].sort());

  const [early = 0, late = 0] = [held[0], held.at(-1)];
  expect(late - early).toBeLessThan(16 * MEGABYTE);
}, 240_000);
