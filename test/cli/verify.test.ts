import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openPartCache, type PartKey } from "../../src/cli/verify/cache.ts";
import type { PartFound } from "../../src/tracks/index.ts";
import { cli, endOf, FIXTURE_CASES, HORN, inProcess, startCli, workFolder } from "./cli.ts";

const EASY = ["cases", "verify", "horn", "--tier", "easy", ...HORN] as const;

/** A folder with the cases and room for what stands beside them. */
function casesIn(cwd: string): string {
  const root = join(cwd, "cases/maintenance");
  cpSync(join(FIXTURE_CASES, "horn"), join(root, "horn"), { recursive: true });
  return root;
}

describe("cases verify keeps what it found", () => {
  it("CS13 and says the same from what was kept, from workers, and from files that were damaged meanwhile", async () => {
    const cwd = workFolder();
    const fresh = await cli([...EASY, "--json", "--no-cache", "--jobs", "1"]);
    expect(fresh.code).toBe(0);
    const words = [...EASY, "--json", "--jobs", "2", "--cache", cwd];
    expect((await cli(words)).stdout).toBe(fresh.stdout);
    const folder = join(cwd, "verify");
    const [first = "", second = ""] = readdirSync(folder).sort();
    expect(readdirSync(folder)).toHaveLength(2);
    const kept = [first, second].map((name) => readFileSync(join(folder, name), "utf8"));
    expect((await cli(words)).stdout).toBe(fresh.stdout);
    truncateSync(join(folder, first), 40);
    // Another part under this one's name: its key tells.
    writeFileSync(join(folder, second), kept[0] ?? "");
    expect((await cli(words)).stdout).toBe(fresh.stdout);
    expect([first, second].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(kept);
  });

  it("CS13 and verifies all the same where nothing can be kept", async () => {
    const file = join(workFolder(), "no-folder");
    writeFileSync(file, "");
    const { code, stderr } = await cli([...EASY, "--cache", file]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Nothing is kept of this: /m);
  });

  it("CS13 and ends at once on Ctrl-C, with what is done kept", async () => {
    const cwd = workFolder();
    const child = startCli(["cases", "verify", "ark_001", "--jobs", "2", "--cache", cwd]);
    const ending = endOf(child);
    const folder = join(cwd, "verify");
    mkdirSync(folder);
    while (!readdirSync(folder).some((name) => name.endsWith(".json") && !name.startsWith("."))) await setTimeout(20);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ending;
    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toMatch(
      /Interrupted: \d+ of 10 parts are done; they are kept, and the same command goes on from there\.\n$/,
    );
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });
});

describe("the cache of parts", () => {
  const key = (content: string): PartKey => ({ content, code: "code", tiers: ["easy", "hard"], part: "whole" });
  const found: PartFound = { part: "whole", problems: [{ check: 6, message: "it leaks" }], cheats: [] };

  it("CS13 gives back what was kept under all that it follows from, and nothing else", () => {
    const cache = openPartCache(workFolder());
    expect(cache.find(key("a"))).toBeUndefined();
    expect(cache.keep(key("a"), found)).toBeUndefined();
    expect(cache.find(key("a"))).toEqual(found);
    expect(cache.find({ ...key("a"), tiers: ["hard", "easy"] })).toEqual(found);
    const others: readonly PartKey[] = [
      key("b"),
      { ...key("a"), code: "other code" },
      { ...key("a"), tiers: ["easy"] },
      { ...key("a"), part: 1 },
    ];
    expect(others.map((other) => cache.find(other))).toEqual(others.map(() => undefined));
  });

  it("CS13 is bounded: what was used longest ago goes first, and what others put there stays", () => {
    const folder = workFolder();
    const cache = openPartCache(folder, { files: 2, bytes: 1_000_000, fileBytes: 1_000_000 });
    const parts = join(folder, "verify");
    cache.keep(key("a"), found);
    cache.keep(key("b"), found);
    writeFileSync(join(parts, "notes.txt"), "mine");
    for (const name of readdirSync(parts)) utimesSync(join(parts, name), 1_000, 1_000);
    // Looked at again: it is no longer the oldest.
    expect(cache.find(key("a"))).toEqual(found);
    cache.keep(key("c"), found);
    expect(["a", "b", "c"].map((content) => cache.find(key(content)) !== undefined)).toEqual([true, false, true]);
    expect(readdirSync(parts)).toContain("notes.txt");
  });

  it("CS13 keeps no part that is too large to be read again", () => {
    const folder = workFolder();
    const cache = openPartCache(folder, { files: 2, bytes: 1_000, fileBytes: 10 });
    expect(cache.keep(key("a"), found)).toBeUndefined();
    expect(cache.find(key("a"))).toBeUndefined();
  });
});

it("CS14 cases verify --items lists every item that counts with its killer", async () => {
  const { code, stdout } = await inProcess([...EASY, "--items"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.some((line) => /^ {2}hall_entered +E +easy +drop, round 1: without hall_entered$/.test(line))).toBe(
    true,
  );
  expect(lines.filter((line) => / {2}(E|A|P|CA|TM|CC) +easy /.test(line))).toHaveLength(20);
});

it("CS15 cases verify --write keeps the admission beside the cases, and --check compares without replaying", async () => {
  const cwd = workFolder();
  const root = casesIn(cwd);
  const words = ["cases", "verify", "--cases-dir", root];
  const missing = await inProcess([...words, "--check"]);
  expect([missing.code, missing.stdout]).toEqual([
    1,
    "case horn has no record of its admission: verify it: worldagent cases verify horn --write\n",
  ]);
  const file = join(cwd, "cases/admission/horn.json");
  const written = await inProcess([...words, "--write"]);
  expect([written.code, written.stdout.trimEnd().split("\n").at(-1)]).toEqual([0, `  Written: ${file}`]);
  expect(await inProcess([...words, "--check"])).toMatchObject({ code: 0, stdout: "Admitted as they are: horn.\n" });
  writeFileSync(join(cwd, "cases/admission/gone.json"), "{}");
  const round = join(root, "horn/rounds/01.yaml");
  writeFileSync(round, readFileSync(round, "utf8").replace("The knife was no trouble", "The knife was no bother"));
  const changed = await inProcess([...words, "--check", "--json"]);
  expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
    1,
    {
      ok: false,
      cases: ["horn"],
      problems: [
        "the world of case horn is not the one that was admitted: verify it: worldagent cases verify horn --write",
        `${join(cwd, "cases/admission/gone.json")} is of no case that is there: take it away`,
      ],
    },
  ]);
});

it("AG2 cases verify refuses what makes no sense, with 2", async () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [["--jobs", "0"], "--jobs takes a whole number from 1 to 64"],
    [["--check", "--write"], "--check and --write are two things: give one of them"],
    [["--write"], "--write keeps what was found in every tier"],
  ];
  for (const [words, message] of wrong) {
    const { code, stderr } = await inProcess([...EASY, ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message) as string]);
  }
});
