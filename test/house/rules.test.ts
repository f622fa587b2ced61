/** Every rule of docs/spec.md is cited by the name of a test, and no name cites a rule that there is not. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseSync } from "vite";
import { ROOT } from "./lint-project.ts";

const RULE = /\b(?:RT|CT|CS|RC|AG|DD)\d+\b/g;

/** The rules that a text states, in its order: items of a list that begin with a bold number. */
function rulesOf(spec: string): readonly string[] {
  return [...spec.matchAll(/^- \*\*([A-Z]+\d+)\*\* /gm)].map(([, id]) => id ?? "");
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** The names that a file of tests gives to `it`, `test` and `describe`, with what stands in them as it was written. */
function namesOf(source: string): readonly string[] {
  const { program, errors } = parseSync("some.test.ts", source);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return namesIn(program);
}

function namesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn);
  if (!isNode(node)) return [];
  const inside = Object.values(node).flatMap(namesIn);
  if (node["type"] !== "CallExpression" || !["it", "test", "describe"].includes(rootOf(node["callee"]))) return inside;
  const [first] = node["arguments"] as readonly unknown[];
  return [...textOf(first), ...inside];
}

/** `it` of `it(…)`, `it.each(…)(…)` and ``it.each`…`(…)``. */
function rootOf(callee: unknown): string {
  if (!isNode(callee)) return "";
  if (callee["type"] === "Identifier") return String(callee["name"]);
  return rootOf(callee["object"] ?? callee["callee"] ?? callee["tag"]);
}

function textOf(node: unknown): readonly string[] {
  if (!isNode(node)) return [];
  if (node["type"] === "Literal") return [String(node["value"])];
  if (node["type"] !== "TemplateLiteral") return [];
  const quasis = node["quasis"] as readonly { readonly value: { readonly raw: string } }[];
  return [quasis.map(({ value }) => value.raw).join("…")];
}

/** Rules that no name cites, and citations of no rule. */
function gapsOf(spec: string, sources: readonly string[]): Readonly<Record<"uncited" | "unknown", readonly string[]>> {
  const rules = rulesOf(spec);
  const cited = new Set(sources.flatMap(namesOf).flatMap((name) => name.match(RULE) ?? []));
  return {
    uncited: rules.filter((id) => !cited.has(id)),
    unknown: [...cited].filter((id) => !rules.includes(id)).toSorted(),
  };
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

describe("the rules of docs/spec.md", () => {
  const spec = read("docs/spec.md");

  it("have each a number of their own", () => {
    const rules = rulesOf(spec);
    expect(rules.length).toBeGreaterThan(90);
    expect(rules.filter((id, i) => rules.indexOf(id) !== i)).toEqual([]);
    // No rule stands in a form that is not read here.
    expect(rules).toHaveLength(spec.match(/\*\*[A-Z]{2}\d+\*\*/g)?.length ?? 0);
  });

  it("are each cited by the name of a test, and no other is", () => {
    const files = readdirSync(path.join(ROOT, "test"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => read(path.join("test", name)));
    expect(gapsOf(spec, files)).toEqual({ uncited: [], unknown: [] });
  });
});

describe("this check", () => {
  const spec = "- **RT1** A world.\n- **RT2** A clock, see **RT1**.\n- **AG12** An agent.\n";

  it.each([
    ["finds a rule that nothing cites", ['it("RT1 a", () => {});', 'describe("AG12 b", () => {});'], ["RT2"], []],
    [
      "finds one that only a comment or another text cites",
      ['// RT1\nit("a", () => say("RT1 AG12 RT2"));'],
      ["RT1", "RT2", "AG12"],
      [],
    ],
    ["finds a citation of no rule", ['it("RT1 RT2 AG1 AG12 a", () => {});'], [], ["AG1"]],
    ["reads names of tables", ['it.each([[1]])("RT1 %i", f);', "test.each`x`(`AG12 ${x} RT2`, f);"], [], []],
    ["reads names inside groups", ['describe("RT1", () => { it.runIf(a && b)("RT2 AG12", f); });'], [], []],
  ])("%s", (_, sources, uncited, unknown) => {
    expect(gapsOf(spec, sources)).toEqual({ uncited, unknown });
  });
});
