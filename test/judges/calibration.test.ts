import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreementOf, kappaOf, selfAgreementOf, type VerdictPair } from "../../src/judges/calibration/agreement.ts";
import { shareOf } from "../../src/judges/calibration/interval.ts";

describe("agreement of two judges", () => {
  it("gives the kappa of Cohen's own kind of table: 20 and 15 agreed, 5 and 10 not, of 50", () => {
    // The worked example of most textbooks: po = 0.7, pe = 0.5, kappa = 0.4.
    const { value, low, high } = kappaOf({ truePass: 20, falseFail: 5, falsePass: 10, trueFail: 15 });
    expect(value).toBeCloseTo(0.4, 12);
    // Wilson's interval of 35/50 is 0.5625 to 0.8090 (four digits); (x - 0.5) / 0.5 of either end.
    expect(low).toBeCloseTo(0.125, 3);
    expect(high).toBeCloseTo(0.618, 3);
  });

  it("has no kappa where both judges say one and the same of everything, and 1 with room below where they agree on both", () => {
    expect(kappaOf({ truePass: 9, falseFail: 0, falsePass: 0, trueFail: 0 })).toEqual({
      value: null,
      low: null,
      high: null,
    });
    const perfect = kappaOf({ truePass: 5, falseFail: 0, falsePass: 0, trueFail: 5 });
    expect(perfect.value).toBe(1);
    expect(perfect.high).toBe(1);
    expect(perfect.low).toBeLessThan(0.6);
  });

  it("counts undecided verdicts apart and lets them into no rate", () => {
    const pairs: readonly VerdictPair[] = [
      { truth: "pass", seen: "pass" },
      { truth: "pass", seen: "fail" },
      { truth: "fail", seen: "pass" },
      { truth: "fail", seen: "fail" },
      { truth: "fail", seen: "undecided" },
    ];
    const agreement = agreementOf(pairs);
    expect(agreement).toMatchObject({ decided: 4, undecided: 1, truePass: 1, falsePass: 1, trueFail: 1, falseFail: 1 });
    expect([agreement.accuracy.rate, agreement.precision.rate, agreement.recall.rate]).toEqual([0.5, 0.5, 0.5]);
    expect(agreement.kappa.value).toBe(0);
  });

  it("has null for every rate over nothing", () => {
    const { accuracy, precision, recall, kappa } = agreementOf([{ truth: "pass", seen: "undecided" }]);
    for (const share of [accuracy, precision, recall]) expect(share).toMatchObject({ n: 0, rate: null, low: null });
    expect(kappa.value).toBeNull();
  });

  it("keeps every interval within its bounds and around its value, whatever the table", () => {
    const cell = fc.nat(400);
    fc.assert(
      fc.property(cell, cell, cell, cell, (truePass, falsePass, trueFail, falseFail) => {
        const { value, low, high } = kappaOf({ truePass, falsePass, trueFail, falseFail });
        if (value === null || low === null || high === null) return;
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(value + 1e-12);
        expect(high).toBeGreaterThanOrEqual(value - 1e-12);
      }),
    );
  });

  it("counts pairs of decided votes on one item: an answer that could not be read agrees with nothing", () => {
    const votes = [["pass", "pass", "fail"], ["undecided", "undecided"], ["undecided", "pass"], ["fail"]] as const;
    expect(selfAgreementOf(votes)).toMatchObject({ count: 1, n: 3 });
  });

  it("gives Wilson's interval: 0 of 10 is 0 to 0.2775, 8 of 10 is 0.4902 to 0.9433", () => {
    expect(shareOf(0, 10)).toMatchObject({ rate: 0, low: 0 });
    expect(shareOf(0, 10).high).toBeCloseTo(0.2775, 4);
    expect(shareOf(8, 10).low).toBeCloseTo(0.4902, 4);
    expect(shareOf(8, 10).high).toBeCloseTo(0.9433, 4);
    expect(shareOf(10, 10).high).toBe(1);
  });
});
