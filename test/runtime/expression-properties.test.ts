import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLog } from "../../src/runtime/append-log.ts";
import { capabilitySchema } from "../../src/runtime/capability.ts";
import { construct } from "../../src/runtime/maintenance/construct.ts";
import { costOf, evaluate, type StaticType } from "../../src/runtime/expression/index.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { getEntity } from "../../src/runtime/state/index.ts";
import type { World } from "../../src/runtime/world.ts";
import { grammarOf, type Vocabulary } from "../fuzz/expressions.ts";
import { randomOf } from "../fuzz/random.ts";
import { evaluateSlowly } from "./support/reference-evaluator.ts";
import { act, compile, having, refused, submit, village, villageWith } from "./support/village.ts";

/** Villages of several sizes: people in one another's company and in guilds, crates inside crates. */
const WORLDS: readonly World[] = [0, 3, 12].map((size) =>
  villageWith(
    Object.fromEntries(
      Array.from({ length: size }, (_, i) => i).flatMap((i): [string, Readonly<Record<string, unknown>>][] => [
        [
          `p${i}`,
          { type: "person", at: i % 3 === 0 ? "inn" : "box", fields: { coins: i, friend: i > 0 ? `p${i - 1}` : null } },
        ],
        [`g${i}`, { type: "guild", fields: { members: ["ann", ...(i % 2 === 0 ? [`p${i}`] : [])] } }],
        [`k${i}`, { type: "crate", at: i > 0 ? `k${i - 1}` : "ford", fields: { weight: i / 2 } }],
      ]),
    ),
    { clock: 7 },
  ),
);

const VARIABLES: Readonly<Record<string, StaticType>> = {
  who: { kind: "entity", type: "person", nullable: false },
  n: { kind: "number" },
  to: { kind: "place" },
};
const VALUES = { who: "ann", n: 2.5, to: "ford" };

function wordsOf(world: World): Vocabulary {
  const ids = ["ann", "bob", "cat", "jug", "cup", "weavers", "box", "bag"];
  return {
    types: new Map(Object.entries(world.types).map(([id, { fields }]) => [id, fields])),
    entities: new Map(ids.map((id) => [id, getEntity(world.entities, id)?.type ?? ""])),
    places: Object.keys(world.map.places),
    alongside: ["act"],
    mayReadClock: true,
  };
}

/** A random expression of a random world, compiled; undefined where it is refused. */
function drawn(seed: number) {
  const random = randomOf(seed);
  const world = random.pick(WORLDS);
  const variables = [
    { name: "who", type: "person" },
    { name: "n", kind: "number" },
    { name: "to", kind: "place" },
  ];
  const grammar = grammarOf(random, wordsOf(world), variables, 1 + random.below(4));
  const text = random.pick([grammar.bool, grammar.bool, grammar.number, grammar.text])();
  const compiled = compile(world, text, VARIABLES);
  return compiled.ok ? { world, text, expression: compiled.value } : undefined;
}

describe("any expression that is accepted", () => {
  it("RT85 RT86 takes no more work than its bound, reads what it says, and means what it says", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 })), (seed) => {
        const one = drawn(seed);
        if (one === undefined) return;
        const { world, text, expression } = one;
        const bound = costOf(expression.root, world);
        if (bound > LIMITS.stepCost) return;
        taken += 1;
        const reads = new Set<string>();
        const found = evaluate(expression, { world, variables: VALUES, reads });
        const slow = evaluateSlowly(expression.root, world, VALUES);
        expect([text, found.ok ? found.value : undefined]).toEqual([text, slow.value]);
        expect([text, [...reads].sort()]).toEqual([text, [...slow.reads].sort()]);
        expect([text, slow.work <= bound]).toEqual([text, true]);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(1_000);
  });
});

describe("what costs more than a step may", () => {
  const crowd = villageWith(Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, { type: "person" }])));
  const filled = having(crowd, { fill: { effects: [{ set: "weavers.members", expr: "all(person)" }] } });
  const step = submit(filled, [{ capability: "fill" }]);
  if (!step.ok) throw new Error(step.error.message);
  const full = step.value.world;

  it.each([
    "all(person).map(x, weavers.members) == all(person).map(y, weavers.members)",
    "weavers.members in all(person).map(x, weavers.members)",
    "[all(person).map(x, weavers.members)] != [[weavers.members]]",
    "all(person).map(x, weavers.members).exists(l, l == weavers.members)",
    "all(person).map(x, weavers.members).filter(l, ann in l) == [weavers.members]",
  ])("RT85 %s counts a set as often as it is looked at", (text) => {
    expect(refused(act(full, { requires: [{ expr: text }] })).code).toBe("cost_exceeded");
    expect(act(village(), { requires: [{ expr: text.replaceAll("==", "!=") }] })).not.toMatchObject({
      error: { code: "cost_exceeded" },
    });
  });

  it("RT88 is refused when it is constructed where the world as it is tells, with the cost and the bound", () => {
    const pairs = "all(person).all(x, all(person).all(y, x.coins >= 0))";
    const built = (world: World) =>
      construct(
        { tier: "hard", world, steps: emptyLog(), constructions: emptyLog() },
        { op: "create", capability: capabilitySchema.parse({ id: "look", requires: [{ expr: pairs }] }) },
      );
    expect(built(village()).ok).toBe(true);
    expect(built(crowd)).toEqual({
      ok: false,
      error: {
        code: "cost_exceeded",
        message: expect.stringMatching(/^one use of it could take up to \d{7,} evaluations in the world as it is$/),
        path: "capability",
        hint: `at most ${LIMITS.stepCost} a step: loop over fewer entities, or not inside another loop`,
      },
    });
  });

  it("RT87 counts a change as twenty nodes: a step makes some tens of thousands at most", () => {
    const sets = (many: number) => ({
      effects: ["coins", "awake", "mood"].slice(0, many).map((field) => ({
        set: `it.${field}`,
        expr: { coins: "1", awake: "false", mood: '"glad"' }[field],
        for: { each: "person" },
      })),
    });
    const most = villageWith(
      Object.fromEntries(Array.from({ length: 17_000 }, (_, i) => [`p${i}`, { type: "person" }])),
    );
    expect(refused(act(most, sets(3)))).toMatchObject({
      code: "cost_exceeded",
      message: expect.stringMatching(/up to \d+ evaluations/),
    });
    expect(act(crowd, sets(3)).ok).toBe(true);
  });
});
