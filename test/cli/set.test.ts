import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { cli, endOf, HORN, inFolder, playHorn, startCli, typed, workFolder, type Ended } from "./cli.ts";

const counts = z.object({ passed: z.int(), scored: z.int() });
const runShape = z.object({
  set: z.string(),
  planned: z.int(),
  outcomes: z.record(z.string(), z.int()),
  runs: z.array(
    z.object({
      run: z.string(),
      case: z.string(),
      tier: z.string(),
      agent: z.string(),
      repeat: z.int(),
      outcome: z.string(),
    }),
  ),
});
const scoreShape = z.object({
  runs: z.array(
    z.object({
      run: z.string(),
      case: z.string(),
      tier: z.string(),
      agent: z.string(),
      outcome: z.string(),
      completion: z.number(),
      relation: z.number(),
      components: z.object({ E: counts, A: counts, P: counts, CA: counts, TM: counts, CC: counts }),
    }),
  ),
});
const auditShape = z.object({
  ok: z.boolean(),
  runs: z.array(
    z.object({
      run: z.string(),
      ok: z.boolean(),
      differences: z.array(z.object({ kind: z.string(), where: z.string(), expected: z.string(), seen: z.string() })),
    }),
  ),
});

/** The set runs/s, played once for the tests that only read it or put back what they change. */
describe("a set of the reference and the idle agent in hard", () => {
  const cwd = mkdtempSync(join(tmpdir(), "worldagent-set-"));
  const RUN = ["run", "--cases", "ho*", "--tier", "hard", "--agent", "reference,idle", "--out", "runs/s", ...HORN];
  const SCORE = join(cwd, "runs/s/horn.hard.reference.1/score.json");
  const LOG = join(cwd, "runs/s/horn.hard.reference.1/log.jsonl");

  let first: Ended;
  beforeAll(async () => {
    first = await cli(RUN, { cwd });
    return () => rmSync(cwd, { recursive: true, force: true });
  });

  it("is played run by run, judged, and its table printed", () => {
    expect(first).toEqual({
      code: 0,
      stdout: [
        "Judge: exact. 2 scored of 2 planned.",
        "",
        "case  tier  agent      run  outcome   completion    relation      E    A    P   CA  CA but-for   TM   CC  undecided",
        "horn  hard  idle         1  finished  0.00 (0/15)   0.00 (0/9)  0/9  0/4  0/2  0/4         0/4  0/4  0/1          0",
        "horn  hard  reference    1  finished  1.00 (15/15)  1.00 (9/9)  9/9  4/4  2/2  4/4         4/4  4/4  1/1          0",
        "",
      ].join("\n"),
      stderr: "[1/2] horn.hard.reference.1 finished\n[2/2] horn.hard.idle.1 finished\n",
    });
  });

  it("AG4 run --json has its shape and is alone on stdout; a second time what is finished is left alone", async () => {
    const { code, stdout, stderr } = await inFolder(cwd, [...RUN, "--json"]);
    expect(code).toBe(0);
    expect(stderr.split("\n")[0]).toBe("In runs/s: 0 begun runs go on, 2 finished left alone.");
    const result = runShape.parse(JSON.parse(stdout));
    const run = { case: "horn", tier: "hard", repeat: 1, outcome: "finished" };
    expect(result).toEqual({
      set: "s",
      planned: 2,
      outcomes: { finished: 2 },
      runs: [
        { run: "horn.hard.reference.1", ...run, agent: "reference" },
        { run: "horn.hard.idle.1", ...run, agent: "idle" },
      ],
    });
  });

  it("AG4 score --json has its shape", async () => {
    const { code, stdout, stderr } = await inFolder(cwd, ["score", "runs/s", "--json", ...HORN]);
    expect([code, stderr]).toEqual([0, ""]);
    const [idle, reference] = scoreShape.parse(JSON.parse(stdout)).runs;
    const of = (passed: boolean, scored: number) => ({ passed: passed ? scored : 0, scored });
    const components = (passed: boolean) => ({
      E: of(passed, 9),
      A: of(passed, 4),
      P: of(passed, 2),
      CA: of(passed, 4),
      TM: of(passed, 4),
      CC: of(passed, 1),
    });
    const run = { case: "horn", tier: "hard", outcome: "finished" };
    expect(idle).toEqual({
      run: "horn.hard.idle.1",
      ...run,
      agent: "idle",
      completion: 0,
      relation: 0,
      components: components(false),
    });
    expect(reference).toEqual({
      run: "horn.hard.reference.1",
      ...run,
      agent: "reference",
      completion: 1,
      relation: 1,
      components: components(true),
    });
  });

  it("RC1 a deleted score is written again from what lies beside it, byte for byte", async () => {
    const before = readFileSync(SCORE);
    rmSync(SCORE);
    expect((await inFolder(cwd, ["score", "runs/s", ...HORN])).code).toBe(0);
    expect(readFileSync(SCORE).equals(before)).toBe(true);
  });

  it("RC6 an audit that finds nothing ends with 0, and its JSON has its shape", async () => {
    const { code, stdout, stderr } = await inFolder(cwd, ["audit", "runs/s", "--json", ...HORN]);
    expect([code, stderr]).toEqual([0, ""]);
    const runs = ["horn.hard.idle.1", "horn.hard.reference.1"].map((run) => ({ run, ok: true, differences: [] }));
    expect(auditShape.parse(JSON.parse(stdout))).toEqual({ ok: true, runs });
  });

  it("RC6 an audit names what was changed in a score, and ends with 1", async () => {
    const before = readFileSync(SCORE, "utf8");
    writeFileSync(SCORE, before.replace('"mix": 1', '"mix": 0.5'));
    const { code, stdout } = await inFolder(cwd, ["audit", "runs/s", ...HORN]);
    writeFileSync(SCORE, before);
    expect(stdout).toBe(
      [
        "horn.hard.idle.1: ok, completion 0.00 (0/15), relation 0.00 (0/9), judge exact",
        "horn.hard.reference.1: 1 difference",
        "  score at score.json mix: expected 1, seen 0.5",
        "2 runs audited: 1 with differences.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(1);
  });

  it("RC6 a manifest that is no JSON and a folder under another name are differences, and the other runs are audited", async () => {
    const folder = workFolder();
    await playHorn(folder, "s", "hard", "idle");
    const manifest = join(folder, "s/horn.hard.idle.1/manifest.json");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, "{");
    const torn = await inFolder(folder, ["audit", "s", "--json", ...HORN]);
    expect(torn.code).toBe(1);
    expect(
      auditShape
        .parse(JSON.parse(torn.stdout))
        .runs.map(({ run, differences }) => [run, differences.map(({ kind }) => kind)]),
    ).toEqual([["horn.hard.idle.1", ["manifest"]]]);
    writeFileSync(manifest, text.replace('"repeat": 1', '"repeat": 2'));
    const renamed = await inFolder(folder, ["audit", "s", ...HORN]);
    expect([renamed.code, renamed.stdout.split("\n")[1]]).toEqual([
      1,
      "  manifest at manifest.json: expected the run horn.hard.idle.1, as its folder is called, seen the run horn.hard.idle.2",
    ]);
  });

  it("RC5 a replay says how many calls answered as logged, and ends with 1 where one does not", async () => {
    const run = "runs/s/horn.hard.reference.1";
    const sound = await inFolder(cwd, ["replay", run, ...HORN]);
    expect(sound).toEqual({ code: 0, stdout: "horn.hard.reference.1: 26 calls replayed, all as logged\n", stderr: "" });
    const before = readFileSync(LOG, "utf8");
    writeFileSync(LOG, before.replace('"ok":true', '"ok":false'));
    const damaged = await inFolder(cwd, ["replay", run, ...HORN]);
    writeFileSync(LOG, before);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(
      /^horn\.hard\.reference\.1: \d+ calls replayed, \d+ differences\n {2}chain at log\.jsonl:\d+: /,
    );
  });

  it("RC7 judging into a named set leaves the unnamed one; scoring a set that was not judged says what to do", async () => {
    const missing = await inFolder(cwd, ["score", "runs/s", "--as", "again", ...HORN]);
    expect({ ...missing, stderr: typed(missing.stderr) }).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'worldagent: no run in runs/s has judgments named "again": to make them: worldagent judge runs/s --as again\n',
    });
    const judged = await inFolder(cwd, ["judge", "runs/s", "--as", "again", ...HORN]);
    expect({ ...judged, stdout: typed(judged.stdout) }).toEqual({
      code: 0,
      stdout: "Judge: exact. 2 judged of 2 runs. To score them: worldagent score runs/s --as again\n",
      stderr: "",
    });
    expect((await inFolder(cwd, ["score", "runs/s", "--as", "again", ...HORN])).code).toBe(0);
    expect(readFileSync(SCORE.replace("score.json", "score.again.json")).equals(readFileSync(SCORE))).toBe(true);
    expect(await inFolder(cwd, ["score", "runs/s", "--as", "agian", ...HORN])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'worldagent: no run in runs/s has judgments named "agian": did you mean --as again?\n',
    });
  });

  it.each(["score", "judge"])(
    "AG3 %s refuses a name that no set of judgments can have in one line, not one a run",
    async (word) => {
      const { code, stdout, stderr } = await inFolder(cwd, [word, "runs/s", "--as", "../x", ...HORN]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(
        'worldagent: "../x": this cannot name a set of judgments. Take lower-case letters, digits, _ and -, at most 41, beginning with a letter or digit.\n',
      );
    },
  );

  it("AG4 audit --tree --json has the evidence of each run as the lines that --tree prints", async () => {
    const plain = await inFolder(cwd, ["audit", "runs/s", "--tree", ...HORN]);
    const { code, stdout } = await inFolder(cwd, ["audit", "runs/s", "--tree", "--json", ...HORN]);
    expect([code, plain.code]).toEqual([0, 0]);
    const shape = z.object({ runs: z.array(z.object({ run: z.string(), evidence: z.array(z.string()) })) });
    const { runs } = shape.parse(JSON.parse(stdout));
    const printed = plain.stdout.split("\n");
    for (const { run, evidence } of runs) {
      expect(evidence[0]).toBe("round 1");
      expect(evidence.length).toBeGreaterThan(24);
      const at = printed.findIndex((line) => line.startsWith(`${run}: `));
      expect(printed.slice(at + 1, at + 1 + evidence.length)).toEqual(evidence.map((line) => `  ${line}`));
    }
  });
});

it("in a set without a judge nothing is judged, and the outcomes are printed", async () => {
  const cwd = workFolder();
  const ended = await inFolder(cwd, [
    "run",
    "--cases",
    "horn",
    "--tier",
    "easy",
    "--agent",
    "idle",
    "--repeats",
    "2",
    "--concurrency",
    "2",
    "--out",
    "s",
    "--judge",
    "none",
    ...HORN,
  ]);
  expect([ended.code, ended.stdout]).toEqual([0, "finished: 2\n"]);
  expect(existsSync(join(cwd, "s/horn.easy.idle.2/judgments.jsonl"))).toBe(false);
});

it("RC9 a run that another process holds is refused in one line, and goes on when that one has ended", async () => {
  const cwd = workFolder();
  const words = ["play", "--case", "horn", "--tier", "easy", "--out", "s", ...HORN];
  const first = startCli(words, { cwd });
  const ended = endOf(first);
  await new Promise((resolve) => first.stderr?.once("data", resolve));
  const second = await cli(words, { cwd });
  expect([second.code, second.stdout]).toEqual([1, ""]);
  expect(second.stderr).toMatch(
    /^worldagent: s\/horn\.easy\.player\.1\/lock\.1: the run is held by process \d+\. Wait until it ends, or end it\.\n$/,
  );
  first.stdin?.end('{"tool":"end_round"}\n');
  expect((await ended).code).toBe(0);
});

it("AG2 Ctrl-C stops a set between two calls, says how to go on and ends with 130; the same command goes on", async () => {
  const cwd = workFolder();
  const words = [
    "run",
    "--cases",
    "horn",
    "--tier",
    "hard",
    "--agent",
    "reference",
    "--repeats",
    "200",
    "--out",
    "s",
    "--judge",
    "none",
    ...HORN,
  ];
  const child = startCli(words, { cwd });
  const ended = endOf(child);
  await new Promise((resolve) => child.stderr?.once("data", resolve));
  child.kill("SIGINT");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^(finished: \d+\n)?cancelled: \d+\n$/);
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toContain("Stopping after the call under way; Ctrl-C again stops at once.");
  expect(lines.at(-1)).toBe("Stopped. To go on, give the same command again; what was played is kept in s.");
  const score = await inFolder(cwd, ["score", "s", "--json", ...HORN]);
  expect(z.object({ runs: z.array(z.unknown()) }).parse(JSON.parse(score.stdout)).runs).toHaveLength(200);
});
