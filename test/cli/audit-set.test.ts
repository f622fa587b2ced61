import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { cli, HORN, inProcess, playHorn, workFolder } from "./cli.ts";

const shape = z.object({
  ok: z.boolean(),
  planned: z.int().nullable(),
  runs: z.array(
    z.object({
      run: z.string(),
      ok: z.boolean(),
      differences: z.array(z.object({ kind: z.string(), where: z.string(), expected: z.string(), seen: z.string() })),
    }),
  ),
});

/** A set of three runs, copied for each test. */
const original = mkdtempSync(join(tmpdir(), "worldagent-audit-"));
beforeAll(async () => {
  await playHorn(original, "s", "easy", "idle,lexical,reference");
  return () => rmSync(original, { recursive: true, force: true });
});

function copyOfSet(): string {
  const set = join(workFolder(), "s");
  cpSync(join(original, "s"), set, { recursive: true });
  return set;
}

async function auditOf(set: string): Promise<readonly [number | null, z.infer<typeof shape>, string]> {
  const { code, stdout, stderr } = await inProcess(["audit", set, "--json", ...HORN]);
  return [code, shape.parse(JSON.parse(stdout)), stderr];
}

/** The entries that are not ok, as `run: kind`. */
function found({ runs }: z.infer<typeof shape>): readonly string[] {
  return runs.flatMap(({ run, differences }) => differences.map(({ kind }) => `${run}: ${kind}`));
}

it("RC8 an audit of a set names every planned run that is not there, and ends with 1", async () => {
  const set = copyOfSet();
  expect(await auditOf(set)).toMatchObject([0, { ok: true, planned: 3 }, ""]);
  rmSync(join(set, "horn.easy.idle.1"), { recursive: true });
  rmSync(join(set, "horn.easy.lexical.1"), { recursive: true });
  symlinkSync(join(original, "s/horn.easy.lexical.1"), join(set, "horn.easy.lexical.1"));
  const [code, audit] = await auditOf(set);
  expect([code, audit.ok, audit.planned]).toEqual([1, false, 3]);
  const planned = (run: string, seen: string) => ({
    run,
    ok: false,
    differences: [{ kind: "planned", where: "planned.json", expected: `the run ${run}, which was planned`, seen }],
  });
  expect(audit.runs).toEqual([
    { run: "horn.easy.reference.1", ok: true, differences: [] },
    planned("horn.easy.idle.1", "no such folder: it was never begun"),
    planned("horn.easy.lexical.1", "a link, which is not followed"),
  ]);
  const { stdout } = await inProcess(["audit", set, ...HORN]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("1 run audited: no differences; what was planned is not all there.");
});

it("RC8 a set of which every run was taken away still has its plan: each run is named", async () => {
  const set = copyOfSet();
  for (const agent of ["idle", "lexical", "reference"]) rmSync(join(set, `horn.easy.${agent}.1`), { recursive: true });
  const [code, audit] = await auditOf(set);
  expect([code, found(audit)]).toEqual([
    1,
    ["horn.easy.idle.1: planned", "horn.easy.lexical.1: planned", "horn.easy.reference.1: planned"],
  ]);
});

it.each([
  ["cut", "{"],
  ["deep", "[".repeat(100_000)],
  ["of another shape", '{"v":1,"runs":["../x"]}'],
  ["empty", ""],
])("RC8 a plan that is %s is a difference of its own, and the runs are audited", async (_, text) => {
  const set = copyOfSet();
  writeFileSync(join(set, "planned.json"), text);
  const [code, audit] = await auditOf(set);
  expect([code, audit.runs.length, found(audit)]).toEqual([1, 4, ["planned.json: planned"]]);
});

it("RC8 where no plan is left, the audit says that it cannot tell whether runs were taken away", async () => {
  const set = copyOfSet();
  rmSync(join(set, "planned.json"));
  expect(await auditOf(set)).toMatchObject([
    0,
    { ok: true, planned: null },
    `${set} has no planned.json: whether runs were taken away cannot be told.\n`,
  ]);
  const one = await inProcess(["audit", join(set, "horn.easy.idle.1"), ...HORN]);
  expect([one.code, one.stderr]).toEqual([0, ""]);
});

it("RC6 whatever lies in one run's folder, the other runs are audited and nothing but differences is said", async () => {
  const set = copyOfSet();
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  writeFileSync(join(set, "horn.easy.idle.1/score.json"), deep);
  writeFileSync(join(set, "horn.easy.lexical.1/manifest.json"), deep);
  const { code, stdout, stderr } = await cli(["audit", set, "--json", ...HORN]);
  expect([code, stderr]).toEqual([1, ""]);
  const { runs } = shape.parse(JSON.parse(stdout));
  expect(runs.map(({ run, ok }) => `${run} ${ok}`)).toEqual([
    "horn.easy.idle.1 false",
    "horn.easy.lexical.1 false",
    "horn.easy.reference.1 true",
  ]);
});
