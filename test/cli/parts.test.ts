import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matches } from "../../src/cli/choose.ts";
import { SetDisplay } from "../../src/cli/display.ts";
import { kindAt, nearestPath } from "../../src/cli/paths.ts";
import { commitOf } from "../../src/cli/surroundings.ts";
import { requireRunId } from "../../src/records/index.ts";
import type { RunName } from "../../src/tracks/index.ts";
import { workFolder } from "./cli.ts";

describe("a pattern of case ids", () => {
  it.each([
    ["ark_001", "ark_*", true],
    ["ark_001", "*", true],
    ["ark_001", "*_00?", true],
    ["ark_001", "ark", false],
    ["ark_001", "?rk_*2", false],
    ["ark_001", "ark_001**", true],
    ["", "*", true],
    ["a.c", "a?c", true],
    ["abc", "a.c", false],
  ])("%s fits %s: %s", (text, pattern, fits) => {
    expect(matches(text, pattern)).toBe(fits);
  });

  it("of many stars is no way to spend a minute", () => {
    expect(matches("a".repeat(2_000), `${"*a".repeat(200)}b`)).toBe(false);
  });
});

describe("the nearest path to one that leads nowhere", () => {
  it("mends every name on the way, and goes as far as something is near", () => {
    const folder = workFolder();
    mkdirSync(join(folder, "runs/demo/ark_001.easy.idle.1"), { recursive: true });
    writeFileSync(join(folder, "runs/damo"), "");
    const near = (path: string, kind: "folder" | "file" = "folder") => nearestPath(join(folder, path), kind);
    expect(near("runs/dem")).toBe(join(folder, "runs/demo"));
    expect(near("rnus/dem/ark_001.easy.idle")).toBe(join(folder, "runs/demo/ark_001.easy.idle.1"));
    expect(near("runs/dem/zzzzzzzzzz")).toBe(join(folder, "runs/demo"));
    expect(near("runs/dam", "file")).toBe(join(folder, "runs/damo"));
    expect(near("zzzzzzzzzz/demo")).toBeUndefined();
    expect(near("runs/demo")).toBe(join(folder, "runs/demo"));
  });

  it("is asked for without an exception where nothing can be looked at", () => {
    const folder = workFolder();
    symlinkSync(join(folder, "b"), join(folder, "a"));
    symlinkSync(join(folder, "a"), join(folder, "b"));
    for (const path of [join(folder, "a"), join(folder, "x".repeat(5_000))]) {
      expect([kindAt(path), nearestPath(path, "folder")]).toEqual([undefined, undefined]);
    }
  });
});

describe("the display of a set", () => {
  const run: RunName = {
    track: "maintenance",
    run: requireRunId("horn.hard.idle.1"),
    case: "horn",
    tier: "hard",
    agent: "idle",
    repeat: 1,
  };
  const done = { ...run, path: "", outcome: "finished" as const, skipped: false };

  function shown(isTTY: boolean, environment: Readonly<Record<string, string>>): readonly string[] {
    const written: string[] = [];
    let now = 0;
    const display = new SetDisplay(
      2,
      { isTTY, columns: 80, write: (text) => written.push(text) },
      environment,
      () => (now += 1_000),
    );
    display.take({ kind: "begun", run });
    display.take({ kind: "call", run, round: 2, calls: 7 });
    display.take({ kind: "done", run: done });
    display.take({ kind: "done", run: { ...done, run: requireRunId("horn.hard.idle.2"), outcome: "cancelled" } });
    display.close();
    return written;
  }

  it("redraws one line on a terminal, keeps a line for each run that was played, and takes the redrawn one away", () => {
    const clear = "\r\u001b[2K";
    expect(shown(true, {})).toEqual([
      `${clear}0/2 done · horn.hard.idle.1 round 1, 0 calls · 1 s`,
      `${clear}0/2 done · horn.hard.idle.1 round 2, 7 calls · 2 s`,
      `${clear}[1/2] horn.hard.idle.1 finished\n`,
      `${clear}1/2 done · 3 s · about 3 s left`,
      clear,
    ]);
  });

  it.each([
    ["where there is no terminal", false, {}],
    ["in CI", true, { CI: "true" }],
    ["where colours are not wanted", true, { NO_COLOR: "1" }],
    ["on a terminal that cannot redraw a line", true, { TERM: "dumb" }],
  ])("is plain lines %s", (_, isTTY, environment) => {
    expect(shown(isTTY, environment as Readonly<Record<string, string>>)).toEqual([
      "[1/2] horn.hard.idle.1 finished\n",
    ]);
  });
});

describe("the commit of the package's folder", () => {
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(40)) as [string, string, string];

  function repository(files: Readonly<Record<string, string>>): string {
    const folder = workFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  it("is read from HEAD, from the branch it names, or from packed refs, without git", () => {
    expect(commitOf(repository({ ".git/HEAD": `${a}\n` }))).toBe(a);
    expect(
      commitOf(
        repository({
          ".git/HEAD": "ref: refs/heads/main\n",
          ".git/refs/heads/main": `${b}\n`,
          ".git/packed-refs": `${c} refs/heads/main\n`,
        }),
      ),
    ).toBe(b);
    expect(
      commitOf(
        repository({
          ".git/HEAD": "ref: refs/heads/main\n",
          ".git/packed-refs": `# pack-refs\n${a} refs/heads/not-main\n${c} refs/heads/main\n`,
        }),
      ),
    ).toBe(c);
  });

  it("is that of a linked working tree where the folder is one", () => {
    const folder = repository({
      "main/.git/refs/heads/side": `${b}\n`,
      "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
      "main/.git/worktrees/side/commondir": "../..\n",
      "side/.git": "gitdir: ../main/.git/worktrees/side\n",
    });
    expect(commitOf(join(folder, "side"))).toBe(b);
  });

  it("is unknown where there is no repository or it is not to be made sense of", () => {
    for (const files of [
      {},
      { ".git/HEAD": "" },
      { ".git/HEAD": "ref: refs/heads/none\n" },
      { ".git/HEAD": "ref: refs/../../secret\n" },
      { ".git": "nonsense" },
    ]) {
      expect(commitOf(repository(files))).toBeUndefined();
    }
  });
});
