import { describe, expect, it } from "vitest";
import { accepted, at, having, refused, submit, village, type LooseTrigger } from "./support/village.ts";

const CAPABILITIES = {
  fill: { params: { n: { kind: "number" } }, effects: [{ set: "jug.litres", expr: "n" }] },
  pour: { params: { n: { kind: "number" } }, effects: [{ add: "jug.litres", by: "n" }] },
  join: { params: { who: { type: "person" } }, effects: [{ insert: "weavers.members", expr: "who" }] },
  leave: { params: { who: { type: "person" } }, effects: [{ remove: "weavers.members", expr: "who" }] },
  found: {
    params: { first: { type: "person" }, second: { type: "person" } },
    effects: [{ set: "weavers.members", expr: "[first, second]" }],
  },
  make: {
    params: { n: { kind: "number" } },
    effects: [{ create: "crate", id: "chest", fields: { weight: { expr: "n" } } }],
  },
  smash: { params: { what: {} }, effects: [{ destroy: "what" }] },
  weigh: { effects: [{ add: "bag.weight", by: 1 }] },
  carry: { params: { what: {}, to: {} }, effects: [{ set: "what.at", expr: "to" }] },
  milk: { effects: [{ claim: "jug.litres" }] },
  drink: { effects: [{ claim: "jug.litres" }, { add: "jug.litres", by: -1 }] },
  eat: { effects: [{ claim: "bag.weight" }, { destroy: "bag" }] },
  hold: { effects: [{ claim: "bag.weight" }] },
  look: { requires: [{ expr: "jug.litres > 0 && bag.weight > 0" }] },
};

const world = having(village(), CAPABILITIES);
const on = (capability: string, args: LooseTrigger["args"] = {}): LooseTrigger => ({ capability, args });

describe("what meets on one path", () => {
  it.each<[string, readonly LooseTrigger[], string, unknown]>([
    ["equal sets agree", [on("fill", { n: 3 }), on("fill", { n: 3 })], "jug.litres", 3],
    ["sets agree that are equal once rounded", [on("fill", { n: 1.005 }), on("fill", { n: 1.01 })], "jug.litres", 1.01],
    [
      "sets of one set agree in any order",
      [on("found", { first: "cat", second: "ann" }), on("found", { first: "ann", second: "cat" })],
      "weavers.members",
      ["ann", "cat"],
    ],
    ["adds sum", [on("pour", { n: 1 }), on("pour", { n: 2 }), on("pour", { n: -0.5 })], "jug.litres", 4],
    [
      "adds that would leave the range alone may meet inside it",
      [on("pour", { n: 9 }), on("pour", { n: -5 })],
      "jug.litres",
      5.5,
    ],
    [
      "inserts of one member agree",
      [on("join", { who: "cat" }), on("join", { who: "cat" })],
      "weavers.members",
      ["ann", "bob", "cat"],
    ],
    [
      "removes of one member agree",
      [on("leave", { who: "ann" }), on("leave", { who: "ann" })],
      "weavers.members",
      ["bob"],
    ],
    [
      "an insert and a remove of different members go together",
      [on("join", { who: "cat" }), on("leave", { who: "ann" })],
      "weavers.members",
      ["bob", "cat"],
    ],
    ["two may destroy the same", [on("smash", { what: "bag" }), on("smash", { what: "bag" })], "bag.weight", undefined],
    [
      "equal moves agree",
      [on("carry", { what: "cup", to: "box" }), on("carry", { what: "cup", to: "box" })],
      "cup.at",
      "box",
    ],
    ["a claim and a look go together", [on("milk"), on("look")], "jug.litres", 1.5],
    ["who claims may write", [on("drink"), on("look")], "jug.litres", 0.5],
    ["who claims may destroy", [on("eat"), on("look")], "bag.weight", undefined],
    ["claims of different paths go together", [on("milk"), on("hold")], "jug.litres", 1.5],
  ])("RT25 RT26 %s", (_, triggers, path, value) => {
    for (const order of [triggers, [...triggers].reverse()]) {
      expect(at(accepted(submit(world, order)).world, path)).toEqual(value);
    }
  });

  it.each<[string, readonly LooseTrigger[], string]>([
    ["different sets", [on("fill", { n: 3 }), on("fill", { n: 4 })], "conflict on jug.litres: it is set to 3 and to 4"],
    [
      "a set and an add",
      [on("fill", { n: 3 }), on("pour", { n: 1 })],
      "conflict on jug.litres: it is set and added to",
    ],
    [
      "a set and an insert",
      [on("found", { first: "ann", second: "bob" }), on("join", { who: "cat" })],
      "conflict on weavers.members: it is set and its members change",
    ],
    [
      "an insert and a remove of one member",
      [on("join", { who: "cat" }), on("leave", { who: "cat" })],
      "conflict on weavers.members: cat is put in and taken out",
    ],
    ["a create twice", [on("make", { n: 1 }), on("make", { n: 1 })], "conflict on chest: it is created twice"],
    [
      "a change of what another destroys",
      [on("weigh"), on("smash", { what: "bag" })],
      "conflict on bag.weight: bag is destroyed",
    ],
    [
      "a move of what another destroys",
      [on("carry", { what: "bag", to: "ann" }), on("smash", { what: "bag" })],
      "conflict on bag.at: bag is destroyed",
    ],
    [
      "two different moves",
      [on("carry", { what: "cup", to: "ann" }), on("carry", { what: "cup", to: "bob" })],
      'conflict on cup.at: it is set to "ann" and to "bob"',
    ],
    [
      "two claims",
      [on("milk"), on("milk")],
      "conflict on jug.litres: one trigger claims it and another claims or writes it",
    ],
    [
      "a claim and a write",
      [on("milk"), on("pour", { n: 1 })],
      "conflict on jug.litres: one trigger claims it and another claims or writes it",
    ],
    [
      "two that claim and write",
      [on("drink"), on("drink")],
      "conflict on jug.litres: one trigger claims it and another claims or writes it",
    ],
    [
      "a claim of what another destroys",
      [on("hold"), on("smash", { what: "bag" })],
      "conflict on bag.weight: bag is destroyed",
    ],
    [
      "a claim by one of two that destroy",
      [on("eat"), on("smash", { what: "bag" })],
      "conflict on bag.weight: bag is destroyed",
    ],
  ])("RT25 RT26 %s are a conflict that names both triggers", (_, triggers, message) => {
    for (const order of [triggers, [...triggers].reverse()]) {
      const refusal = refused(submit(world, order));
      expect(refusal.code).toBe("conflict");
      expect(refusal.message).toContain(message);
      expect(refusal.failures?.map((one) => one.trigger)).toEqual([1, 2]);
      expect(refusal.hint).toContain("later step");
    }
  });

  it("RT25 within one trigger the same holds as between triggers", () => {
    const inner = (...effects: readonly Readonly<Record<string, unknown>>[]) =>
      submit(having(village(), { act: { effects } }), [{ capability: "act" }]);
    expect(at(accepted(inner({ add: "jug.litres", by: 1 }, { add: "jug.litres", by: 2 })).world, "jug.litres")).toBe(
      4.5,
    );
    expect(inner({ set: "ann.coins", value: 1 }, { set: "ann.coins", expr: "1.0" }).ok).toBe(true);
    expect(inner({ claim: "ann.coins" }, { claim: "ann.coins" }, { set: "ann.coins", value: 1 }).ok).toBe(true);
    for (const effects of [
      [
        { set: "ann.coins", value: 1 },
        { set: "ann.coins", value: 2 },
      ],
      [
        { set: "ann.coins", value: 1 },
        { add: "ann.coins", by: 1 },
      ],
      [
        { insert: "weavers.members", expr: "cat" },
        { remove: "weavers.members", expr: "cat" },
      ],
      [
        { create: "crate", id: "chest" },
        { create: "crate", id: "chest" },
      ],
      [{ destroy: "bag" }, { add: "bag.weight", by: 1 }],
    ]) {
      expect(refused(inner(...effects))).toMatchObject({ code: "conflict", failures: [{ trigger: 1 }] });
    }
  });

  it("RT32 what one trigger asks for twice is one write, but each add is its own", () => {
    const twice = (effect: Readonly<Record<string, unknown>>) =>
      accepted(submit(having(village(), { act: { effects: [effect, effect] } }), [{ capability: "act" }])).record
        .triggers[0]?.writes.length;
    expect(twice({ set: "ann.coins", value: 1 })).toBe(1);
    expect(twice({ insert: "weavers.members", expr: "cat" })).toBe(1);
    expect(twice({ remove: "weavers.members", expr: "ann" })).toBe(1);
    expect(twice({ destroy: "bag" })).toBe(1);
    expect(twice({ claim: "ann.coins" })).toBe(0);
    expect(twice({ add: "ann.coins", by: 1 })).toBe(2);
  });

  it("RT28 a step with several conflicts names every trigger they concern", () => {
    const refusal = refused(
      submit(world, [
        on("fill", { n: 3 }),
        on("look"),
        on("fill", { n: 4 }),
        on("weigh"),
        on("smash", { what: "bag" }),
      ]),
    );
    expect(refusal.failures?.map((one) => one.trigger)).toEqual([1, 3, 4, 5]);
  });
});
