import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli, FIXTURE_CASES, playHorn, HORN, typed, workFolder, type Ended } from "./cli.ts";

/** A folder with the horn case, whose reference no longer walks home and cannot light the hearth. */
function brokenCases(cwd: string): string {
  const cases = join(cwd, "cases");
  cpSync(FIXTURE_CASES, cases, { recursive: true });
  const file = join(cases, "horn/rounds/01.yaml");
  const lines = readFileSync(file, "utf8").split("\n");
  const last = lines.findLastIndex((line) => line.includes("to: hearthfield"));
  writeFileSync(file, lines.toSpliced(last, 1).join("\n"));
  return cases;
}

const WHY = /round 1, reference step 14 is refused: .*worldagent cases verify horn/;

it("AG2 run, judge and score end with 1 where a fault of the case keeps finished runs from being judged, and the reason is said once", async () => {
  const cwd = workFolder();
  const cases = ["--cases-dir", brokenCases(cwd)];
  const words = ["run", "--cases", "horn", "--tier", "easy", "--agent", "idle", "--repeats", "3", "--out", "s"];
  const run = await cli([...words, ...cases], { cwd });
  const said = run.stderr.trimEnd().split("\n");
  expect([run.code, said.length]).toEqual([1, 5]);
  expect(said.filter((line) => WHY.test(line))).toEqual([
    expect.stringMatching(/^horn\.easy\.idle\.1 is not judged: /) as string,
  ]);
  expect(said.at(-1)).toBe("3 runs are not judged, by the fault said above.");
  expect(run.stdout.split("\n")[0]).toBe("No run is scored, of 3 planned.");
  const judged = await cli(["judge", "s", ...cases], { cwd });
  expect([judged.code, judged.stdout]).toEqual([1, "Judge: exact. 0 judged of 3 runs.\n"]);
  expect(judged.stderr).toMatch(WHY);
  expect((await cli(["score", "s", ...cases], { cwd })).code).toBe(1);
  const json = await cli([...words, "--json", ...cases], { cwd });
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { outcomes: { finished: 3 } }]);
  expect((await cli([...words, "--judge", "none", ...cases], { cwd })).code).toBe(0);
});

it("AG2 judge ends with 1 where nothing could be judged, and with 0 where everything is judged already", async () => {
  const cwd = workFolder();
  const play = ["play", "--case", "horn", "--tier", "easy", "--out", "open", ...HORN];
  await cli(play, { cwd });
  const codes = (ended: readonly Ended[]) => ended.map(({ code }) => code);
  const inSet = async (set: string) => [
    await cli(["judge", set, ...HORN], { cwd }),
    await cli(["score", set, ...HORN], { cwd }),
  ];
  const open = await inSet("open");
  expect([codes(open), open[0]?.stdout]).toEqual([[1, 1], "Judge: exact. 0 judged of 1 runs.\n"]);
  await playHorn(cwd, "done", "easy", "idle");
  const done = await inSet("done");
  expect([codes(done), typed(done[0]?.stdout ?? "")]).toEqual([
    [0, 0],
    "Judge: exact. 1 judged of 1 runs. To score them: worldagent score done\n",
  ]);
});

it("AG2 run ends with 1 and says why where the judgments of a finished run are not of its log", async () => {
  const cwd = workFolder();
  await playHorn(cwd, "s", "easy", "idle,reference");
  cpSync(join(cwd, "s/horn.easy.reference.1/judgments.jsonl"), join(cwd, "s/horn.easy.idle.1/judgments.jsonl"));
  rmSync(join(cwd, "s/horn.easy.idle.1/score.json"));
  const words = ["run", "--cases", "horn", "--tier", "easy", "--agent", "idle,reference", "--out", "s", ...HORN];
  const { code, stderr } = await cli(words, { cwd });
  expect(code).toBe(1);
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^horn\.easy\.idle\.1 is not scored: .*they are of another log/);
});
