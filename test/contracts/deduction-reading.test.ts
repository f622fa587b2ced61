import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firesOf } from "../../src/contracts/deduction/fires.ts";
import { meanOfAll } from "../../src/contracts/deduction/mean.ts";
import { questionsOf, type Question } from "../../src/contracts/deduction/question.ts";
import { readingOf, readingSchema, sizeOf, SIZES } from "../../src/contracts/deduction/reading.ts";
import { visibilityOfPaths } from "../../src/contracts/deduction/visibility-of-path.ts";
import type { Changes, SpanRecord, Visibility } from "../../src/runtime/index.ts";
import { small } from "../runtime/dynamics/small.ts";
import { GARDEN } from "./deduction-toy.ts";

const changing = (n: number, from = 0): Changes =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${from + i}.f`, i]));

function ask(submitted: Changes | null, truth: Changes, round = 1): Question {
  return { kind: "interval", round, from: round * 4 - 4, to: round * 4, submitted, truth };
}

const everyoneSees = (): Visibility => "public";
const byLetter = (path: string): Visibility =>
  path.startsWith("h") ? "hidden" : path.startsWith("l") ? "local" : "public";

describe("what is averaged", () => {
  it("DD4 F1, precision and recall over the spans in which something changed, by hand", () => {
    const reading = readingOf(
      [
        ask({ a: 1, b: 2 }, { a: 1, b: 2, c: 3, d: 4 }), // precision 1, recall 1/2, F1 2/3
        ask({ a: 1, x: 1, y: 1, z: 1 }, { a: 1 }), // precision 1/4, recall 1, F1 2/5
        ask({}, { a: 1, b: 1 }), // nothing predicted: recall 0, F1 0, no precision
        ask({}, {}), // quiet, and said so
        ask({ a: 1 }, {}), // quiet, and something invented
      ],
      everyoneSees,
    );
    expect(reading).toMatchObject({ planned: 5, answered: 5, unanswered: 0 });
    expect(reading.f1).toEqual({ mean: expect.closeTo((2 / 3 + 2 / 5) / 3, 12), n: 3 });
    expect(reading.precision).toEqual({ mean: 0.625, n: 2 });
    expect(reading.recall).toEqual({ mean: 0.5, n: 3 });
    expect(reading.quiet).toEqual({ rate: 0.5, n: 2 });
  });

  it("DD4 what is over nothing is null, never 0 or 1", () => {
    const { f1, precision, recall, quiet, bySize } = readingOf([], everyoneSees);
    const nothing = { mean: null, n: 0 };
    expect([f1, precision, recall, quiet]).toEqual([nothing, nothing, nothing, { rate: null, n: 0 }]);
    expect(bySize).toEqual({ "1-2": nothing, "3-6": nothing, "7-12": nothing, more: nothing });
  });

  it("DD4 truth alone decides what is averaged: no prediction moves an n", () => {
    const truth = fc.integer({ min: 0, max: 15 }).map((n) => changing(n));
    const said = fc.option(fc.integer({ min: 0, max: 15 }).chain((n) => fc.nat(5).map((from) => changing(n, from))));
    fc.assert(
      fc.property(fc.array(fc.tuple(truth, said, said), { maxLength: 8 }), (spans) => {
        const [one, other] = [1, 2].map((i) =>
          readingOf(
            spans.map((span) => ask(span[i as 1 | 2], span[0])),
            everyoneSees,
          ),
        ) as [ReturnType<typeof readingOf>, ReturnType<typeof readingOf>];
        expect(one.f1.n).toBe(other.f1.n);
        expect(one.recall.n).toBe(other.recall.n);
        expect(one.quiet.n).toBe(other.quiet.n);
        expect(one.f1.n + one.quiet.n).toBe(one.planned);
        for (const size of SIZES) expect(one.bySize[size].n).toBe(other.bySize[size].n);
        expect(readingSchema.parse(JSON.parse(JSON.stringify(one)))).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });

  it("DD4 the order of the values of a mean never shows", () => {
    expect(meanOfAll([0.1, 0.2, 0.3, null])).toEqual(meanOfAll([0.3, null, 0.1, 0.2]));
  });
});

describe("what is not answered", () => {
  it("DD5 counts 0 in F1 and in quiet, and is counted; an empty list is an answer", () => {
    const asked = [ask(null, { a: 1 }), ask(null, {}), ask({ a: 1 }, { a: 1 }), ask({}, {})];
    const reading = readingOf(asked, everyoneSees);
    expect(reading).toMatchObject({ planned: 4, answered: 2, unanswered: 2 });
    expect(reading.f1).toEqual({ mean: 0.5, n: 2 });
    expect(reading.recall).toEqual({ mean: 0.5, n: 2 });
    expect(reading.precision).toEqual({ mean: 1, n: 1 });
    expect(reading.quiet).toEqual({ rate: 0.5, n: 2 });
    expect(reading.bySpan.map(({ answered, f1 }) => [answered, f1])).toEqual([
      [false, 0],
      [false, null],
      [true, 1],
      [true, null],
    ]);
  });
});

describe("strata", () => {
  it.each([
    [1, "1-2"],
    [2, "1-2"],
    [3, "3-6"],
    [6, "3-6"],
    [7, "7-12"],
    [12, "7-12"],
    [13, "more"],
    [200, "more"],
  ])("DD6 %i changed fields are of %s", (changed, size) => {
    expect(sizeOf(changed)).toBe(size);
  });

  it("DD6 go by the fields that changed in truth, each with its n, and add up to all", () => {
    const reading = readingOf(
      [ask(changing(2), changing(2)), ask({}, changing(1)), ask(changing(4), changing(8)), ask(changing(20), {})],
      everyoneSees,
    );
    expect(reading.bySize).toEqual({
      "1-2": { mean: 0.5, n: 2 },
      "3-6": { mean: null, n: 0 },
      "7-12": { mean: 2 / 3, n: 1 },
      more: { mean: null, n: 0 },
    });
  });

  it("DD7 by visibility: fields are summed over all spans, F1 is over spans in which such a field changed", () => {
    const { byVisibility } = readingOf(
      [
        ask({ pa: 1, ha: 1, hb: 9 }, { pa: 1, pb: 1, ha: 1, hb: 1 }),
        ask({ hc: 1 }, { pa: 1 }), // an invented hidden change where no hidden field changed
        ask({ la: 1 }, {}), // an invented local change in a quiet span
        ask(null, { ha: 1 }),
      ],
      byLetter,
    );
    expect(byVisibility).toEqual({
      public: { matched: 1, predicted: 1, truth: 3, f1: { mean: (2 / 3 + 0) / 2, n: 2 } },
      local: { matched: 0, predicted: 1, truth: 0, f1: { mean: null, n: 0 } },
      hidden: { matched: 1, predicted: 3, truth: 3, f1: { mean: 0.25, n: 2 } },
    });
  });

  it("DD7 a path has the visibility of its field; what comes or goes is public; other paths are no paths", () => {
    const { world, dynamics } = small(GARDEN);
    const came = { kind: "span", truth: { interval: { letter_10: "letter", letter_0: "destroyed" } } };
    const visibilityOf = visibilityOfPaths(dynamics, world, [came as unknown as SpanRecord]);
    const seen = (path: string) => [path, visibilityOf(path)];
    expect(["ana.at", "ana.energy", "ana.plan", "spring.heat", "letter_0", "letter_10"].map(seen)).toEqual([
      ["ana.at", "local"],
      ["ana.energy", "local"],
      ["ana.plan", "hidden"],
      ["spring.heat", "public"],
      ["letter_0", "public"],
      ["letter_10", "public"],
    ]);
    expect(["letter_10.read", "letter_77.read"].map(visibilityOf)).toEqual(["public", "public"]);
    expect(() => visibilityOf("ana.height")).toThrow("no field ana.height");
    expect(() => visibilityOf("eve.energy")).toThrow("no field eve.energy");
  });
});

describe("questions", () => {
  const span = (round: number, from: number, to: number, more: Partial<SpanRecord>): SpanRecord => ({
    kind: "span",
    round,
    mode: "M2",
    from,
    to,
    submitted: {},
    truth: {},
    fires: { predicted: null, truth: [] },
    legal: 1,
    digest: "",
    ...more,
  });

  it("DD8 are what has a truth; a counterfactual is about the span before, a lookahead 48 ticks", () => {
    const spans = [
      span(1, 0, 4, {
        truth: { interval: { a: 1 }, lookahead: {} },
        submitted: { interval: { a: 1 }, lookahead: null },
      }),
      span(2, 4, 12, {
        truth: { interval: {}, lookahead: {}, action: { b: 1 }, happening: {} },
        submitted: { interval: {}, lookahead: {}, action: {}, happening: null },
      }),
    ];
    expect(
      questionsOf(spans).map(({ kind, round, from, to, submitted }) => [kind, round, from, to, submitted]),
    ).toEqual([
      ["interval", 1, 0, 4, { a: 1 }],
      ["lookahead", 1, 0, 48, null],
      ["interval", 2, 4, 12, {}],
      ["lookahead", 2, 4, 52, {}],
      ["action", 2, 0, 4, {}],
      ["happening", 2, 0, 4, null],
    ]);
  });

  it("DD8 are told span by span, in their order", () => {
    const reading = readingOf([ask({ a: 1, b: 1 }, { a: 1 }, 1), ask({}, {}, 2)], everyoneSees);
    expect(reading.bySpan).toEqual([
      { kind: "interval", round: 1, from: 0, to: 4, answered: true, matched: 1, predicted: 2, changed: 1, f1: 2 / 3 },
      { kind: "interval", round: 2, from: 4, to: 8, answered: true, matched: 0, predicted: 0, changed: 0, f1: null },
    ]);
  });
});

describe("which processes fire", () => {
  it("DD10 precision and recall apart, by hand; silence leaves precision alone and costs recall", () => {
    const fires = firesOf([
      { predicted: ["a", "b", "c"], truth: ["a", "b", "d", "e"] }, // precision 2/3, recall 1/2
      { predicted: ["a", "a"], truth: ["a"] }, // said twice, counts once
      { predicted: [], truth: ["a"] },
      { predicted: null, truth: ["a"] },
      { predicted: ["a"], truth: [] },
    ]);
    expect(fires).toEqual({
      planned: 5,
      answered: 4,
      unanswered: 1,
      precision: { mean: expect.closeTo(5 / 6, 12), n: 2 },
      recall: { mean: 0.375, n: 4 },
      silent: 2,
      quiet: 1,
    });
  });

  it("DD10 where nothing ever fires there is neither", () => {
    const { precision, recall, quiet } = firesOf([{ predicted: ["a"], truth: [] }]);
    expect([precision, recall, quiet]).toEqual([{ mean: null, n: 0 }, { mean: null, n: 0 }, 1]);
  });
});
