import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadCase, solutionOf } from "../../src/cases/index.ts";
import { cli, endOf, FIXTURE_CASES, HORN, startCli, typed, workFolder } from "./cli.ts";

const PLAY = ["play", "--case", "horn", "--tier", "hard", "--out", "s", ...HORN];
const RUN = "s/horn.hard.player.1";

/** The reference solution of the horn case in hard, as lines. */
function solutionLines(): readonly string[] {
  const loaded = loadCase(join(FIXTURE_CASES, "horn"));
  if (!loaded.ok) throw new Error("the fixture has faults");
  return solutionOf(loaded.value, "hard")
    .flat()
    .map((call) => JSON.stringify(call));
}

it("AG1 a script that plays the reference solution scores everything, and is recorded like any run", async () => {
  const cwd = workFolder();
  const lines = solutionLines();
  const played = await cli(PLAY, { cwd, input: lines.join("\n") });
  expect(played.code).toBe(0);
  const answers = played.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { ok: boolean });
  expect(answers).toHaveLength(lines.length);
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(typed(played.stderr).trimEnd().split("\n").slice(-2)).toEqual([
    "The run is over: finished.",
    "Next: worldagent judge s && worldagent score s",
  ]);
  expect((await cli(["judge", "s", ...HORN], { cwd })).code).toBe(0);
  const score = await cli(["score", "s", "--json", ...HORN], { cwd });
  expect(JSON.parse(score.stdout)).toMatchObject({ runs: [{ run: "horn.hard.player.1", completion: 1, relation: 1 }] });
  expect((await cli(["audit", "s", ...HORN], { cwd })).code).toBe(0);
  const again = await cli(PLAY, { cwd });
  expect(again).toEqual({
    code: 2,
    stdout: "",
    stderr: `worldagent: ${RUN} is over already: play another with --repeat 2\n`,
  });
});

it("RC3 a player that is killed goes on where its log ends: its calls are not made again, and the chain is that of a run without the kill", async () => {
  const cwd = workFolder();
  const lines = solutionLines();
  const half = 9;
  const child = startCli(PLAY, { cwd });
  const ended = endOf(child);
  let answered = 0;
  await new Promise<void>((resolve) => {
    child.stdout?.on("data", (text: string) => {
      answered += text.split("\n").length - 1;
      if (answered >= half) resolve();
    });
    child.stdin?.write(`${lines.slice(0, half).join("\n")}\n`);
  });
  child.kill("SIGKILL");
  expect((await ended).code).toBeNull();
  const resumed = await cli(PLAY, { cwd, input: `${lines.slice(half).join("\n")}\n` });
  expect(resumed.code).toBe(0);
  expect(resumed.stderr.split("\n")[0]).toBe(`Going on in round 1, after ${half} calls.`);
  expect(resumed.stdout.trimEnd().split("\n")).toHaveLength(lines.length - half);
  const straight = workFolder();
  await cli(PLAY, { cwd: straight, input: lines.join("\n") });
  expect(readFileSync(join(cwd, RUN, "log.jsonl"), "utf8")).toBe(
    readFileSync(join(straight, RUN, "log.jsonl"), "utf8"),
  );
});

it("input that ends first leaves a run that can go on, and says how to go on and how to end it", async () => {
  const cwd = workFolder();
  const ended = await cli(PLAY, { cwd, input: '{"tool":"get_context"}\n' });
  expect(ended.code).toBe(0);
  expect(typed(ended.stderr).trimEnd().split("\n").slice(-2)).toEqual([
    "The run is not over (round 1): the same command goes on with it, and with --stop ends it here, to be judged as it is.",
    "When it is over: worldagent judge s && worldagent score s",
  ]);
});

it("AG2 Ctrl-C ends a play with 130 and one line how to go on", async () => {
  const cwd = workFolder();
  // The input stays open: which of a signal and an end of input a process hears of first is the system's to say.
  const child = startCli(PLAY, { cwd });
  const stopped = endOf(child);
  await new Promise((resolve) => child.stderr?.once("data", resolve));
  child.kill("SIGINT");
  const { code, stderr } = await stopped;
  expect([code, stderr.trimEnd().split("\n").at(-1)]).toEqual([
    130,
    "Interrupted in round 1; the same command goes on with the run.",
  ]);
});

it("RC8 a play that is stopped is sealed after its last line, and is judged and scored with every item of the case", async () => {
  const cwd = workFolder();
  await cli(PLAY, { cwd, input: '{"tool":"get_context"}\n' });
  const stopped = await cli([...PLAY, "--stop"], { cwd, input: '{"tool":"help"}\n' });
  expect([stopped.code, stopped.stdout.trimEnd().split("\n").length]).toEqual([0, 1]);
  expect(typed(stopped.stderr).trimEnd().split("\n").slice(-2)).toEqual([
    "The run is over: stopped.",
    "Next: worldagent judge s && worldagent score s",
  ]);
  expect((await cli(["judge", "s", ...HORN], { cwd })).code).toBe(0);
  const score = await cli(["score", "s", "--json", ...HORN], { cwd });
  expect([score.code, JSON.parse(score.stdout)]).toMatchObject([
    0,
    {
      runs: [
        {
          outcome: "stopped",
          completion: 0,
          relation: 0,
          counts: { completion: { passed: 0, scored: 15 }, relation: { passed: 0, scored: 9 } },
        },
      ],
    },
  ]);
  expect((await cli(["audit", "s", ...HORN], { cwd })).code).toBe(0);
  expect((await cli([...PLAY, "--stop"], { cwd })).code).toBe(2);
});

it("RC8 a play of which nothing was done can be stopped as well", async () => {
  const cwd = workFolder();
  const { code, stdout } = await cli([...PLAY, "--stop"], { cwd });
  expect([code, stdout]).toEqual([0, ""]);
  expect((await cli(["audit", "s", ...HORN], { cwd })).code).toBe(0);
});

it("the example in the README works as it is written", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, words, lines] = /^ {4}node dist\/worldagent\.js (play .*)\n((?: {4}\{.*\}\n)+)/m.exec(readme) ?? [];
  const { code, stdout } = await cli((words ?? "").split(" "), { cwd: workFolder(), input: lines ?? "" });
  const answers = stdout.trimEnd().split("\n");
  expect([code, answers.length]).toEqual([0, 3]);
  for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ ok: true });
});

it("AG1 hostile lines are answered one by one and none ends the run", async () => {
  const cwd = workFolder();
  const lines: readonly (readonly [string, string])[] = [
    ["not json", "malformed_input"],
    ['{"tool":"commit_step","input":{"__proto__":{"a":1}}}', "forbidden_id"],
    ['{"__proto__":{"tool":"help"},"tool":"help"}', "unknown_key"],
    ['{"tool":"commit_step","input":{"triggers":[],"advance":1e400}}', "invalid_value"],
    [`{"tool":"help","input":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, "input_too_deep"],
    ["x".repeat(1_000_000), "input_too_large"],
    [`{"tool":"help","input":{"topic":"${"x".repeat(100_000)}"}}`, "input_too_large"],
    ["[]", "malformed_input"],
    ["{}", "missing_key"],
    ['{"tool":"no_such"}', "unknown_tool"],
    ['{"tool":"help","input":{},"arguments":{}}', "malformed_input"],
    ['{"tool":"help","input":"{}"}', "malformed_input"],
  ];
  const input = `${lines.map(([line]) => line).join("\n")}\n\n   \n{"tool":"get_context","arguments":"{}"}\n`;
  const { code, stdout } = await cli(PLAY, { cwd, input });
  expect(code).toBe(0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { ok: boolean; error?: { code: string; message: string } });
  expect(answers[2]?.error?.message).toBe('a line holds tool and input, and nothing else: "__proto__" is no key of it');
  expect(answers.map(({ ok, error }) => (ok ? "ok" : error?.code))).toEqual([
    ...lines.map(([, expected]) => expected),
    "ok",
  ]);
  expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  const replayed = await cli(["replay", RUN, ...HORN], { cwd });
  expect(replayed.stdout).toBe(`horn.hard.player.1: ${lines.length + 1} calls replayed, all as logged\n`);
});
