import { describe, expect, it } from "vitest";
import type { StaticType } from "../../src/runtime/expression/index.ts";
import { compile, faultIn, PERSON, village, villageOf } from "./support/village.ts";

const world = village();

const VARIABLES: Readonly<Record<string, StaticType>> = {
  who: PERSON,
  thing: { kind: "entity", nullable: false },
  to: { kind: "place" },
  n: { kind: "number" },
  whole: { kind: "number", whole: true },
  word: { kind: "text" },
  flag: { kind: "bool" },
  hue: { kind: "enum", values: ["red", "blue"] },
};

describe("what would be false for ever", () => {
  it.each([
    // things of different types
    ['who.coins == "ten"', "expression_never_true"],
    ["who.coins == who.awake", "expression_never_true"],
    ['who.awake == "true"', "expression_never_true"],
    ["who.coins == mill", "expression_never_true"],
    ["who == mill", "expression_never_true"],
    ["who == to", "expression_never_true"],
    ["mill == bob", "expression_never_true"],
    ["jug == bob", "expression_never_true"],
    ["who == jug", "expression_never_true"],
    ['who.at == "mill"', "expression_never_true"],
    ['who == "ann"', "expression_never_true"],
    ['to == "mill"', "expression_never_true"],
    ["who.friend == jug", "expression_never_true"],
    ["who in [jug, cup]", "expression_never_true"],
    ["jug in weavers.members", "expression_never_true"],
    ['"ann" in weavers.members', "expression_never_true"],
    ["all(person) == all(jug)", "expression_never_true"],
    // a parameter is never null, nor is a value
    ["who == null", "expression_never_true"],
    ["who != null", "expression_never_true"],
    ["to == null", "expression_never_true"],
    ["n == null", "expression_never_true"],
    ["ann == null", "expression_never_true"],
    ["jug.home == null", "expression_never_true"],
    // an enum with a word it has not
    ['who.mood == "angry"', "expression_never_true"],
    ['"angry" != who.mood', "expression_never_true"],
    ['who.mood in ["angry", "sad"]', "expression_never_true"],
    ["hue == who.mood", "expression_never_true"],
    ['who.type == "jug"', "expression_never_true"],
    // a number with what its range excludes
    ["who.coins == 101", "expression_never_true"],
    ["who.coins == -1", "expression_never_true"],
    ["who.coins < 0", "expression_never_true"],
    ["who.coins > 100", "expression_never_true"],
    ["100 < who.coins", "expression_never_true"],
    ["who.coins >= 101", "expression_never_true"],
    ["who.coins == 2.5", "expression_never_true"],
    ["whole == 0.5", "expression_never_true"],
    ["jug.litres > 10", "expression_never_true"],
    ["-who.coins > 0", "expression_never_true"],
    ["clock < 0", "expression_never_true"],
    ["count(all(person)) < 0", "expression_never_true"],
    ["count(all(person)) == 1.5", "expression_never_true"],
    ['alongside("act") > 63', "expression_never_true"],
    ["1 == 2", "expression_never_true"],
    ['"a" == "b"', "expression_never_true"],
    // what is not there
    ["who.coin > 3", "unknown_field"],
    ["jug.coins > 3", "unknown_field"],
    ["thing.nothing > 3", "unknown_field"],
    ["all(person).exists(p, p.litres > 1)", "unknown_field"],
    ["nobody.at == mill", "expression_unknown_name"],
    ["who.at == mil", "expression_unknown_name"],
    ['entity("nobody").at == mill', "unknown_entity"],
    ["who.mood == calm", "expression_unknown_name"],
  ])("RT18 %s is refused with %s", (text, code) => {
    expect(faultIn(world, text, VARIABLES).code).toBe(code);
  });

  it.each([
    ["who.coin > 3", 'did you mean "coins"?'],
    ["who.at == mil", 'did you mean "mill"?'],
    ['who.at == "mill"', "ids stand without quotes: mill"],
    ['who == "ann"', "ids stand without quotes: ann"],
    ['who.mood == "clam"', 'did you mean "calm"?'],
    ['who.coins == "3"', "numbers stand without quotes: 3"],
    ['who.awake == "true"', "true and false stand without quotes"],
    ["who == mill", "to ask where an entity is, compare its `at`: who.at == mill"],
    ["all(persn).exists(p, true)", 'did you mean "person"?'],
  ])("RT36 %s comes with the hint %s", (text, hint) => {
    expect(faultIn(world, text, VARIABLES).hint).toBe(hint);
  });

  it("RT36 a number out of range is told with the range", () => {
    expect(faultIn(world, "who.coins == 101", VARIABLES).message).toBe(
      "who.coins == 101 compares what is never equal: a whole number from 0 to 100 is never 101",
    );
    expect(faultIn(world, "jug.litres > 10", VARIABLES).message).toBe(
      "jug.litres > 10 is never true: jug.litres is a number from 0 to 10, 10 is 10",
    );
  });

  it.each([
    "who.coins == 100",
    "who.coins == 2.0",
    "who.coins <= 0",
    "who.coins >= 100",
    "n == 2.5",
    "n == who.coins",
    "who.at == mill",
    "who.at == jug",
    "who.at == to",
    "who.at == null",
    "who.friend == null",
    "who.friend != null",
    "who.friend == who",
    "thing == who",
    "thing.litres > 1",
    "thing.at == who.at",
    'who.mood == "glad"',
    "who.mood == word",
    'who.type == "person"',
    'thing.type == "jug"',
    'hue in ["red"]',
    "who in weavers.members",
    "who.friend in weavers.members",
    "all(person) == weavers.members",
    "who.name == word",
    "jug.home == to",
    "who.at.at == null",
    "jug.home == who.at",
    "null == null",
  ])("RT18 %s is accepted", (text) => {
    expect(compile(world, text, VARIABLES)).toMatchObject({ ok: true });
  });
});

describe("types", () => {
  it.each([
    ["who.coins && flag", "expression_type"],
    ["!who.coins", "expression_type"],
    ["-word", "expression_type"],
    ["flag + 1", "expression_type"],
    ["flag < flag", "expression_type"],
    ["word < word", "expression_type"],
    ['who.coins + "a" > 3', "expression_type"],
    ["who + 1", "expression_type"],
    ["mill * 2", "expression_type"],
    ["who.friend.coins.at", "expression_type"],
    ["mill.at", "expression_type"],
    ["who.at.coins", "expression_type"],
    ["flag ? 1 : word", "expression_type"],
    ["flag ? who : 3", "expression_type"],
    ["n ? 1 : 2", "expression_type"],
    ["[1, word]", "expression_type"],
    ["[1, null]", "expression_type"],
    ["who in who", "expression_type"],
    ["who.exists(x, true)", "expression_type"],
    ["n.map(x, 1)", "expression_type"],
    ["all(person).filter(x, 1)", "expression_type"],
    ["all(person).exists(x, x)", "expression_type"],
    ["linked(who, mill)", "expression_type"],
    ["linked(mill)", "expression_type"],
    ["travelTicks(1, 2)", "expression_type"],
    ["inside(mill, who)", "expression_type"],
    ["inside(who, 3)", "expression_type"],
    ["count(who)", "expression_type"],
    ["count(3)", "expression_type"],
    ["min()", "expression_type"],
    ["min(word)", "expression_type"],
    ["min(all(person))", "expression_type"],
    ["abs(flag)", "expression_type"],
    ["abs(1, 2)", "expression_type"],
    ["clamp(1, 2)", "expression_type"],
    ["clamp(1, 2, word)", "expression_type"],
    ["entity(3)", "expression_type"],
    ["entity(mill)", "expression_type"],
  ])("RT15 %s is refused with %s", (text, code) => {
    expect(faultIn(world, text, VARIABLES).code).toBe(code);
  });

  it.each([
    ["all(person).exists(who, true)", '"who" is a parameter already'],
    ["all(person).exists(it, true)", '"it" is a word of the expression language'],
    ["all(person).exists(clock, true)", '"clock" is a word of the expression language'],
    ["all(person).exists(x, all(jug).exists(x, true))", '"x" is a parameter already'],
    ["all(person).exists(constructor, true)", '"constructor" is reserved'],
  ])("RT21 %s is refused: its variable may not be told from something else", (text, why) => {
    const fault = faultIn(world, text, VARIABLES);
    expect(fault.code).toBe("expression_unknown_name");
    expect(fault.message).toContain(why);
  });

  it("RT18 a field that several types share is as wide as all of them", () => {
    const shared = villageOf({
      cart: { fields: { litres: { kind: "number", digits: 0, max: 500 }, label: { kind: "bool" } } },
      tub: { fields: { hue: { kind: "enum", values: ["red"] } } },
      rug: { fields: { hue: { kind: "enum", values: ["blue"] } } },
    });
    const thing: Readonly<Record<string, StaticType>> = { thing: { kind: "entity", nullable: false } };
    expect(compile(shared, "thing.litres > 400", thing).ok).toBe(true);
    expect(compile(shared, 'thing.hue == "blue"', thing).ok).toBe(true);
    expect(faultIn(shared, 'thing.hue == "green"', thing).code).toBe("expression_never_true");
    expect(faultIn(shared, "thing.label == true", thing).code).toBe("unknown_field");
  });

  it("RT9 fields may bear names that objects of the language have", () => {
    const odd = villageOf(
      {
        odd: {
          fields: {
            tostring: { kind: "int" },
            valueof: { kind: "bool" },
            hasownproperty: { kind: "text" },
            length: { kind: "int" },
            map: { kind: "int" },
            size: { kind: "int" },
          },
        },
      },
      { tostring: { type: "odd" }, valueof: { type: "odd", at: "tostring" } },
    );
    expect(
      compile(
        odd,
        "valueof.at == tostring && tostring.tostring + tostring.length + tostring.map >= 0 && !tostring.valueof",
      ).ok,
    ).toBe(true);
    expect(compile(odd, 'all(odd).exists(x, x.hasownproperty == "" && x.size == 0)').ok).toBe(true);
    expect(faultIn(odd, "tostring.hasOwnProperty == 1").code).toBe("unknown_field");
    expect(faultIn(odd, "toString.length > 0").code).toBe("expression_unknown_name");
  });
});
