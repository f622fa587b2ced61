import { expect, it } from "vitest";
import { LIMITS } from "../../src/runtime/limits.ts";
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
  ]);
const requiring = (expr: string): Sent => capability({ requires: [{ expr }] });

/**
 * By limit: the code that refuses what is larger, and a call as large as it is told to be. The limits that are not here
 * need a large world, a long text or a deep input, and have tests where those are; what is cut to a limit (answers, pages,
 * the triggers a refusal names) is refused by none.
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
