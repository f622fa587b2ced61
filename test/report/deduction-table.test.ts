import { describe, expect, it } from "vitest";
import type { DeductionScore, Reading, ScoredDeduction } from "../../src/contracts/index.ts";
import {
  deductionCaseGroups,
  deductionGroups,
  deductionLine,
  deductionLines,
  scoreLines,
} from "../../src/report/index.ts";
import { requireRunId } from "../../src/records/index.ts";
import type { Condition, Mode } from "../../src/runtime/index.ts";
import type { ScoredDeductionRun } from "../../src/tracks/index.ts";

const NONE = { mean: null, n: 0 } as const;
const mean = (value: number | null, n: number) => (value === null ? NONE : { mean: value, n });

/** A reading with the same F1 in `n` spans, each with two changed public fields. */
function reading(f1: number | null, n: number, from = 1): Reading {
  const all = mean(f1, n);
  const none = { matched: 0, predicted: 0, truth: 0, f1: NONE };
  return {
    planned: n,
    answered: n,
    unanswered: 0,
    f1: all,
    precision: all,
    recall: all,
    quiet: { rate: null, n: 0 },
    bySize: { "1-2": all, "3-6": NONE, "7-12": NONE, more: NONE },
    byVisibility: { public: { matched: 0, predicted: 2 * n, truth: 2 * n, f1: all }, local: none, hidden: none },
    bySpan: Array.from({ length: n }, (_, i) => ({
      kind: "segment" as const,
      round: from + i,
      from: 8 * i,
      to: 8 * (i + 1),
      answered: true,
      matched: 0,
      predicted: 2,
      changed: 2,
      f1,
    })),
  };
}

function means(f1: number, n: number) {
  const { f1: of, precision, recall, quiet } = reading(f1, n);
  return { f1: of, precision, recall, quiet };
}

function scoreOf(mode: Mode, agent: string, f1: number, more: Partial<ScoredDeduction> = {}): ScoredDeduction {
  const kinds = mode === "M1" ? (["segment"] as const) : (["interval", "lookahead", "counterfactual"] as const);
  const along = (value: number) => ({
    readings: Object.fromEntries(kinds.map((kind) => [kind, means(value, 2)])),
    fires: { precision: mean(1, 2), recall: mean(0.5, 2) },
  });
  return {
    v: 1,
    track: "deduction",
    case: "mill_pond",
    family: "manor",
    condition: "open",
    mode,
    fold: 1,
    agent,
    outcome: "finished",
    excluded: false,
    spans: { planned: 2, played: 2, unanswered: 0 },
    readings: Object.fromEntries(kinds.map((kind) => [kind, reading(f1, 2)])),
    fires: {
      planned: 2,
      answered: 2,
      unanswered: 0,
      precision: mean(0.75, 2),
      recall: mean(1, 2),
      silent: 0,
      quiet: 0,
    },
    goal: mode === "M1" ? null : true,
    waits: mode === "M1" ? { waits: 0, decisions: 0 } : { waits: 1, decisions: 2 },
    baselines: { persist: along(0), everything: along(0.25), "last-change": along(0.125), rules: along(1) },
    ...more,
  };
}

interface Of {
  readonly mode?: Mode;
  readonly condition?: Condition;
  readonly fold?: number;
  readonly family?: string;
  readonly id?: string;
  readonly outcome?: ScoredDeductionRun["outcome"];
}

function runOf(agent: string, score: DeductionScore | undefined, of: Of = {}): ScoredDeductionRun {
  const { mode = "M2", condition = "open", fold = 1, family = "manor", id = "mill_pond", outcome = "finished" } = of;
  return {
    track: "deduction",
    run: requireRunId(`${id}.${condition}.${mode.toLowerCase()}.${fold}.${agent}.1`),
    case: id,
    family,
    condition,
    mode,
    fold,
    agent,
    repeat: 1,
    outcome,
    ...(score === undefined ? {} : { score }),
  };
}

const OVER_ALL = "over spans, folds, cases, families (n spans; cut to two digits, not rounded)";
const HEAD = "Truth is the rollout of the rules; nobody judges.";

describe("the tables of deduction", () => {
  it("DD98 print each run where they are few, families with the baselines beside each agent, strata with their n", () => {
    expect(deductionLines([runOf("some-model", scoreOf("M2", "some-model", 0.5))])).toEqual([
      `Deduction: 1 scored of 1 planned. ${HEAD}`,
      "",
      "M2 by run: F1 over spans (n spans; cut to two digits, not rounded)",
      "case       told  fold  agent       interval  lookahead  counterf.  quiet  fires P/R  goal  waits",
      "mill_pond  open     1  some-model  0.50 (2)   0.50 (2)   0.50 (2)      –  0.75/1.00  yes     1/2",
      "",
      `M2 by family: F1 ${OVER_ALL}`,
      "A row with · is what that baseline would have answered where the agent above it stood.",
      "family  told  agent          scored  interval  lookahead  counterf.  quiet  fires P/R  goal  waits",
      "manor   open  some-model        1/1  0.50 (2)   0.50 (2)   0.50 (2)      –  0.75/1.00   1/1    1/2",
      "manor   open  · persist              0.00 (2)   0.00 (2)   0.00 (2)      –  1.00/0.50",
      "manor   open  · everything           0.25 (2)   0.25 (2)   0.25 (2)      –  1.00/0.50",
      "manor   open  · last-change          0.12 (2)   0.12 (2)   0.12 (2)      –  1.00/0.50",
      "manor   open  · rules                1.00 (2)   1.00 (2)   1.00 (2)      –  1.00/0.50",
      "",
      "F1 by how many fields changed, and of the public, the local and the hidden ones among them,",
      OVER_ALL,
      "agent       told  reading              1-2  3-6  7-12  more    public  local  hidden  silent",
      "some-model  open  interval        0.50 (2)    –     –     –  0.50 (2)      –       –     0/2",
      "some-model  open  lookahead       0.50 (2)    –     –     –  0.50 (2)      –       –     0/2",
      "some-model  open  counterfactual  0.50 (2)    –     –     –  0.50 (2)      –       –     0/2",
    ]);
  });

  it("DD98 print the decay by segment, and no baseline along a run in which nobody acts, where it played itself", () => {
    const runs = [runOf("some-model", scoreOf("M1", "some-model", 0.5), { mode: "M1" })];
    const names = ["persist", "everything", "last-change", "rules"] as const;
    const played = names.map((name) => runOf(name, scoreOf("M1", name, 0.25), { mode: "M1" }));
    const lines = deductionLines([...played, ...runs]);
    const from = lines.indexOf(`M1 by family: F1 ${OVER_ALL}`);
    expect(lines.slice(from, from + 8)).toEqual([
      `M1 by family: F1 ${OVER_ALL}`,
      "family  told  agent        scored   segment  quiet  fires P/R",
      "manor   open  some-model      1/1  0.50 (2)      –  0.75/1.00",
      "manor   open  persist         1/1  0.25 (2)      –  0.75/1.00",
      "manor   open  everything      1/1  0.25 (2)      –  0.75/1.00",
      "manor   open  last-change     1/1  0.25 (2)      –  0.75/1.00",
      "manor   open  rules           1/1  0.25 (2)      –  0.75/1.00",
      "",
    ]);
    const decay = lines.indexOf(`M1 segment F1, segment by segment, ${OVER_ALL}`);
    expect(lines.slice(decay + 1, decay + 3)).toEqual([
      "agent        told         1         2",
      "some-model   open  0.50 (1)  0.50 (1)",
    ]);
    expect(lines.filter((line) => line.includes("· "))).toEqual([]);
  });

  it("DD98 list conditions under each family, and all families at the end", () => {
    const runs = (["naming", "open"] as const).flatMap((condition) =>
      ["orbit", "manor"].map((family) =>
        runOf(
          "some-model",
          { ...scoreOf("M2", "some-model", 0.5), family, condition, case: family },
          { condition, family },
        ),
      ),
    );
    const order = deductionGroups(runs).map(({ family, condition }) => `${family ?? "all"} ${condition}`);
    expect(order).toEqual(["manor open", "manor naming", "orbit open", "orbit naming", "all open", "all naming"]);
  });

  it("DD98 print the cases of a mode in the same columns, where a set holds more than one", () => {
    const of = (family: string, id: string, f1: number, mode: Mode = "M2") =>
      runOf("some-model", scoreOf(mode, "some-model", f1, { family, case: id }), { family, id, mode });
    const runs = [
      of("orbit", "ring", 1),
      of("manor", "pond", 0),
      of("manor", "mill", 0.5),
      of("manor", "mill", 1, "M1"),
    ];
    const lines = deductionLines(runs);
    const titles = lines.filter((line) => /^M[12] by (family|case)/.test(line));
    expect(titles).toEqual(
      ["M1", "M2"].flatMap((mode) => [
        `${mode} by family: F1 ${OVER_ALL}`,
        `${mode} by case: F1 over spans, folds (n spans; cut to two digits, not rounded)`,
      ]),
    );
    const from = lines.indexOf(titles[3] ?? "");
    expect(lines.slice(from + 2, from + 18).filter((line) => !line.includes("·"))).toEqual([
      "case  told  agent          scored  interval  lookahead  counterf.  quiet  fires P/R  goal  waits",
      "mill  open  some-model        1/1  0.50 (2)   0.50 (2)   0.50 (2)      –  0.75/1.00   1/1    1/2",
      "pond  open  some-model        1/1  0.00 (2)   0.00 (2)   0.00 (2)      –  0.75/1.00   1/1    1/2",
      "ring  open  some-model        1/1  1.00 (2)   1.00 (2)   1.00 (2)      –  0.75/1.00   1/1    1/2",
    ]);
    expect(lines.slice(from).filter((line) => /^\w+ +open +· persist/.test(line))).toHaveLength(3);
    // manor is (0.5 + 0) / 2 and orbit 1
    expect(lines.find((line) => /^all +open +some-model/.test(line))).toContain("  0.62 (6)");
    expect(deductionCaseGroups(runs).map((one) => [one.mode, one.family, one.case])).toEqual([
      ["M1", "manor", "mill"],
      ["M2", "manor", "mill"],
      ["M2", "manor", "pond"],
      ["M2", "orbit", "ring"],
    ]);
  });

  it("DD99 count what has no figures, and print both conventions only where a fault left runs without", () => {
    const fault: DeductionScore = {
      v: 1,
      track: "deduction",
      case: "mill_pond",
      family: "manor",
      condition: "open",
      mode: "M2",
      fold: 2,
      agent: "some-model",
      outcome: "engine_fault",
      excluded: true,
      reason: "the rules of the case contradict themselves on this trajectory",
    };
    const lines = deductionLines([
      runOf("some-model", scoreOf("M2", "some-model", 0.5)),
      runOf("some-model", fault, { fold: 2, outcome: "engine_fault" }),
      runOf("some-model", undefined, { fold: 3, outcome: "unfinished" }),
    ]);
    expect(lines[0]).toBe(`Deduction: 1 scored of 3 planned. ${HEAD}`);
    const from = lines.indexOf("Faults left runs without figures: F1 with them left out, and with each as 0,");
    expect(lines[from + 1]).toBe(OVER_ALL);
    expect(lines.slice(from + 2)).toEqual([
      "agent       told  reading         faults  left out  as 0",
      "some-model  open  interval           1/3  0.50 (2)  0.25",
      "some-model  open  lookahead          1/3  0.50 (2)  0.25",
      "some-model  open  counterfactual     1/3  0.50 (2)  0.25",
      "some-model, open M2: 1 scored of 3 planned: engine_fault 1, finished 1, unfinished 1",
    ]);
    expect(deductionLine(fault)).toBe("excluded: the rules of the case contradict themselves on this trajectory");
    expect(deductionLine(scoreOf("M2", "some-model", 0.5))).toBe(
      "interval F1 0.50 (2), lookahead F1 0.50 (2), counterfactual F1 0.50 (2), goal reached",
    );
  });

  it("DD99 raise no mean where a run is added that a fault ended", () => {
    const whole = runOf("some-model", scoreOf("M2", "some-model", 0.5));
    const f1Of = (runs: readonly ScoredDeductionRun[]) => deductionGroups(runs)[0]?.readings.interval?.f1;
    const faulty = runOf("some-model", undefined, { fold: 2, outcome: "endpoint_fault" });
    const [before, after] = [f1Of([whole]), f1Of([whole, faulty])];
    expect(after?.leftOut.mean).toBe(before?.leftOut.mean);
    expect(after?.asZero?.mean).toBeLessThan(before?.leftOut.mean ?? 0);
  });

  it("DD98 list no single runs where there are many, and fit a screen of 120 columns", () => {
    const runs = Array.from({ length: 25 }, (_, i) =>
      runOf("some-model", scoreOf("M2", "some-model", 0.5), { fold: i + 1 }),
    );
    const lines = deductionLines(runs);
    expect(lines.filter((line) => line.startsWith("M2 by run"))).toEqual([]);
    expect(lines.filter((line) => line.includes("by case"))).toEqual([]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("of a set without runs of deduction are none", () => {
    expect(deductionLines([])).toEqual([]);
    expect(scoreLines([runOf("some-model", undefined, { outcome: "unfinished" })])[0]).toBe(
      `Deduction: 0 scored of 1 planned. ${HEAD}`,
    );
  });
});
