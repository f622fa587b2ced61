import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Judgment } from "../../src/contracts/index.ts";
import { judgeRunExactly } from "../../src/records/index.ts";
import {
  firstOf,
  judgeByOracle,
  startScriptedEndpoint,
  type ScriptedEndpoint,
  type ScriptedOptions,
} from "../endpoint/scripted/index.ts";
import { playForJudge, referenceCalls } from "../judges/judge-fixture.ts";
import { horn } from "../tracks/run-fixture.ts";
import { HORN, inProcess, typed, workFolder } from "./cli.ts";

const KEY = "sk-judge-0123456789abcdef/+x";
let server: ScriptedEndpoint | undefined;

beforeEach(() => vi.stubEnv("JUDGE_KEY", KEY));
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.stop();
  server = undefined;
});

/** A judge that says what the exact judge says of the horn's reference. */
async function startJudge(more: Partial<ScriptedOptions> = {}): Promise<ScriptedEndpoint> {
  const { run } = await playForJudge(referenceCalls("hard"), "hard", { name: "reference" });
  const [round] = horn.contract.rounds;
  const sentences = new Map(
    [...(round?.events ?? []), ...(round?.structures ?? []), ...(round?.probes ?? [])].map(({ id, says }) => [
      says,
      id as string,
    ]),
  );
  const judgments = new Map<string, Judgment>(judgeRunExactly(horn, run).judgments.map((one) => [one.item, one]));
  const oracle = judgeByOracle(({ subject }) => {
    const judgment = judgments.get(sentences.get(subject) ?? "");
    if (judgment === undefined) return undefined;
    const { kind, triggers, constructions } = judgment;
    return {
      verdict: judgment.verdict,
      triggers: kind === "P" ? [] : triggers,
      constructions: kind === "A" ? constructions : [],
    };
  });
  server = await startScriptedEndpoint({
    policy: firstOf(oracle, () => ({ text: "{}" })),
    key: KEY,
    models: ["judge-1"],
    ...more,
  });
  return server;
}

async function playedSet(): Promise<string> {
  const set = join(workFolder(), "set");
  const { code, stderr } = await inProcess([
    "run",
    "--cases",
    "horn",
    "--tier",
    "hard",
    "--agent",
    "reference",
    "--out",
    set,
    ...HORN,
  ]);
  if (code !== 0) throw new Error(stderr);
  return set;
}

const judgeWords = (set: string, ...more: readonly string[]): readonly string[] => [
  "judge",
  set,
  "--judge",
  "model",
  "--model",
  "judge-1",
  "--api-key-env",
  "JUDGE_KEY",
  ...more,
  ...HORN,
];
const urlOf = ({ url }: ScriptedEndpoint): readonly string[] => ["--base-url", url];

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** No file of the set holds the key, plain, URL-encoded or in base64. */
function expectKeyless(set: string): void {
  for (const file of filesUnder(set)) {
    const text = readFileSync(file, "utf8");
    for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64").slice(0, -3)])
      expect({ file, holds: text.includes(form) }).toEqual({ file, holds: false });
  }
}

const RUN = "horn.hard.reference.1";

describe("worldagent judge --judge model", () => {
  it("judges a set over HTTP, so that it can be scored by name and audited", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    const { code, stdout, stderr } = await inProcess(judgeWords(set, ...urlOf(judge)));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`${RUN}: judged, 15 asked, 0 from the cache`),
    });
    expect(typed(stdout)).toMatch(
      new RegExp(
        [
          `^Judge: model, judge-1 at 127\\.0\\.0\\.1:\\d+, 1 vote an item\\. 1 judged of 1 run, as model\\.`,
          `16 answers, \\d+ tokens, cost —; 0 more from the cache\\.`,
          `0 of 15 passes rest on the judge's word alone \\(0 %\\); the audit turned 0\\.`,
          `To score them: .* score .*/set --as model\\n$`,
        ].join("\\n"),
      ),
    );
    const scored = await inProcess(["score", set, "--as", "model", "--json", ...HORN]);
    expect(JSON.parse(scored.stdout)).toMatchObject({ runs: [{ judge: "model", completion: 1, relation: 1 }] });
    const audited = await inProcess(["audit", set, ...HORN]);
    expect({ code: audited.code, line: audited.stdout.split("\n")[0] }).toEqual({
      code: 0,
      line: `${RUN}: ok, completion 1.00 (15/15), relation 1.00 (9/9), judge exact; as model judge model: 1.00 (15/15), 1.00 (9/9)`,
    });
    expectKeyless(set);

    const again = await inProcess(judgeWords(set, ...urlOf(judge), "--json"));
    expect(JSON.parse(again.stdout)).toMatchObject({
      judge: "model",
      model: "judge-1",
      as: "model",
      judged: 1,
      runs: [{ run: RUN, status: "judged", asked: 0, undecided: 0, judgeFaults: 0, flips: null }],
      spent: { answers: 0 },
      stopped: null,
    });
    expect(judge.requests()).toHaveLength(16);
  }, 60_000);

  it.each<[string, Partial<ScriptedOptions>]>([
    ["an endpoint that tells no usage", { quirks: ["no_usage"] }],
    ["an endpoint that writes the key into its answers", { echoesKey: "text" }],
    ["an endpoint that streams in pieces of its own", { quirks: ["split_usage"] }],
  ])("bears with %s, and keeps no key", async (_, more) => {
    const [set, judge] = [await playedSet(), await startJudge(more)];
    const ended = await inProcess(judgeWords(set, ...urlOf(judge), "--stream"));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("0 of 15 passes rest") });
    expectKeyless(set);
  });

  it("says before anything is sent what it would take, without a key", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    vi.stubEnv("JUDGE_KEY", undefined);
    const prices = join(workFolder(), "prices.yaml");
    writeFileSync(prices, "v: 1\nmodels: { judge-1: { input: 1, output: 2 } }\n");
    const dry = await inProcess(judgeWords(set, ...urlOf(judge), "--dry-run"));
    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(/horn\.hard\.reference\.1 +│? *0.* 9 .* 15 .*—/);
    expect(dry.stdout).toMatch(/^in all .*—/m);
    const priced = await inProcess(
      judgeWords(set, ...urlOf(judge), "--dry-run", "--votes", "2", "--prices", prices, "--json"),
    );
    const { total, runs } = JSON.parse(priced.stdout) as {
      total: { requests: number; costUsd: number; promptTokens: number; answerTokens: number };
      runs: unknown[];
    };
    expect(runs).toHaveLength(1);
    expect(total.requests).toBe(30);
    expect(total.costUsd).toBeCloseTo((total.promptTokens + 2 * total.answerTokens) / 1e6, 9);
    expect(judge.requests()).toHaveLength(0);
  }, 30_000);

  it("stops at once at a wrong key, keeps it from every line, and goes on with the right one", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    vi.stubEnv("JUDGE_KEY", `${KEY}wrong`);
    const refused = await inProcess(judgeWords(set, ...urlOf(judge)));
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/Stopped, since 127\.0\.0\.1:\d+ answers no question: .*\(auth\)/);
    expect(refused.stderr + refused.stdout).not.toContain(`${KEY}wrong`);
    expect(judge.requests()).toHaveLength(1);
    vi.stubEnv("JUDGE_KEY", KEY);
    expect(await inProcess(judgeWords(set, ...urlOf(judge)))).toMatchObject({ code: 0 });
  }, 30_000);

  it("ends with 1 at a budget and says how to go on", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    const { code, stderr } = await inProcess(
      judgeWords(set, ...urlOf(judge), "--budget-tokens", "10000", "--concurrency", "1"),
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /Stopped: the budget of 10000 tokens is reached, measured were \d+ tokens\. To go on, raise it/,
      ),
    });
    expect(judge.requests().length).toBeLessThan(15);
  }, 30_000);

  it("looks again at what the exact judge failed, beside its judgments", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    const words = judgeWords(set, ...urlOf(judge)).map((word) => (word === "model" ? "exact+model" : word));
    const { code, stdout } = await inProcess(words);
    expect(code).toBe(0);
    expect(stdout).toContain("as exact-model.");
    expect(stdout).toContain("Flips of what the exact judge failed: 0 events, 0 structures.");
    expect(await inProcess(["audit", set, ...HORN])).toMatchObject({ code: 0 });
  }, 30_000);

  it("reads its answers again without asking anyone", async () => {
    const [set, judge] = [await playedSet(), await startJudge()];
    await inProcess(judgeWords(set, ...urlOf(judge)));
    const asked = judge.requests().length;
    vi.stubEnv("JUDGE_KEY", undefined);
    const { code, stdout } = await inProcess(["judge", set, "--judge", "model", "--reparse", ...HORN]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({
      code: 0,
      first: "1 of 1 runs read again from the answers model, as model-p1. Nobody was asked.",
    });
    expect(judge.requests()).toHaveLength(asked);
    expect(await inProcess(["score", set, "--as", "model-p1", ...HORN])).toMatchObject({ code: 0 });
  }, 30_000);
});

describe("worldagent judge says in one line what is wrong", () => {
  it.each<[string, readonly string[], string]>([
    ["a judge that there is not", ["--judge", "modle"], 'there is no judge "modle": did you mean "model"?'],
    [
      "a model for the exact judge",
      ["--model", "m"],
      "--model is given, and the exact judge asks no model: add --judge model, or --judge exact+model",
    ],
    ["votes for the exact judge", ["--votes", "3"], "--votes is given, and the exact judge asks no model"],
    ["prices for the exact judge", ["--prices", "p.yaml"], "--prices is given, and the exact judge asks no model"],
    ["a budget for the exact judge", ["--budget-cost", "1"], "--budget-cost is given, and the exact judge asks"],
    ["minutes for the exact judge", ["--budget-minutes", "1"], "--budget-minutes is given, and the exact judge asks"],
    ["a dry run of the exact judge", ["--dry-run"], "--dry-run is given, and the exact judge asks no model"],
    ["answers of the exact judge", ["--reparse"], "--reparse is given, and the exact judge asks no model"],
    ["a cache of the exact judge", ["--no-cache"], "--no-cache is given, and the exact judge asks no model"],
    [
      "no model",
      ["--judge", "model", "--base-url", "http://127.0.0.1:9/v1"],
      "no model is named: name it with --model NAME",
    ],
    ["no address", ["--judge", "model", "--model", "m"], "no address is named"],
    [
      "no key",
      ["--judge", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--api-key-env", "NO_SUCH"],
      "NO_SUCH",
    ],
    [
      "a budget of 0",
      [
        "--judge",
        "model",
        "--model",
        "m",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--no-api-key",
        "--budget-tokens",
        "0",
      ],
      "--budget-tokens takes a number above 0",
    ],
    [
      "a cost without prices",
      ["--judge", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--no-api-key", "--budget-cost", "1"],
      "--budget-cost needs the price of the model",
    ],
    [
      "half a vote",
      ["--judge", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--no-api-key", "--votes", "0.5"],
      "--votes takes a whole number from 1 to 99",
    ],
    [
      "two ways not to ask",
      ["--judge", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--dry-run", "--reparse"],
      "--dry-run and --reparse are both given",
    ],
    [
      "a name that no set can have",
      ["--judge", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--no-api-key", "--as", "No/Set"],
      "this cannot name a set of",
    ],
  ])("%s", async (_, words, message) => {
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    const set = await playedSet();
    const { code, stderr, stdout } = await inProcess(["judge", set, ...words, ...HORN]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
