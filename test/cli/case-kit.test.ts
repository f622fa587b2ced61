import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HORN, inFolder, inProcess, typed, workFolder } from "./cli.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The first line of a file, which tells editors its schema. */
function schemaOf(file: string): string {
  return /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(file, "utf8").split("\n")[0] ?? "")?.[1] ?? "";
}

describe("cases new", () => {
  it("CS10 begins a case that verifies as it is, in every tier, and says what to do next", async () => {
    const cwd = workFolder();
    const begun = await inFolder(cwd, ["cases", "new", "weir", "--title", "The Weir", "--cases-dir", "cases"]);
    expect([begun.code, begun.stderr]).toEqual([0, ""]);
    expect(begun.stdout.split("\n").map(typed)).toEqual([
      "weir is begun: a small case that verifies, with every part explained where it stands.",
      "  cases/weir/case.yaml",
      "  cases/weir/rounds/01.yaml",
      "Next:",
      "  worldagent cases verify weir",
      "  worldagent cases show weir",
      "Then put your own story in its place, a part at a time; docs/authoring.md leads through it.",
      "",
    ]);
    expect(begun.stdout).toContain("cases verify weir --cases-dir cases");
    const verified = await inFolder(cwd, ["cases", "verify", "weir", "--cases-dir", "cases", "--json"]);
    const shape = z.object({
      ok: z.literal(true),
      cases: z.tuple([
        z.object({ tiers: z.record(z.string(), z.object({ unkilled: z.array(z.string()).length(0) })) }),
      ]),
    });
    expect(verified.code).toBe(0);
    expect(Object.keys(shape.parse(JSON.parse(verified.stdout)).cases[0].tiers)).toEqual(["easy", "hard", "extreme"]);
  });

  it("gives every case a canary of its own", async () => {
    const cwd = workFolder();
    for (const id of ["one", "two"]) await inFolder(cwd, ["cases", "new", id, "--cases-dir", "."]);
    const canaries = ["one", "two"].map(
      (id) => /canary: (worldagent-canary-[0-9a-f-]{36}) /.exec(readFileSync(join(cwd, id, "case.yaml"), "utf8"))?.[1],
    );
    expect(canaries.every((one) => one !== undefined)).toBe(true);
    expect(canaries[0]).not.toBe(canaries[1]);
  });

  it("writes over nothing: neither a case nor a file nor an empty folder", async () => {
    const cwd = workFolder();
    await inFolder(cwd, ["cases", "new", "weir", "--cases-dir", "."]);
    writeFileSync(join(cwd, "weir/case.yaml"), "mine");
    writeFileSync(join(cwd, "note"), "mine");
    mkdirSync(join(cwd, "empty"));
    for (const id of ["weir", "note", "empty"]) {
      const again = await inFolder(cwd, ["cases", "new", id, "--cases-dir", "."]);
      expect([again.code, again.stdout, again.stderr]).toEqual([
        2,
        "",
        `worldagent: ${id} is there already: take another id, or move it away: nothing is written over\n`,
      ]);
    }
    expect(readFileSync(join(cwd, "weir/case.yaml"), "utf8")).toBe("mine");
    expect(readdirSync(join(cwd, "empty"))).toEqual([]);
  });

  it.each([
    [["Weir"], 'the id "Weir" is no id: lower-case letters, digits and _, at most 64, beginning with a letter'],
    [["../weir"], 'the id "../weir" is no id: lower-case letters, digits and _, at most 64, beginning with a letter'],
    [["ark_001"], "ark_001 is a case of the package: runs are kept by the id of their case: take another"],
    [["weir", "--stratum", "huge"], 'there is no stratum "huge": there are: large, medium, small'],
    [["weir", "--title", ""], "--title needs a value"],
  ])("refuses %j, and leaves nothing behind", async (words, said) => {
    const cwd = workFolder();
    const { code, stderr } = await inFolder(cwd, ["cases", "new", ...words, "--cases-dir", "cases"]);
    expect([code, stderr]).toEqual([2, `worldagent: ${said}\n`]);
    expect(existsSync(join(cwd, "cases"))).toBe(false);
  });

  it("of an installed package begins it in the project, and names the package's schema by the way there", async () => {
    const project = workFolder();
    const home = join(project, "node_modules/worldagent-benchmark");
    for (const part of ["dist", "schemas", "cases", "package.json"])
      cpSync(join(ROOT, part), join(home, part), { recursive: true });
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(home, "dist/worldagent.js"), "cases", "new", "weir"], {
      cwd: project,
    });
    const folder = join(project, "cases/maintenance/weir");
    expect(stdout).toContain("cases verify weir --cases-dir cases/maintenance");
    expect(schemaOf(join(folder, "case.yaml"))).toBe(
      "../../../node_modules/worldagent-benchmark/schemas/case.schema.json",
    );
    expect(existsSync(join(folder, schemaOf(join(folder, "case.yaml"))))).toBe(true);
    expect(existsSync(join(folder, "rounds", schemaOf(join(folder, "rounds/01.yaml"))))).toBe(true);
  });

  it("outside of any project names the schema by where it lies", async () => {
    const cwd = workFolder();
    await inFolder(cwd, ["cases", "new", "weir", "--cases-dir", "."]);
    const schema = schemaOf(join(cwd, "weir/case.yaml"));
    expect(schema).toMatch(/^file:\/\/.*\/schemas\/case\.schema\.json$/);
    expect(existsSync(fileURLToPath(schema))).toBe(true);
  });
});

describe("cases schema", () => {
  it.each([
    [[], "case"],
    [["case"], "case"],
    [["round"], "round"],
  ])("%j prints the schema that the package ships", async (words, name) => {
    const { code, stdout } = await inProcess(["cases", "schema", ...words]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(ROOT, `schemas/${name}.schema.json`), "utf8")));
  });

  it("says which there are where there is none of that name", async () => {
    const { code, stderr } = await inProcess(["cases", "schema", "rounds"]);
    expect([code, stderr]).toEqual([2, 'worldagent: there is no schema "rounds": did you mean "round"?\n']);
  });
});

describe("cases show", () => {
  it("prints the book; with --tier what an agent is given instead; with --round one round", async () => {
    const book = (await inProcess(["cases", "show", "horn", ...HORN])).stdout;
    const order = ["THE FIRE FROM BELOW", "Round 1", "They will tell you", "Events", "Relations", "Reference"];
    const places = order.map((part) => book.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const given = (await inProcess(["cases", "show", "horn", "--tier", "hard", ...HORN])).stdout;
    expect(given).toContain("What an agent is given of horn in hard\n");
    expect(given).toContain("At most 70 steps and 352 calls.\n");
    expect(given).not.toMatch(/^(Events|Structures|Reference)$/m);
    const one = (await inProcess(["cases", "show", "horn", "--round", "1", ...HORN])).stdout;
    expect(one.split("\n")[0]).toBe("horn: The Fire from Below");
  });

  it("writes a page to a file or to stdout, the same for both", async () => {
    const cwd = workFolder();
    const file = join(cwd, "horn.html");
    const written = await inProcess(["cases", "show", "horn", "--html", file, ...HORN]);
    expect(written).toEqual({ code: 0, stdout: "", stderr: `Written: ${file}\n` });
    const printed = await inProcess(["cases", "show", "horn", "--html", ...HORN]);
    expect(readFileSync(file, "utf8")).toBe(printed.stdout);
    expect(printed.stdout.startsWith("<!doctype html>")).toBe(true);
    const given = await inProcess(["cases", "show", "horn", "--tier", "extreme", "--html", ...HORN]);
    expect(given.stdout).toContain("<title>horn in extreme</title>");
  });

  it("refuses what cannot be: a page in a folder's place, pages and JSON together, a round that is none", async () => {
    const cwd = workFolder();
    const said = async (words: readonly string[]): Promise<readonly unknown[]> => {
      const { code, stderr } = await inProcess(["cases", "show", "horn", ...words, ...HORN]);
      return [code, stderr];
    };
    expect(await said(["--html", cwd])).toEqual([
      2,
      `worldagent: ${cwd} is a folder: name the file that the page becomes\n`,
    ]);
    expect(await said(["--html", "--json"])).toEqual([2, "worldagent: --json and --html exclude each other\n"]);
    expect(await said(["--round", "2"])).toEqual([2, "worldagent: horn has no round 2: it has rounds 1 to 1\n"]);
  });
});
