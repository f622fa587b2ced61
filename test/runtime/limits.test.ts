import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/runtime/limits.ts";
import { tableOf } from "../../src/runtime/state/index.ts";
import { accepted, having, refused, submit, village } from "./support/village.ts";
import { call, errorOf, play, toySession } from "./toy-world.ts";

const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = <T>(count: number, make: (i: number) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(many(count, (i) => [`n${i}`, make(i)]));

type Sent = readonly [tool: string, input: object];
const capability = (more: object): Sent => ["construct", { op: "create", capability: { id: "work", ...more } }];
const type = (fields: object): Sent => ["construct", { op: "create", type: { id: "box", fields } }];
/** Extreme, with a kettle. */
const withKettle = () =>
  play(toySession("extreme"), [
    ["construct", { op: "create", type: { id: "vessel", fields: { hot: { kind: "bool" } } } }],
    ["construct", { op: "create", entity: { id: "kettle", type: "vessel" } }],
    ["construct", { op: "create", capability: { id: "idle" } }],
  ]);
const requiring = (expr: string): Sent => capability({ requires: [{ expr }] });

/** A true comparison of so many nodes: a sum of ones has one fewer than twice its terms. */
function ofNodes(nodes: number): string {
  const sum = (terms: number) => many(terms, () => "1").join("+");
  return nodes % 2 === 1 ? `${sum((nodes - 1) / 2)} >= 0` : `(clock >= 0 ? ${sum((nodes - 6) / 2)} : 1) >= 0`;
}

/**
 * By limit: the code that refuses what is larger, and a call as large as it is told to be.
 */
const rows: readonly (readonly [keyof typeof LIMITS, string, (size: number) => Sent])[] = [
  ["fieldsPerType", "invalid_value", (size) => type(named(size, () => ({ kind: "bool" })))],
  ["enumValues", "invalid_value", (size) => type({ state: { kind: "enum", values: many(size, (i) => `w${i}`) } })],
  ["decimalDigits", "invalid_value", (size) => type({ litres: { kind: "number", digits: size } })],
  [
    "paramsPerCapability",
    "too_many_parameters",
    (size) => capability({ params: named(size, () => ({ kind: "bool" })) }),
  ],
  [
    "requirementsPerCapability",
    "too_many_requirements",
    (size) => capability({ requires: many(size, () => ({ expr: "clock >= 0" })) }),
  ],
  [
    "effectsPerCapability",
    "too_many_effects",
    (size) => capability({ effects: many(size, () => ({ set: "kettle.hot", value: true })) }),
  ],
  ["expressionCharacters", "expression_too_long", (size) => requiring(`clock >=${" ".repeat(size - 9)}0`)],
  ["expressionNodes", "expression_too_large", (size) => requiring(ofNodes(size))],
  [
    "triggersPerStep",
    "too_many_triggers",
    (size) => ["commit_step", { triggers: many(size, () => ({ capability: "idle" })) }],
  ],
  ["listElements", "expression_too_large", (size) => requiring(`clock in [${many(size, (i) => i).join(",")}]`)],
  ["textCharacters", "text_too_long", (size) => capability({ says: "x".repeat(size) })],
  ["idCharacters", "forbidden_id", (size) => ["construct", { op: "create", capability: { id: "w".repeat(size) } }]],
  ["ticks", "invalid_value", (size) => ["commit_step", { advance: size }]],
  ["pageEntries", "invalid_value", (size) => ["read_data", { from: "log", limit: size }]],
];

it.each(rows)("RT46 %s: as large as it may be is taken, one more is refused with %s", (limit, code, sent) => {
  const session = withKettle();
  expect(call(session, ...sent(LIMITS[limit])).answer).toMatchObject({ ok: true });
  expect(errorOf(call(session, ...sent(LIMITS[limit] + 1)).answer).code).toBe(code);
});

it("RT46 matchesPerFor: as many entities as it may be are changed at once, one more is refused with too_many_matches", () => {
  const able = having(village({ invariants: [] }), {
    paint: { effects: [{ set: "it.weight", value: 2, for: { each: "crate" } }] },
  });
  const crates = (count: number) =>
    tableOf(many(count, (i) => ({ id: `c${i}`, type: "crate", name: "", at: null, fields: { weight: 1 } })));
  const most = { ...able, entities: crates(LIMITS.matchesPerFor) };
  expect(accepted(submit(most, [{ capability: "paint" }])).record.triggers[0]?.writes).toHaveLength(20_000);
  const more = { ...able, entities: crates(LIMITS.matchesPerFor + 1) };
  expect(refused(submit(more, [{ capability: "paint" }])).code).toBe("too_many_matches");
});

/** The limits that have no row here, each with the test that meets it: a file below test/, and words of its name. */
const ELSEWHERE: Readonly<Partial<Record<keyof typeof LIMITS, readonly [file: string, name: string]>>> = {
  entities: ["runtime/construct.test.ts", "RT46 stops at the most entities a world may have"],
  types: ["runtime/construct.test.ts", "RT46 stops at the most types a world may have"],
  capabilities: ["runtime/construct.test.ts", "RT46 stops at the most capabilities a world may have"],
  matchesPerFor: ["runtime/limits.test.ts", "RT46 matchesPerFor"],
  macroNesting: ["runtime/expression-syntax.test.ts", "RT20 three list macros inside one another are refused"],
  stepCost: ["runtime/expression-cost.test.ts", "RT20 a step within the bound is done, one beyond it is refused"],
  inputBytes: ["runtime/hostile.test.ts", "admits an input of exactly 64 KB and refuses one of a byte more"],
  inputDepth: ["runtime/hostile.test.ts", "admits 20 levels and refuses 21"],
  answerBytes: ["runtime/query.test.ts", "RT38 hold fewer entries than asked for rather than more than 8 KB"],
  failuresShown: ["runtime/step.test.ts", "RT28 names at most eight"],
  tickInstances: ["runtime/dynamics/bounds.test.ts", "more combinations than a tick may look at"],
  actionArguments: ["runtime/dynamics/bounds.test.ts", "DD33 are all tried, and refused where there are more of them"],
  predictionEntries: ["runtime/deduction-submission.test.ts", "DD46 takes 1,000 entries a list and no more"],
};
/** Sizes of what authors write and of what is read where nothing is said: they have no refusal of their own. */
const NO_REFUSAL: readonly (keyof typeof LIMITS)[] = ["defaultPageEntries", "caseTicks", "entryTicks", "changedPaths"];

it("RT46 every limit is met by a test", () => {
  const here = new Set<string>(rows.map(([limit]) => limit));
  const known = [...here, ...Object.keys(ELSEWHERE), ...NO_REFUSAL].toSorted();
  expect(known).toEqual(Object.keys(LIMITS).toSorted());
  for (const [file, name] of Object.values(ELSEWHERE))
    expect(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")).toContain(name);
});

it("RT46 each limit of a world, a step, a capability, an expression, a text and an input has a code of its own", () => {
  const codes = [
    ...rows.map(([, code]) => code).filter((code) => code.startsWith("too_many") || code.endsWith("_too_long")),
    ..."too_many_entities too_many_types too_many_capabilities too_many_matches expression_too_large".split(" "),
    ..."cost_exceeded input_too_large input_too_deep round_budget_spent run_budget_spent".split(" "),
  ];
  expect(new Set(codes).size).toBe(codes.length);
});

it("RT46 no limit of a world or an input is written anywhere but among the limits", () => {
  const folder = new URL("../../src/runtime/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const literals = files
    .filter((file) => file !== "limits.ts")
    .filter((file) => /\b(?:20_?000|1_?000_?000|65_?536|8_?192)\b/.test(readFileSync(new URL(file, folder), "utf8")));
  expect(files.length).toBeGreaterThan(50);
  expect(literals).toEqual([]);
});
