import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { defaultOf, fieldSchema } from "../../src/runtime/field.ts";
import { roundTo, sumExactly } from "../../src/runtime/number.ts";
import { checkFieldValue } from "../../src/runtime/value-check.ts";
import { accepted, at, having, submit, village } from "./support/village.ts";

describe("rounding", () => {
  it.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.5, 0, 1],
    [-0.5, 0, -1],
    [0.49, 0, 0],
    [-0.49, 0, 0],
    [1.45, 1, 1.5],
    [8.345, 2, 8.35],
    [0.615, 2, 0.62],
    [10.235, 2, 10.24],
    [1e-7, 7, 1e-7],
    [1.5e-7, 7, 2e-7],
    [0.000_000_000_000_5, 12, 1e-12],
    [123456789.125, 2, 123456789.13],
    [1e21, 2, 1e21],
    [1.7976931348623157e308, 0, 1.7976931348623157e308],
    [5e-324, 12, 0],
    [-0, 3, 0],
    [-1e-9, 3, 0],
  ])("RT11 %d with %i digits is %d: half away from zero on the shortest spelling", (value, digits, rounded) => {
    expect(roundTo(value, digits)).toBe(rounded);
  });

  it("RT11 what is rounded stays as it is, and is at most half a digit away", () => {
    const digits = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), digits, (value, n) => {
        const rounded = roundTo(value, n);
        expect(roundTo(rounded, n)).toBe(rounded);
        expect(roundTo(-value, n) + rounded).toBe(0);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 * 10 ** -n + 1e-9);
        expect(Object.is(rounded, -0)).toBe(false);
      }),
    );
  });
});

describe("sums", () => {
  it.each([
    [0, [0.1, 0.2], 0.3],
    [0.1, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    [1e16, [0.1, -1e16], 0.1],
    [1, [-1], 0],
    [0, [-0], 0],
    [1.1, [2.2], 3.3],
    [0.3, [-0.1, -0.2], 0],
    [9007199254740991, [1, 1, -2], 9007199254740991],
  ])("RT11 %d and %j are %d", (value, addends, sum) => {
    expect(Object.is(sumExactly(value, addends), sum)).toBe(true);
  });

  it("RT11 the order of addends never shows", () => {
    const addend = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map((n) => roundTo(n, 4));
    const shuffled = fc
      .array(addend, { minLength: 1, maxLength: 12 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
      );
    fc.assert(
      fc.property(addend, shuffled, (value, [list, other]) => {
        expect(sumExactly(value, other)).toBe(sumExactly(value, list));
      }),
    );
  });

  it("RT11 addends are rounded before they are summed, in a step as by themselves", () => {
    const world = having(village(), {
      pour: { params: { n: { kind: "number" } }, effects: [{ add: "jug.litres", by: "n" }] },
    });
    const pour = (n: number) => ({ capability: "pour", args: { n } });
    expect(at(accepted(submit(world, [pour(0.1), pour(0.2)])).world, "jug.litres")).toBe(1.8);
    expect(at(accepted(submit(world, [pour(0.004), pour(0.004)])).world, "jug.litres")).toBe(1.5);
    expect(at(accepted(submit(world, [pour(0.005), pour(0.005)])).world, "jug.litres")).toBe(1.52);
    expect(at(accepted(submit(world, Array(64).fill(pour(0.01)))).world, "jug.litres")).toBe(2.14);
  });

  it("RT11 a step's sum does not depend on the order of its triggers", () => {
    const world = having(village(), {
      pour: { params: { n: { kind: "number" } }, effects: [{ add: "weavers.pot", by: "n" }] },
    });
    const amounts = fc.array(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(amounts, (list) => {
        const sums = [list, [...list].reverse()].map((order) =>
          at(
            accepted(
              submit(
                world,
                order.map((n) => ({ capability: "pour", args: { n } })),
              ),
            ).world,
            "weavers.pot",
          ),
        );
        expect(sums[0]).toBe(sums[1]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("fields of numbers", () => {
  const around = village();
  const int = fieldSchema.parse({ kind: "int", min: -3, max: 6 });
  const number = fieldSchema.parse({ kind: "number", digits: 1, min: 0, max: 6 });

  it.each([
    [int, 5.0, 5],
    [int, -0, 0],
    [int, -3, -3],
    [number, 2.25, 2.3],
    [number, -0.04, 0],
    [number, 6.04, 6],
    [number, -0, 0],
  ])("RT4 RT10 %j keeps %d as %d", (field, value, kept) => {
    const checked = checkFieldValue(around, field, value);
    expect(checked.ok && Object.is(checked.value, kept)).toBe(true);
  });

  it.each([
    [int, 7, "out_of_range"],
    [int, -4, "out_of_range"],
    [int, 1.5, "out_of_range"],
    [int, Number.NaN, "out_of_range"],
    [int, Number.POSITIVE_INFINITY, "out_of_range"],
    [int, "5", "wrong_type"],
    [int, null, "wrong_type"],
    [int, true, "wrong_type"],
    [int, undefined, "wrong_type"],
    [int, [5], "wrong_type"],
    [number, 6.05, "out_of_range"],
    [number, -0.05, "out_of_range"],
    [number, Number.NaN, "out_of_range"],
    [number, Number.NEGATIVE_INFINITY, "out_of_range"],
    [number, "2.5", "wrong_type"],
  ])("RT4 RT5 %j takes no %s", (field, value, code) => {
    const checked = checkFieldValue(around, field, value);
    expect(checked.ok ? "taken" : checked.error.code).toBe(code);
  });

  it.each([
    [{ kind: "int" }, 0],
    [{ kind: "int", min: 3 }, 3],
    [{ kind: "int", max: -3 }, -3],
    [{ kind: "int", default: -0 }, 0],
    [{ kind: "number", digits: 2, default: 1.005 }, 1.01],
    [{ kind: "number", digits: 0, default: -2.5 }, -3],
    [{ kind: "number", digits: 1 }, 0],
  ])("RT4 RT11 the default of %j is %d", (field, value) => {
    expect(Object.is(defaultOf(fieldSchema.parse(field)), value)).toBe(true);
  });

  it("RT10 numbers have one spelling, null and 0 and the empty text and absent are four things", () => {
    expect(canonicalJson([25.0, 25, -0, 1e2, 1e21])).toBe("[25,25,0,100,1e+21]");
    expect(new Set([{ a: null }, { a: 0 }, { a: "" }, {}].map(canonicalJson)).size).toBe(4);
  });
});
