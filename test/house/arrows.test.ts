import { describe, expect, it } from "vitest";
import { lintFiles } from "./lint-project.ts";

/** runtime ← contracts ← cases ← records ← tracks ← agents, report ← cli: a folder may import what stands before it. */
const LAYERS = [["runtime"], ["contracts"], ["cases"], ["records"], ["tracks"], ["agents", "report"], ["cli"]];
const FOLDERS = LAYERS.flat();

/** Refused by another rule wherever it leads, and by the arrows besides. */
const IMPORT_TYPE = "an import() type";

/** Every way a file can name another. */
const FORMS: Readonly<Record<string, (module: string) => string>> = {
  "a value import": (module) => `import { value } from "${module}";\nexport const copy = value;\n`,
  "a type-only import": (module) => `import type { Shape } from "${module}";\nexport type Copy = Shape;\n`,
  "an export from": (module) => `export { value } from "${module}";\n`,
  "a type-only export from": (module) => `export type { Shape } from "${module}";\n`,
  "an import() of a value": (module) => `export const load = () => import("${module}");\n`,
  [IMPORT_TYPE]: (module) => `export type Copy = import("${module}").Shape;\n`,
};

interface Plant {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly legal: boolean;
}

function layerOf(folder: string): number {
  return LAYERS.findIndex((layer) => layer.includes(folder));
}

/** Every pair of two folders, with one file in `from` for each way of naming the index of `to`. */
const pairs = FOLDERS.flatMap((from) =>
  FOLDERS.filter((to) => to !== from).map((to) => ({
    from,
    to,
    legal: layerOf(to) < layerOf(from),
    plants: Object.entries(FORMS).map(([form, write], index) => ({
      form,
      file: `src/${from}/to-${to}-${index}.ts`,
      text: write(`../${to}/index.ts`),
    })),
  })),
);

const IMPORT_INNER = FORMS["a type-only import"]?.("../runtime/inner.ts") ?? "";

const borderPlants: readonly Plant[] = [
  { name: "a folder's inner file, from another folder", file: "src/cli/p1.ts", text: IMPORT_INNER, legal: false },
  {
    name: "a folder's inner file, from src/index.ts",
    file: "src/index.ts",
    text: `export { value } from "./runtime/inner.ts";\n`,
    legal: false,
  },
  {
    name: "an inner file of the same folder",
    file: "src/runtime/p2.ts",
    text: `export { value } from "./inner.ts";\n`,
    legal: true,
  },
  {
    name: "an inner file of the same folder, from a folder inside it",
    file: "src/runtime/deep/p3.ts",
    text: `export { value } from "../inner.ts";\n`,
    legal: true,
  },
  {
    name: "the index of one's own folder",
    file: "src/runtime/p4.ts",
    text: `export { value } from "./index.ts";\n`,
    legal: false,
  },
  {
    name: "a later folder, from a folder inside a folder",
    file: "src/runtime/deep/p5.ts",
    text: `export { value } from "../../cli/index.ts";\n`,
    legal: false,
  },
  {
    name: "a folder that has no place among the arrows",
    file: "src/cli/p6.ts",
    text: `export { value } from "../stray/index.ts";\n`,
    legal: false,
  },
  {
    name: "anything, from a folder that has no place among the arrows",
    file: "src/stray/p7.ts",
    text: `export { value } from "../runtime/index.ts";\n`,
    legal: false,
  },
  {
    name: "a test, from src",
    file: "src/cli/p8.ts",
    text: `export { value } from "../../test/helper.ts";\n`,
    legal: false,
  },
  {
    name: "the package itself by its name",
    file: "src/cli/p9.ts",
    text: `export { value } from "worldagent-benchmark";\n`,
    legal: false,
  },
  {
    name: "a dependency, from the core",
    file: "src/runtime/p10.ts",
    text: `import { z } from "zod";\nexport const schema = z.string();\n`,
    legal: true,
  },
];

const TARGETS = new Map(
  [...FOLDERS, "stray"].flatMap((folder) =>
    ["index.ts", "inner.ts"].map((file) => [
      `src/${folder}/${file}`,
      `export const value = 1;\nexport interface Shape {\n  readonly size: number;\n}\n`,
    ]),
  ),
);

const PURE = ["runtime", "contracts"];

/** What the pure folders may not do, each with the rule that says so. */
const IMPURE: Readonly<Record<string, readonly [code: string, text: string]>> = {
  "node:fs": ["house(pure-imports)", `import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n`],
  "fs without its prefix": [
    "house(pure-imports)",
    `import { readFileSync } from "fs";\nexport const read = readFileSync;\n`,
  ],
  "node:fs/promises": ["house(pure-imports)", `import { open } from "node:fs/promises";\nexport const read = open;\n`],
  "node:fs as a type": ["house(pure-imports)", `import type { Stats } from "node:fs";\nexport type S = Stats;\n`],
  "node:fs by import()": ["house(pure-imports)", `export const read = () => import("node:fs");\n`],
  "node:net": ["house(pure-imports)", `import { connect } from "node:net";\nexport const c = connect;\n`],
  "node:http": ["house(pure-imports)", `import { get } from "node:http";\nexport const c = get;\n`],
  "node:https": ["house(pure-imports)", `import { get } from "node:https";\nexport const c = get;\n`],
  "node:child_process": [
    "house(pure-imports)",
    `import { spawn } from "node:child_process";\nexport const c = spawn;\n`,
  ],
  "node:process": ["house(pure-imports)", `import { env } from "node:process";\nexport const c = env;\n`],
  "node:timers": [
    "house(pure-imports)",
    `import { setTimeout as later } from "node:timers";\nexport const c = later;\n`,
  ],
  "randomUUID of node:crypto": [
    "house(pure-imports)",
    `import { randomUUID } from "node:crypto";\nexport const c = randomUUID;\n`,
  ],
  "inspect of node:util": ["house(pure-imports)", `import { inspect } from "node:util";\nexport const c = inspect;\n`],
  "the whole of node:crypto": [
    "house(pure-imports)",
    `import * as all from "node:crypto";\nexport const c = all.hash;\n`,
  ],
  "Date.now": ["eslint(no-restricted-globals)", `export const now = () => Date.now();\n`],
  "new Date": ["eslint(no-restricted-globals)", `export const now = () => new Date();\n`],
  performance: ["eslint(no-restricted-globals)", `export const now = () => performance.now();\n`],
  setTimeout: ["eslint(no-restricted-globals)", `export const wait = (f: () => void) => setTimeout(f, 1);\n`],
  process: ["eslint(no-restricted-globals)", `export const home = () => process.env;\n`],
  globalThis: ["eslint(no-restricted-globals)", `export const now = () => globalThis.Date.now();\n`],
  fetch: ["eslint(no-restricted-globals)", `export const get = () => fetch("http://localhost");\n`],
  "Math.random": ["eslint(no-restricted-properties)", `export const roll = () => Math.random();\n`],
  "Math.random by destructuring": ["eslint(no-restricted-properties)", `export const { random } = Math;\n`],
};

/** What looks like it and is allowed. */
const PURE_ENOUGH: Readonly<Record<string, string>> = {
  "hash of node:crypto": `import { hash } from "node:crypto";\nexport const sha = hash;\n`,
  "types of node:util": `import { types } from "node:util";\nexport const isProxy = types.isProxy;\n`,
  "a parameter called process": `export const nameOf = (process: { readonly id: string }) => process.id;\n`,
  "Math.max": `export const most = (a: number, b: number) => Math.max(a, b);\n`,
};

const fileNameOf = (name: string) => name.replaceAll(/[^A-Za-z]/g, "-");

const everyFile = new Map([
  ...TARGETS,
  ...[...pairs.flatMap(({ plants }) => plants), ...borderPlants].map(({ file, text }) => [file, text] as const),
  ...PURE.flatMap((folder) => [
    ...Object.entries(IMPURE).map(([name, [, text]]) => [`src/${folder}/impure/${fileNameOf(name)}.ts`, text] as const),
    ...Object.entries(PURE_ENOUGH).map(([name, text]) => [`src/${folder}/pure/${fileNameOf(name)}.ts`, text] as const),
  ]),
  [
    "src/agents/impure.ts",
    `import { readFileSync } from "node:fs";\nexport const read = [readFileSync, Date.now()];\n`,
  ],
  ["src/cli/star.ts", `export * from "../runtime/index.ts";\n`],
  ["src/cli/type-star.ts", `export type * from "../runtime/index.ts";\n`],
  ["src/cli/default.ts", `export default 1;\n`],
  ["src/cli/any.ts", `export const id = (x: any): unknown => x;\n`],
  ["src/cli/untyped.ts", `import { Shape } from "../runtime/index.ts";\nexport type Copy = Shape;\n`],
]);

const findings = lintFiles(everyFile);
const codesOf = (file: string) => findings.get(file)?.map(({ code }) => code);

describe("the arrows between the folders of src", () => {
  for (const { from, to, legal, plants } of pairs)
    it(`${legal ? "let" : "forbid"} src/${from} to import src/${to}, in every form`, () => {
      const expected = plants.map(({ form }) => [
        form,
        [...(form === IMPORT_TYPE ? ["typescript(consistent-type-imports)"] : []), ...(legal ? [] : ["house(arrows)"])],
      ]);
      expect(plants.map(({ form, file }) => [form, codesOf(file)?.toSorted().toReversed()])).toEqual(expected);
    });

  it("say which folder may not import which, and what it may import", () => {
    expect(findings.get("src/contracts/to-cli-1.ts")).toEqual([
      {
        code: "house(arrows)",
        message: `"../cli/index.ts": src/contracts may not import src/cli; it may import runtime.`,
      },
    ]);
  });
});

describe("the borders of a folder", () => {
  for (const { name, file, legal } of borderPlants)
    it(`${legal ? "let pass" : "refuse"} an import of ${name}`, () => {
      expect(codesOf(file)).toEqual(legal ? [] : ["house(arrows)"]);
    });
});

describe("the pure folders", () => {
  for (const [name, [code]] of Object.entries(IMPURE))
    it(`refuse ${name}`, () => {
      expect(PURE.map((folder) => codesOf(`src/${folder}/impure/${fileNameOf(name)}.ts`))).toEqual([[code], [code]]);
    });

  for (const name of Object.keys(PURE_ENOUGH))
    it(`let pass ${name}`, () => {
      expect(PURE.map((folder) => codesOf(`src/${folder}/pure/${fileNameOf(name)}.ts`))).toEqual([[], []]);
    });

  it("are the only ones held to it", () => {
    expect(codesOf("src/agents/impure.ts")).toEqual([]);
  });
});

describe("the style of exports and types", () => {
  it("refuses a star, of values and of types", () => {
    expect(codesOf("src/cli/star.ts")).toEqual(["house(no-export-star)"]);
    expect(codesOf("src/cli/type-star.ts")).toEqual(["house(no-export-star)"]);
  });

  it("refuses a default export", () => {
    expect(codesOf("src/cli/default.ts")).toEqual(["import(no-default-export)"]);
  });

  it("refuses any", () => {
    expect(codesOf("src/cli/any.ts")).toEqual(["typescript(no-explicit-any)"]);
  });

  it("refuses to import a type as a value", () => {
    expect(codesOf("src/cli/untyped.ts")).toEqual(["typescript(consistent-type-imports)"]);
  });
});
