import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression, type Scope } from "../../src/runtime/expression/index.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { compile, faultIn, PERSON, valueIn, village } from "./support/village.ts";

const world = village();

describe("what the expression language has not", () => {
  it.each([
    ['ann.name.matches("A.*")', "expression_forbidden"],
    ['matches(ann.name, "A")', "expression_forbidden"],
    ["has(ann.friend)", "expression_forbidden"],
    ["dyn(ann.coins)", "expression_forbidden"],
    ["type(ann.coins)", "expression_forbidden"],
    ["int(ann.coins)", "expression_forbidden"],
    ["size(weavers.members)", "expression_forbidden"],
    ["ann.name.size()", "expression_forbidden"],
    ['ann.name.startsWith("A")', "expression_forbidden"],
    ["cel.bind(x, 1, x)", "expression_forbidden"],
    ['timestamp("2020-01-01T00:00:00Z")', "expression_forbidden"],
    ['duration("1s")', "expression_forbidden"],
    ["weavers.members[0]", "expression_forbidden"],
    ['{"a": 1}', "expression_forbidden"],
    ["5u", "expression_forbidden"],
    ['b"milk"', "expression_forbidden"],
    ["exists(x, true)", "expression_forbidden"],
    ["filter(x, true)", "expression_forbidden"],
    ["weavers.members.sort()", "expression_forbidden"],
    ["random()", "expression_forbidden"],
    ["now()", "expression_forbidden"],
    ["ann.?friend", "expression_syntax"],
    ["Crate{weight: 1}", "expression_syntax"],
    ["ann.coins = 3", "expression_syntax"],
    ["ann.awake and bob.awake", "expression_syntax"],
    ["`ann`.coins", "expression_syntax"],
    ["", "expression_syntax"],
    ["   ", "expression_syntax"],
    ["\u0000", "expression_syntax"],
    ["ann..coins", "expression_syntax"],
    ["ann.coins ==", "expression_syntax"],
    ['"\\ud800"', "expression_syntax"],
    ["1e400", "expression_syntax"],
    ["-1e999", "expression_syntax"],
    ["9223372036854775808 > ann.coins", "expression_type"],
    ["9007199254740993 > ann.coins", "expression_type"],
    ["-9007199254740993 < ann.coins", "expression_type"],
    ["NaN == 1", "expression_unknown_name"],
    ["Infinity > 1", "expression_unknown_name"],
    ["undefined", "expression_unknown_name"],
    ["this", "expression_unknown_name"],
    ["constructor", "expression_unknown_name"],
    ["__proto__", "expression_syntax"],
    ["all(person).exists(__proto__, true)", "expression_syntax"],
    ["ann.__proto__", "unknown_field"],
    ["ann.constructor", "unknown_field"],
    ["ann.fields", "unknown_field"],
    ["ann.id", "unknown_field"],
    ["all(person).constructor", "expression_type"],
    ["all(constructor)", "unknown_type"],
    ["all(nobody)", "unknown_type"],
    ["all()", "expression_syntax"],
    ['all("person")', "expression_syntax"],
    ["all(person, jug)", "expression_syntax"],
    ["all(person).exists(x)", "expression_syntax"],
    ["all(person).exists(1, true)", "expression_syntax"],
    ["all(person).exists(x.at, true)", "expression_syntax"],
    ["alongside(act)", "expression_syntax"],
    ['alongside("A B")', "expression_syntax"],
    ["alongside()", "expression_syntax"],
  ])("RT14 %j is refused with %s", (text, code) => {
    expect(faultIn(world, text).code).toBe(code);
  });

  it("RT14 a function that is near to one there is comes with it as the hint", () => {
    expect(faultIn(world, "travelTick(mill, inn) > 1").hint).toBe("did you mean travelTicks()?");
    expect(faultIn(world, "exists(x, true)").hint).toBe("write it behind a list: all(type).exists(x, …)");
    expect(faultIn(world, "ann.name.size()").hint).toContain("exists, all, exists_one, filter, map");
  });

  it("RT14 alongside means nothing outside a capability, the clock nothing in an invariant", () => {
    const outside = { world, variables: {}, mayReadClock: false, mayReadStep: false };
    expect(compileOutside('alongside("act") == 0', outside)).toBe("expression_forbidden");
    expect(compileOutside("clock > 3", outside)).toBe("expression_forbidden");
  });
});

function compileOutside(text: string, scope: Scope): string | undefined {
  const compiled = compileExpression(text, scope);
  return compiled.ok ? undefined : compiled.error.code;
}

describe("the bounds of an expression", () => {
  it("RT46 500 characters are taken, 501 are not", () => {
    const pad = (length: number) => `ann.awake${" ".repeat(length - "ann.awake".length)}`;
    expect(compile(world, pad(LIMITS.expressionCharacters)).ok).toBe(true);
    expect(faultIn(world, pad(LIMITS.expressionCharacters + 1)).code).toBe("expression_too_long");
  });

  it("RT46 200 nodes are taken, more are not", () => {
    const nodes = (terms: number) => Array(terms).fill("1").join("+"); // 2n - 1 nodes
    expect(valueIn(world, nodes(100))).toBe(100);
    expect(faultIn(world, nodes(101)).code).toBe("expression_too_large");
  });

  it("RT46 a chain of && as long as an expression may be is taken", () => {
    const chain = Array(100).fill("p").join(" && ");
    expect(compile(world, chain, { p: { kind: "bool" } }).ok).toBe(true);
    expect(valueIn(world, Array(60).fill("true").join("||"))).toBe(true);
  });

  it.each([
    ["parentheses", "(".repeat(240) + "1" + ")".repeat(240)],
    ["lists", "[".repeat(100) + "1" + "]".repeat(100)],
    ["negations", `${"!".repeat(300)}true`],
    ["signs", `${"-".repeat(300)}1`],
    ["questions", Array(80).fill("true ? 1 :").join("") + "1"],
    ["open strings", '"'.repeat(301)],
    ["escapes", `"${"\\".repeat(399)}"`],
    ["dots", `ann${".friend".repeat(70)}`],
    ["list elements", `1 in [${Array(70).fill(1).join(",")}]`],
    ["arguments", `min(${Array(30).fill(1).join(",")})`],
  ])("RT15 many %s inside one another give a value or a refusal, never an exception", (_, text) => {
    const compiled = compile(world, text);
    expect(compiled.ok ? "expression_compiles" : compiled.error.code).toMatch(/^expression_/);
  });

  it.each([1, 2])("RT20 %i list macros inside one another are taken", (depth) => {
    expect(compile(world, nested(depth)).ok).toBe(true);
  });

  it("RT20 three list macros inside one another are refused", () => {
    expect(faultIn(world, nested(3)).code).toBe("expression_too_nested");
    expect(faultIn(world, "all(person).map(a, all(person).map(b, all(person).map(c, 1)))").code).toBe(
      "expression_too_nested",
    );
  });

  it("RT20 macros behind one another are not inside one another", () => {
    expect(valueIn(world, "count(all(person).filter(a, a.awake).filter(b, b.coins > 1).filter(c, c.at == mill))")).toBe(
      2,
    );
  });
});

function nested(depth: number): string {
  return depth === 0 ? "true" : `all(person).exists(x${depth}, ${nested(depth - 1)})`;
}

describe("any text as an expression", () => {
  const words =
    'ann bob who jug.litres weavers.members all(person) .exists( .map( .filter( x, x.coins ( ) [ ] { } , . ? : && || ! == != < + - * / % in 1 2.5 1e9 true null "a" mill clock abs( min( entity( inside( alongside( matches has( __proto__ \\ \' " 🜂 é \u202e'.split(
      " ",
    );

  it("RT36 never throws: it compiles, or is refused with a code and words", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 60 }),
          fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(" ")),
          fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join("")),
        ),
        (text) => {
          const compiled = compile(world, text, { who: PERSON });
          if (compiled.ok) return;
          expect(compiled.error.message.length).toBeGreaterThan(0);
          expect(compiled.error.message.length).toBeLessThan(4_000);
          expect(canonicalJson(compiled.error)).toContain(compiled.error.code);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each(["🜂 == 1", "ann.🜂", "ann 🜂", "'🜂", "all(person).exists(🜂, true)"])(
    "RT48 the refusal of %s can be written down",
    (text) => {
      expect(canonicalJson(faultIn(world, text))).toContain('"expression_syntax"');
    },
  );

  it("RT47 a text that would drive a backtracking parser mad is answered", () => {
    for (const text of [
      `"${"a".repeat(400)}`,
      "a".repeat(500),
      "a.".repeat(249),
      "((a+".repeat(124),
      "-1 -".repeat(124),
      `/*${"*".repeat(490)}`,
      `//${"a".repeat(490)}`,
    ]) {
      expect(compile(world, text).ok).toBe(false);
    }
  });
});
