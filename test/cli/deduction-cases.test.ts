import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIXTURE_CASES, inProcess, workFolder, type Ended } from "./cli.ts";
import { WEIR_CASES } from "../tracks/weir-case.ts";

/** A folder of cases with those of both tracks: horn, and the weir. */
function bothTracks(): string {
  const root = join(workFolder(), "cases");
  mkdirSync(root);
  cpSync(join(FIXTURE_CASES, "horn"), join(root, "maintenance/horn"), { recursive: true });
  cpSync(join(WEIR_CASES, "salt_weir"), join(root, "deduction/salt_weir"), { recursive: true });
  return root;
}

/** The case under another id, its file edited. */
function addVariant(root: string, id: string, edit: (text: string) => string): void {
  const folder = join(root, "deduction", id);
  mkdirSync(folder);
  const text = readFileSync(join(root, "deduction/salt_weir/case.yaml"), "utf8");
  writeFileSync(join(folder, "case.yaml"), edit(text.replace("id: salt_weir", `id: ${id}`)));
}

const cases = async (root: string, ...words: readonly string[]): Promise<Ended> =>
  await inProcess(["cases", ...words, "--cases-dir", root]);

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

describe("cases list", () => {
  it("DD112 lists the cases of both tracks, each with what it is counted in", async () => {
    const root = bothTracks();
    const { code, stdout, stderr } = await cases(root, "list", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    const [horn, weir, ...others] = JSON.parse(stdout) as readonly unknown[];
    expect(others).toEqual([]);
    expect(horn).toMatchObject({ id: "horn", track: "maintenance", stratum: "small", rounds: 1 });
    expect(weir).toEqual({
      id: "salt_weir",
      track: "deduction",
      title: "The Salt Weir",
      family: "manor",
      variant: "base",
      version: 1,
      digest: DIGEST,
      contractDigest: DIGEST,
      ticks: 96,
      rounds: 8,
      segments: 4,
      folds: 5,
      entities: 15,
      fields: 66,
      processes: 12,
      entries: 1,
      actions: 3,
    });
    const printed = await cases(root, "list");
    const [heads, row] = printed.stdout.trimEnd().split("\n").slice(-2);
    expect(heads).toMatch(/^id +title +family +variant +version +ticks +rounds M1\/M2 +entities/);
    expect(row).toMatch(/^salt_weir +The Salt Weir +manor +base +1 +96 +4\/8 +15 +66 +12 +3 +[0-9a-f]{12}$/);
  });

  it("DD112 names the faults of a deduction case by file and line, and ends with 2", async () => {
    const root = bothTracks();
    addVariant(root, "dry_weir", (text) => text.replace("character: maud", "character: mauve"));
    const { code, stderr } = await cases(root, "list", "--json");
    expect(code).toBe(2);
    expect(stderr).toMatch(/dry_weir\/case\.yaml:\d+:\d+ .*there is no entity "mauve"\. Did you mean "maud"\?\n/);
  });
});

describe("cases show", () => {
  it("DD112 prints a deduction case as a page: what is told, who sees what, both words of every rule", async () => {
    const { code, stdout } = await cases(bothTracks(), "show", "salt_weir");
    expect(code).toBe(0);
    expect(stdout).toContain("THE SALT WEIR");
    expect(stdout).toContain("  trust, hidden, whole number from 0 to 20: How far they trust Maud");
    expect(stdout).toContain("naming: A strong wind brings rain.");
    expect(stdout).toContain("open: Every 24 hours, first at hour 2, it begins to rain if the wind is");
    expect(stdout).toContain("The rain [raining]: every 24 hours, phase 2");
    expect(stdout).toContain("The flood [flood]: hour 80");
    expect(stdout).toContain("cheer(who: person)");
    expect(stdout).toMatch(/What differs between the folds\n {2}ben\.coins: \d(?:, \d){4}\n/);
    expect(stdout.split("\n").every((line) => line.length <= 100)).toBe(true);
  });

  it("DD112 gives it as JSON, and refuses what is of maintenance in words", async () => {
    const root = bothTracks();
    const { code, stdout } = await cases(root, "show", "salt_weir", "--json");
    expect(code).toBe(0);
    const shown = JSON.parse(stdout) as { readonly [key: string]: readonly unknown[] };
    expect(shown).toMatchObject({ id: "salt_weir", character: "maud", goal: { expr: "store.salt >= 4" } });
    expect([shown["processes"]?.length, shown["actions"]?.length]).toEqual([12, 3]);
    for (const option of [
      ["--round", "1"],
      ["--tier", "easy"],
      ["--html", "page.html"],
    ] as const) {
      const refused = await cases(root, "show", "salt_weir", ...option);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        `worldagent: salt_weir is of the track deduction, and ${option[0]} is of maintenance: leave it out: the case is shown as text\n`,
      ]);
    }
  });
});

describe("cases digest", () => {
  it("DD112 covers both tracks in one file, whichever folder is given, and refuses a change without a new version", async () => {
    const root = bothTracks();
    expect((await cases(root, "digest", "--write")).code).toBe(0);
    const file = join(root, "digests.json");
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object)).toEqual(["horn", "salt_weir"]);
    for (const folder of [root, join(root, "maintenance"), join(root, "deduction")])
      expect(await cases(folder, "digest", "--check")).toMatchObject({
        code: 0,
        stdout: "As they were frozen: horn, salt_weir.\n",
      });
    const weir = join(root, "deduction/salt_weir/case.yaml");
    writeFileSync(weir, readFileSync(weir, "utf8").replace("store.salt >= 4", "store.salt >= 5"));
    const changed = await cases(root, "digest", "--write");
    expect([changed.code, changed.stdout]).toEqual([
      1,
      "the contract of case salt_weir is not the one that is frozen: raise its version above 1, say why in its changelog and freeze it again\n",
    ]);
  });
});

describe("cases verify", () => {
  it("DD115 proves a deduction case: figures as lines, as JSON, and kept as a record that is checked", async () => {
    const root = bothTracks();
    const { code, stdout } = await cases(root, "verify", "salt_weir", "--write", "--json");
    expect(code).toBe(0);
    const { ok, cases: found } = JSON.parse(stdout) as { readonly ok: boolean; readonly cases: readonly object[] };
    expect(ok).toBe(true);
    expect(found).toEqual([
      { case: "salt_weir", ok: true, track: "deduction", figures: expect.any(Object) as object, problems: [] },
    ]);
    const record = join(root, "admission/salt_weir.json");
    const kept = JSON.parse(readFileSync(record, "utf8")) as object;
    expect(kept).toMatchObject({ v: 1, track: "deduction", case: "salt_weir", variant: "base", version: 1, ok: true });
    expect(await cases(root, "verify", "salt_weir", "--check")).toMatchObject({
      code: 0,
      stdout: "Admitted as they are: salt_weir.\n",
    });
    // The other track's folder alone: its record is no stray one, since its case is beside.
    const horn = await cases(join(root, "maintenance"), "verify", "--check");
    expect([horn.code, horn.stdout]).toEqual([
      1,
      "case horn has no record of its admission: verify it: worldagent cases verify horn --write\n",
    ]);
  });

  it("DD115 says what is wrong with its check, its place and what to do, ends with 1, and keeps no record", async () => {
    const root = bothTracks();
    const weir = join(root, "deduction/salt_weir/case.yaml");
    const jam =
      "processes:\n  jam:\n    name: The jam\n    says: The mill jams.\n    tells: Every hour, the mill jams.\n    effects: [ { set: wheel.open, expr: '!wheel.open' } ]\n  unjam:\n    name: The unjamming\n    says: The mill is freed.\n    tells: Every hour, the mill is freed.\n    effects: [ { set: wheel.open, expr: wheel.open } ]\n";
    writeFileSync(weir, readFileSync(weir, "utf8").replace("processes:\n", jam));
    const { code, stdout } = await cases(root, "verify", "salt_weir", "--write");
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("salt_weir: 1 problem");
    expect(lines.at(-2)).toMatch(
      /^ {2}check 2 jam, unjam: in fold 1, waiting: at tick 1, jam and unjam: .*wheel\.open.*\. Give the rules different priorities/,
    );
    expect(lines.at(-1)).toBe("  Nothing was written of salt_weir: it does not prove itself.");
    expect(existsSync(join(root, "admission/salt_weir.json"))).toBe(false);
  });

  it("DD111 a record is of the case as it was: its world, its goal, its version, its words", async () => {
    const root = bothTracks();
    const records = join(root, "admission");
    mkdirSync(records);
    const record = join(records, "salt_weir.json");
    writeFileSync(record, "{}");
    const check = async (): Promise<string> => (await cases(root, "verify", "salt_weir", "--check")).stdout;
    expect(await check()).toMatch(/^the record of the admission of case salt_weir cannot be read \(.*\): verify it: /);
    writeFileSync(join(records, "gone.json"), "{}");
    expect((await cases(root, "verify", "--check")).stdout).toContain(
      "gone.json is of no case that is there: take it away",
    );
  });

  it("DD115 refuses options that say nothing of it", async () => {
    const root = bothTracks();
    const refused = await cases(root, "verify", "salt_weir", "--tier", "easy");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "worldagent: --tier is of the track maintenance, and no case of it is to be verified: leave it out\n",
    ]);
  });
});

describe("cases compare", () => {
  it("DD113 finds a variant that differs in numbers alone, and lets one be that has rules of its own", async () => {
    const root = bothTracks();
    expect((await cases(root, "compare")).code).toBe(0);
    addVariant(root, "wide_weir", (text) => text.replaceAll("by: 2", "by: 3").replace("salt >= 4", "salt >= 3"));
    const alike = await cases(root, "compare", "--json");
    expect(alike.code).toBe(1);
    const { shared } = JSON.parse(alike.stdout) as {
      readonly shared: readonly { readonly faults: readonly string[] }[];
    };
    expect(shared).toHaveLength(1);
    expect(shared[0]).toMatchObject({ track: "deduction", cases: ["salt_weir", "wide_weir"], sameFamily: true });
    expect(shared[0]?.faults).toHaveLength(4);
  });

  it("DD113 finds two families that tell the same", async () => {
    const root = bothTracks();
    addVariant(root, "far_weir", (text) => text.replace("family: manor", "family: orbit"));
    const { code, stdout } = await cases(root, "compare");
    expect(code).toBe(1);
    expect(stdout).toContain("far_weir and salt_weir:");
    expect(stdout).toContain("  too much: two families tell the same\n");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(
      "1 pairs of 2 deduction cases tell the same, or differ in numbers alone.",
    );
  });
});

it("DD114 cases schema prints the schema of a deduction case", async () => {
  const { code, stdout } = await inProcess(["cases", "schema", "deduction"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ type: "object", properties: { processes: { type: "object" } } });
});
