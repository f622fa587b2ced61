import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aggregateDeduction,
  aggregateDeductionCases,
  BASELINE_NAMES,
  type DeductionGroup,
  type DeductionScore,
  type PlannedRun,
  type ScoredDeduction,
} from "../../src/contracts/index.ts";
import { levelMean, type RunFigure } from "../../src/contracts/deduction/level-mean.ts";
import { meanOfAll, type Mean } from "../../src/contracts/deduction/mean.ts";
import { readingOf, type Reading } from "../../src/contracts/deduction/reading.ts";
import type { Question } from "../../src/contracts/deduction/question.ts";

/** A reading over spans whose F1s are these; null is a quiet span that was answered. */
function readingWith(f1s: readonly (number | null)[]): Reading {
  const questions = f1s.map((f1, i): Question => {
    const truth = f1 === null ? {} : { a: 1, b: 1 };
    const submitted = f1 === null || f1 === 0 ? {} : f1 === 1 ? truth : { a: 1, b: 2 };
    if (f1 !== null && ![0, 0.5, 1].includes(f1)) throw new Error(`no span of F1 ${f1}`);
    return { kind: "segment", round: i + 1, from: i * 4, to: i * 4 + 4, submitted, truth };
  });
  return readingOf(questions, () => "public");
}

function scoreWith(reading: Reading, more: Partial<ScoredDeduction> = {}): ScoredDeduction {
  const means = { f1: reading.f1, precision: reading.precision, recall: reading.recall, quiet: reading.quiet };
  const fires = { precision: { mean: 0.5, n: 2 }, recall: { mean: 0.25, n: 4 } };
  return {
    v: 1,
    track: "deduction",
    case: "c",
    family: "f",
    condition: "open",
    mode: "M1",
    fold: 1,
    agent: "a",
    outcome: "finished",
    excluded: false,
    spans: { planned: 1, played: 1, unanswered: 0 },
    readings: { segment: reading },
    fires: { planned: 4, answered: 4, unanswered: 0, silent: 2, quiet: 0, ...fires },
    goal: null,
    waits: { waits: 0, decisions: 0 },
    baselines: Object.fromEntries(
      BASELINE_NAMES.map((name) => [name, { readings: { segment: means }, fires }]),
    ) as ScoredDeduction["baselines"],
    ...more,
  };
}

function run(case_: string, fold: number, f1s: readonly (number | null)[], more: Partial<PlannedRun> = {}): PlannedRun {
  const shared = {
    case: case_,
    family: case_.split("_")[0] ?? "",
    fold,
    agent: "a",
    condition: "open",
    mode: "M1",
  } as const;
  const score: DeductionScore = scoreWith(readingWith(f1s), { ...shared });
  return { ...shared, outcome: "finished", score, ...more };
}

const only = (groups: readonly DeductionGroup[]): DeductionGroup => {
  expect(groups.length).toBe(1);
  return groups[0] as DeductionGroup;
};

describe("means over levels", () => {
  const figure = (case_: string, fold: number, mean: number | null, n: number): RunFigure => ({
    family: case_.startsWith("o") ? "o" : "f",
    case: case_,
    fold,
    figure: { mean, n },
  });

  it("DD22 over spans, folds and cases, by hand, with unequal n on each", () => {
    const mean = levelMean([
      figure("x", 1, 0.5, 10),
      figure("x", 2, 1, 2),
      figure("x", 3, 0, 1),
      figure("y", 1, 0.25, 7),
      figure("z", 1, null, 0),
    ]);
    // x: (0.5 + 1 + 0) / 3 = 0.5; y: 0.25; z has nothing
    expect(mean).toEqual({ mean: 0.375, spans: 20, runs: 4, folds: 4, cases: 2, families: 1 });
  });

  it("DD22 over families after cases, by hand, with unequal n on each", () => {
    const mean = levelMean([
      figure("x", 1, 0.5, 10),
      figure("x", 2, 1, 2),
      figure("y", 1, 0.25, 7),
      figure("o1", 1, 1, 3),
    ]);
    // f: x is (0.5 + 1) / 2 = 0.75 and y 0.25, so 0.5; o: its one case, 1. Over cases alone it would be 2 / 3
    expect(mean).toEqual({ mean: 0.75, spans: 22, runs: 4, folds: 4, cases: 3, families: 2 });
  });

  it("DD23 repeats of a fold are averaged before the folds are", () => {
    const mean = levelMean([figure("x", 1, 1, 5), figure("x", 1, 0, 5), figure("x", 1, 0.5, 5), figure("x", 2, 0, 5)]);
    expect(mean).toEqual({ mean: 0.25, spans: 20, runs: 4, folds: 2, cases: 1, families: 1 });
  });

  it("DD22 over nothing it is null", () => {
    expect(levelMean([])).toEqual({ mean: null, spans: 0, runs: 0, folds: 0, cases: 0, families: 0 });
  });

  it("DD22 is bounded by its figures and does not show their order", () => {
    const figures = fc.array(
      fc.record({
        family: fc.constantFrom("f", "g"),
        case: fc.constantFrom("x", "y", "z"),
        fold: fc.integer({ min: 1, max: 3 }),
        figure: fc.oneof(
          fc.record({ mean: fc.double({ min: 0, max: 1, noNaN: true }), n: fc.integer({ min: 1, max: 9 }) }),
          fc.constant<Mean>({ mean: null, n: 0 }),
        ),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(figures, (all: readonly RunFigure[]) => {
        const mean = levelMean(all);
        expect(levelMean([...all].reverse())).toEqual(mean);
        const there = all.flatMap(({ figure }) => (figure.mean === null ? [] : [figure.mean]));
        expect(mean.mean === null).toBe(there.length === 0);
        if (mean.mean === null) return;
        expect(mean.mean).toBeGreaterThanOrEqual(Math.min(...there) - 1e-12);
        expect(mean.mean).toBeLessThanOrEqual(Math.max(...there) + 1e-12);
      }),
      { numRuns: 500 },
    );
  });

  it("DD22 a mean of means is not the mean of all spans where n differ", () => {
    const group = only(aggregateDeduction([run("x_1", 1, [1, 1, 1, 1, 0.5]), run("x_1", 2, [0])]));
    expect(group.readings.segment?.f1.leftOut).toEqual({
      mean: 0.45,
      spans: 6,
      runs: 2,
      folds: 2,
      cases: 1,
      families: 1,
    });
    expect(meanOfAll([1, 1, 1, 1, 0.5, 0]).mean).toBe(0.75);
  });
});

describe("groups", () => {
  it("DD22 are of agent, condition, mode and family; one over all families follows", () => {
    const runs = [
      run("x_1", 1, [1]),
      run("x_2", 1, [0]),
      run("y_1", 1, [1]),
      run("x_1", 1, [0.5], { agent: "b" }),
      run("x_1", 1, [0.5], { condition: "naming" }),
    ];
    const groups = aggregateDeduction(runs).map(({ agent, condition, mode, family, readings }) => [
      agent,
      condition,
      mode,
      family,
      readings.segment?.f1.leftOut.mean,
      readings.segment?.f1.leftOut.cases,
    ]);
    expect(groups).toEqual([
      ["a", "naming", "M1", "x", 0.5, 1],
      ["a", "open", "M1", "x", 0.5, 2],
      ["a", "open", "M1", "y", 1, 1],
      ["a", "open", "M1", null, 0.75, 3],
      ["b", "open", "M1", "x", 0.5, 1],
    ]);
    expect(aggregateDeduction([...runs].reverse())).toEqual(aggregateDeduction(runs));
  });

  it("DD22 are over families in every figure: two cases of one weigh as much as the one of the other", () => {
    const runs = [run("x_1", 1, [1, null, 1]), run("x_2", 1, [0, null]), run("x_2", 2, [0.5]), run("y_1", 1, [1])];
    const all = aggregateDeduction(runs).find(({ family }) => family === null);
    const reading = all?.readings.segment;
    // x: x_1 is 1 and x_2 (0 + 0.5) / 2 = 0.25, so 0.625; y: 1
    const expected = { mean: 0.8125, spans: 5, runs: 4, folds: 4, cases: 3, families: 2 };
    expect(reading?.f1).toEqual({ leftOut: expected, asZero: null });
    expect(reading?.bySize["1-2"]).toEqual(expected);
    expect(reading?.byVisibility.public.f1).toEqual(expected);
    expect(reading?.byRound).toEqual([
      { round: 1, f1: { ...expected, spans: 4 } },
      { round: 3, f1: { mean: 1, spans: 1, runs: 1, folds: 1, cases: 1, families: 1 } },
    ]);
    // the quiet spans are of x alone
    expect(reading?.quiet).toEqual({ mean: 1, spans: 2, runs: 2, folds: 2, cases: 2, families: 1 });
    expect(all?.fires.precision).toEqual({ mean: 0.5, spans: 8, runs: 4, folds: 4, cases: 3, families: 2 });
    expect(all?.baselines.rules.readings.segment?.f1).toEqual(expected);
  });

  it("DD22 weigh fires and quiet by family, too", () => {
    const fires = (value: number) => ({ precision: { mean: value, n: 2 }, recall: { mean: value, n: 2 } });
    const of = (case_: string, value: number): PlannedRun => {
      const reading = { ...readingWith([1]), quiet: { rate: value, n: 3 } };
      const base = scoreWith(reading);
      const score = { ...base, fires: { ...base.fires, ...fires(value) } };
      return { ...run(case_, 1, [1]), score };
    };
    const runs = [of("x_1", 0), of("x_2", 0.5), of("y_1", 1)];
    const all = aggregateDeduction(runs).find(({ family }) => family === null);
    const expected = { mean: 0.625, runs: 3, folds: 3, cases: 3, families: 2 };
    expect(all?.readings.segment?.quiet).toEqual({ ...expected, spans: 9 });
    expect(all?.fires).toEqual({ precision: { ...expected, spans: 6 }, recall: { ...expected, spans: 6 } });
  });

  it("DD22 are of single cases besides, with the same figures as a set of that case alone", () => {
    const runs = [
      run("x_1", 1, [1, 0]),
      run("x_1", 2, [1]),
      run("x_2", 1, [0.5]),
      run("y_1", 1, [1]),
      run("y_1", 1, [], { agent: "b", outcome: "endpoint_fault", score: null }),
    ];
    const groups = aggregateDeductionCases(runs);
    expect(groups.map((one) => [one.agent, one.family, one.case, one.readings.segment?.f1.leftOut.mean])).toEqual([
      ["a", "x", "x_1", 0.75],
      ["a", "x", "x_2", 0.5],
      ["a", "y", "y_1", 1],
      ["b", "y", "y_1", null],
    ]);
    expect(groups[0]).toEqual({ ...only(aggregateDeduction(runs.slice(0, 2))), case: "x_1" });
    expect(groups[3]).toMatchObject({ planned: 1, scored: 0, faults: 1 });
    expect(aggregateDeduction(runs).map((one) => one.case)).toEqual([null, null, null, null]);
    expect(aggregateDeductionCases([...runs].reverse())).toEqual(groups);
  });

  it("DD23 count a run once in a round, however many of its spans are asked there", () => {
    const asked = (fold: number, f1s: readonly [number, number, number]): PlannedRun => {
      const reading = readingWith(f1s);
      const bySpan = reading.bySpan.map((span, i) => ({ ...span, round: i < 2 ? 1 : 10 }));
      const score = scoreWith(reading, { mode: "M2", readings: { counterfactual: { ...reading, bySpan } } });
      return { ...run("x_1", fold, []), mode: "M2", score };
    };
    const group = only(aggregateDeduction([asked(1, [1, 0, 1]), asked(1, [1, 1, 0]), asked(2, [0, 0, 1])]));
    expect(group.readings.counterfactual?.byRound).toEqual([
      // fold 1: (0.5 + 1) / 2; fold 2: 0
      { round: 1, f1: { mean: 0.375, spans: 6, runs: 3, folds: 2, cases: 1, families: 1 } },
      { round: 10, f1: { mean: 0.75, spans: 3, runs: 3, folds: 2, cases: 1, families: 1 } },
    ]);
  });

  it("DD22 have quiet, strata, visibility and rounds by the same means, each with its n", () => {
    const group = only(aggregateDeduction([run("x_1", 1, [1, null, 0]), run("x_1", 2, [0.5]), run("x_2", 1, [0, 0])]));
    const reading = group.readings.segment;
    expect(reading?.quiet).toEqual({ mean: 1, spans: 1, runs: 1, folds: 1, cases: 1, families: 1 });
    expect(reading?.bySize["1-2"]).toEqual(reading?.f1.leftOut);
    expect(reading?.bySize.more).toEqual({ mean: null, spans: 0, runs: 0, folds: 0, cases: 0, families: 0 });
    expect(reading?.byVisibility.public).toEqual({ matched: 3, predicted: 4, truth: 10, f1: reading?.f1.leftOut });
    expect(reading).toMatchObject({ planned: 6, unanswered: 0 });
    expect(reading?.byRound).toEqual([
      { round: 1, f1: { mean: 0.375, spans: 3, runs: 3, folds: 3, cases: 2, families: 1 } },
      { round: 2, f1: { mean: 0, spans: 1, runs: 1, folds: 1, cases: 1, families: 1 } },
      { round: 3, f1: { mean: 0, spans: 1, runs: 1, folds: 1, cases: 1, families: 1 } },
    ]);
    expect(group.fires.recall).toEqual({ mean: 0.25, spans: 12, runs: 3, folds: 3, cases: 2, families: 1 });
    for (const name of BASELINE_NAMES) expect(group.baselines[name].readings.segment?.f1).toEqual(reading?.f1.leftOut);
  });

  it("DD20 count the goal over runs in which somebody acts, and add up the waits", () => {
    const m2 = (fold: number, goal: boolean | null, waits: number): PlannedRun => {
      const score = scoreWith(readingWith([1]), { mode: "M2", readings: {}, goal, waits: { waits, decisions: 10 } });
      return { ...run("x_1", fold, [1]), mode: "M2", score };
    };
    const group = only(aggregateDeduction([m2(1, true, 4), m2(2, false, 10), m2(3, null, 0)]));
    expect(group.goal).toEqual({ reached: 1, n: 2 });
    expect(group.waits).toEqual({ waits: 14, decisions: 30 });
    expect(Object.keys(group.readings)).toEqual([
      "interval",
      "lookahead",
      "counterfactual",
      "counterfactual_action",
      "counterfactual_happening",
    ]);
    expect(group.readings.interval?.f1).toEqual({
      leftOut: { mean: null, spans: 0, runs: 0, folds: 0, cases: 0, families: 0 },
      asZero: null,
    });
  });
});

describe("runs without figures", () => {
  const excluded: DeductionScore = {
    v: 1,
    track: "deduction",
    case: "x_1",
    family: "x",
    condition: "open",
    mode: "M1",
    fold: 3,
    agent: "a",
    outcome: "engine_fault",
    excluded: true,
    reason: "r",
  };

  it("DD24 faults are told in both conventions, as 0 and left out, and counted apart", () => {
    const group = only(
      aggregateDeduction([
        run("x_1", 1, [1, 1]),
        run("x_1", 2, [], { outcome: "endpoint_fault", score: null }),
        run("x_1", 3, [], { outcome: "engine_fault", score: excluded }),
        run("x_2", 1, [0.5]),
      ]),
    );
    expect(group).toMatchObject({ planned: 4, scored: 2, faults: 2 });
    expect(group.outcomes).toEqual({ endpoint_fault: 1, engine_fault: 1, finished: 2 });
    expect(group.readings.segment?.f1).toEqual({
      leftOut: { mean: 0.75, spans: 3, runs: 2, folds: 2, cases: 2, families: 1 },
      asZero: { mean: expect.closeTo((1 / 3 + 0.5) / 2, 12), spans: 3, runs: 4, folds: 4, cases: 2, families: 1 },
    });
    // a baseline has no endpoint: where there is no trajectory there is nothing along it
    expect(group.baselines.rules.readings.segment?.f1).toEqual(group.readings.segment?.f1.leftOut);
  });

  it("DD24 where there are none the conventions do not differ, and one is told", () => {
    const group = only(aggregateDeduction([run("x_1", 1, [1])]));
    expect([group.faults, group.readings.segment?.f1.asZero]).toEqual([0, null]);
  });

  it("DD24 a run that ended on a fault and has figures all the same counts by them", () => {
    const group = only(aggregateDeduction([run("x_1", 1, [1, 0], { outcome: "endpoint_fault" })]));
    expect(group).toMatchObject({ planned: 1, scored: 1, faults: 0, outcomes: { endpoint_fault: 1 } });
    expect(group.readings.segment?.f1.leftOut.mean).toBe(0.5);
  });

  it("DD24 a run that is excluded is a fault, however it ended", () => {
    const group = only(aggregateDeduction([run("x_1", 3, [], { outcome: "stopped", score: excluded })]));
    expect(group).toMatchObject({ planned: 1, scored: 0, faults: 1, outcomes: { stopped: 1 } });
  });

  it("DD27 a run that was not played, or was cancelled, is planned and neither scored nor a fault", () => {
    const group = only(
      aggregateDeduction([
        run("x_1", 1, [1]),
        run("x_1", 2, [], { outcome: null, score: null }),
        run("x_1", 3, [], { outcome: "cancelled", score: null }),
      ]),
    );
    expect(group).toMatchObject({ planned: 3, scored: 1, faults: 0 });
    expect(group.outcomes).toEqual({ cancelled: 1, finished: 1, unfinished: 1 });
    expect(group.readings.segment?.f1).toEqual({
      leftOut: { mean: 1, spans: 1, runs: 1, folds: 1, cases: 1, families: 1 },
      asZero: null,
    });
  });

  it("DD24 of faults alone the one convention is null and the other 0", () => {
    const group = only(aggregateDeduction([run("x_1", 1, [], { outcome: "endpoint_fault", score: null })]));
    expect(group.readings.segment?.f1).toEqual({
      leftOut: { mean: null, spans: 0, runs: 0, folds: 0, cases: 0, families: 0 },
      asZero: { mean: 0, spans: 0, runs: 1, folds: 1, cases: 1, families: 1 },
    });
  });
});
