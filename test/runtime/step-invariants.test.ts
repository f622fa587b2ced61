import { describe, expect, it } from "vitest";
import { tryTrigger } from "../../src/runtime/try-trigger.ts";
import { triggerSchema } from "../../src/runtime/capability.ts";
import { CAPABILITIES, go, on } from "./support/doings.ts";
import { accepted, act, at, having, refused, submit, village, type LooseTrigger } from "./support/village.ts";

describe("invariants", () => {
  const RULES = [
    { expr: "all(person).all(p, p.coins <= 20)", says: "Nobody is rich" },
    { expr: "jug.litres + cup.litres <= 5" },
    { expr: "inside(bag, mill)", says: "The bag stays at the mill" },
    { expr: "count(all(crate)) >= 2" },
    { expr: "ann.friend != null", says: "Ann has a friend" },
  ];
  const lawful = having(village({ invariants: RULES }), {
    ...CAPABILITIES,
    pour: { params: { into: { type: "jug" }, n: { kind: "number" } }, effects: [{ add: "into.litres", by: "n" }] },
    carry: { params: { what: {}, to: { kind: "place" } }, effects: [{ set: "what.at", expr: "to" }] },
    burn: { params: { what: { type: "crate" } }, effects: [{ destroy: "what" }] },
    quarrel: { params: { who: { type: "person" } }, effects: [{ set: "who.friend", value: null }] },
  });

  it.each<[string, readonly LooseTrigger[], readonly number[], string]>([
    [
      "one trigger broke",
      [go("cat", "mill"), on("earn", { who: "bob", n: 16 })],
      [2],
      'Nobody is rich (all(person).all(p, p.coins <= 20)); p.coins = 21; p = "bob"',
    ],
    [
      "two triggers broke together",
      [on("pour", { into: "jug", n: 2 }), on("pour", { into: "cup", n: 2 })],
      [1, 2],
      "jug.litres = 3.5; cup.litres = 2",
    ],
    [
      "a holder broke by moving",
      [on("carry", { what: "box", to: "ford" })],
      [1],
      'The bag stays at the mill (inside(bag, mill)); bag.at = "box"; box.at = "ford"',
    ],
    ["a destruction broke", [on("burn", { what: "bag" })], [1, 1], "there is no entity bag"],
    ["a null broke", [on("quarrel", { who: "ann" })], [1], "Ann has a friend (ann.friend != null); ann.friend = null"],
  ])("RT8 RT28 what %s refuses the step, with the triggers and the values", (_, triggers, positions, words) => {
    const refusal = refused(submit(lawful, triggers));
    expect(refusal.code).toBe("invariant_broken");
    expect(refusal.failures?.map((one) => one.trigger)).toEqual(positions);
    expect(refusal.failures?.map((one) => one.message).join(" | ")).toContain(words);
  });

  it("RT8 is checked on the merged state: what one trigger breaks another may mend", () => {
    const { world: after } = accepted(
      submit(lawful, [
        on("pour", { into: "jug", n: 3 }),
        on("pour", { into: "jug", n: -1 }),
        on("earn", { who: "ann", n: 10 }),
      ]),
    );
    expect(at(after, "jug.litres")).toBe(3.5);
  });

  it.each([
    ['all(person).exists(p, p.mood == "glad")', { set: "bob.mood", value: "calm" }],
    ["weavers.members == [ann, bob]", { insert: "weavers.members", expr: "cat" }],
    ["jug.owner == jug.at", { set: "jug.at", expr: "bob" }],
    ["inside(jug, mill)", { set: "ann.at", value: "ford" }],
    ["linked(cat.at, mill)", { set: "cat.at", value: "isle" }],
    ["ann.friend.awake", { set: "bob.awake", value: false }],
    ['entity("b" + "ag").weight < 1', { add: "bag.weight", by: 1 }],
    ["count(all(jug)) == 2", { create: "jug", id: "mug" }],
    ["count(all(crate)) == 2", { destroy: "bag" }],
    ["jug.home == mill", { set: "jug.home", value: "inn" }],
    ['jug.label != ""', { set: "jug.label", value: "" }],
    ["ann.coins > bob.coins", { add: "it.coins", by: 6, for: { each: "person", where: "it == bob" } }],
  ])("RT8 %s is asked again after the effect %j", (expr, effect) => {
    const ruled = village({ invariants: [{ expr }] });
    expect(refused(act(ruled, { effects: [effect] })).code).toBe("invariant_broken");
  });

  it("RT8 waits and writes of other fields leave invariants alone", () => {
    expect(submit(lawful, [], { advance: 3 }).ok).toBe(true);
    expect(submit(lawful, [on("sleep", { who: "ann" })]).ok).toBe(true);
  });

  it("CT7 a trigger tried alone is not bound by invariants", () => {
    const trial = tryTrigger(lawful, triggerSchema.parse(on("quarrel", { who: "ann" })), { alongside: {} });
    expect(trial.ok && trial.value.writes).toMatchObject([{ path: "ann.friend", after: null }]);
  });
});
