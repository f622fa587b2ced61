import fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { acquireLock } from "../../src/records/index.ts";
import { HORN, inFolder, typed, workFolder } from "./cli.ts";

afterEach(() => vi.restoreAllMocks());

/** From here on the disk refuses every new file whose path fits. */
function refuse(path: RegExp, errno: string): void {
  const open = fs.openSync;
  vi.spyOn(fs, "openSync").mockImplementation((at, ...more) => {
    if (path.test(String(at)) && more[0] !== "r") throw Object.assign(new Error(errno), { code: errno });
    return open(at, ...more);
  });
}

const RUN = [
  "run",
  "--cases",
  "horn",
  "--tier",
  "hard",
  "--agent",
  "reference",
  "--repeats",
  "3",
  "--out",
  "s",
  ...HORN,
];
const scoredOf = (stdout: string): readonly unknown[] =>
  (JSON.parse(stdout) as { runs: readonly { completion?: number }[] }).runs.map(({ completion }) => completion);

describe("AG2 a disk that refuses is no wrong use", () => {
  it.each([
    ["ENOSPC", "the disk is full. Make room and give the same command again."],
    ["EROFS", "the file system is read-only. Choose a folder that can be written."],
  ])("%s stops the set, what is scored so far is printed, and it ends with 1", async (errno, why) => {
    const cwd = workFolder();
    refuse(/reference\.2/, errno);
    const { code, stdout, stderr } = await inFolder(cwd, [...RUN, "--json"]);
    expect([code, scoredOf(stdout)]).toEqual([1, [1, undefined, undefined]]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: { finished: 1, cancelled: 1 },
      stopped: { kind: "disk", run: "horn.hard.reference.2" },
    });
    const last = typed(stderr).split("\n").at(-2) ?? "";
    expect(last).toMatch(/^Stopped at horn\.hard\.reference\.2: s\/horn\.hard\.reference\.2/);
    expect(last).toContain(`${why} What was written is kept; go on with: worldagent run --cases horn `);
    vi.restoreAllMocks();
    expect((await inFolder(cwd, RUN)).code).toBe(0);
  });

  it("scores that cannot be kept are printed all the same, and said not to be kept, in one line", async () => {
    const cwd = workFolder();
    refuse(/score\.json/, "ENOSPC");
    const { code, stdout, stderr } = await inFolder(cwd, RUN);
    expect([code, stdout.split("\n")[0]]).toEqual([1, "Judge: exact. 3 scored of 3 planned."]);
    const said = stderr.split("\n").filter((line) => line.includes("full"));
    expect(said).toEqual([expect.stringMatching(/^3 scores are not kept: s\/horn\.hard\.reference\.1\/score\.json: /)]);
    const again = await inFolder(cwd, ["score", "s", ...HORN]);
    expect([again.code, again.stdout.split("\n")[0]]).toEqual([1, "Judge: exact. 3 scored of 3 planned."]);
    expect(again.stderr.split("\n").filter((line) => line.includes("full"))).toHaveLength(1);
  });

  it("a folder in which nothing can be planned ends with 1, too", async () => {
    refuse(/planned\.json/, "ENOSPC");
    const { code, stderr } = await inFolder(workFolder(), RUN);
    expect([code, stderr]).toEqual([
      1,
      "worldagent: s/planned.json: it could not be written: the disk is full. Make room and give the same command again.\n",
    ]);
  });
});

it("AG2 RC9 a run that another command plays is left to it, which is said, and the means are said to be of a part", async () => {
  const cwd = workFolder();
  const held = join(cwd, "s/horn.hard.reference.2");
  fs.mkdirSync(held, { recursive: true });
  const lock = acquireLock(held);
  const { code, stdout, stderr } = await inFolder(cwd, RUN);
  expect(code).toBe(1);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("These means are over a part of the set: 1 of 3 runs has no score.");
  expect(typed(stderr).split("\n").at(-2)).toMatch(
    /^1 run is held by another command, and left to it\. When that has ended, this gives the whole: worldagent run --cases horn /,
  );
  lock.release();
  expect((await inFolder(cwd, RUN)).code).toBe(0);
});

describe("RC1 what is said of a damaged file can be done", () => {
  it("a manifest that is gone beside its log: moved away, the run is played anew by the same command", async () => {
    const cwd = workFolder();
    await inFolder(cwd, RUN);
    const run = join(cwd, "s/horn.hard.reference.1");
    fs.rmSync(join(run, "manifest.json"));
    const refused = await inFolder(cwd, RUN);
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining(
        "Restore it from a copy; or move the run's folder away, and the same command then plays the run anew.",
      ),
    ]);
    fs.renameSync(run, join(cwd, "away"));
    expect((await inFolder(cwd, RUN)).code).toBe(0);
  });

  it.each([
    ["torn", "{"],
    ["foreign", '{"score": 1}\n'],
  ])("a score that is %s: deleted, it is made again from the judgments", async (_what, text) => {
    const cwd = workFolder();
    await inFolder(cwd, RUN);
    const score = join(cwd, "s/horn.hard.reference.1/score.json");
    const before = fs.readFileSync(score);
    fs.writeFileSync(score, text);
    const refused = await inFolder(cwd, ["score", "s", ...HORN]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("Delete it; it is made from the judgments again when the run is scored."),
    ]);
    fs.rmSync(score);
    expect((await inFolder(cwd, ["score", "s", ...HORN])).code).toBe(0);
    expect(fs.readFileSync(score).equals(before)).toBe(true);
  });
});
