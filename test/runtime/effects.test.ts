import { describe, expect, it } from "vitest";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { entityIds, getEntity, retiredIds } from "../../src/runtime/state/index.ts";
import {
  accepted,
  act,
  at,
  having,
  refused,
  submit,
  village,
  villageOf,
  villageWith,
  writesOfSole,
} from "./support/village.ts";

const world = village();
const PARAMS = { params: { who: { type: "person" }, to: { kind: "place" }, n: { kind: "number" } } };
const ARGS = { who: "ann", to: "ford", n: 2.5 };

/** One capability of these effects, triggered once with `ARGS`. */
function does(...effects: readonly Readonly<Record<string, unknown>>[]) {
  return act(world, { ...PARAMS, effects }, ARGS);
}

describe("set", () => {
  it.each([
    [{ set: "who.at", expr: "to" }, "ann.at", "ford"],
    [{ set: "who.at", value: "ford" }, "ann.at", "ford"],
    [{ set: "who.at", value: null }, "ann.at", null],
    [{ set: "who.at", expr: "null" }, "ann.at", null],
    [{ set: "jug.at", expr: "box" }, "jug.at", "box"],
    [{ set: "jug.at", value: "box" }, "jug.at", "box"],
    [{ set: "jug.at", expr: "who.friend" }, "jug.at", "bob"],
    [{ set: "jug.at", expr: "who.awake ? who.at : who" }, "jug.at", "mill"],
    [{ set: "who.coins", value: 7 }, "ann.coins", 7],
    [{ set: "who.coins", expr: "who.coins * 2" }, "ann.coins", 20],
    [{ set: "who.coins", expr: "10 / 5" }, "ann.coins", 2],
    [{ set: "who.awake", value: false }, "ann.awake", false],
    [{ set: "who.awake", expr: "who.coins > 50" }, "ann.awake", false],
    [{ set: "who.mood", value: "cross" }, "ann.mood", "cross"],
    [{ set: "who.mood", expr: "bob.mood" }, "ann.mood", "glad"],
    [{ set: "who.mood", expr: '"gl" + "ad"' }, "ann.mood", "glad"],
    [{ set: "who.friend", expr: "cat" }, "ann.friend", "cat"],
    [{ set: "who.friend", value: "cat" }, "ann.friend", "cat"],
    [{ set: "who.friend", value: null }, "ann.friend", null],
    [{ set: "who.friend", expr: "bob.friend" }, "ann.friend", null],
    [{ set: "who.friend", expr: "jug.at" }, "ann.friend", "ann"],
    [{ set: "jug.litres", expr: "n / 3" }, "jug.litres", 0.83],
    [{ set: "jug.litres", value: 1.005 }, "jug.litres", 1.01],
    [{ set: "jug.label", value: "" }, "jug.label", ""],
    [{ set: "jug.label", expr: 'who.name + "’s 🜂"' }, "jug.label", "Ann’s 🜂"],
    [{ set: "jug.home", expr: "to" }, "jug.home", "ford"],
    [{ set: "jug.home", expr: "who.at" }, "jug.home", "mill"],
    [{ set: "weavers.members", value: ["cat", "ann", "cat"] }, "weavers.members", ["ann", "cat"]],
    [{ set: "weavers.members", expr: "[cat, ann]" }, "weavers.members", ["ann", "cat"]],
    [{ set: "weavers.members", expr: "all(person).filter(p, p.at == ford)" }, "weavers.members", ["cat"]],
    [{ set: "weavers.members", value: [] }, "weavers.members", []],
    [{ set: "weavers.members", expr: "[]" }, "weavers.members", []],
    [{ set: "ann.coins", value: 1 }, "ann.coins", 1],
  ])("RT22 %j leaves %s at %j", (effect, path, value) => {
    const result = does(effect);
    expect(at(accepted(result).world, path)).toEqual(value);
    expect(writesOfSole(result)).toMatchObject([{ kind: "set", path, before: at(world, path), after: value }]);
  });

  it("RT32 a set that leaves the value as it was is kept and marked", () => {
    const result = does({ set: "who.coins", expr: "who.coins" });
    expect(writesOfSole(result)).toEqual([{ kind: "set", path: "ann.coins", before: 10, after: 10, same: true }]);
    expect(writesOfSole(does({ set: "who.coins", value: 11 }))).toEqual([
      { kind: "set", path: "ann.coins", before: 10, after: 11 },
    ]);
    expect(writesOfSole(does({ set: "weavers.members", expr: "[bob, ann]" }))).toEqual([
      { kind: "set", path: "weavers.members", before: ["ann", "bob"], after: ["ann", "bob"], same: true },
    ]);
  });

  it.each([
    [{ set: "who.coins", expr: "who.coins * 11" }, "out_of_range", "ann.coins would be 110: 110 is out of range"],
    [{ set: "who.coins", expr: "0 - who.coins" }, "out_of_range", "ann.coins would be -10: -10 is out of range"],
    [{ set: "who.coins", expr: "who.coins / 4" }, "out_of_range", "ann.coins would be 2.5: 2.5 is no whole number"],
    [{ set: "who.coins", expr: "n" }, "out_of_range", "ann.coins would be 2.5: 2.5 is no whole number"],
    [{ set: "jug.litres", expr: "n * 4.003" }, "out_of_range", "jug.litres would be 10.01: 10.01 is out of range"],
    [{ set: "jug.home", expr: "jug.at" }, "unknown_place", 'jug.home would be "ann": there is no place "ann"'],
    [
      { set: "who.mood", expr: 'bob.mood + "!"' },
      "out_of_range",
      'ann.mood would be "glad!": "glad!" is no word of this enum',
    ],
    [
      { set: "who.friend", expr: "who.at" },
      "broken_reference",
      'ann.friend would be "mill": there is no entity "mill"',
    ],
    [{ set: "who.friend", expr: "bag.at" }, "wrong_entity_type", 'ann.friend would be "box": box is of type crate'],
    [{ set: "jug.home", expr: "weavers.at" }, "wrong_type", "jug.home would be null: null is not a place of the map"],
    [{ set: "weavers.members", expr: "[ann, bob.friend]" }, "wrong_type", 'weavers.members would be ["ann",null]'],
    [
      { set: "who.coins", expr: "bob.friend.coins" },
      "effect_failed",
      "bob.friend.coins cannot be evaluated: bob.friend is null",
    ],
    [{ set: "who.coins", expr: "1 / cup.litres" }, "effect_failed", "1 / cup.litres divides by 0"],
    [{ set: "jug.label", expr: "jug.label + bob.friend" }, "effect_failed", "bob.friend is null"],
  ])("RT5 RT23 %j refuses the step with %s", (effect, code, words) => {
    const refusal = refused(does(effect));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
  });

  it("RT4 RT46 a text beyond 1,000 characters refuses the step", () => {
    const long = "a".repeat(600);
    const tins = villageWith({
      tin: { type: "jug", fields: { label: long } },
      can: { type: "jug", fields: { label: long } },
    });
    const refusal = refused(act(tins, { effects: [{ set: "jug.label", expr: "tin.label + can.label" }] }));
    expect(refusal).toMatchObject({ code: "effect_failed" });
    expect(refusal.message.length).toBeLessThan(2_000);
    expect(act(tins, { effects: [{ set: "jug.label", expr: "tin.label" }] }).ok).toBe(true);
  });
});

describe("add", () => {
  it.each([
    [{ add: "who.coins", by: 5 }, "ann.coins", 15, 5],
    [{ add: "who.coins", by: -10 }, "ann.coins", 0, -10],
    [{ add: "who.coins", by: "bob.coins + 1" }, "ann.coins", 16, 6],
    [{ add: "jug.litres", by: "n" }, "jug.litres", 4, 2.5],
    [{ add: "jug.litres", by: 0.1 }, "jug.litres", 1.6, 0.1],
    [{ add: "jug.litres", by: 1.005 }, "jug.litres", 2.51, 1.01],
    [{ add: "jug.litres", by: 0.004 }, "jug.litres", 1.5, 0],
    [{ add: "weavers.pot", by: -2.5 }, "weavers.pot", -3, -3],
    [{ add: "weavers.pot", by: 2.5 }, "weavers.pot", 3, 3],
  ])("RT11 %j leaves %s at %d", (effect, path, value, by) => {
    const result = does(effect);
    expect(at(accepted(result).world, path)).toBe(value);
    const same = by === 0 ? { same: true } : {};
    expect(writesOfSole(result)).toEqual([{ kind: "add", path, before: at(world, path), after: value, by, ...same }]);
  });

  it.each([
    [{ add: "who.coins", by: 91 }, "out_of_range", "ann.coins would be 101: 101 is out of range"],
    [{ add: "who.coins", by: -11 }, "out_of_range", "ann.coins would be -1: -1 is out of range"],
    [{ add: "who.coins", by: 0.5 }, "out_of_range", "10.5 is no whole number"],
    [{ add: "who.coins", by: "n" }, "out_of_range", "12.5 is no whole number"],
    [{ add: "jug.litres", by: 8.6 }, "out_of_range", "10.1 is out of range"],
    [{ add: "who.coins", by: "bob.friend.coins" }, "effect_failed", "bob.friend is null"],
    [{ add: "weavers.pot", by: "1.0e308 * 10" }, "effect_failed", "too large"],
  ])("RT5 %j refuses the step with %s: nothing is clamped", (effect, code, words) => {
    const refusal = refused(does(effect));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
  });

  it("RT5 a sum beyond every number refuses the step", () => {
    const refusal = refused(does({ add: "weavers.pot", by: 1.7e308 }, { add: "weavers.pot", by: 1.7e308 }));
    expect(refusal).toMatchObject({ code: "out_of_range" });
    expect(refusal.message).toContain("weavers.pot would be Infinity");
  });

  it("RT4 whole numbers end at the largest that is safe", () => {
    const vault = villageOf(
      { vault: { fields: { gold: { kind: "int" } } } },
      { hoard: { type: "vault", fields: { gold: 2 ** 53 - 2 } } },
    );
    const more = (by: number) => act(vault, { effects: [{ add: "hoard.gold", by }] });
    expect(at(accepted(more(1)).world, "hoard.gold")).toBe(Number.MAX_SAFE_INTEGER);
    expect(refused(more(2)).code).toBe("out_of_range");
    expect(refused(more(3)).code).toBe("out_of_range");
    expect(at(accepted(more(2 - 2 ** 53)).world, "hoard.gold")).toBe(0);
  });
});

describe("insert and remove", () => {
  it.each([
    [{ insert: "weavers.members", expr: "cat" }, ["ann", "bob", "cat"], "cat", false],
    [{ insert: "weavers.members", value: "cat" }, ["ann", "bob", "cat"], "cat", false],
    [{ insert: "weavers.members", expr: "who" }, ["ann", "bob"], "ann", true],
    [{ insert: "weavers.members", expr: "who.friend" }, ["ann", "bob"], "bob", true],
    [{ remove: "weavers.members", expr: "who" }, ["bob"], "ann", false],
    [{ remove: "weavers.members", value: "bob" }, ["ann"], "bob", false],
    [{ remove: "weavers.members", expr: "cat" }, ["ann", "bob"], "cat", true],
  ])("RT22 %j leaves the set %j", (effect, after, member, same) => {
    const result = does(effect);
    expect(at(accepted(result).world, "weavers.members")).toEqual(after);
    const kind = "insert" in effect ? "insert" : "remove";
    expect(writesOfSole(result)).toEqual([
      { kind, path: "weavers.members", before: ["ann", "bob"], after, member, ...(same ? { same: true } : {}) },
    ]);
  });

  it("RT23 a member that is null or no entity of the type refuses the step", () => {
    expect(refused(does({ insert: "weavers.members", expr: "bob.friend" }))).toMatchObject({ code: "effect_failed" });
    expect(refused(does({ insert: "weavers.members", expr: "entity(who.name)" }))).toMatchObject({
      code: "effect_failed",
    });
    expect(refused(does({ insert: "weavers.members", expr: 'entity("j" + "ug")' }))).toMatchObject({
      code: "wrong_entity_type",
    });
  });
});

describe("create", () => {
  const crate = (more: Readonly<Record<string, unknown>> = {}) => ({ create: "crate", id: "chest", ...more });

  it("RT22 makes an entity of its type with its defaults", () => {
    const result = does(crate());
    const made = { id: "chest", type: "crate", name: "chest", at: null, fields: { weight: 0 } };
    expect(getEntity(accepted(result).world.entities, "chest")).toEqual(made);
    expect(writesOfSole(result)).toEqual([{ kind: "create", path: "chest", entity: made }]);
  });

  it("RT22 takes id, place and fields from literals and expressions", () => {
    const result = does({
      create: "jug",
      id: { expr: '"jug_" + n * 2' },
      name: "A jug",
      at: "who",
      fields: { litres: { expr: "n / 3" }, label: "oil", owner: { expr: "who.friend" }, home: { expr: "to" } },
    });
    expect(getEntity(accepted(result).world.entities, "jug_5")).toEqual({
      id: "jug_5",
      type: "jug",
      name: "A jug",
      at: "ann",
      fields: { home: "ford", label: "oil", litres: 0.83, owner: "bob" },
    });
  });

  it.each([
    [crate({ id: { expr: '"ann"' } }), "already_exists"],
    [crate({ id: { expr: '"mi" + "ll"' } }), "already_exists"],
    [crate({ id: { expr: '"who"' } }), "forbidden_id"],
    [crate({ id: { expr: '"it"' } }), "forbidden_id"],
    [crate({ id: { expr: '"__proto__"' } }), "forbidden_id"],
    [crate({ id: { expr: '"constructor"' } }), "forbidden_id"],
    [crate({ id: { expr: "who.name" } }), "forbidden_id"],
    [crate({ id: { expr: '"crate " + n' } }), "forbidden_id"],
    [crate({ id: { expr: '""' } }), "forbidden_id"],
    [crate({ id: { expr: '"é"' } }), "forbidden_id"],
    [crate({ id: { expr: `"${"a".repeat(65)}"` } }), "forbidden_id"],
    [crate({ fields: { weight: { expr: "0 - n" } } }), "out_of_range"],
    [crate({ at: "bob.friend.at" }), "effect_failed"],
  ])("RT9 RT23 %j refuses the step with %s", (effect, code) => {
    expect(refused(does(effect)).code).toBe(code);
  });

  it("RT6 an id is never used again", () => {
    const able = having(world, {
      make: { effects: [crate()] },
      burn: { effects: [{ destroy: "bag" }] },
      again: { effects: [crate({ id: "bag2" }), { create: "crate", id: { expr: '"bag"' } }] },
    });
    const burnt = accepted(submit(able, [{ capability: "burn" }])).world;
    expect(retiredIds(burnt.retired)).toEqual(["bag"]);
    expect(refused(submit(burnt, [{ capability: "again" }])).code).toBe("id_was_used");
    expect(refused(submit(accepted(submit(able, [{ capability: "make" }])).world, [{ capability: "make" }])).code).toBe(
      "already_exists",
    );
  });

  it("RT24 what is created is not there yet for the other effects of the step", () => {
    const able = having(world, {
      make: { effects: [crate()] },
      weigh: { requires: [{ expr: "count(all(crate)) == 3" }] },
    });
    const refusal = refused(submit(able, [{ capability: "make" }, { capability: "weigh" }]));
    expect(refusal).toMatchObject({ code: "requirement_not_met", path: "triggers[1].requires[0]" });
    expect(refusal.hint).toContain("submit this one afterwards");
    expect(submit(accepted(submit(able, [{ capability: "make" }])).world, [{ capability: "weigh" }]).ok).toBe(true);
  });
});

describe("destroy", () => {
  it("RT22 takes an entity away and retires its id", () => {
    const result = does({ destroy: "bag" });
    const { world: after } = accepted(result);
    expect(getEntity(after.entities, "bag")).toBeUndefined();
    expect(entityIds(after.entities)).toEqual(["ann", "bob", "box", "cat", "cup", "jug", "weavers"]);
    expect(writesOfSole(result)).toEqual([{ kind: "destroy", path: "bag", entity: getEntity(world.entities, "bag") }]);
  });

  it.each([
    [[{ destroy: "bob" }], "ann.friend refers to it"],
    [[{ destroy: "who" }], "jug.at refers to it"],
    [[{ destroy: "box" }], "bag.at refers to it"],
    [[{ destroy: "who" }], "weavers.members refers to it"],
    [[{ destroy: "who" }], "jug.owner refers to it"],
  ])("RT7 %j refuses the step, as %s", (effects, words) => {
    const refusal = refused(does(...effects));
    expect(refusal.code).toBe("broken_reference");
    expect(refusal.failures?.map((one) => one.message).join("\n")).toContain(words);
  });

  it("RT7 RT66 refuses it in a world of many, too, the first time and afterwards", () => {
    const crates = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`c${i}`, { type: "crate", at: "mill" }]));
    const able = having(villageWith(crates), {
      burn: { params: { what: {} }, effects: [{ destroy: "what" }] },
      stow: { params: { what: {}, into: {} }, effects: [{ set: "what.at", expr: "into" }] },
    });
    const burn = (what: string) => ({ capability: "burn", args: { what } });
    expect(refused(submit(able, [burn("bob")])).failures?.[0]?.message).toContain("ann.friend refers to it");
    const less = accepted(submit(able, [burn("c5")])).world;
    expect(refused(submit(less, [burn("bob")])).failures?.[0]?.message).toContain("ann.friend refers to it");
    const stowed = accepted(submit(less, [{ capability: "stow", args: { what: "c7", into: "c8" } }])).world;
    expect(refused(submit(stowed, [burn("c8")])).failures?.[0]?.message).toContain("c7.at refers to it");
    expect(submit(stowed, [burn("c8"), burn("c7")]).ok).toBe(true);
    const back = accepted(submit(stowed, [{ capability: "stow", args: { what: "c7", into: "c9" } }])).world;
    expect(submit(back, [burn("c8")]).ok).toBe(true);
  });

  it("RT7 is done where every reference is loosened in the same step", () => {
    const { world: after } = accepted(does({ destroy: "box" }, { set: "bag.at", expr: "to" }));
    expect(at(after, "bag.at")).toBe("ford");
    expect(retiredIds(accepted(does({ destroy: "box" }, { destroy: "bag" })).world.retired)).toEqual(["bag", "box"]);
  });

  it("RT7 a new reference to what goes refuses the step", () => {
    expect(refused(does({ destroy: "cat" }, { set: "who.friend", expr: "cat" })).code).toBe("broken_reference");
    expect(refused(does({ destroy: "cat" }, { insert: "weavers.members", expr: "cat" })).code).toBe("broken_reference");
    expect(refused(does({ destroy: "bag" }, { create: "crate", id: "chest", at: "bag" })).code).toBe(
      "broken_reference",
    );
  });
});

describe("containment", () => {
  it.each([
    ["in itself", [{ set: "box.at", expr: "box" }]],
    ["in what it holds", [{ set: "box.at", expr: "bag" }]],
    [
      "in what its content holds",
      [
        { set: "ann.at", expr: "cup" },
        { set: "cup.at", expr: "jug" },
      ],
    ],
    [
      "in one another at once",
      [
        { set: "ann.at", expr: "bob" },
        { set: "bob.at", expr: "ann" },
      ],
    ],
  ])("RT7 what would stand %s refuses the step", (_, effects) => {
    const refusal = refused(does(...effects));
    expect(refusal.code).toBe("containment_circle");
    expect(refusal.message).toContain("nothing is inside itself");
  });

  it("RT7 a circle is seen where one trigger makes one half and another the other", () => {
    const able = having(world, { into: { params: { a: {}, b: {} }, effects: [{ set: "a.at", expr: "b" }] } });
    const into = (a: string, b: string) => ({ capability: "into", args: { a, b } });
    expect(submit(able, [into("cup", "bag")]).ok).toBe(true);
    const refusal = refused(submit(able, [into("cup", "bag"), into("box", "cup")]));
    expect(refusal.code).toBe("containment_circle");
    expect(refusal.failures?.map((one) => one.trigger)).toEqual([1, 2]);
  });

  it("RT24 two things may change places at once", () => {
    const { world: after } = accepted(does({ set: "bag.at", expr: "box.at" }, { set: "box.at", expr: "bag" }));
    expect([at(after, "bag.at"), at(after, "box.at")]).toEqual(["mill", "bag"]);
  });
});

describe("an effect on any entity", () => {
  it("RT23 refuses the step where the entity's type has not the field", () => {
    const pour = { params: { what: {} }, effects: [{ add: "what.litres", by: 1 }] };
    expect(at(accepted(act(world, pour, { what: "cup" })).world, "cup.litres")).toBe(1);
    const refusal = refused(act(world, pour, { what: "box" }));
    expect(refusal.code).toBe("effect_failed");
    expect(refusal.message).toContain('box is of type crate, which has no field "litres"');
  });

  it("RT27 checks a value against the field it meets", () => {
    const spill = { params: { what: {} }, effects: [{ set: "what.litres", value: 99 }] };
    expect(refused(act(world, spill, { what: "cup" })).code).toBe("out_of_range");
  });
});

describe("a world after a step", () => {
  it("RT12 has the digest of the same world built anew", () => {
    const { world: after, record } = accepted(does({ set: "who.at", expr: "to" }, { add: "jug.litres", by: 0.25 }));
    expect(record.digest).toBe(digestOfWorld(after));
    const parts = {
      ann: { type: "person", name: "Ann", at: "ford", fields: { coins: 10, friend: "bob" } },
      jug: { type: "jug", at: "ann", fields: { litres: 1.75, label: "milk", owner: "ann" } },
    };
    const anew = villageWith(parts, { clock: 1 });
    expect(digestOfWorld({ ...anew, capabilities: after.capabilities })).toBe(record.digest);
  });
});
