import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROOT } from "./lint-project.ts";

const MOST_LINES = 400;

const texts = z.record(z.string(), z.string());
const metadata = z
  .object({ version: z.string(), license: z.string(), bin: texts, scripts: texts })
  .extend({ dependencies: texts, devDependencies: texts })
  .parse(JSON.parse(read("package.json")));

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** The files under a folder whose name ends so, as paths from the root, sorted. */
function filesUnder(folder: string, ending: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .toSorted();
}

describe("the source", () => {
  const folders = readdirSync(path.join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const sources = filesUnder("src", ".ts");

  it("has the folders the arrows speak of and no other", () => {
    const named = [
      "agents",
      "cases",
      "cli",
      "contracts",
      "endpoint",
      "judges",
      "records",
      "report",
      "runtime",
      "tracks",
    ];
    expect(folders.map(({ name }) => name).toSorted()).toEqual(named);
  });

  it("has one index.ts in each folder that others may import", () => {
    // The command line is the edge: nobody imports it.
    const imported = folders.map(({ name }) => name).filter((name) => name !== "cli");
    expect(imported.filter((name) => !sources.includes(`src/${name}/index.ts`))).toEqual([]);
  });

  it("lists the names that an index exports, one by one", () => {
    const starred = sources.filter((file) => file.endsWith("/index.ts") && /^export\b[^{]*\*/m.test(read(file)));
    expect(starred).toEqual([]);
  });

  it(`has no file above ${MOST_LINES} lines`, () => {
    const linesOf = (file: string) => read(file).split("\n").length - 1;
    const long = sources.filter((file) => linesOf(file) > MOST_LINES).map((file) => `${file}: ${linesOf(file)}`);
    expect(long).toEqual([]);
  });

  it("imports with the ending .ts", () => {
    const ending = /\bfrom "(\.[^"]*)"/g;
    const bare = sources.flatMap((file) =>
      [...read(file).matchAll(ending)]
        .map(([, module]) => module ?? "")
        .filter((module) => !/\.(ts|json)$/.test(module))
        .map((module) => `${file}: ${module}`),
    );
    expect(bare).toEqual([]);
  });
});

describe("the tests", () => {
  it("are all run: none is skipped, left for later or run alone", () => {
    const avoided = /\b(?:it|test|describe)\.(?:skip|todo|only)\b/;
    expect(filesUnder("test", ".ts").filter((file) => avoided.test(read(file)))).toEqual([]);
  });
});

describe("the package", () => {
  it("pins every dependency to one version", () => {
    const versions = Object.entries({ ...metadata.dependencies, ...metadata.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it("locks no registry's address", () => {
    expect(read("package-lock.json").match(/"resolved": "https?:/g)).toBeNull();
  });

  it("carries the licences it names, of the code and of the cases", () => {
    expect(metadata.license).toBe("Apache-2.0");
    expect(read("LICENSE")).toMatch(/^\s*Apache License\n\s*Version 2\.0, January 2004\n/);
    expect(read("cases/LICENSE")).toMatch(/^Attribution 4\.0 International\n/);
  });

  it("gives in its README the two commands for a fresh machine, and has them", () => {
    const readme = read("README.md");
    expect(readme).toContain("npm ci && npm run demo");
    expect(readme).toContain("npm ci && npm test");
    expect(Object.keys(metadata.scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
  });

  it("installs a command that runs as a program and knows its version", () => {
    const command = path.join(ROOT, metadata.bin["worldagent"] ?? "");
    expect(statSync(command).mode & 0o111).toBe(0o111);
    expect(execFileSync(command, ["--version"], { encoding: "utf8" })).toBe(`${metadata.version}\n`);
  });
});
