import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli, HORN, workFolder } from "./cli.ts";

it("the demo plays the built-in agents in every tier, judges, scores and audits them, and can be run again", async () => {
  const cwd = workFolder();
  await cli(["demo", ...HORN], { cwd });
  const { code, stdout, stderr } = await cli(["demo", ...HORN], { cwd });
  expect(code).toBe(0);
  expect(stderr.split("\n")[0]).toBe("Playing 7 runs into runs/demo: horn; no key and no network is needed.");
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("Judge: exact. 7 scored of 7 planned.");
  const order = [...stdout.matchAll(/^horn {2}(\w+) +(\w+) /gm)].map(([, tier, agent]) => `${tier} ${agent}`);
  expect(order).toEqual([
    "easy idle",
    "easy lexical",
    "easy reference",
    "hard idle",
    "hard reference",
    "extreme idle",
    "extreme reference",
  ]);
  expect(lines.filter((line) => /^ {2}horn\.\w+\.\w+\.1: ok, completion /.test(line))).toHaveLength(7);
  const at = lines.indexOf("What to look at next:");
  expect(lines.slice(at + 1, at + 4).map((line) => line.replace(/^ {2}node \S*worldagent\.js /, ""))).toEqual([
    "audit runs/demo/horn.easy.lexical.1 --tree    every item with its evidence",
    "cases show horn --round 1 --tier hard    the story, its contract, what an agent is given",
    "play --case horn --tier hard --out runs/mine    play it yourself",
  ]);
});

it("the demo removes nothing that is not its own", async () => {
  const cwd = workFolder();
  mkdirSync(join(cwd, "runs/demo"), { recursive: true });
  writeFileSync(join(cwd, "runs/demo/thesis.txt"), "years of work");
  expect(await cli(["demo", ...HORN], { cwd })).toEqual({
    code: 2,
    stdout: "",
    stderr: "worldagent: runs/demo holds thesis.txt, which is not the demo's: move it away\n",
  });
});
