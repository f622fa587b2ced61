import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Changes, FieldValue } from "../../src/runtime/index.ts";
import { f1Of, matchChanges, precisionOf, recallOf } from "../../src/contracts/index.ts";

const f1 = (predicted: Changes, truth: Changes) => f1Of(matchChanges(predicted, truth));

/** Few paths and few values, so that matches, misses and wrong values all come up. */
const path = fc.constantFrom("ana.at", "ana.energy", "ben.mood", "ben.kin", "mill.stock", "letter_3", "mill");
const value: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.constantFrom<FieldValue[]>(null, true, false, 0, 1, 2.5, "mill", "destroyed", "1"),
  fc.constantFrom(["ana"], ["ana", "ben"], []),
);
const changes: fc.Arbitrary<Changes> = fc.dictionary(path, value, { maxKeys: 7, noNullPrototype: true });

/** Two-sided F1 written down again, from the lists that a submission is made of. */
function naive(
  predicted: Changes,
  truth: Changes,
): { precision: number | null; recall: number | null; f1: number | null } {
  const lines = (all: Changes) => {
    const list: string[] = [];
    for (const key of Object.keys(all)) list.push(`${key}=${JSON.stringify(all[key])}`);
    return list;
  };
  const [said, was] = [lines(predicted), lines(truth)];
  let hits = 0;
  for (const line of said) for (const other of was) if (line === other) hits += 1;
  const [p, r] = [said.length === 0 ? null : hits / said.length, was.length === 0 ? null : hits / was.length];
  if (r === null) return { precision: p, recall: r, f1: null };
  if (p === null || p + r === 0) return { precision: p, recall: r, f1: 0 };
  return { precision: p, recall: r, f1: (2 * p * r) / (p + r) };
}

describe("a match", () => {
  it("DD1 takes the path and the value", () => {
    const truth = { "ana.at": "mill", "ana.energy": 3, "ben.mood": "calm" };
    const predicted = { "ana.at": "mill", "ana.energy": 4, "cyd.mood": "calm" };
    expect(matchChanges(predicted, truth)).toEqual({ matched: 1, predicted: 3, truth: 3 });
  });

  it.each<[string, FieldValue, FieldValue, boolean]>([
    ["25.0 is 25", JSON.parse("25.0"), 25, true],
    ["2.50 is 2.5", JSON.parse("2.50"), 2.5, true],
    ["1e2 is 100", JSON.parse("1e2"), 100, true],
    ["-0 is 0", -0, 0, true],
    ["a set is its members in order", ["ana", "ben"], ["ana", "ben"], true],
    ["3 is not the text 3", 3, "3", false],
    ["null is no empty text", null, "", false],
    ["false is not 0", false, 0, false],
    ["a set is not one of its members", ["ana"], "ana", false],
  ])("DD1 %s", (_, predicted, truth, same) => {
    expect(matchChanges({ "a.b": predicted }, { "a.b": truth }).matched).toBe(same ? 1 : 0);
  });

  it("DD1 no path of an object's prototype is ever matched", () => {
    expect(matchChanges({ "ana.at": "mill" }, {}).matched).toBe(0);
    expect(matchChanges({ toString: "mill" }, { "ana.at": "mill" }).matched).toBe(0);
  });

  it("DD1 the order of keys never matters", () => {
    fc.assert(
      fc.property(changes, changes, (predicted, truth) => {
        const turned = (all: Changes) => Object.fromEntries(Object.entries(all).reverse());
        expect(matchChanges(turned(predicted), turned(truth))).toEqual(matchChanges(predicted, truth));
      }),
    );
  });
});

describe("F1", () => {
  it("DD2 by hand: 2 of 4 predicted are right, of 5 that changed", () => {
    const truth = { a: 1, b: 2, c: 3, d: 4, e: 5 };
    const matches = matchChanges({ a: 1, b: 2, c: 9, x: 1 }, truth);
    expect([precisionOf(matches), recallOf(matches), f1Of(matches)]).toEqual([0.5, 0.4, 4 / 9]);
  });

  it("DD2 is what a naive reading of its definition gives, within its bounds", () => {
    fc.assert(
      fc.property(changes, changes, (predicted, truth) => {
        const matches = matchChanges(predicted, truth);
        const expected = naive(predicted, truth);
        expect(precisionOf(matches)).toBe(expected.precision);
        expect(recallOf(matches)).toBe(expected.recall);
        expect(f1Of(matches) === null).toBe(expected.f1 === null);
        expect(f1Of(matches) ?? 0).toBeCloseTo(expected.f1 ?? 0, 12);
        for (const figure of [precisionOf(matches), recallOf(matches), f1Of(matches)])
          expect(figure === null || (figure >= 0 && figure <= 1)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("DD2 swapping truth and prediction swaps precision and recall and leaves F1 as it is", () => {
    fc.assert(
      fc.property(changes, changes, (a, b) => {
        const [one, other] = [matchChanges(a, b), matchChanges(b, a)];
        expect(precisionOf(one)).toBe(recallOf(other));
        expect(recallOf(one)).toBe(precisionOf(other));
        fc.pre(one.predicted > 0 && one.truth > 0);
        expect(f1Of(one)).toBe(f1Of(other));
      }),
      { numRuns: 1000 },
    );
  });

  it("DD3 inventing a change never raises it", () => {
    fc.assert(
      fc.property(changes, changes, path, value, (predicted, truth, where, what) => {
        const invented = { ...predicted, [`${where}_x`]: what };
        expect(f1(invented, truth) ?? 0).toBeLessThanOrEqual(f1(predicted, truth) ?? 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("DD3 adding a right change never lowers it, nor does mending a wrong one", () => {
    fc.assert(
      fc.property(changes, changes, fc.nat(), (predicted, truth, n) => {
        const paths = Object.keys(truth);
        const where = paths[n % Math.max(1, paths.length)];
        if (where === undefined) return;
        const mended = { ...predicted, [where]: truth[where] as FieldValue };
        expect(f1(mended, truth)).toBeGreaterThanOrEqual(f1(predicted, truth) as number);
      }),
      { numRuns: 1000 },
    );
  });

  it("DD4 is null exactly where nothing changed, whatever was predicted", () => {
    fc.assert(
      fc.property(changes, changes, (predicted, truth) => {
        expect(f1(predicted, truth) === null).toBe(Object.keys(truth).length === 0);
      }),
    );
  });

  it("DD2 is 1 for the truth itself and 0 for nothing", () => {
    fc.assert(
      fc.property(changes, (truth) => {
        if (Object.keys(truth).length === 0) return;
        expect(f1(truth, truth)).toBe(1);
        expect(f1({}, truth)).toBe(0);
      }),
    );
  });
});
