import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogBody } from "../../src/records/index.ts";
import { forgeLog } from "../tracks/forge-log.ts";
import { POND_CALLS } from "../tracks/pond-calls.ts";
import { cli, HORN, inFolder, playHorn, workFolder, type Ended } from "./cli.ts";

const RUN = ["run", "--track", "deduction", "--cases", "mill_pond", ...HORN] as const;

/** The lines of an error, without the command to give again. */
const said = ({ code, stderr }: Ended): readonly unknown[] => [code, stderr.trimEnd()];

async function playPond(cwd: string, out: string, ...more: readonly string[]): Promise<Ended> {
  return await inFolder(cwd, [...RUN, "--condition", "open", "--mode", "m1,m2", "--out", out, ...more]);
}

describe("worldagent run --track deduction", () => {
  it("DD92 plays conditions, modes and folds, scores without a judge, and gives the figures as data", async () => {
    const cwd = workFolder();
    const words = [...RUN, "--condition", "open,naming", "--mode", "m1,M2", "--folds", "1-2,5", "--agent", "rules"];
    const { code, stdout, stderr } = await inFolder(cwd, [...words, "--out", "runs/a", "--json"]);
    expect({ code, faults: stderr.split("\n").filter((line) => /fault|not/.test(line)) }).toEqual({
      code: 0,
      faults: [],
    });
    const told = JSON.parse(stdout) as { readonly runs: readonly Record<string, unknown>[] };
    expect(told).toMatchObject({ set: "a", planned: 12, outcomes: { finished: 12 }, stopped: null });
    expect(told.runs[0]).toEqual({
      run: "mill_pond.open.m1.1.rules.1",
      case: "mill_pond",
      condition: "open",
      mode: "M1",
      fold: 1,
      agent: "rules",
      repeat: 1,
      outcome: "finished",
      skipped: false,
      f1: { segment: 1 },
      n: { segment: 3 },
      quiet: { segment: null },
      fires: { precision: 1, recall: 1 },
      goal: null,
      waits: { waits: 0, decisions: 0 },
      spans: { planned: 3, played: 3, unanswered: 0 },
    });
    expect(told.runs.at(-1)).toMatchObject({
      run: "mill_pond.naming.m2.5.rules.1",
      f1: { interval: expect.any(Number) as number, lookahead: 1, counterfactual: expect.any(Number) as number },
      goal: false,
      waits: { waits: 4, decisions: 4 },
    });
    const score = await inFolder(cwd, ["score", "runs/a", "--json", ...HORN]);
    const { runs, deduction, deductionCases } = JSON.parse(score.stdout) as {
      readonly runs: readonly unknown[];
      readonly deduction: readonly { readonly case: string | null }[];
      readonly deductionCases: readonly { readonly case: string | null }[];
    };
    expect(deduction.map((one) => one.case)).toEqual([null, null, null, null]);
    expect(deductionCases).toEqual(deduction.map((one) => ({ ...one, case: "mill_pond" })));
    expect([score.code, runs.length, deduction.length]).toEqual([0, 12, 4]);
    const audit = await inFolder(cwd, ["audit", "runs/a", ...HORN]);
    expect([audit.code, audit.stdout.split("\n").at(-2)]).toEqual([0, "12 runs audited: no differences."]);
    const replay = await inFolder(cwd, ["replay", "runs/a/mill_pond.open.m2.1.rules.1", ...HORN]);
    expect(replay).toMatchObject({ code: 0, stdout: expect.stringMatching(/calls replayed, all as logged/) as string });
  });

  it("DD92 plays every fold where none is said, and goes on where it was", async () => {
    const cwd = workFolder();
    const first = await playPond(cwd, "runs/a", "--agent", "persist");
    expect(readdirSync(join(cwd, "runs/a")).filter((name) => name.startsWith("mill_pond."))).toHaveLength(10);
    const again = await playPond(cwd, "runs/a", "--agent", "persist");
    expect(again.stderr).toContain("In runs/a: 0 begun runs go on, 10 finished left alone.");
    expect(again.stdout).toBe(first.stdout);
  });

  it.each([
    [["--agent", "idle", "--out", "x"], "--condition, --mode must be given; usage: worldagent run (--help says more)"],
    [["--tier", "easy"], "--tier is of the track maintenance: say --condition, --mode and --folds"],
    [["--judge", "exact"], "--judge is of the track maintenance: leave it out: a run of deduction needs no judge"],
    [["--condition", "closed"], 'there is no condition "closed": there are: naming, open'],
    [["--mode", "m3"], 'there is no mode "m3": there are: M1, M2'],
    [["--folds", "0-5"], 'there is no fold "0-5": folds are 1 to 5, such as 1-5 or 1,3'],
    [["--folds", "4-2"], 'there is no fold "4-2": folds are 1 to 5, such as 1-5 or 1,3'],
    [["--folds", "1,six"], 'there is no fold "six": folds are 1 to 5, such as 1-5 or 1,3'],
    [
      ["--agent", "reference"],
      "reference does not play deduction: a case of deduction has no reference solution; its truth is a rollout",
    ],
    [["--cases", "horn"], "horn is of the track maintenance: leave --track out"],
    [["--cases", "h*"], "horn is of the track maintenance: leave --track out"],
  ])("DD93 refuses %j in a line that says what is wrong and what to do", async (words, expected) => {
    const given = (flag: string, value: string) => (words.includes(flag) ? [] : [flag, value]);
    const needed = words.includes("--out")
      ? []
      : [
          ...given("--condition", "open"),
          ...given("--mode", "m1"),
          ...given("--agent", "idle"),
          ...given("--out", "x"),
          ...(words.includes("--tier") ? [] : []),
        ];
    const all = words.includes("--cases") ? ["run", "--track", "deduction", ...HORN] : [...RUN];
    const ended = await inFolder(workFolder(), [...all, ...needed, ...words]);
    expect(said(ended)).toEqual([2, `worldagent: ${expected}`]);
  });

  it.each([
    [["--condition", "open"], "--condition is of the track deduction: add --track deduction"],
    [["--folds", "1"], "--folds is of the track deduction: add --track deduction"],
    [["--cases", "mill_pond"], "mill_pond is of the track deduction: add --track deduction"],
    [["--track", "prose"], 'there is no track "prose": there are: maintenance, deduction'],
    [
      ["--agent", "persist"],
      "persist does not play easy: it foretells how a world goes on, and maintenance asks for deeds",
    ],
  ])("DD93 refuses %j where maintenance is played", async (words, expected) => {
    const given = (flag: string, value: string) => (words.includes(flag) ? [] : [flag, value]);
    const needed = [...given("--cases", "horn"), ...given("--agent", "idle"), "--tier", "easy", "--out", "x"];
    const ended = await inFolder(workFolder(), ["run", ...needed, ...HORN, ...words]);
    expect(said(ended)).toEqual([2, `worldagent: ${expected}`]);
  });

  it("DD94 is told all of it by a config file, and told where a file says what only the other track knows", async () => {
    const cwd = workFolder();
    const file = join(cwd, "worldagent.config.yaml");
    const lines = [
      "v: 1",
      "track: deduction",
      "cases: mill_pond",
      "conditions: [naming]",
      "modes: m1",
      "folds: [2, 4-5]",
    ];
    writeFileSync(file, [...lines, "agents: [persist]", "out: runs/a"].join("\n"));
    const { code, stdout } = await inFolder(cwd, ["run", "--json", ...HORN]);
    const { runs, settings } = JSON.parse(stdout) as {
      readonly runs: readonly { readonly run: string }[];
      readonly settings: readonly { readonly name: string; readonly from: string }[];
    };
    expect([code, runs.map(({ run }) => run)]).toEqual([
      0,
      [2, 4, 5].map((fold) => `mill_pond.naming.m1.${fold}.persist.1`),
    ]);
    expect(settings.find(({ name }) => name === "folds")?.from).toBe("worldagent.config.yaml:6:8");
    writeFileSync(file, [...lines, "tiers: easy", "agents: [persist]", "out: runs/a"].join("\n"));
    expect(said(await inFolder(cwd, ["run", ...HORN]))).toEqual([
      2,
      "worldagent: worldagent.config.yaml:7:8 tiers is of the track maintenance: say conditions, modes and folds",
    ]);
    writeFileSync(file, [...lines.slice(0, -1), "folds: 7", "agents: [persist]", "out: runs/a"].join("\n"));
    expect((await inFolder(cwd, ["run", ...HORN])).stderr).toContain('worldagent.config.yaml:6:8 there is no fold "7"');
  });
});

describe("commands on a set with runs of deduction", () => {
  it("DD95 judge says that they need none, and score and audit take both tracks in one set", async () => {
    const cwd = workFolder();
    await playPond(cwd, "runs/a", "--folds", "1", "--agent", "persist");
    const alone = await inFolder(cwd, ["judge", "runs/a", ...HORN]);
    expect(said(alone)).toEqual([
      2,
      "worldagent: runs/a holds runs of deduction alone, which need no judge: worldagent score makes their scores from their logs",
    ]);
    await playHorn(cwd, "runs/a", "easy", "reference");
    const judged = await inFolder(cwd, ["judge", "runs/a", ...HORN]);
    expect(judged).toMatchObject({ code: 0, stdout: expect.stringContaining("1 judged of 3 runs") as string });
    expect(judged.stderr).toContain("mill_pond.open.m1.1.persist.1 is not judged: a run of deduction needs no judge");
    const { code, stdout } = await inFolder(cwd, ["score", "runs/a", ...HORN]);
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => /^(?:Judge|Deduction): /.test(line))).toEqual([
      "Judge: exact. 1 scored of 1 planned.",
      "Deduction: 2 scored of 2 planned. Truth is the rollout of the rules; nobody judges.",
    ]);
    const audit = await inFolder(cwd, ["audit", "runs/a", ...HORN]);
    expect(audit.code).toBe(0);
    expect(audit.stdout).toContain("mill_pond.open.m1.1.persist.1: ok, segment F1 0.00 (3)");
    expect(audit.stdout).toContain("3 runs audited: no differences.");
  });

  it("DD96 play takes the condition, the mode and the fold of such a case, by lines, and the run is scored", async () => {
    const cwd = workFolder();
    const words = ["play", "--case", "mill_pond", "--condition", "open", "--mode", "m2", "--out", "runs/p", ...HORN];
    const input = POND_CALLS.M2.map((call) => `${JSON.stringify(call)}\n`).join("");
    const played = await cli(words, { cwd, input });
    expect({ code: played.code, lines: played.stdout.split("\n").length - 1 }).toEqual({
      code: 0,
      lines: POND_CALLS.M2.length,
    });
    expect(played.stderr).toContain("The run is over: finished.");
    expect(played.stderr).not.toContain("judge");
    const scored = await cli(["score", "runs/p", "--json", ...HORN], { cwd });
    expect(JSON.parse(scored.stdout)).toMatchObject({
      runs: [
        { run: "mill_pond.open.m2.1.player.1", f1: { interval: expect.any(Number) as number }, outcome: "finished" },
      ],
    });
    expect(readFileSync(join(cwd, "runs/p/planned.json"), "utf8")).toContain("mill_pond.open.m2.1.player.1");
  });

  it.each([
    [
      ["--case", "mill_pond", "--tier", "easy"],
      "mill_pond is of the track deduction, which has no --tier: say --condition, --mode, --fold",
    ],
    [["--case", "mill_pond", "--mode", "m1"], "mill_pond is of the track deduction: --condition must be given"],
    [
      ["--case", "mill_pond", "--condition", "open", "--mode", "m1", "--fold", "6"],
      'there is no fold "6": play takes one fold, from 1 to 5',
    ],
    [
      ["--case", "mill_pond", "--condition", "open", "--mode", "m1", "--fold", "1-2"],
      'there is no fold "1-2": play takes one fold, from 1 to 5',
    ],
    [
      ["--case", "mill_pond", "--condition", "open", "--mode", "m1", "--fold", "two"],
      'there is no fold "two": play takes one fold, from 1 to 5',
    ],
    [["--case", "horn"], "horn is of the track maintenance: --tier must be given"],
    [
      ["--case", "horn", "--tier", "easy", "--fold", "1"],
      "horn is of the track maintenance, which has no --fold: say --tier",
    ],
    [["--case", "mill_pnd", "--tier", "easy"], 'there is no case "mill_pnd": did you mean "mill_pond"?'],
  ])("DD96 play refuses %j in a line", async (words, expected) => {
    const ended = await inFolder(workFolder(), ["play", ...words, "--out", "x", ...HORN]);
    expect(said(ended)).toEqual([2, `worldagent: ${expected}`]);
  });

  it("DD84 score names a run whose log was cut and called finished, gives it no score, and ends with 1", async () => {
    const cwd = workFolder();
    await playPond(cwd, "runs/a", "--folds", "1", "--agent", "persist");
    const run = "mill_pond.open.m1.1.persist.1";
    const folder = join(cwd, "runs/a", run);
    const whole = readFileSync(join(folder, "log.jsonl"));
    for (const [change, why] of [
      [(bodies: readonly LogBody[]) => [...bodies, bodies[1] as LogBody], "nothing after the seal"],
      [(bodies: readonly LogBody[]) => bodies.slice(0, -1), "a seal on the last line"],
    ] as const) {
      await forgeLog(folder, change);
      const ended = await inFolder(cwd, ["score", "runs/a", ...HORN]);
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(why)]);
      writeFileSync(join(folder, "log.jsonl"), whole);
    }
    await forgeLog(folder, (bodies) => [
      ...bodies.slice(0, 2),
      { kind: "outcome", outcome: "finished" },
      { kind: "seal", lines: 3 },
    ]);
    const { code, stderr } = await inFolder(cwd, ["score", "runs/a", ...HORN]);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${run} is not scored: .*left before its end.*seen "finished"`, "m"));
    expect(stderr).not.toContain("mill_pond.open.m2.1.persist.1 is not scored");
  });

  it("audit prints the outcome of a run that goes on, and no figures", async () => {
    const cwd = workFolder();
    await playPond(cwd, "runs/a", "--folds", "1", "--agent", "persist");
    const run = "mill_pond.open.m1.1.persist.1";
    rmSync(join(cwd, "runs/a", run, "score.json"));
    await forgeLog(join(cwd, "runs/a", run), (bodies) => [
      ...bodies.slice(0, 2),
      { kind: "outcome", outcome: "endpoint_fault" },
    ]);
    const left = await inFolder(cwd, ["audit", `runs/a/${run}`, ...HORN]);
    expect([left.code, left.stdout.split("\n")[0]]).toEqual([
      0,
      `${run}: ok, endpoint_fault: it goes on, and has no score yet`,
    ]);
    await forgeLog(join(cwd, "runs/a", run), (bodies) => bodies.slice(0, 2));
    const begun = await inFolder(cwd, ["audit", `runs/a/${run}`, ...HORN]);
    expect([begun.code, begun.stdout.split("\n")[0]]).toEqual([1, `${run}: unfinished, 1 difference`]);
  });

  it.each([["mill_pond"], ["mill_p*"], ["horn,mill_pond"]])(
    "DD93 calibrate says of --edits %s that a case of deduction has no judge to calibrate",
    async (word) => {
      const ended = await inFolder(workFolder(), ["calibrate", "--edits", word, "--out", "o", "--model", "m", ...HORN]);
      expect(said(ended)).toEqual([
        2,
        "worldagent: mill_pond is of the track deduction, whose cases have no judge to calibrate: name cases of the track maintenance",
      ]);
    },
  );

  it("options that every command takes may stand before the command, with its own options behind it", async () => {
    const cwd = workFolder();
    const own = ["--cases", "mill_pond", "--condition", "open", "--mode", "m1", "--folds", "1", "--agent", "idle"];
    const ran = await inFolder(cwd, ["--json", ...HORN, "run", "--track", "deduction", ...own, "--out", "runs/a"]);
    expect([ran.code, (JSON.parse(ran.stdout) as { readonly planned: number }).planned]).toEqual([0, 1]);
    const play = ["play", "--case", "horn", "--fold", "1", "--out", "x"];
    expect((await inFolder(cwd, [...HORN, ...play])).stderr).toContain("which has no --fold");
    expect((await inFolder(cwd, [`--cases-dir=${HORN[1]}`, ...play])).stderr).toContain("which has no --fold");
    const shown = await inFolder(cwd, [...HORN, "cases", "--json", "show", "horn", "--round", "2"]);
    expect(shown.stderr).toContain("horn has no round 2");
    const strange = await inFolder(cwd, ["--json", "rn", "--track", "deduction"]);
    expect(said(strange)).toEqual([2, 'worldagent: there is no command "rn": did you mean "run"?']);
    const unknown = await inFolder(cwd, ["--json", "run", "--trak", "deduction"]);
    expect(said(unknown)).toEqual([2, 'worldagent: there is no option --trak: did you mean "--track"?']);
  });

  it("DD97 agents list says who plays deduction, and agents show why one does not", async () => {
    const { stdout } = await inFolder(workFolder(), ["agents", "list", "--json"]);
    const plays = Object.fromEntries(
      (JSON.parse(stdout) as readonly { readonly name: string; readonly deduction: boolean }[]).map((one) => [
        one.name,
        one.deduction,
      ]),
    );
    expect(plays).toEqual({
      reference: false,
      idle: true,
      lexical: false,
      persist: true,
      everything: true,
      "last-change": true,
      rules: true,
      model: true,
    });
    const shown = await inFolder(workFolder(), ["agents", "show", "rules"]);
    expect(shown.stdout.split("\n").slice(1, 3)).toEqual([
      "plays: deduction",
      "does not play maintenance: it foretells how a world goes on, and maintenance asks for deeds",
    ]);
  });
});
