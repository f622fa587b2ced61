import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  firstOf,
  judgeByOracle,
  oracleOf,
  startScriptedEndpoint,
  type ScriptedEndpoint,
  type ScriptedOptions,
} from "../endpoint/scripted/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import { HORN, inProcess, typed, workFolder } from "./cli.ts";
import { filesIn } from "./model-set.ts";

const KEY = "kq-calibrate-77aa10";
let server: ScriptedEndpoint | undefined;

beforeEach(() => vi.stubEnv("JUDGE_KEY", KEY));
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.stop();
  server = undefined;
});

async function start(
  judge: ReturnType<typeof judgeByOracle>,
  more: Partial<ScriptedOptions> = {},
): Promise<ScriptedEndpoint> {
  server = await startScriptedEndpoint({ policy: firstOf(judge, () => ({ text: "{}" })), key: KEY, ...more });
  return server;
}

/** A judge that knows what is true of the reference. */
const startKnowing = (): Promise<ScriptedEndpoint> => start(judgeByOracle(oracleOf(horn, "hard")));

/** A judge that passes every item, by the first trigger that it is shown. */
async function startYeaSayer(): Promise<ScriptedEndpoint> {
  const policy = judgeByOracle(({ data }) => ({
    verdict: "pass",
    triggers: [...data.matchAll(/\bt[1-9][0-9]*_[1-9][0-9]*\b/g)].slice(0, 1).map(([id]) => id),
    reason: "Why not?",
  }));
  return await start(policy);
}

const voice = ({ url }: ScriptedEndpoint): readonly string[] => [
  "--model",
  "scripted",
  "--base-url",
  url,
  "--api-key-env",
  "JUDGE_KEY",
];

async function judgedSet(judge: ScriptedEndpoint, ...more: readonly string[]): Promise<string> {
  const set = join(workFolder(), "set");
  const run = ["run", "--cases", "horn", "--tier", "hard", "--agent", "reference,idle", "--out", set, ...HORN];
  expect((await inProcess(run)).code).toBe(0);
  const asked = await inProcess(["judge", set, "--judge", "model", ...voice(judge), ...more, ...HORN]);
  expect(asked).toMatchObject({ code: 0 });
  return set;
}

describe("worldagent calibrate", () => {
  it("AG60 compares a model's judgments with the exact judge's, by kind, and asks nobody", async () => {
    const judge = await startKnowing();
    const set = await judgedSet(judge, "--votes", "2");
    const asked = judge.requests().length;
    const { code, stdout, stderr } = await inProcess(["calibrate", set, ...HORN]);
    expect(code).toBe(0);
    expect(typed(stdout)).toMatch(
      /^Judge model \(scripted at 127\.0\.0\.1:\d+\) against the exact judge, over 1 run\./,
    );
    expect(typed(stdout)).toMatch(
      /\nevents +9 +0 +1\.00 \(9\/9; 0\.70 to 1\.00\) +1\.00 \(9\/9; .* 1\.00 \(9\/9; 0\.70 to 1\.00\)\n/,
    );
    expect(typed(stdout)).toContain("They disagree on no item.");
    expect(stderr).toContain("horn.hard.idle.1 is not compared: nothing was done in it, so that nobody was asked");
    expect(judge.requests()).toHaveLength(asked);

    const json = await inProcess(["calibrate", set, "--json", ...HORN]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      agreement: {
        runs: ["horn.hard.reference.1"],
        byKind: { E: { selfAgreement: { rate: 1, n: 9 } } },
        disagreements: [],
      },
    });
  });

  it("AG60 counts a pass that cites the wrong thing as no agreement, and lists the evidence of both", async () => {
    const set = await judgedSet(await startYeaSayer());
    const { stdout } = await inProcess(["calibrate", set, ...HORN]);
    expect(typed(stdout)).toMatch(/\nall +15 +0 +0\.00 \(0\/15; 0\.00 to 0\.21\)/);
    expect(typed(stdout)).toMatch(
      /\nThey disagree on 15 items:\n {2}horn\.hard\.reference\.1, round 1, E \w+: .+\n {4}exact {2}pass by t.+\n {4}model {2}fail by t1_1: /,
    );
  });

  it("AG60 has its figures below the scores of a set that a model judged", async () => {
    const set = await judgedSet(await startKnowing());
    const { stdout } = await inProcess(["score", set, "--as", "model", ...HORN]);
    expect(typed(stdout)).toMatch(
      /Agreement with the exact judge, where both apply \(1 run, 15 items\): accuracy 1\.00/,
    );
    const json = JSON.parse((await inProcess(["score", set, "--as", "model", "--json", ...HORN])).stdout) as object;
    expect(json).toMatchObject({ agreement: { all: { agreement: { undecided: 0 } } } });
  });

  it("AG61 finds out by known edits that a judge which passes everything sees nothing, and asks nothing twice", async () => {
    const judge = await startYeaSayer();
    const out = workFolder();
    const words = ["calibrate", "--edits", "horn", "--per-kind", "2", "--out", out, ...voice(judge), ...HORN];
    const { code, stdout } = await inProcess(words);
    expect(code).toBe(0);
    expect(typed(stdout)).toMatch(
      /^Known edits of the reference of horn in hard, judged by scripted at 127\.0\.0\.1:\d+\.\n/,
    );
    expect(typed(stdout)).toMatch(/\nevents +0\.00 \(0\/2; 0\.00 to 0\.66\) +1\.00 \(2\/2; 0\.34 to 1\.00\) +0 /);
    expect(typed(stdout)).toMatch(/\nOf 12 votes it missed 6:\n/);
    const first = judge.requests().length;
    const again = await inProcess(words);
    expect(again.stdout).toBe(stdout);
    expect(judge.requests()).toHaveLength(first);
    for (const [file, text] of filesIn(out))
      expect({ file, holds: text.includes(KEY) }).toEqual({ file, holds: false });
  });

  it("ends with 3 on an endpoint that gives no answer, and with 1 where the budget is spent", async () => {
    const judge = await startYeaSayer();
    const edits = ["calibrate", "--edits", "horn", "--per-kind", "1", ...HORN];
    const poor = await inProcess([...edits, "--out", workFolder(), "--budget-tokens", "1", ...voice(judge)]);
    expect(poor).toMatchObject({ code: 1, stderr: expect.stringContaining("horn: the budget of tokens is spent") });
    vi.stubEnv("JUDGE_KEY", "wrong");
    const wrong = await inProcess([...edits, "--out", workFolder(), ...voice(judge)]);
    expect(wrong).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("horn: the endpoint gives no answers (auth)"),
    });
  });

  it("AG61 keeps answers in a folder of their own, and refuses one that holds anything else", async () => {
    const judge = await startYeaSayer();
    const other = workFolder();
    writeFileSync(join(other, "notes.txt"), "mine");
    const words = ["calibrate", "--edits", "horn", "--per-kind", "1", "--out", other, ...voice(judge), ...HORN];
    const { code, stderr } = await inProcess(words);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/holds other things than the answers of a calibration/),
    });
    expect(readdirSync(other)).toEqual(["notes.txt"]);
    expect(judge.requests()).toEqual([]);
  });

  it.each([
    [[], /nothing to calibrate/],
    [["--edits", "hron"], /name a folder for them with --out DIR/],
    [["--edits", "hron", "--out", "o"], /there is no case "?hron"?/],
    [["--edits", "horn", "--out", "o", "--tier", "hardd"], /there is no tier "hardd"/],
    [["--edits", "horn", "--out", "o", "--votes", "0"], /--votes takes a whole number from 1/],
    [["--edits", "horn", "--out", "o", "--budget-tokens", "0"], /--budget-tokens takes a number above 0/],
    [["--edits", "horn", "--out", "o"], /no model is named/],
    [["nowhere"], /nowhere/],
    [["nowhere", "--votes", "3"], /--votes is given, and comparing a set's judgments asks nobody/],
  ])("refuses %j in one line, and writes nothing", async (words, said) => {
    const { code, stdout, stderr } = await inProcess(["calibrate", ...words, ...HORN]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync("o")).toBe(false);
  });
});
