import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { cli, FIXTURE_CASES, HORN, inProcess, workFolder } from "./cli.ts";

/** A folder of cases with horn alone. */
function copyHorn(root: string): void {
  cpSync(join(FIXTURE_CASES, "horn"), join(root, "horn"), { recursive: true });
}

it("AG4 cases list --json has its shape", async () => {
  const root = workFolder();
  copyHorn(root);
  const { code, stdout, stderr } = await cli(["cases", "list", "--json", "--cases-dir", root]);
  expect([code, stderr]).toEqual([0, ""]);
  const shape = z.array(
    z.object({
      id: z.string(),
      track: z.string(),
      family: z.string(),
      stratum: z.string(),
      version: z.int(),
      digest: z.string(),
      rounds: z.int(),
      items: z.int(),
    }),
  );
  const [horn, ...others] = shape.parse(JSON.parse(stdout));
  expect(others).toEqual([]);
  expect(horn).toEqual({
    id: "horn",
    track: "maintenance",
    family: "myth",
    stratum: "small",
    version: 1,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    rounds: 1,
    items: 24,
  });
});

it("the folder above that of the track is taken for it", async () => {
  const cwd = workFolder();
  copyHorn(join(cwd, "cases/maintenance"));
  const ids = async (folder: string) => {
    const { code, stdout } = await inProcess(["cases", "list", "--json", "--cases-dir", join(cwd, folder)]);
    return [
      code,
      ...z
        .array(z.object({ id: z.string() }))
        .parse(JSON.parse(stdout))
        .map(({ id }) => id),
    ];
  };
  expect(await ids("cases")).toEqual([0, "horn"]);
  expect(await ids("cases/maintenance")).toEqual([0, "horn"]);
  const words = ["run", "--cases", "horn", "--tier", "easy", "--agent", "idle", "--out", "s", "--cases-dir", "cases"];
  expect((await cli(words, { cwd })).code).toBe(0);
  expect((await cli(["audit", "s", "--cases-dir", "cases"], { cwd })).code).toBe(0);
});

it("the package's own cases are found from any folder", async () => {
  const { code, stdout } = await cli(["cases", "list", "--json"], { cwd: workFolder() });
  expect(code).toBe(0);
  expect(
    z
      .array(z.object({ id: z.string() }))
      .parse(JSON.parse(stdout))
      .map(({ id }) => id),
  ).toContain("ark_001");
});

it("CS7 digests are written, agree, and are found to differ once a case is changed", async () => {
  const cwd = workFolder();
  copyHorn(join(cwd, "maintenance"));
  const words = ["cases", "digest", "--cases-dir", join(cwd, "maintenance")];
  const missing = await inProcess([...words, "--check"]);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    `worldagent: there is no file ${join(cwd, "digests.json")}: write it with --write\n`,
  ]);
  expect((await inProcess([...words, "--write"])).code).toBe(0);
  expect(existsSync(join(cwd, "digests.json"))).toBe(true);
  expect(await inProcess([...words, "--check"])).toEqual({
    code: 0,
    stdout: "As they were frozen: horn.\n",
    stderr: "",
  });
  const file = join(cwd, "maintenance/horn/rounds/01.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("I was nine", "I was ten"));
  const changed = await inProcess([...words, "--check"]);
  expect([changed.code, changed.stdout]).toEqual([
    1,
    "the world of case horn is not the one that is frozen: raise its version above 1, say why in its changelog and freeze it again\n",
  ]);
  expect((await inProcess([...words, "--check", "--write"])).code).toBe(2);
  const frozen = readFileSync(join(cwd, "digests.json"), "utf8");
  const refused = await inProcess([...words, "--write"]);
  expect([refused.code, refused.stdout]).toEqual([1, changed.stdout]);
  expect(refused.stderr).toContain("Nothing was frozen.");
  expect(readFileSync(join(cwd, "digests.json"), "utf8")).toBe(frozen);
  const caseFile = join(cwd, "maintenance/horn/case.yaml");
  const raise = (to: string) => writeFileSync(caseFile, readFileSync(caseFile, "utf8").replace("version: 1", to));
  raise("version: 2");
  expect((await inProcess([...words, "--write"])).stderr).toContain("the changelog has no line for it");
  writeFileSync(
    caseFile,
    readFileSync(caseFile, "utf8").replace("version: 2", "version: 2\nchangelog: [ { version: 2, says: Teo is ten } ]"),
  );
  expect((await inProcess([...words, "--write"])).code).toBe(0);
  expect((await inProcess([...words, "--check"])).code).toBe(0);
});

it("AG4 cases verify --json has its shape, and ends with 0 where every case proves itself", async () => {
  const { code, stdout } = await inProcess(["cases", "verify", "horn", "--tier", "easy", "--json", ...HORN]);
  const tier = z.object({ items: z.int(), mutants: z.int(), killed: z.int(), unkilled: z.array(z.string()) });
  const shape = z.object({
    ok: z.boolean(),
    cases: z.array(
      z.object({
        case: z.string(),
        ok: z.boolean(),
        tiers: z.record(z.string(), tier),
        problems: z.array(z.unknown()),
      }),
    ),
  });
  const { ok, cases } = shape.parse(JSON.parse(stdout));
  expect([code, ok, cases[0]?.case, cases[0]?.problems]).toEqual([0, true, "horn", []]);
  expect(Object.keys(cases[0]?.tiers ?? {})).toEqual(["easy"]);
  expect(cases[0]?.tiers["easy"]).toMatchObject({ items: 20, unkilled: [] });
});

it("AG2 cases verify ends with 1 where a case does not prove itself, and names each problem with check, tier and item", async () => {
  const cwd = workFolder();
  copyHorn(cwd);
  const file = join(cwd, "horn/rounds/01.yaml");
  // Without the last walk the hearth cannot be lit.
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(
    file,
    lines
      .toSpliced(
        lines.findLastIndex((line) => line.includes("to: hearthfield")),
        1,
      )
      .join("\n"),
  );
  const words = ["cases", "verify", "--tier", "easy", "--cases-dir", cwd];
  const printed = await inProcess(words);
  expect([printed.code, printed.stderr]).toEqual([1, ""]);
  const [head, ...problems] = printed.stdout.trimEnd().split("\n");
  expect(head).toBe("horn: 1 problem");
  expect(problems).toEqual([
    expect.stringMatching(/^ {2}check 1: .*round 1, reference step 14 is refused: /) as string,
  ]);
  const { code, stdout } = await inProcess([...words, "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      ok: false,
      cases: [
        {
          case: "horn",
          cheats: [],
          ok: false,
          tiers: {},
          problems: [{ check: 1, message: expect.stringContaining("reference step 14 is refused") as string }],
        },
      ],
    },
  ]);
});

it("AG2 cases verify ends with 1 and names file, line and column where a case's files have faults", async () => {
  const cwd = workFolder();
  copyHorn(cwd);
  const file = join(cwd, "horn/case.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("family: myth", "famly: myth"));
  const { code, stdout, stderr } = await inProcess(["cases", "verify", "--cases-dir", cwd]);
  expect([code, stderr]).toEqual([1, ""]);
  const faults = [
    `${file}:1:1 "family" is missing. It is a text.`,
    `${file}:3:1 unknown key "famly". Did you mean "family"?`,
  ];
  expect(stdout).toBe(`${["horn: its files have faults", ...faults].join("\n")}\n`);
  const json = await inProcess(["cases", "verify", "--json", "--cases-dir", cwd]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    1,
    {
      ok: false,
      cases: [
        {
          case: "horn",
          ok: false,
          tiers: {},
          problems: [
            { file, line: 1, column: 1 },
            { file, line: 3, column: 1, message: 'unknown key "famly"', hint: 'did you mean "family"?' },
          ],
        },
      ],
    },
  ]);
  const listed = await inProcess(["cases", "list", "--cases-dir", cwd]);
  expect(listed).toEqual({ code: 2, stdout: "There are no cases without fault.\n", stderr: `${faults.join("\n")}\n` });
});
