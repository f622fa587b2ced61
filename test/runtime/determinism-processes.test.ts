import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateLog } from "./support/long-log-generate.ts";
import { longLogCases } from "./support/long-log-cases.ts";
import { replayLog } from "./support/long-log-replay.ts";

const PROCESSES = 20;
const CALLS_A_CASE = 4_100;
const ZONES = ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Pago_Pago"];
const LANGUAGES = ["C", "tr_TR.UTF-8", "de_DE.UTF-8", "ar_EG.UTF-8", "th_TH.UTF-8", "sv_SE.UTF-8", "ja_JP.UTF-8"];
const YEARS = [0, -30, 17, 250];
const YEAR_MS = 31_556_952_000;

/** Executables of other Nodes, beside the one that runs this. */
const OTHERS = (process.env["WORLDAGENT_NODES"] ?? "").split(":").filter((file) => file !== "");
const NODES = [process.execPath, ...OTHERS];
const WHICH =
  OTHERS.length === 0 ? "this Node alone, as WORLDAGENT_NODES names no other" : `this Node and ${OTHERS.join(", ")}`;

interface Surroundings {
  readonly node: string;
  readonly flags: readonly string[];
  readonly zone: string;
  readonly years: number;
  readonly env: Readonly<Record<string, string>>;
}

/** No two alike. In the first no key is moved; the first and the last make worlds from records, too. */
const surroundingsOf = (i: number): Surroundings => {
  const of = <T>(list: readonly T[]): T => list[i % list.length] as T;
  const zone = of(ZONES);
  return {
    node: of(NODES),
    // Without the optimising compiler a process of seconds is done sooner, and other code runs than with it.
    flags: [`--hash-seed=${i + 1}`, `--random-seed=${i + 1}`, ...(i % 5 === 0 ? [] : ["--no-opt", "--sparkplug"])],
    zone,
    years: of(YEARS),
    env: {
      TZ: zone,
      LANG: of(LANGUAGES),
      LC_ALL: of(LANGUAGES),
      CLOCK_SHIFT_MS: String(of(YEARS) * YEAR_MS),
      ...(i === 0 ? {} : { KEYS: `process ${i}` }),
      ...(i === 0 || i === PROCESSES - 1 ? { RECORDS: "1" } : {}),
    },
  };
};

function runChild({ node, flags, env }: Surroundings, args: readonly string[]): Promise<unknown> {
  return new Promise((done, fail) => {
    const child = spawn(node, [...flags, ...args], { env: { PATH: process.env["PATH"] ?? "", ...env } });
    let [out, told] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0 ? done(JSON.parse(out)) : fail(new Error(`${node} ended with ${code}: ${told}`)),
    );
  });
}

/** Runs `one` for each of `items`, as many at a time as there are cores. */
async function eachInTurn<T, R>(items: readonly T[], one: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await one(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

describe("a log of 10,000 steps", () => {
  const { plays, counts } = generateLog(longLogCases(), { most: CALLS_A_CASE });
  const calls = plays.flatMap((play) => play.calls);
  let folder = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "long-log-"));
    writeFileSync(join(folder, "log.json"), JSON.stringify({ plays }));
    await build({
      entryPoints: [fileURLToPath(import.meta.resolve("./support/long-log-child.ts"))],
      outfile: join(folder, "child.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "error",
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("RT60 calls all tools in all tiers and modes, and is accepted and refused in many ways", () => {
    const steps = plays
      .filter(({ parts }) => parts.track === "maintenance")
      .flatMap((play) => play.calls.filter(({ tool }) => tool === "commit_step"));
    expect(steps.length).toBeGreaterThanOrEqual(10_000);
    expect(plays.map(({ name }) => name)).toEqual(["M1", "M2", "M2, told by name", "easy", "extreme", "hard"]);
    for (const tool of ["help", "get_context", "read_data", "construct", "end_round"])
      expect(counts[`${tool} ok`]).toBeGreaterThan(30);
    expect(counts["commit_step ok"]).toBeGreaterThan(4_000);
    const codes = new Set(Object.keys(counts).map((what) => what.split(" ")[1]));
    expect(codes.size).toBeGreaterThan(20);
  });

  it(
    `RT60 RT64 comes to the same answers and digests at every call in ${PROCESSES} fresh processes of other zones, languages, dates, key orders and seeds (${WHICH})`,
    { timeout: 300_000 },
    async () => {
      const all = Array.from({ length: PROCESSES }, (_, i) => surroundingsOf(i));
      const year = new Date().getFullYear();
      const args = [join(folder, "child.mjs"), join(folder, "log.json")];
      const seen = (await eachInTurn(all, (one) => runChild(one, args))) as readonly {
        readonly year: number;
        readonly zone: string;
        readonly node: string;
      }[];
      const { chain } = seen[0] as unknown as { readonly chain: string };
      expect(chain).toMatch(/^[0-9a-f]{64}$/);
      seen.forEach((one, i) => {
        const { zone, years } = all[i] as Surroundings;
        const { node, year: told } = one;
        expect(one).toEqual({ difference: null, calls: calls.length, chain, zone, node, year: told });
        expect(Math.abs(told - years - year)).toBeLessThanOrEqual(1);
      });
      expect(new Set(seen.map(({ node }) => node)).size).toBe(NODES.length);
    },
  );

  it("RT63 comes to the same digests at every call when the triggers of each step come the other way round", () => {
    expect(replayLog(plays, { reverseTriggers: true })).toMatchObject({ difference: null, calls: calls.length });
  });
});
