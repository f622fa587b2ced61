import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CASE_SCHEMAS, caseJsonSchema, starterFiles, type CaseSchemaName } from "../../src/cases/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

/** A validator that is none of ours. It is here as a dependency of the mock of an endpoint, and editors use one like it. */
const AJV = "ajv";
const { Ajv } = createRequire(import.meta.url)(AJV) as {
  readonly Ajv: new (options: object) => { readonly compile: (schema: object) => Validate };
};
const validators: Readonly<Record<CaseSchemaName, Validate>> = {
  case: new Ajv({ allErrors: true, strict: false }).compile(caseJsonSchema("case")),
  round: new Ajv({ allErrors: true, strict: false }).compile(caseJsonSchema("round")),
  deduction: new Ajv({ allErrors: true, strict: false }).compile(caseJsonSchema("deduction")),
};

/** What is wrong with a file by its schema, each at its place; empty where it fits. */
function faultsOf(name: CaseSchemaName, text: string): readonly string[] {
  const validate = validators[name];
  if (validate(parse(text))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

const HORN = join(ROOT, "test/fixtures/cases/horn");
const horn = {
  case: readFileSync(join(HORN, "case.yaml"), "utf8"),
  round: readFileSync(join(HORN, "rounds/01.yaml"), "utf8"),
  deduction: readFileSync(join(ROOT, "test/fixtures/admission/salt_weir/case.yaml"), "utf8"),
};

function starterTexts(): Readonly<Record<"case" | "round", string>> {
  const schemas = { case: "c.json", round: "r.json" };
  const files = starterFiles({ id: "weir", uuid: "8f14e45f-ceea-467f-9f0e-3c6ab0a5d1b2", schemas });
  if (!files.ok) throw new Error(files.error);
  return { case: files.value[0]?.text ?? "", round: files.value[1]?.text ?? "" };
}

describe("the schemas of case files", () => {
  it("CS11 are shipped as the code makes them (npm run docs remakes them)", () => {
    for (const name of CASE_SCHEMAS) {
      const shipped = readFileSync(join(ROOT, `schemas/${name}.schema.json`), "utf8");
      expect(shipped).toBe(`${JSON.stringify(caseJsonSchema(name), null, 2)}\n`);
    }
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly files: string[] };
    expect(files).toContain("schemas");
  });

  it("accept every file of ark_001, of horn and of a begun case", () => {
    const ark = join(ROOT, "cases/maintenance/ark_001");
    const rounds = readdirSync(join(ark, "rounds")).map((name) => join(ark, "rounds", name));
    expect(rounds.length).toBeGreaterThan(5);
    expect(faultsOf("case", readFileSync(join(ark, "case.yaml"), "utf8"))).toEqual([]);
    for (const file of rounds) expect([file, faultsOf("round", readFileSync(file, "utf8"))]).toEqual([file, []]);
    const starter = starterTexts();
    for (const name of ["case", "round"] as const) {
      expect([name, faultsOf(name, horn[name])]).toEqual([name, []]);
      expect([name, faultsOf(name, starter[name])]).toEqual([name, []]);
    }
  });

  it("DD114 accept every deduction case", () => {
    expect(faultsOf("deduction", horn.deduction)).toEqual([]);
    const folder = join(ROOT, "cases/deduction");
    for (const id of readdirSync(folder))
      expect([id, faultsOf("deduction", readFileSync(join(folder, id, "case.yaml"), "utf8"))]).toEqual([id, []]);
  });

  it("accept the examples of docs/case-format.md", () => {
    const page = readFileSync(join(ROOT, "docs/case-format.md"), "utf8");
    const [world, round, ...others] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? "");
    expect(others).toEqual([]);
    expect(faultsOf("case", world ?? "")).toEqual([]);
    expect(faultsOf("round", round ?? "")).toEqual([]);
  });

  it("say of every key what it is, for who hovers over it", () => {
    const silent = CASE_SCHEMAS.flatMap((name) => silentKeys(caseJsonSchema(name), name));
    expect(silent).toEqual([]);
  });

  it.each<[mistake: string, file: CaseSchemaName, from: string, to: string, at: string]>([
    ["a key that is misspelt", "case", "stratum:", "statum:", "required property 'stratum'"],
    ["a stratum that is none", "case", "stratum: small", "stratum: tiny", "/stratum"],
    ["a canary that is no UUID", "case", "canary: worldagent-canary-", "canary: canary-", "/canary"],
    ["an id with a capital letter", "case", "iron_knife:", "Iron_knife:", "/entities"],
    ["a kind of field that is none", "case", "kind: bool", "kind: boolean", "/types/person/fields/knows_word"],
    ["a parameter's kind that is none", "case", "to: { kind: place }", "to: { kind: plaza }", "/capabilities/walk"],
    [
      "an effect that does two things",
      "case",
      "{ set: who.at, expr: to }",
      "{ set: who.at, add: x.y, expr: to }",
      "/effects/0",
    ],
    ["an effect that does nothing", "case", "{ set: who.at, expr: to }", "{ expr: to }", "/effects/0"],
    ["a duration of no ticks", "case", "duration: 2", "duration: 0", "/capabilities/hold_beast/duration"],
    ["a way that takes no time", "case", "ticks: 3", "ticks: 0", "/map/links/0/ticks"],
    ["a path without its field", "round", "defining: [ram_horn.lined]", "defining: [ram_horn]", "/events/0/defining/0"],
    ["three defining paths", "round", "defining: [ram_horn.lined]", "defining: [a.b, c.d, e.f]", "/events/0/defining"],
    ["nobody who took part", "round", "involves: [ilka, ram_horn]", "involves: []", "/events/0/involves"],
    ["a level that is none", "round", "level: capability", "level: ability", "/structures/0/level"],
    [
      "a perturbation's key that is no path",
      "round",
      "iron_knife.at: ilka, since",
      "iron_knife: ilka, since",
      "/refusedWhen/0",
    ],
    ["a relation that says two things", "round", "{ precedes: {", "{ chain: [a, b], precedes: {", "/relations/0"],
    ["a relation without its words", "round", ', told: "that was from the spring, earlier"', "", "/relations/0"],
    ["a mode that is none", "round", "mode: start_together", "mode: together", "/concurrent/mode"],
    [
      "a probe that forbids two ways at once",
      "round",
      "forbids: { changes:",
      "forbids: { holds: x, changes:",
      "/probes/0/forbids",
    ],
    [
      "until at another than the first",
      "round",
      "reference:\n",
      "reference:\n  - { until: last }\n",
      "/reference/0/until",
    ],
    ["DD114 a field that nobody is said to see", "deduction", ", visibility: local", "", "/types/person/fields/energy"],
    ["DD114 a variant that is none", "deduction", "variant: base", "variant: other", "/variant"],
    ["DD114 a rule without its words", "deduction", "    says: A strong wind brings rain.\n", "", "/processes/raining"],
    ["DD114 a tick that is none", "deduction", "at: [80]", "at: [0]", "/schedule/flood/at/0"],
    [
      "DD114 a pattern of ids that is none",
      "deduction",
      "creates: []",
      'creates: [ { type: sky, pattern: "Sky <x>", says: S } ]',
      "/creates/0/pattern",
    ],
    [
      "DD114 a path that varies among one value",
      "deduction",
      "hob.trust: { from: 2, to: 8 }",
      "hob.trust: { among: [2] }",
      "/folds/vary",
    ],
  ])("flag %s", (_mistake, file, from, to, at) => {
    expect(horn[file]).toContain(from);
    const faults = faultsOf(file, horn[file].replace(from, to));
    expect(faults.some((fault) => fault.includes(at))).toBe(true);
  });
});

type Node = Readonly<Record<string, unknown>>;

/** The keys of a schema, and of all within it, that have no words. */
function silentKeys(node: unknown, path: string): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one) => silentKeys(one, path));
  const { properties, items, additionalProperties, anyOf, oneOf } = node as Node;
  const own = Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([key, child]) => [
    ...(typeof child["description"] === "string" && child["description"] !== "" ? [] : [`${path}.${key}`]),
    ...silentKeys(child, `${path}.${key}`),
  ]);
  return [...own, ...[items, additionalProperties, anyOf, oneOf].flatMap((one) => silentKeys(one, path))];
}
