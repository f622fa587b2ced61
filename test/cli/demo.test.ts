import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { calledAs } from "../../src/cli/called-as.ts";
import { clearOldRuns } from "../../src/cli/clear-old-runs.ts";
import { acquireLock, requireRunId } from "../../src/records/index.ts";
import type { RunName } from "../../src/tracks/index.ts";
import { cli, COMMAND, HORN, playHorn, typed, workFolder } from "./cli.ts";

const IDLE: RunName = {
  track: "maintenance",
  run: requireRunId("horn.easy.idle.1"),
  case: "horn",
  tier: "easy",
  agent: "idle",
  repeat: 1,
};

it("the demo plays the built-in agents in every tier and the baselines on a case of deduction, judges, scores and audits them, and can be run again", async () => {
  const cwd = workFolder();
  await cli(["demo", ...HORN], { cwd });
  const { code, stdout, stderr } = await cli(["demo", ...HORN], { cwd });
  expect(code).toBe(0);
  expect(stderr.split("\n").slice(0, 2)).toEqual([
    "Playing 15 runs into runs/demo: horn, mill_pond; no key and no network is needed.",
    "[1/15] horn.easy.reference.1 finished",
  ]);
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
  expect(lines.filter((line) => line.startsWith("Deduction: "))).toEqual([
    "Deduction: 8 scored of 8 planned. Truth is the rollout of the rules; nobody judges.",
  ]);
  expect(lines.filter((line) => /^ {2}mill_pond\.open\.m[12]\.1\.[a-z-]+\.1: ok, \w+ F1 /.test(line))).toHaveLength(8);
  const at = lines.indexOf("What to look at next:");
  const next = lines.slice(at + 1, at + 4).map((line) => line.replace(/ {4}.*/, "").trim());
  expect(next.map(typed)).toEqual([
    "worldagent audit runs/demo/horn.easy.lexical.1 --tree",
    "worldagent cases show horn --round 1",
    "worldagent play --case horn --tier hard --out runs/mine",
  ]);
  // They work where the demo was called.
  for (const command of next) execFileSync("sh", ["-c", command], { cwd, stdio: ["ignore", "ignore", "ignore"] });
});

it("the demo removes its own runs of last time and nothing else: other runs of the set stay as they are", async () => {
  const cwd = workFolder();
  const demo = join(cwd, "runs/demo");
  await cli(["play", "--case", "horn", "--tier", "hard", "--out", "runs/demo", ...HORN], { cwd, input: "{}\n" });
  await cli(
    ["run", "--cases", "horn", "--tier", "easy", "--agent", "idle", "--repeats", "2", "--out", "runs/demo", ...HORN],
    { cwd },
  );
  writeFileSync(join(demo, "thesis.txt"), "years of work");
  mkdirSync(join(demo, "ark_001.easy.paid_model.1"));
  writeFileSync(join(demo, "ark_001.easy.paid_model.1/log.jsonl"), "paid for");
  const kept = ["horn.hard.player.1/log.jsonl", "horn.easy.idle.2/log.jsonl", "horn.easy.idle.2/score.json"];
  const before = kept.map((file) => readFileSync(join(demo, file), "utf8"));
  const { code, stdout } = await cli(["demo", ...HORN], { cwd });
  expect([code, stdout.split("\n")[0]]).toEqual([0, "Judge: exact. 7 scored of 7 planned."]);
  expect(kept.map((file) => readFileSync(join(demo, file), "utf8"))).toEqual(before);
  expect(readFileSync(join(demo, "thesis.txt"), "utf8")).toBe("years of work");
  expect(readFileSync(join(demo, "ark_001.easy.paid_model.1/log.jsonl"), "utf8")).toBe("paid for");
  const { runs } = JSON.parse(readFileSync(join(demo, "planned.json"), "utf8")) as { runs: readonly string[] };
  expect(runs).toEqual(expect.arrayContaining(["horn.easy.idle.2", "horn.hard.player.1"]));
});

it.each<readonly [string, (path: string) => void, RegExp]>([
  [
    "holds judgments of another name",
    (path) => writeFileSync(join(path, "judgments.paid.jsonl"), "paid for"),
    /judgments\.paid\.jsonl would be lost: it was not written by that run: move it away/,
  ],
  [
    "is another run's by its manifest",
    (path) => {
      const text = readFileSync(join(path, "manifest.json"), "utf8");
      writeFileSync(join(path, "manifest.json"), text.replace('"idle"', '"my_model"'));
    },
    /holds another run than horn\.easy\.idle\.1: move it away/,
  ],
  [
    "has a manifest that cannot be read",
    (path) => writeFileSync(join(path, "manifest.json"), "{"),
    /holds another run than horn\.easy\.idle\.1: move it away/,
  ],
])("a run of the demo's name that %s is refused, and no run is removed", async (_, change, says) => {
  const cwd = workFolder();
  await playHorn(cwd, "s", "easy", "idle,reference");
  const path = join(cwd, "s/horn.easy.idle.1");
  change(path);
  const other: RunName = { ...IDLE, run: requireRunId("horn.easy.reference.1"), agent: "reference" };
  const names = () => [path, join(cwd, "s/horn.easy.reference.1")].map((folder) => readdirSync(folder));
  const before = names();
  expect(() => clearOldRuns(join(cwd, "s"), [other, IDLE])).toThrow(says);
  expect(names()).toEqual(before);
});

it("a run that a process plays is not removed; one of which a killed process left a lock alone is", () => {
  const set = workFolder();
  const path = join(set, IDLE.run);
  mkdirSync(path);
  const lock = acquireLock(path);
  expect(() => clearOldRuns(set, [IDLE])).toThrow(/the run is held by this process already/);
  lock.release();
  writeFileSync(join(path, "lock.1"), "");
  clearOldRuns(set, [IDLE]);
  expect(existsSync(path)).toBe(false);
  clearOldRuns(join(set, "none"), [IDLE]);
});

it("commands to give next are spelled as the program was called: by npx, by name on PATH, by file", async () => {
  const cwd = workFolder();
  const bin = join(cwd, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(COMMAND, join(bin, "worldagent"));
  expect(calledAs(join(bin, "worldagent"), cwd, bin)).toBe("npx worldagent");
  expect(calledAs("/home/x/.npm/_npx/1f/node_modules/.bin/worldagent", cwd, "")).toBe("npx worldagent-benchmark");
  const global = join(cwd, "usr/bin");
  mkdirSync(global, { recursive: true });
  symlinkSync(COMMAND, join(global, "worldagent"));
  expect(calledAs(join(global, "worldagent"), cwd, `/bin:${global}`)).toBe("worldagent");
  expect(calledAs(join(global, "worldagent"), cwd, "/bin")).toBe("node usr/bin/worldagent");
  expect(calledAs(join(cwd, "my files/worldagent.js"), cwd, "/bin")).toBe("node 'my files/worldagent.js'");
  // As npx starts it.
  const words = ["play", "--case", "horn", "--tier", "easy", "--out", "a b", "--stop", ...HORN];
  execFileSync(join(bin, "worldagent"), words, { cwd, stdio: "ignore" });
  const judged = execFileSync(join(bin, "worldagent"), ["judge", "a b", ...HORN], { cwd, encoding: "utf8" });
  expect(judged).toMatch(/To score them: npx worldagent score 'a b' --cases-dir /);
});
