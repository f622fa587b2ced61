import { describe, expect, it } from "vitest";
import { allowanceOf, budgetsFrom, type Budgets } from "../../src/runtime/budget.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { isOver, outcomeOf } from "../../src/runtime/session.ts";
import { call, errorOf, essenceOf, go, toySession } from "./toy-world.ts";

function times(session: MaintenanceSession, count: number, tool: string, input: unknown = {}): MaintenanceSession {
  return Array.from({ length: count }).reduce<MaintenanceSession>((now) => call(now, tool, input).session, session);
}

const tight: Budgets = {
  rounds: [
    { steps: 2, calls: 5 },
    { steps: 3, calls: 4 },
  ],
  runCalls: 18,
};

describe("the formula", () => {
  it("RT45 gives 4 × steps + 10 and 12 × calls + 40 a round, and twice all calls a run", () => {
    expect(
      budgetsFrom([
        { steps: 7, calls: 12 },
        { steps: 0, calls: 1 },
      ]),
    ).toEqual({
      rounds: [
        { steps: 38, calls: 184 },
        { steps: 10, calls: 52 },
      ],
      runCalls: 472,
    });
  });

  it("RT45 grants the run's calls as rounds open, and never more than the run has", () => {
    const budgets = budgetsFrom([
      { steps: 1, calls: 1 },
      { steps: 2, calls: 2 },
    ]);
    expect(allowanceOf(budgets, 1)).toEqual({ steps: 14, calls: 52, runCalls: 104 });
    expect(allowanceOf(budgets, 2)).toEqual({ steps: 18, calls: 64, runCalls: 232 });
    expect(allowanceOf({ ...budgets, runCalls: 50 }, 2).runCalls).toBe(50);
  });
});

describe("a round's budget", () => {
  it("RT45 of calls is spent by calls of every kind, refused ones too", () => {
    let session = toySession("easy", { budgets: tight });
    for (const [tool, input] of [
      ["help", {}],
      ["read_data", { from: "map" }],
      ["nonsense", {}],
      ["construct", {}],
      ["get_context", 5],
    ] as const) {
      session = call(session, tool, input).session;
    }
    expect(session.used).toEqual({ steps: 0, calls: 5, runCalls: 5 });
    expect(errorOf(call(session, "read_data", { from: "map" }).answer)).toEqual({
      code: "round_budget_spent",
      message: "round 1 allows 5 calls, and 5 are used",
      hint: "call end_round; until then only help, get_context and end_round answer",
    });
  });

  it("RT45 of steps is spent by refused steps as by accepted ones", () => {
    const session = times(toySession("easy", { budgets: tight }), 2, "commit_step", { triggers: [go("ana", "yard")] });
    expect([session.rejected, session.used.steps]).toEqual([2, 2]);
    expect(errorOf(call(session, "commit_step", { advance: 1 }).answer).message).toBe(
      "round 1 allows 2 steps, and 2 are used",
    );
    expect(errorOf(call(session, "read_data", { from: "log" }).answer).code).toBe("round_budget_spent");
    expect(errorOf(call(session, "construct", {}).answer).code).toBe("round_budget_spent");
  });

  it("is not touched by a step that is no step", () => {
    const { session } = call(toySession("easy", { budgets: tight }), "commit_step", { triggers: "none" });
    expect(session.used).toEqual({ steps: 0, calls: 1, runCalls: 1 });
  });

  it("RT45 once spent leaves help, get_context and end_round, free of charge in the round", () => {
    const spent = times(toySession("easy", { budgets: tight }), 5, "help");
    for (const tool of ["help", "get_context", "end_round"]) expect(call(spent, tool).answer.ok).toBe(true);
    const later = times(spent, 3, "help");
    expect(later.used).toEqual({ steps: 0, calls: 5, runCalls: 8 });
    expect(essenceOf(later)).toBe(essenceOf(spent));
  });

  it("RT45 begins anew with the next round", () => {
    const spent = times(toySession("easy", { budgets: tight }), 5, "help");
    const { session } = call(spent, "end_round");
    expect([session.round, session.used]).toEqual([2, { steps: 0, calls: 0, runCalls: 6 }]);
    expect(call(session, "commit_step", { advance: 1 }).answer.ok).toBe(true);
  });
});

describe("the run's budget", () => {
  it("RT45 ends the run with its limit, setting and measured value once it is spent", () => {
    const session = times(toySession("easy", { budgets: tight }), 10, "help");
    expect(outcomeOf(session)).toEqual({ kind: "limit", limit: { which: "run_calls", setting: 10, measured: 10 } });
    for (const tool of ["help", "get_context", "end_round", "commit_step", "nonsense"]) {
      const turn = call(session, tool);
      expect(errorOf(turn.answer)).toEqual({
        code: "run_budget_spent",
        message: "the run allowed 10 calls up to here, and 10 are used: it is over",
      });
      expect(turn.session).toBe(session);
    }
  });

  it("RT45 goes on where the last call opens a round that adds to it", () => {
    const { session } = call(times(toySession("easy", { budgets: tight }), 9, "help"), "end_round");
    expect([isOver(session), session.used.runCalls]).toEqual([false, 10]);
    expect(outcomeOf(times(session, 8, "help"))).toEqual({
      kind: "limit",
      limit: { which: "run_calls", setting: 18, measured: 18 },
    });
  });

  it("RT45 does not take a finish away that its last call brought", () => {
    const second = call(toySession("easy", { budgets: { ...tight, runCalls: 3 } }), "end_round").session;
    expect(outcomeOf(call(times(second, 1, "help"), "end_round").session)).toEqual({ kind: "finished" });
  });
});
