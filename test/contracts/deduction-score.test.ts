import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BASELINE_NAMES,
  BASELINES,
  deductionScoreSchema,
  f1Of,
  matchChanges,
  READING_KINDS,
  scoreDeduction,
  type DeductionRun,
  type ScoredDeduction,
} from "../../src/contracts/index.ts";
import { canonicalJson, WAIT, type SpanRecord } from "../../src/runtime/index.ts";
import { choosing, GARDEN, playBy, playSpans, scenarioOf, seenWhole, type Answering } from "./deduction-toy.ts";

type Mode = "M1" | "M2";

/** The run that is made of these spans, the last `unplayed` of which nobody played. */
function runOf(mode: Mode, spans: readonly SpanRecord[], more: Partial<DeductionRun> = {}, unplayed = 0): DeductionRun {
  const { world, dynamics, goal } = scenarioOf(more.world === undefined ? GARDEN : seenWhole(GARDEN), mode);
  const played = spans.length - unplayed;
  return {
    case: "garden",
    family: "gardens",
    condition: "open",
    mode,
    fold: 1,
    agent: "somebody",
    outcome: "finished",
    spans: spans.slice(0, played),
    rest: spans.slice(played),
    dynamics,
    world,
    goal,
    ...more,
  };
}

function scored(run: DeductionRun): ScoredDeduction {
  const score = scoreDeduction(run);
  if (score.excluded) throw new Error(score.reason);
  return score;
}

const silent: Answering = () => null;

describe("the score of a run", () => {
  it("DD9 has the segments in M1, and in M2 interval, lookahead and both counterfactuals, merged and apart", () => {
    const [m1, m2] = (["M1", "M2"] as const).map((mode) =>
      scored(runOf(mode, playSpans(scenarioOf(GARDEN, mode), silent))),
    ) as [ScoredDeduction, ScoredDeduction];
    expect(Object.keys(m1.readings)).toEqual(["segment"]);
    expect(Object.keys(m2.readings)).toEqual(READING_KINDS.filter((kind) => kind !== "segment"));
    for (const { readings, baselines } of [m1, m2])
      for (const name of BASELINE_NAMES) expect(Object.keys(baselines[name].readings)).toEqual(Object.keys(readings));
    const { interval, lookahead, counterfactual, counterfactual_action, counterfactual_happening } = m2.readings;
    expect([interval?.planned, lookahead?.planned]).toEqual([8, 8]);
    // the first decision point has nothing before it
    expect(counterfactual_action?.planned).toBe(7);
    expect(counterfactual_happening?.planned).toBe(7);
    expect(counterfactual?.planned).toBe(14);
    expect(counterfactual?.bySpan.map(({ kind, round }) => `${round} ${kind}`).slice(0, 4)).toEqual([
      "2 action",
      "2 happening",
      "3 action",
      "3 happening",
    ]);
  });

  it("DD9 the merged reading is over the spans of both", () => {
    const spans = playBy(BASELINES.rules, scenarioOf(GARDEN, "M2"));
    const { readings } = scored(runOf("M2", spans));
    const [both, action, happening] = [
      readings.counterfactual,
      readings.counterfactual_action,
      readings.counterfactual_happening,
    ] as const;
    const [a, b] = [action?.f1, happening?.f1] as const;
    if (!both || !a || !b) throw new Error("no readings");
    expect(both.f1.n).toBe(a.n + b.n);
    expect(both.f1.mean).toBeCloseTo(((a.mean ?? 0) * a.n + (b.mean ?? 0) * b.n) / (a.n + b.n), 12);
    expect(both.quiet.n).toBe((action?.quiet.n ?? 0) + (happening?.quiet.n ?? 0));
  });

  it("DD9 its F1 is that of a naive sum over the spans", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 8, maxLength: 8 }), fc.nat(3), (numbers, n) => {
        const name = BASELINE_NAMES[n] as (typeof BASELINE_NAMES)[number];
        const spans = playBy(BASELINES[name], scenarioOf(GARDEN, "M2"), choosing(numbers));
        const { readings } = scored(runOf("M2", spans));
        let [sum, count] = [0, 0];
        for (const { truth, submitted } of spans) {
          if (Object.keys(truth.interval ?? {}).length === 0) continue;
          sum += f1Of(matchChanges(submitted.interval ?? {}, truth.interval ?? {})) ?? 0;
          count += 1;
        }
        expect(readings.interval?.f1.n).toBe(count);
        expect(readings.interval?.f1.mean).toBeCloseTo(sum / count, 12);
      }),
      { numRuns: 3 },
    );
  });

  it("DD11 a silent run and one that says that nothing changes have F1 0, and differ in quiet and in what is counted", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const nobody = scored(runOf("M2", playSpans(scenario, silent)));
    const persist = scored(runOf("M2", playBy(BASELINES.persist, scenario)));
    expect([nobody.readings.interval?.f1, persist.readings.interval?.f1]).toEqual([
      { mean: 0, n: 8 },
      { mean: 0, n: 8 },
    ]);
    expect([nobody.readings.interval?.unanswered, persist.readings.interval?.unanswered]).toEqual([8, 0]);
    const quiet = (score: ScoredDeduction) => score.readings.counterfactual?.quiet;
    expect(quiet(nobody)?.n).toBe(quiet(persist)?.n);
    expect(quiet(nobody)?.n === 0 ? null : 0).toBe(quiet(nobody)?.rate);
    expect(nobody.spans).toEqual({ planned: 8, played: 8, unanswered: 8 });
    expect(persist.spans).toEqual({ planned: 8, played: 8, unanswered: 0 });
    expect([nobody.fires.unanswered, persist.fires.unanswered]).toEqual([8, 0]);
  });

  it.each(["M1", "M2"] as const)("DD15 rules with everything seen have exactly 1 in every reading in %s", (mode) => {
    const scenario = scenarioOf(seenWhole(GARDEN), mode);
    const { world, dynamics } = scenario;
    const score = scored(runOf(mode, playBy(BASELINES.rules, scenario), { world, dynamics }));
    for (const reading of Object.values(score.readings)) {
      const { f1, precision, recall, quiet, bySize, byVisibility } = reading;
      for (const { mean, n } of [f1, precision, recall, ...Object.values(bySize)])
        expect(mean).toBe(n === 0 ? null : 1);
      expect(quiet.rate).toBe(quiet.n === 0 ? null : 1);
      for (const one of Object.values(byVisibility)) expect(one.matched + one.matched).toBe(one.predicted + one.truth);
      expect(f1.n).toBeGreaterThan(0);
    }
    expect(score.fires).toMatchObject({ precision: { mean: 1 }, recall: { mean: 1 } });
    expect(score.baselines.rules.fires).toMatchObject({ precision: { mean: 1 }, recall: { mean: 1 } });
    for (const { f1 } of Object.values(score.baselines.rules.readings)) expect(f1.mean).toBe(1);
  });

  it.each(BASELINE_NAMES)("DD17 what %s has along its own trajectory is what it has itself", (name) => {
    for (const mode of ["M1", "M2"] as const) {
      const { readings, fires, baselines } = scored(runOf(mode, playBy(BASELINES[name], scenarioOf(GARDEN, mode))));
      for (const kind of READING_KINDS) {
        const own = readings[kind];
        if (own === undefined) continue;
        const { f1, precision, recall, quiet } = own;
        expect(baselines[name].readings[kind]).toEqual({ f1, precision, recall, quiet });
      }
      expect(baselines[name].fires).toEqual({ precision: fires.precision, recall: fires.recall });
    }
  });

  it("DD18 what was planned and never played stays in every denominator", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const spans = playBy(BASELINES.rules, scenario);
    const rest = playSpans(scenario, ({ round }) => {
      const span = spans[round - 1] as SpanRecord;
      return round <= 5 ? { predict: span.submitted as never, fires: span.fires.predicted as string[] } : null;
    });
    const whole = scored(runOf("M2", spans));
    const stopped = scored(runOf("M2", rest, { outcome: "stopped" }, 3));
    expect(stopped.spans).toEqual({ planned: 8, played: 5, unanswered: 3 });
    for (const kind of READING_KINDS) {
      expect(stopped.readings[kind]?.planned).toBe(whole.readings[kind]?.planned);
      expect(stopped.readings[kind]?.f1.n).toBe(whole.readings[kind]?.f1.n);
    }
    const first = (score: ScoredDeduction) => score.readings.interval?.bySpan.slice(0, 5);
    expect(first(stopped)).toEqual(first(whole));
    expect(stopped.readings.interval?.bySpan.slice(5).every(({ f1 }) => f1 === 0)).toBe(true);
    expect(stopped.waits).toEqual({ waits: 5, decisions: 5 });
  });

  it("DD19 a run that met a fault of the case is excluded: it has a reason and no figures", () => {
    const run = runOf("M2", playSpans(scenarioOf(GARDEN, "M2"), silent), { outcome: "engine_fault" });
    const score = scoreDeduction(run);
    expect(score).toEqual({
      v: 1,
      track: "deduction",
      case: "garden",
      family: "gardens",
      condition: "open",
      mode: "M2",
      fold: 1,
      agent: "somebody",
      outcome: "engine_fault",
      excluded: true,
      reason: "the rules of the case contradict themselves on this trajectory",
    });
    expect(deductionScoreSchema.parse(score)).toEqual(score);
  });

  it("DD20 the goal and the waits are told beside the readings; in M1 nobody acts", () => {
    const m2 = scenarioOf(GARDEN, "M2");
    // ana tires in the hall and rests in the yard
    const go = { action: "go", args: { to: "yard" } };
    const [waiting, going] = [WAIT, go].map((use) =>
      scored(
        runOf(
          "M2",
          playSpans(m2, ({ round }) => ({ action: round === 1 ? use : WAIT, predict: {} })),
        ),
      ),
    ) as [ScoredDeduction, ScoredDeduction];
    expect([waiting.goal, going.goal]).toEqual([false, true]);
    expect(waiting.waits).toEqual({ waits: 8, decisions: 8 });
    expect(going.waits).toEqual({ waits: 7, decisions: 8 });
    const m1 = scored(runOf("M1", playSpans(scenarioOf(GARDEN, "M1"), silent)));
    expect([m1.goal, m1.waits]).toEqual([null, { waits: 0, decisions: 0 }]);
  });

  it("DD25 a goal that the rules do not bear out is refused", () => {
    const spans = playSpans(scenarioOf(GARDEN, "M2"), silent);
    const other = [...spans.slice(0, -1), { ...(spans.at(-1) as SpanRecord), goal: true }];
    expect(() => scoreDeduction(runOf("M2", other))).toThrow("the last span says true of the goal");
  });

  it("DD21 is plain JSON, survives the disk and depends on its input alone", () => {
    for (const mode of ["M1", "M2"] as const) {
      const spans = playBy(BASELINES["last-change"], scenarioOf(GARDEN, mode));
      const score = scored(runOf(mode, spans));
      const text = canonicalJson(score);
      expect(deductionScoreSchema.parse(JSON.parse(text))).toEqual(score);
      expect(canonicalJson(scored(runOf(mode, structuredClone(spans))))).toBe(text);
      expect(JSON.stringify(JSON.parse(text)).length).toBe(JSON.stringify(score).length);
    }
  });
});
