import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rate, Score } from "../../src/contracts/index.ts";
import { requireRunId } from "../../src/records/index.ts";
import { figuresOf, scoreLines } from "../../src/report/index.ts";
import type { ScoredMaintenanceRun } from "../../src/tracks/index.ts";

function rate(passed: number, scored: number): Rate {
  return { passed, scored, rate: scored === 0 ? null : passed / scored };
}

/** A score with `e` of 30 events and `tm` of 4 orders, and nothing else in its contract. */
function scoreOf(e: number, tm: number, more: Partial<Score> = {}): Score {
  const components = { E: rate(e, 30), A: rate(0, 0), P: rate(0, 0), CA: rate(0, 0), TM: rate(tm, 4), CC: rate(0, 0) };
  return {
    v: 1,
    case: "ark_001",
    tier: "hard",
    outcome: "finished",
    judge: "exact",
    completion: rate(e, 30),
    relation: rate(tm, 4),
    components,
    mix: null,
    undecided: 0,
    rounds: [],
    items: [],
    ...more,
  };
}

function runOf(repeat: number, more: Partial<ScoredMaintenanceRun>, agent = "model"): ScoredMaintenanceRun {
  return {
    track: "maintenance",
    run: requireRunId(`ark_001.hard.${agent}.${repeat}`),
    case: "ark_001",
    tier: "hard",
    agent,
    repeat,
    outcome: "finished",
    ...more,
  };
}

/** A score of a model with as many passes on its word and as many refused. */
function byModel(confirmed: number, word: number, refused: number, more: Partial<Score> = {}): Partial<Score> {
  const none = { confirmed: 0, word: 0, refused: 0 };
  const counts = { confirmed, word, refused };
  return {
    judge: "model",
    judgedBy: { model: "some-model", settings: "1a2b3c4d".repeat(8) },
    judgeFaults: 0,
    standing: { ...counts, byKind: { E: counts, A: none, P: none } },
    ...more,
  };
}

describe("the table of a model's judgments", () => {
  const tail = (runs: readonly ScoredMaintenanceRun[]) => {
    const lines = scoreLines(runs);
    return lines.slice(lines.lastIndexOf("") + 1);
  };

  it("CT37 names the model and its settings, and says below what its passes rest on", () => {
    const runs = [
      runOf(1, { score: scoreOf(28, 3, byModel(20, 8, 3)) }),
      runOf(1, { score: scoreOf(5, 0, byModel(4, 1, 4)) }, "other"),
    ];
    expect(scoreLines(runs)).toEqual([
      "Judge: model (some-model, settings 1a2b3c4d). 2 scored of 2 planned.",
      "",
      "case     tier  agent  run  outcome   completion    relation        E  A  P  CA  CA but-for   TM  CC  undecided",
      "ark_001  hard  model    1  finished  0.93 (28/30)  0.75 (3/4)  28/30  –  –   –           –  3/4   –          0",
      "ark_001  hard  other    1  finished  0.16 (5/30)   0.00 (0/4)   5/30  –  –   –           –  0/4   –          0",
      "",
      "9 of 33 passes rest on the judge's word alone; the audit turned 7.",
    ]);
  });

  it("CT37 says it tier by tier: in extreme no program can confirm a pass", () => {
    const extreme = { tier: "extreme" as const };
    const runs = [
      runOf(1, { score: scoreOf(1, 0, byModel(0, 1, 0)) }),
      runOf(1, { ...extreme, score: scoreOf(12, 0, { ...extreme, ...byModel(0, 12, 2) }) }),
    ];
    expect(tail(runs)).toEqual([
      "hard: 1 of 1 pass rests on the judge's word alone; the audit turned 0.",
      "extreme: 12 of 12 passes rest on the judge's word alone; the audit turned 2.",
    ]);
  });

  it("CT36 CT38 counts what the judge's endpoint left without an answer, and what a second look passed", () => {
    const faults = { undecided: 5, judgeFaults: 2 };
    expect(tail([runOf(1, { score: scoreOf(20, 0, byModel(20, 0, 0, faults)) })])).toEqual([
      "0 of 20 passes rest on the judge's word alone; the audit turned 0.",
      "2 of 5 undecided got no answer from the judge's endpoint.",
    ]);
    const looked = byModel(20, 4, 1, { judge: "exact+model", flips: { E: 3, A: 1 } });
    expect(tail([runOf(1, { score: scoreOf(24, 0, looked) })])).toEqual([
      "4 of 24 passes rest on the judge's word alone; the audit turned 1.",
      "Looking again, the model passed 3 events and 1 structure that the exact judge failed.",
    ]);
  });

  it("CT37 puts one model under two settings into two tables, and sums for each group", () => {
    const other = { judgedBy: { model: "some-model", settings: "ff".repeat(32) } };
    const runs = [
      runOf(1, { score: scoreOf(28, 3, byModel(20, 8, 3)) }),
      runOf(2, { score: scoreOf(28, 3, byModel(21, 7, 1)) }),
      runOf(3, { score: scoreOf(28, 3, byModel(1, 1, 1, other)) }),
    ];
    expect(scoreLines(runs).filter((line) => line.startsWith("Judge: "))).toEqual([
      "Judge: model (some-model, settings 1a2b3c4d). 2 scored of 2 planned.",
      "Judge: model (some-model, settings ffffffff). 1 scored of 1 planned.",
    ]);
    const [figures] = figuresOf(runs.slice(0, 2), "model (some-model, settings 1a2b3c4d)");
    expect(figures).toMatchObject({ judgeFaults: 0, standing: { confirmed: 41, word: 15, refused: 4 } });
    expect(figures).not.toHaveProperty("flips");
  });

  it("CT37 of the exact judge says nothing of the kind", () => {
    const [figures] = figuresOf([runOf(1, { score: scoreOf(28, 3) })], "exact");
    for (const key of ["judgeFaults", "standing", "flips"]) expect(figures).not.toHaveProperty(key);
  });
});

describe("the table of a set", () => {
  it("names its judge and says n scored of n planned; one run an agent needs no means", () => {
    const runs = [runOf(1, { score: scoreOf(28, 3) }), runOf(1, { score: scoreOf(30, 4) }, "reference")];
    expect(scoreLines(runs)).toEqual([
      "Judge: exact. 2 scored of 2 planned.",
      "",
      "case     tier  agent      run  outcome   completion    relation        E  A  P  CA  CA but-for   TM  CC  undecided",
      "ark_001  hard  model        1  finished  0.93 (28/30)  0.75 (3/4)  28/30  –  –   –           –  3/4   –          0",
      "ark_001  hard  reference    1  finished  1.00 (30/30)  1.00 (4/4)  30/30  –  –   –           –  4/4   –          0",
    ]);
  });

  it("shows a judge's name, which a file gives, without what a terminal would act on", () => {
    const judge = "exact\u001b[31m\u202e";
    const runs = [1, 2].map((repeat) => runOf(repeat, { score: scoreOf(28, 3, { judge }) }));
    const lines = scoreLines(runs);
    expect(lines[0]).toBe(String.raw`Judge: exact\x1b[31m\u{202e}. 2 scored of 2 planned.`);
    expect(lines.join("")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("gives both conventions where an agent has several runs, and counts how they ended and what is undecided", () => {
    const runs = [
      runOf(1, { score: scoreOf(30, 4) }),
      runOf(2, { score: scoreOf(15, 2, { undecided: 3 }), outcome: "limit" }),
      runOf(3, { score: scoreOf(6, 0), outcome: "endpoint_fault" }),
      runOf(4, { outcome: "unfinished", why: "it was planned and never begun" }),
    ];
    expect(scoreLines(runs)).toEqual([
      "Judge: exact. 3 scored of 4 planned.",
      "",
      "case     tier  agent  run  outcome         completion    relation        E  A  P  CA  CA but-for   TM  CC  undecided",
      "ark_001  hard  model    1  finished        1.00 (30/30)  1.00 (4/4)  30/30  –  –   –           –  4/4   –          0",
      "ark_001  hard  model    2  limit           0.50 (15/30)  0.50 (2/4)  15/30  –  –   –           –  2/4   –          3",
      "ark_001  hard  model    3  endpoint_fault  0.20 (6/30)   0.00 (0/4)   6/30  –  –   –           –  0/4   –          0",
      "ark_001  hard  model    4  unfinished      –             –               –  –  –   –           –    –   –          –",
      "",
      "Means by agent and tier. Judge: exact. Not comparable with the published benchmark: the cases are our own.",
      "tier  agent  scored  faults as failures: completion  relation  faults left out: completion  relation  CA, but-for, mediated  undecided  outcomes",
      "hard  model  3 of 4                            0.37      0.37                         0.75      0.75                –, –, –          3  endpoint_fault 1, finished 1, limit 1, unfinished 1",
      "These means are over a part of the set: 1 of 4 runs has no score.",
    ]);
  });

  it("puts runs of two judges into two tables", () => {
    const runs = [
      runOf(1, { score: scoreOf(30, 4) }),
      runOf(2, { score: scoreOf(30, 4, { judge: "model" }) }, "other"),
    ];
    expect(scoreLines(runs).filter((line) => line.startsWith("Judge:"))).toEqual([
      "Judge: exact. 1 scored of 1 planned.",
      "Judge: model. 1 scored of 1 planned.",
    ]);
  });

  it("shows no figure where no run is scored", () => {
    expect(scoreLines([runOf(1, { why: "it has no judgments" })])).toEqual([
      "No run is scored, of 1 planned.",
      "",
      "case     tier  agent  run  outcome   completion  relation  E  A  P  CA  CA but-for  TM  CC  undecided",
      "ark_001  hard  model    1  finished  –           –         –  –  –   –           –   –   –          –",
    ]);
  });

  it("never rounds up to a 1.00 that is none", () => {
    const [, , , line] = scoreLines([runOf(1, { score: scoreOf(30, 4, { completion: rate(999, 1000) }) })]);
    expect(line).toContain("0.99 (999/1000)");
  });
});

describe("a set's means", () => {
  const arbitraryRun = fc.record({
    e: fc.nat(30),
    tm: fc.nat(4),
    outcome: fc.constantFrom(
      "finished",
      "limit",
      "stopped",
      "context_overflow",
      "blocked",
      "endpoint_fault",
      "engine_fault",
      "unfinished" as const,
    ),
  });
  const toRun = ({ e, tm, outcome }: { e: number; tm: number; outcome: ScoredMaintenanceRun["outcome"] }, i: number) =>
    runOf(i + 1, { score: scoreOf(e, tm), outcome });

  it("RC8 are not raised by a run that failed, and stand as they were where faults are left out", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryRun, { minLength: 1, maxLength: 8 }),
        fc.constantFrom("endpoint_fault", "engine_fault", "cancelled", "blocked", "unfinished" as const),
        (specs, outcome) => {
          const runs = specs.map(toRun);
          const [before] = figuresOf(runs, "exact");
          const [after] = figuresOf([...runs, runOf(99, { score: scoreOf(30, 4), outcome })], "exact");
          for (const measure of ["completion", "relation"] as const) {
            expect(after?.faultsAsFailures[measure]).toBeLessThanOrEqual(before?.faultsAsFailures[measure] ?? 0);
            expect(after?.faultsLeftOut[measure]).toBe(before?.faultsLeftOut[measure]);
          }
        },
      ),
    );
  });

  it("leave a run out of both where it only lacks a score: that is no 0", () => {
    const [figures] = figuresOf(
      [runOf(1, { score: scoreOf(30, 4) }), runOf(2, { why: "the exact judge cannot judge it" })],
      "exact",
    );
    expect(figures).toMatchObject({
      planned: 2,
      scored: 1,
      faultsAsFailures: { completion: 1, relation: 1 },
      faultsLeftOut: { completion: 1, relation: 1 },
    });
  });
});
