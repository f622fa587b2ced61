import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildWorld } from "../../src/runtime/build-world.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { faultOfId, faultOfName, idOf, nameOf, parseTriggerId, triggerId } from "../../src/runtime/ids.ts";
import { getEntity, retiredIds } from "../../src/runtime/state/index.ts";
import { typeSchema } from "../../src/runtime/world.ts";
import { at, partsWith, village, villageWith, type LooseParts } from "./support/village.ts";

describe("ids", () => {
  it.each([
    "a",
    "a1",
    "a_b",
    "z".repeat(64),
    "tostring",
    "valueof",
    "hasownproperty",
    "length",
    "then",
    "tojson",
    "nan",
    "undefined",
  ])("RT9 %s is one", (id) => {
    expect(faultOfId(id)).toBeUndefined();
    expect(idOf.safeParse(id).success && nameOf.safeParse(id).success).toBe(true);
  });

  it.each([
    "",
    "A",
    "aB",
    "1a",
    "_a",
    "a-b",
    "a b",
    "a.b",
    "é",
    "a\n",
    "\na",
    "a\u0000",
    "🜂",
    "z".repeat(65),
    "__proto__",
    "constructor",
    "prototype",
    "id",
    "type",
    "name",
    "at",
    "fields",
    "true",
    "null",
    "in",
    "for",
    "while",
    "package",
    "namespace",
  ])("RT9 %j is none", (id) => {
    expect(faultOfId(id)).toBeTypeOf("string");
    expect(idOf.safeParse(id).success || nameOf.safeParse(id).success).toBe(false);
  });

  it.each([
    "clock",
    "it",
    "map",
    "all",
    "count",
    "min",
    "clamp",
    "inside",
    "alongside",
    "exists",
    "filter",
    "matches",
    "has",
  ])("RT9 %s may be a field, but nothing that expressions mention by name", (id) => {
    expect(faultOfId(id)).toBeUndefined();
    expect(faultOfName(id)).toContain("expression language");
  });

  it("RT36 an id of any length and spelling is refused in short words that can be written down", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 20, maxLength: 200 }), (id) => {
        const fault = faultOfId(`${id}A`) ?? "";
        expect(fault.length).toBeLessThan(400);
        expect(canonicalJson(fault).length).toBeGreaterThan(2);
      }),
    );
  });

  it("RT31 trigger ids are t, step, position, and are read back only so", () => {
    expect(triggerId(12, 1)).toBe("t12_1");
    expect(parseTriggerId("t12_1")).toEqual({ step: 12, position: 1 });
    for (const text of [
      "t0_1",
      "t1_0",
      "t01_1",
      "t1_1 ",
      "T1_1",
      "t1",
      "t1_100",
      "t1234567890_1",
      "t1_1\n",
      "r1",
      "",
      "t-1_1",
      "t1_1_1",
    ]) {
      expect(parseTriggerId(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 64 }), (step, position) => {
        expect(parseTriggerId(triggerId(step, position))).toEqual({ step, position });
      }),
    );
  });
});

describe("a world built of parts", () => {
  it("RT1 RT4 RT6 holds every entity with every field of its type", () => {
    const world = village();
    expect(getEntity(world.entities, "cat")).toEqual({
      id: "cat",
      type: "person",
      name: "Cat",
      at: "ford",
      fields: { awake: true, coins: 0, friend: null, mood: "calm" },
    });
    expect(getEntity(world.entities, "cup")).toMatchObject({
      name: "cup",
      fields: { litres: 0, label: "", home: "mill", owner: null },
    });
    expect(retiredIds(world.retired)).toEqual([]);
  });

  it("RT4 keeps sets sorted and numbers rounded", () => {
    const world = villageWith({ smiths: { type: "guild", fields: { members: ["cat", "ann", "cat"], pot: -2.5 } } });
    expect(at(world, "smiths.members")).toEqual(["ann", "cat"]);
    expect(at(world, "smiths.pot")).toBe(-3);
  });

  const person = { kind: "ref", of: "person" };
  it.each<[string, LooseParts, readonly (string | number)[], string]>([
    [
      "a link to nowhere",
      { map: { places: { mill: "" }, links: [{ from: "mill", to: "mil" }] }, types: {}, entities: {} },
      ["map", "links", 0, "to"],
      'there is no place "mil"',
    ],
    [
      "bounds the wrong way round",
      { types: { a: { fields: { n: { kind: "int", min: 3, max: 1 } } } }, entities: {} },
      ["types", "a", "fields", "n"],
      "min 3 is above max 1",
    ],
    [
      "a default out of range",
      { types: { a: { fields: { n: { kind: "int", max: 1, default: 3 } } } }, entities: {} },
      ["types", "a", "fields", "n", "default"],
      "3 is out of range",
    ],
    [
      "a fraction as the default of an int",
      { types: { a: { fields: { n: { kind: "int", default: 0.5 } } } }, entities: {} },
      ["types", "a", "fields", "n", "default"],
      "0.5 is no whole number",
    ],
    [
      "a word the enum has not",
      { types: { a: { fields: { n: { kind: "enum", values: ["x"], default: "y" } } } }, entities: {} },
      ["types", "a", "fields", "n", "default"],
      '"y" is no word of this enum',
    ],
    [
      "a word twice",
      { types: { a: { fields: { n: { kind: "enum", values: ["x", "x"] } } } }, entities: {} },
      ["types", "a", "fields", "n", "values"],
      "a word stands twice",
    ],
    [
      "a default place that is none",
      { types: { a: { fields: { n: { kind: "place", default: "mil" } } } }, entities: {} },
      ["types", "a", "fields", "n", "default"],
      'there is no place "mil"',
    ],
    [
      "a reference to no type",
      { types: { a: { fields: { n: person } } }, entities: {} },
      ["types", "a", "fields", "n", "of"],
      'there is no type "person"',
    ],
    [
      "an entity of no type",
      { entities: { x: { type: "persn" } } },
      ["entities", "x", "type"],
      'there is no type "persn"',
    ],
    [
      "a field its type has not",
      { entities: { x: { type: "person", fields: { litres: 1 } } } },
      ["entities", "x", "fields", "litres"],
      'type person has no field "litres"',
    ],
    [
      "a value out of range",
      { entities: { x: { type: "person", fields: { coins: 101 } } } },
      ["entities", "x", "fields", "coins"],
      "101 is out of range",
    ],
    [
      "a null where a number belongs",
      { entities: { x: { type: "person", fields: { coins: null } } } },
      ["entities", "x", "fields", "coins"],
      "null is not",
    ],
    [
      "a loose reference",
      { entities: { x: { type: "person", fields: { friend: "y" } } } },
      ["entities", "x", "fields", "friend"],
      'there is no entity "y"',
    ],
    [
      "a reference to another type",
      { entities: { x: { type: "person", fields: { friend: "y" } }, y: { type: "jug" } } },
      ["entities", "x", "fields", "friend"],
      "y is of type jug",
    ],
    [
      "a place that is none",
      { entities: { x: { type: "person", at: "mil" } } },
      ["entities", "x", "at"],
      '"mil" is no place and no entity',
    ],
    [
      "an entity that bears a place's id",
      { entities: { mill: { type: "person" } } },
      ["entities", "mill", "id"],
      '"mill" is a place',
    ],
    [
      "an entity inside itself",
      { entities: { x: { type: "crate", at: "x" } } },
      ["entities", "x", "at"],
      "x in x: nothing is inside itself",
    ],
    [
      "a requirement that is never true",
      { capabilities: { act: { requires: [{ expr: "true" }, { expr: "ann.coins == 101" }] } } },
      ["capabilities", "act", "requires", 1, "expr"],
      "never equal",
    ],
    [
      "an invariant that does not hold",
      { invariants: [{ expr: "ann.coins > 10" }] },
      ["invariants", 0, "expr"],
      "does not hold at the beginning",
    ],
    [
      "an invariant without a value",
      { invariants: [{ expr: "bob.friend.awake" }] },
      ["invariants", 0, "expr"],
      "bob.friend is null",
    ],
    [
      "an invariant that mentions the clock",
      { invariants: [{ expr: "clock >= 0" }] },
      ["invariants", 0, "expr"],
      "never mentions the clock",
    ],
    [
      "an invariant that counts what stands beside",
      { invariants: [{ expr: 'alongside("act") == 0' }] },
      ["invariants", 0, "expr"],
      "only inside a capability",
    ],
  ])("CS1 tells of %s, and where", (_, parts, path, words) => {
    const built = buildWorld(partsWith(parts));
    if (built.ok) throw new Error("it was built");
    const fault = built.error.find((one) => canonicalJson(one.path) === canonicalJson(path));
    expect(fault?.message).toContain(words);
  });

  it("CS1 lists all faults, not the first", () => {
    const built = buildWorld(
      partsWith({
        entities: { x: { type: "person", at: "mil" }, y: { type: "nobody" }, z: { type: "crate", at: "z" } },
      }),
    );
    expect(built.ok ? [] : built.error.map((one) => one.path[1])).toEqual(["y", "x", "z"]);
  });

  it("RT8 invariants are compiled for the world they stand in, though the parts are used twice", () => {
    const parts = partsWith({ invariants: [{ expr: "all(person).all(p, p.coins < 60)" }] });
    expect(buildWorld(parts).ok).toBe(true);
    const other = partsWith({ types: { person: { fields: {} } }, entities: {} });
    const built = buildWorld({ ...other, invariants: parts.invariants });
    expect(built.ok).toBe(false);
  });

  it.each(["id", "type", "name", "at", "fields", "__proto__", "constructor"])(
    "RT4 no field may be called %s",
    (name) => {
      const parsed = typeSchema.safeParse(JSON.parse(`{"id":"a","fields":{"${name}":{"kind":"int"}}}`));
      expect(parsed.success && Object.keys(parsed.data.fields).length > 0).toBe(false);
    },
  );
});
