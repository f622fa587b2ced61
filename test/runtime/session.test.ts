import { describe, expect, it } from "vitest";
import { itemsFrom } from "../../src/runtime/append-log.ts";
import { budgetsFrom } from "../../src/runtime/budget.ts";
import { applyConstruction, applyStepRecord } from "../../src/runtime/apply-record.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import { effectRecordSchema } from "../../src/runtime/record.ts";
import type { MaintenanceSession } from "../../src/runtime/maintenance/session.ts";
import { isOver, openSession, outcomeOf } from "../../src/runtime/session.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { call, errorOf, essenceOf, go, heat, play, sweep, toyParts, toyScenario, toySession } from "./toy-world.ts";

const READS: readonly (readonly [string, unknown])[] = [
  ["help", { topic: "steps" }],
  ["get_context", {}],
  ["read_data", { from: "entities", where: "it.at == yard" }],
  ["read_data", { from: "log", limit: 1 }],
  ["read_data", { from: "map", id: "kitchen" }],
];

describe("a session", () => {
  it("RT29 RT32 answers an accepted step with its number, triggers, intervals, changes and clock", () => {
    const session = play(toySession("easy"), [["commit_step", { triggers: [go("ana", "kitchen")] }]]);
    const turn = call(session, "commit_step", {
      triggers: [heat("ana", "kettle"), sweep("ben", "yard_floor")],
      advance: 2,
    });
    expect(turn.answer).toEqual({
      ok: true,
      step: 2,
      start: 1,
      clock: 7,
      triggers: [
        { id: "t2_1", capability: "heat", start: 1, end: 5 },
        { id: "t2_2", capability: "sweep", start: 1, end: 3 },
      ],
      changes: [
        { trigger: "t2_1", path: "kettle.hot", before: false, after: true },
        { trigger: "t2_2", path: "yard_floor.swept", before: false, after: true },
      ],
    });
    expect(turn.record).toMatchObject({
      kind: "accepted",
      step: 2,
      round: 1,
      digest: digestOfWorld(turn.session.world),
    });
  });

  it("RT32 says of a step that changed nothing that it changed nothing", () => {
    const swept = play(toySession("easy"), [["commit_step", { triggers: [sweep("ben", "yard_floor")] }]]);
    expect(call(swept, "commit_step", { triggers: [sweep("ben", "yard_floor")] }).answer).toMatchObject({
      changes: [],
      note: "t2_1 wrote what was there already: nothing changed by it",
    });
  });

  it("RT31 numbers accepted steps 1, 2, … and refused ones r1, r2, …", () => {
    let session = toySession("easy");
    const numbers = [go("ana", "yard"), go("ana", "kitchen"), go("ben", "yard"), go("ben", "kitchen")].map(
      (trigger) => {
        const turn = call(session, "commit_step", { triggers: [trigger] });
        session = turn.session;
        return turn.record?.kind === "accepted" || turn.record?.kind === "rejected" ? turn.record.step : undefined;
      },
    );
    expect(numbers).toEqual(["r1", 1, "r2", 2]);
  });

  it("RT31 leaves the world untouched by a refused step, and logs why", () => {
    const before = toySession("easy");
    const turn = call(before, "commit_step", { triggers: [heat("ana", "kettle")] });
    expect(turn.session.world).toBe(before.world);
    expect(turn.record).toEqual({
      kind: "rejected",
      step: "r1",
      round: 1,
      start: 0,
      triggers: [heat("ana", "kettle")],
      error: errorOf(turn.answer),
    });
  });

  it("RT103 closes a round, opens the next and finishes with the last", () => {
    const first = play(toySession("easy"), [["commit_step", { triggers: [go("ana", "kitchen")] }]]);
    const refusedOnce = call(first, "commit_step", { triggers: [go("ana", "kitchen")] }).session;
    const end = call(refusedOnce, "end_round");
    expect(end.answer).toEqual({
      ok: true,
      round: 1,
      steps: 1,
      rejected: 1,
      clock: 1,
      finished: false,
      next: { round: 2, text: "Ben drinks from it." },
    });
    expect(end.record).toEqual({
      kind: "round_end",
      round: 1,
      steps: 1,
      rejected: 1,
      clock: 1,
      digest: digestOfWorld(first.world),
    });
    const last = call(play(end.session, [["commit_step", { advance: 3 }]]), "end_round");
    expect(last.answer).toEqual({ ok: true, round: 2, steps: 1, rejected: 0, clock: 4, finished: true });
    expect(outcomeOf(last.session)).toEqual({ kind: "finished" });
    for (const tool of ["help", "get_context", "read_data", "construct", "commit_step", "end_round", "nonsense"]) {
      const turn = call(last.session, tool);
      expect([errorOf(turn.answer).code, turn.session]).toEqual(["case_finished", last.session]);
    }
  });

  it("RT31 goes on numbering steps through the rounds, and records the round of each", () => {
    const session = play(toySession("easy"), [
      ["commit_step", { advance: 1 }],
      ["end_round", {}],
      ["commit_step", { advance: 1 }],
    ]);
    expect([...itemsFrom(session.steps)].map(({ step, round }) => [step, round])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it("RT39 reads purely: digest, log and every later answer are as they were, but for calls used", () => {
    const before = play(toySession("easy"), [["commit_step", { triggers: [go("ana", "kitchen")] }]]);
    for (const [tool, input] of READS) {
      const turn = call(before, tool, input);
      expect(turn.answer.ok).toBe(true);
      expect(turn.record).toBeUndefined();
      expect(essenceOf(turn.session)).toBe(essenceOf(before));
    }
  });

  it("RT47 gives the same answers and digests for the same calls, and forks that do not see one another", () => {
    const start = toySession("hard");
    const calls: readonly (readonly [string, unknown])[] = [
      [
        "construct",
        {
          op: "create",
          capability: {
            id: "go",
            params: { who: { type: "person" }, to: { kind: "place" } },
            effects: [{ set: "who.at", expr: "to" }],
          },
        },
      ],
      ["commit_step", { triggers: [go("ana", "kitchen")] }],
      ["commit_step", { triggers: [go("ana", "nowhere")] }],
      ["read_data", { from: "log" }],
      ["end_round", {}],
    ];
    const run = (
      session: MaintenanceSession,
    ): { readonly answers: readonly string[]; readonly end: MaintenanceSession } => {
      let now = session;
      const answers = calls.map(([tool, input]) => {
        const turn = call(now, tool, input);
        now = turn.session;
        return canonicalJson([turn.answer, turn.record ?? null]);
      });
      return { answers, end: now };
    };
    const one = run(start);
    // the first play has appended to the log that both share; the second must not see it
    const other = run(start);
    expect(other.answers).toEqual(one.answers);
    expect(start.steps.length).toBe(0);
    expect([...itemsFrom(other.end.steps)]).toEqual([...itemsFrom(one.end.steps)]);
  });

  it("RT34 makes records from which the world can be rebuilt without deciding anything again", () => {
    let session = toySession("extreme");
    let rebuilt = session.world;
    const calls: readonly (readonly [string, unknown])[] = [
      ["construct", { op: "create", type: { id: "box", fields: { n: { kind: "int" } } } }],
      ["construct", { op: "create", entity: { id: "red", type: "box", at: "yard" } }],
      ["construct", { op: "update", type: { id: "box", fields: { open: { kind: "bool" } } } }],
      [
        "construct",
        {
          op: "create",
          capability: {
            id: "fill",
            params: { b: { type: "box" } },
            effects: [
              { add: "b.n", by: 2 },
              { set: "b.open", value: true },
            ],
          },
        },
      ],
      [
        "commit_step",
        {
          triggers: [
            { capability: "fill", args: { b: "red" } },
            { capability: "fill", args: { b: "red" } },
          ],
        },
      ],
      ["construct", { op: "update", entity: { id: "red", name: "the red box" } }],
      ["construct", { op: "create", entity: { id: "blue", type: "box" } }],
      ["construct", { op: "delete", level: "entity", id: "blue" }],
    ];
    for (const [tool, input] of calls) {
      const turn = call(session, tool, input);
      session = turn.session;
      const record = effectRecordSchema.parse(JSON.parse(canonicalJson(turn.record)));
      if (record.kind === "accepted") rebuilt = applyStepRecord(rebuilt, record);
      if (record.kind === "construction") rebuilt = applyConstruction(rebuilt, record);
      expect(digestOfWorld(rebuilt)).toBe(digestOfWorld(session.world));
    }
    expect(calls).toHaveLength(8);
  });

  it("refuses a scenario without one budget a round: that is a fault of ours", () => {
    const scenario = toyScenario("easy");
    expect(() => openSession({ ...scenario, narratives: ["one"] })).toThrow(
      "toy_001 needs one narrative and one budget a round",
    );
  });
});

describe("answers stay small", () => {
  /** A world of `count` boxes in one place, and a capability that changes all of them. */
  function crowded(count: number): MaintenanceSession {
    const parts = toyParts("easy");
    const boxes = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `box_${i}`,
        { id: `box_${i}`, type: "box", name: `box ${i}`, at: "yard", fields: {} },
      ]),
    );
    return toySession("easy", {
      parts: {
        types: { ...parts.types, box: { id: "box", says: "", fields: { label: { kind: "text", default: "" } } } },
        entities: { ...parts.entities, ...boxes },
        capabilities: {
          ...parts.capabilities,
          label: {
            id: "label",
            says: "",
            params: { what: { kind: "text" } },
            requires: [],
            effects: [{ set: "it.label", expr: "what", for: { each: "box" } }],
            duration: 1,
          },
        },
      },
    });
  }

  it("RT38 a step with thousands of changes says how many are left out and where they are", () => {
    const { answer, session } = call(crowded(3_000), "commit_step", {
      triggers: [{ capability: "label", args: { what: "fragile" } }],
    });
    expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    if (!answer.ok || !("changes" in answer)) throw new Error("no step");
    const left = 3_000 - answer.changes.length;
    expect(answer.changes.length).toBeGreaterThan(50);
    expect(answer.note).toBe(`${left} more changes not shown: read_data {"from": "log", "id": "1"}`);
    expect(call(session, "read_data", { from: "log", id: "1" }).answer.ok).toBe(true);
  });

  it("RT38 a step with long texts cuts them", () => {
    const { answer } = call(crowded(2), "commit_step", {
      triggers: [{ capability: "label", args: { what: "é".repeat(1_000) } }],
    });
    expect(answer).toMatchObject({
      changes: [
        { path: "box_0.label", before: "", after: `${"é".repeat(199)}…` },
        { path: "box_1.label", before: "", after: `${"é".repeat(199)}…` },
      ],
      note: 'values that end with … are cut: read_data {"from": "log", "id": "1"}',
    });
    const many = call(crowded(50), "commit_step", {
      triggers: [{ capability: "label", args: { what: "é".repeat(1_000) } }],
    });
    expect(bytesOf(many.answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
  });

  it("RT38 64 triggers with names as long as can be still fit", () => {
    const id = "a".repeat(64);
    const session = play(toySession("hard"), [
      ["construct", { op: "create", capability: { id, params: {}, effects: [] } }],
    ]);
    const { answer } = call(session, "commit_step", {
      triggers: Array.from({ length: 64 }, () => ({ capability: id })),
    });
    expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(answer).toMatchObject({ ok: true, note: expect.stringMatching(/^\d+ more triggers not shown: read_data/) });
  });

  it("RT38 a refusal of 64 triggers with arguments as long as can be still fits, and the log holds what was answered", () => {
    const who = "x".repeat(400);
    const { answer, record } = call(toySession("easy"), "commit_step", {
      triggers: Array.from({ length: 64 }, () => go(who, who)),
    });
    expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
    expect(errorOf(answer).failures).toHaveLength(LIMITS.failuresShown);
    expect(record).toMatchObject({ kind: "rejected", error: errorOf(answer) });
  });

  it("a long run appends to its log without copying it", () => {
    const budgets = budgetsFrom([{ steps: 10_000, calls: 10_000 }]);
    let session = toySession("easy", { narratives: ["Nothing happens, for long."], budgets });
    const { shared } = call(session, "commit_step", { advance: 1 }).session.steps;
    session = call(session, "commit_step", { advance: 1 }).session;
    const own = session.steps.shared;
    for (let i = 0; i < 5_000; i += 1) session = call(session, "commit_step", { advance: 1 }).session;
    expect([isOver(session), session.accepted, session.world.clock]).toEqual([false, 5_001, 5_001]);
    expect(session.steps.shared).toBe(own);
    expect(shared).toHaveLength(1);
  });
});
