import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";

describe("canonical JSON", () => {
  it("RT12 is what another implementation of RFC 8785 writes", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom("\\ud800", '\\"\\', "é\u2028\u0007"),
    );
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(-0, 1e21, 1e-7, 5e-324),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, numbers, texts, fc.boolean(), fc.constant(null), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 5 }),
      object: fc.dictionary(texts, tie("value"), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(canonicalJson(one)).toBe(canonicalize(one));
      }),
      { numRuns: 2_000 },
    );
  });

  it("RT12 leaves out members that are undefined, and sorts by UTF-16 code unit", () => {
    expect(canonicalJson({ b: 1, a: undefined, "\u{1f600}": 2, "\ufb33": 3, "10": 4, "9": 5 })).toBe(
      '{"10":4,"9":5,"b":1,"\u{1f600}":2,"\ufb33":3}',
    );
  });

  const circle: unknown[] = [];
  circle.push(circle);
  it.each([
    ["NaN", [Number.NaN]],
    ["infinity", { a: Number.POSITIVE_INFINITY }],
    ["a bare undefined", undefined],
    ["a function", { a: () => 1 }],
    ["half a surrogate pair", ["\ud800"]],
    ["half a pair in a key", { "\\\\\udc00": 1 }],
    ["a bigint", [1n]],
    ["a circle", circle],
  ])("RT12 refuses %s", (_, value) =>
    expect(() => canonicalJson(value)).toThrow(
      /JSON|NaN|Infinity|not defined|character|circular|BigInt|serialize|stringified/i,
    ),
  );
});
