import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepted, act, at, evaluation, PERSON, valueIn, village, villageWith } from "./support/village.ts";

const world = village({ clock: 7 });

describe("values", () => {
  it.each([
    // one kind of number
    ["5 / 2", 2.5],
    ["5.0 / 2", 2.5],
    ["1 / 3 * 3", 1],
    ["2 * jug.litres + 1", 4],
    ["1 + 0.5", 1.5],
    ["7 % 4", 3],
    ["-7 % 4", -3],
    ["7.5 % 2", 1.5],
    ["1 == 1.0", true],
    ["ann.coins == 10.0", true],
    ["0x10 + 1", 17],
    ["1e3", 1000],
    ["9007199254740991", 9007199254740991],
    ["2 - -2", 4],
    ["--3", 3],
    ["1 - 2 - 3", -4],
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    // texts
    ['"a" + "b"', "ab"],
    ['"crate_" + 3', "crate_3"],
    ['"crate_" + 3.0', "crate_3"],
    ['"x" + 2.5', "x2.5"],
    ["ann.name + bob.mood", "Annglad"],
    ['"to " + mill', "to mill"],
    ['"by " + ann', "by ann"],
    ['"🜂" + "é"', "🜂é"],
    ['"\\u00e9" == "é"', true],
    // words, references, places
    ["ann", "ann"],
    ["mill", "mill"],
    ["ann.at", "mill"],
    ["ann.friend", "bob"],
    ["ann.friend.name", "Bob"],
    ["ann.friend.friend", null],
    ["jug.at", "ann"],
    ["jug.at.at", "mill"],
    ["bag.at.at", "mill"],
    ["weavers.at", null],
    ["weavers.at == null", true],
    ["ann.friend == bob", true],
    ["jug.owner == jug.at", true],
    ["jug.home == ann.at", true],
    ["ann.type", "person"],
    ['ann.type == "person"', true],
    ["cup.label", ""],
    ['cup.label == ""', true],
    ["cup.litres == 0", true],
    // null is not zero, nor is the empty text
    ["bob.friend == null", true],
    ["bob.friend == ann", false],
    ["bob.friend == cat.friend", true],
    // lists
    ["count(all(person))", 3],
    ["count(weavers.members)", 2],
    ["count([])", 0],
    ["ann in weavers.members", true],
    ["cat in weavers.members", false],
    ["bob.friend in weavers.members", false],
    ["2 in [1, 2.0, 3]", true],
    ['bob.mood in ["glad", "calm"]', true],
    ["all(person)", ["ann", "bob", "cat"]],
    ["all(person).filter(p, p.at == mill)", ["ann", "bob"]],
    ["all(person).map(p, p.coins)", [10, 5, 0]],
    ["all(person).map(p, p.coins).filter(c, c > 4)", [10, 5]],
    ["all(person).filter(p, p.at == mill) == weavers.members", true],
    ["all(person).exists(p, p.coins > 9)", true],
    ["all(person).all(p, p.coins > 9)", false],
    ["all(person).exists_one(p, p.at == ford)", true],
    ["all(person).exists_one(p, p.at == mill)", false],
    ["all(person).exists(p, all(jug).exists(j, j.at == p))", true],
    ["all(person).exists(p, p.awake) ? 1 : 2", 1],
    ["max(all(person).map(p, p.coins))", 10],
    ["min(all(person).map(p, p.coins))", 0],
    // the map
    ["linked(mill, ford)", true],
    ["linked(ford, mill)", true],
    ["linked(ford, inn)", true],
    ["linked(inn, ford)", false],
    ["linked(mill, mill)", false],
    ["linked(ann.at, ford)", true],
    ["travelTicks(mill, inn)", 5],
    ["travelTicks(inn, mill)", 9],
    ["travelTicks(inn, ford)", 11],
    ["travelTicks(isle, isle)", 0],
    ["travelTicks(ann.at, cat.at)", 2],
    // containment
    ["inside(jug, ann)", true],
    ["inside(jug, mill)", true],
    ["inside(bag, mill)", true],
    ["inside(bag, box)", true],
    ["inside(box, bag)", false],
    ["inside(ann, ann)", false],
    ["inside(ann, ford)", false],
    ["inside(weavers, mill)", false],
    // numbers
    ["min(3, 1, 2)", 1],
    ["max(3, 1, 2)", 3],
    ["min(4)", 4],
    ["max([1, 2.5])", 2.5],
    ["abs(-2.5)", 2.5],
    ["abs(2)", 2],
    ["clamp(5, 0, 3)", 3],
    ["clamp(-5, 0, 3)", 0],
    ["clamp(2, 0, 3)", 2],
    // the rest
    ["clock", 7],
    ["clock + 1 > 7", true],
    ['entity("ann").coins', 10],
    ['entity("an" + "n")', "ann"],
    ['alongside("act")', 0],
    ["true ? 1 : 2", 1],
    ["!ann.awake", false],
    ["1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && ann.coins != 2", true],
  ])("RT14 RT16 RT17 %s is %j", (text, value) => {
    expect(valueIn(world, text)).toEqual(value);
  });

  it.each([
    "-0",
    "-0.0",
    "0 * -1",
    "0 - 0",
    "-cup.litres",
    "-5 % 5",
    "abs(-0.0)",
    "min(0, -0.0)",
    "0 / -3",
    "clamp(-0.0, 0, 1)",
  ])("RT10 %s is 0, and nothing is divided by it", (text) => {
    expect(valueIn(world, text)).toBeCloseTo(0, 12);
    expect(evaluation(world, `1 / (${text})`).ok).toBe(false);
    expect(at(accepted(act(world, { effects: [{ set: "jug.litres", expr: text }] })).world, "jug.litres")).toBe(0);
  });
});

describe("what has no value", () => {
  it.each([
    ["bob.friend.coins > 1", "bob.friend is null"],
    ["weavers.at.at == mill", "weavers.at is null"],
    ["ann.at.at == mill", "ann.at is mill, which is no entity"],
    ["1 / cup.litres > 2", "1 / cup.litres divides by 0"],
    ["1 % cup.litres > 2", "1 % cup.litres divides by 0"],
    ["1.0e308 * 10 > 1", "1.0e308 * 10 is too large"],
    ["1.0e308 + 1.0e308 > 1", "1.0e308 + 1.0e308 is too large"],
    ["linked(jug.at, mill)", 'linked(jug.at, mill): "ann" is no place'],
    ["linked(weavers.at, mill)", "linked(weavers.at, mill): null is no place"],
    ["travelTicks(mill, isle) > 1", "travelTicks(mill, isle): no way leads from mill to isle"],
    ["travelTicks(jug.at, mill) > 1", 'travelTicks(jug.at, mill): "ann" is no place'],
    ["inside(bob.friend, mill)", "inside(bob.friend, mill): no entity stands inside"],
    ["inside(ann, weavers.at)", "inside(ann, weavers.at): there is nothing to be inside of"],
    ['entity("no" + "body").coins > 1', 'entity("no" + "body"): there is no entity "nobody"'],
    [
      "min(all(guild).map(g, g.pot).filter(x, x > 1)) > 1",
      "min(all(guild).map(g, g.pot).filter(x, x > 1)): the list is empty",
    ],
    ['"friend " + bob.friend == "x"', '"friend " + bob.friend: bob.friend is null'],
    ["all(person).all(p, p.friend.awake)", "p.friend is null"],
    ["all(person).map(p, p.friend.coins) == [1]", "p.friend is null"],
    ["all(person).exists_one(p, p.friend.awake)", "p.friend is null"],
    ["!(bob.friend.awake)", "bob.friend is null"],
    ["bob.friend.awake ? true : true", "bob.friend is null"],
  ])("RT19 %s: %s", (text, reason) => {
    expect(evaluation(world, text)).toEqual({ ok: false, reason });
  });

  it("RT46 a text that grows beyond 1,000 characters has no value", () => {
    const long = villageWith({ tin: { type: "jug", fields: { label: "a".repeat(1_000) } } });
    expect(evaluation(long, 'tin.label + "a" == "a"')).toEqual({
      ok: false,
      reason: 'tin.label + "a" is longer than 1000 characters',
    });
    expect(evaluation(long, 'tin.label + "" == tin.label')).toEqual({ ok: true, value: true });
  });

  it("RT19 an entity that was destroyed has no value", () => {
    expect(evaluation(world, "who.coins > 1", { who: { type: PERSON, value: "gone" } })).toEqual({
      ok: false,
      reason: "who is gone, which is no entity",
    });
  });
});

/** What CEL says of && and || where a side has no value. */
const NONE = "bob.friend.awake";

describe("&& and || with a side that has no value", () => {
  it.each([
    [`false && ${NONE}`, false],
    [`${NONE} && false`, false],
    [`true || ${NONE}`, true],
    [`${NONE} || true`, true],
    [`true && ${NONE}`, undefined],
    [`${NONE} && true`, undefined],
    [`false || ${NONE}`, undefined],
    [`${NONE} || false`, undefined],
    [`${NONE} || ${NONE}`, undefined],
    [`(${NONE} && true) || true`, true],
    ["bob.friend != null && bob.friend.awake", false],
    ["bob.friend == null || bob.friend.awake", true],
    ["all(person).exists(p, p.friend.awake)", true],
    ["all(person).all(p, p.friend.coins > 50)", false],
    ["[bob, cat].exists(p, p.friend.awake)", undefined],
  ])("RT19 %s is %j", (text, value) => {
    const found = evaluation(world, text);
    expect(found.ok ? found.value : undefined).toBe(value);
  });

  it("RT19 both are symmetric, whatever their sides", () => {
    const side = fc.constantFrom("true", "false", NONE, "1 / cup.litres > 0");
    fc.assert(
      fc.property(side, side, fc.constantFrom("&&", "||"), (a, b, op) => {
        const [one, other] = [evaluation(world, `${a} ${op} ${b}`), evaluation(world, `${b} ${op} ${a}`)];
        expect(one.ok ? one.value : "none").toBe(other.ok ? other.value : "none");
      }),
    );
  });
});

describe("arithmetic", () => {
  it("RT16 is that of the language's numbers, or has no value", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((n) => n + 0);
    fc.assert(
      fc.property(number, number, fc.constantFrom("+", "-", "*", "/", "%"), (a, b, op) => {
        const found = evaluation(world, `a_ ${op} b_`, {
          a_: { type: { kind: "number" }, value: a },
          b_: { type: { kind: "number" }, value: b },
        });
        const expected = { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "%": a % b }[op];
        expect(found.ok ? found.value : undefined).toBe(Number.isFinite(expected) ? expected + 0 : undefined);
      }),
    );
  });
});
