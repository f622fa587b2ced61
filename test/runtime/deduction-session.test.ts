import { describe, expect, it } from "vitest";
import { applyAction } from "../../src/runtime/dynamics/action.ts";
import { changesBetween } from "../../src/runtime/dynamics/changes.ts";
import { WAIT } from "../../src/runtime/dynamics/dynamics.ts";
import { rollout } from "../../src/runtime/dynamics/rollout.ts";
import { effectRecordSchema } from "../../src/runtime/record.ts";
import type { SpanRecord } from "../../src/runtime/deduction/record.ts";
import { deductionBudgets, LOOKAHEAD_TICKS, plannedRounds } from "../../src/runtime/deduction/scenario.ts";
import { closeRest, type DeductionSession } from "../../src/runtime/deduction/session.ts";
import { LIMITS } from "../../src/runtime/limits.ts";
import { bytesOf } from "../../src/runtime/page.ts";
import { openSession, outcomeOf, type Turn } from "../../src/runtime/session.ts";
import type { TOOL_NAMES } from "../../src/runtime/tools.ts";
import { toolsOf } from "../../src/runtime/tools-of.ts";
import { digestOfWorld, type World } from "../../src/runtime/world.ts";
import { afterRounds, ask, emptyAnswer, passRound, pond, pondScenario } from "./toy-dynamics.ts";
import { errorOf } from "./toy-world.ts";

function spanOf({ record }: Turn<DeductionSession>): SpanRecord {
  if (record?.kind !== "span") throw new Error(`no span: ${JSON.stringify(record)}`);
  return record;
}

/** All rounds played with nothing predicted. */
function playOut(session: DeductionSession, input?: unknown): readonly Turn<DeductionSession>[] {
  const turns: Turn<DeductionSession>[] = [];
  for (let now = session; now.outcome.kind === "playing";) {
    const turn = passRound(now, input);
    turns.push(turn);
    now = turn.session;
  }
  return turns;
}

function rolled(session: DeductionSession, world: World, ticks: number): World {
  const run = rollout(session.scenario.dynamics, world, { ticks });
  if (!run.ok) throw new Error(run.error.message);
  return run.value.world;
}

describe("M1", () => {
  it("DD52 goes segment after segment, each asking for its own changes, until the case is finished", () => {
    const turns = playOut(pond({ mode: "M1" }));
    expect(turns.map(({ answer }) => answer)).toEqual([
      { ok: true, round: 1, clock: 8, finished: false, next: { round: 2, asked: { segment: { from: 8, to: 16 } } } },
      { ok: true, round: 2, clock: 16, finished: false, next: { round: 3, asked: { segment: { from: 16, to: 24 } } } },
      { ok: true, round: 3, clock: 24, finished: true },
    ]);
    expect(outcomeOf((turns[2] as Turn<DeductionSession>).session)).toEqual({ kind: "finished" });
  });

  it("DD52 keeps of each segment what was submitted beside the exact changes and the processes that fired", () => {
    const start = pond({ mode: "M1" });
    const turn = passRound(start, { predict: { segment: [{ path: "mara.energy", value: 2 }] }, fires: ["writing"] });
    const world = rolled(start, start.world, 8);
    expect(spanOf(turn)).toEqual({
      kind: "span",
      round: 1,
      mode: "M1",
      from: 0,
      to: 8,
      submitted: { segment: { "mara.energy": 2 } },
      truth: {
        segment: {
          "ada.energy": 6,
          "jon.energy": 1,
          "jon.mood": "cross",
          letter_6: "letter",
          "mara.energy": 2,
          "mara.mood": "cross",
          old_letter: "destroyed",
          "weir.level": 9.5,
          "weir.murk": 6,
        },
      },
      fires: {
        predicted: ["writing"],
        truth: ["crossing", "fading", "filling", "murking", "roaming", "tiring", "writing"],
      },
      legal: 1,
      digest: digestOfWorld(world),
    });
    expect(digestOfWorld(turn.session.world)).toBe(digestOfWorld(world));
  });

  it("DD52 makes the last segment end with the case where the ticks are no multiple of it", () => {
    const turns = playOut(pond({ mode: "M1", ticks: 20 }));
    expect(turns.map((turn) => [spanOf(turn).from, spanOf(turn).to])).toEqual([
      [0, 8],
      [8, 16],
      [16, 20],
    ]);
  });
});

describe("M2", () => {
  const go = { action: "go", args: { to: "pond" } };

  it("DD52 takes the action's effects before the next tick and counts them among the changes of the interval", () => {
    const start = pond();
    const turn = passRound(start, { ...emptyAnswer(start), action: go });
    const acted = applyAction(start.world, go);
    if (!acted.ok) throw new Error(acted.error.message);
    const world = rolled(start, acted.value, 4);
    const record = spanOf(turn);
    expect(record).toMatchObject({ mode: "M2", from: 0, to: 4, action: go, legal: 4, digest: digestOfWorld(world) });
    expect(record.truth.interval).toEqual(changesBetween(start.scenario.dynamics, start.world, world));
    expect(record.truth.interval).toMatchObject({ "mara.at": "pond" });
    expect(turn.answer).toMatchObject({ ok: true, round: 1, clock: 4, finished: false });
  });

  it("DD53 compares the lookahead with the state before the action, 48 ticks on, past the end of the case", () => {
    const turns = playOut(pond());
    for (const [i, turn] of turns.entries()) {
      const before = i === 0 ? pond().world : (turns[i - 1] as Turn<DeductionSession>).session.world;
      const { dynamics } = turn.session.scenario;
      const ahead = rolled(turn.session, before, LOOKAHEAD_TICKS);
      expect(spanOf(turn).truth.lookahead).toEqual(changesBetween(dynamics, before, ahead));
    }
    expect(LOOKAHEAD_TICKS).toBe(48);
    expect(spanOf(turns[5] as Turn<DeductionSession>)).toMatchObject({ from: 20, to: 24 });
  });

  it("DD53 rolls the chosen action, then waiting, in the lookahead of an action", () => {
    const start = pond();
    const acted = applyAction(start.world, go);
    if (!acted.ok) throw new Error(acted.error.message);
    const ahead = rolled(start, acted.value, LOOKAHEAD_TICKS);
    const record = spanOf(passRound(start, { ...emptyAnswer(start), action: go }));
    expect(record.truth.lookahead).toEqual(changesBetween(start.scenario.dynamics, start.world, ahead));
  });

  it("DD55 opens the next round at the first decision point after the action, and fewer rounds than planned then", () => {
    const start = pond();
    const rest = { ...emptyAnswer(start), action: { action: "rest" } };
    const sent = ask(start, "commit_step", rest);
    expect(sent.answer).toMatchObject({ ok: true, interval: { from: 0, to: 12 } });
    const turns = playOut(start, undefined);
    expect(turns).toHaveLength(6);
    const rested = passRound(start, rest);
    expect(spanOf(rested)).toMatchObject({ from: 0, to: 12, round: 1 });
    const later = passRound(rested.session, { ...emptyAnswer(rested.session), action: { action: "rest" } });
    expect(spanOf(later)).toMatchObject({ from: 12, to: 24, round: 2, goal: true });
    expect(later.answer).toEqual({
      ok: true,
      round: 2,
      clock: 24,
      finished: true,
      // What came of the last action is seen, too.
      changed: {
        count: 1,
        shown: [{ path: "mara.energy", before: 4, after: 0 }],
        came: ["letter_18", "letter_24"],
        went: ["letter_12"],
      },
    });
  });

  it("DD55 says whether the goal is reached on the last span alone", () => {
    const spans = playOut(pond()).map(spanOf);
    expect(spans.map(({ goal }) => goal)).toEqual([undefined, undefined, undefined, undefined, undefined, true]);
    expect(playOut(pond({ mode: "M1" })).map((turn) => spanOf(turn).goal)).toEqual([undefined, undefined, undefined]);
  });

  it("DD54 asks for counterfactuals from the second round on, whose truth is a fresh run with the other action", () => {
    const start = pond();
    expect(start.questions).toEqual({});
    const first = ask(start, "get_context").answer;
    expect(first).toMatchObject({ asked: { action: true, lookahead: { from: 0, to: 48 } } });
    expect("asked" in first && first.asked.counterfactuals).toBe(undefined);

    const second = passRound(start, { ...emptyAnswer(start), action: go });
    const { instead } = second.session.questions.action ?? { instead: WAIT };
    expect(instead).not.toEqual(go);
    const other = applyAction(start.world, instead);
    if (!other.ok) throw new Error(other.error.message);
    const truth = changesBetween(start.scenario.dynamics, second.session.world, rolled(start, other.value, 4));
    const record = spanOf(passRound(second.session));
    expect(record.truth.action).toEqual(truth);
    // The record says by itself what was asked: whoever counts again needs no engine.
    expect(record.counterfactuals).toEqual({
      action: instead,
      happening: second.session.questions.happening?.without,
    });
    expect(second.answer).toMatchObject({ next: { asked: { counterfactuals: { action: { instead } } } } });
    expect(Object.keys(record.submitted)).toEqual(["interval", "lookahead", "action", "happening"]);
  });

  it("DD54 takes as truth of what did not happen a fresh run without it, for every question", () => {
    const turns = playOut(pond());
    const asked = turns.slice(0, -1).map((turn, i) => {
      const { session } = turn;
      const before = i === 0 ? pond().world : (turns[i - 1] as Turn<DeductionSession>).session.world;
      const { dynamics } = session.scenario;
      const omit = session.questions.happening?.without;
      const other = rollout(dynamics, before, { ticks: session.world.clock - before.clock, omit });
      if (omit === undefined || !other.ok) throw new Error("no question");
      const truth = changesBetween(dynamics, session.world, other.value.world);
      expect(spanOf(turns[i + 1] as Turn<DeductionSession>).truth.happening).toEqual(truth);
      return Object.keys(truth).length;
    });
    expect(asked).toEqual([2, 1, 1, 1, 1]);
  });

  it("DD54 asks the same questions in both conditions", () => {
    const asked = (condition: "open" | "naming") =>
      playOut(pond({ condition })).map(({ answer }) =>
        "next" in answer && "asked" in (answer.next ?? {}) ? answer.next : null,
      );
    expect(asked("naming")).toEqual(asked("open"));
  });
});

describe("what is submitted", () => {
  it("DD51 changes nothing until end_round, and the last submission counts, whole", () => {
    const start = pond();
    const first = ask(start, "commit_step", {
      predict: { interval: [{ path: "mara.energy", value: 1 }], lookahead: [] },
      fires: ["tiring"],
      action: { action: "rest" },
    });
    expect(digestOfWorld(first.session.world)).toBe(digestOfWorld(start.world));
    expect(first.session.round).toBe(1);
    const second = ask(first.session, "commit_step", { predict: { interval: [], lookahead: [] } });
    expect(spanOf(ask(second.session, "end_round"))).toMatchObject({
      action: WAIT,
      submitted: { interval: {}, lookahead: {} },
      fires: { predicted: null },
    });
  });

  it("DD51 is left as it stood by a refused submission", () => {
    const sent = ask(pond(), "commit_step", {
      predict: { interval: [{ path: "mara.energy", value: 6 }], lookahead: [] },
    });
    const refused = ask(sent.session, "commit_step", { predict: { interval: [{ path: "mara.enrgy", value: 6 }] } });
    expect(errorOf(refused.answer).code).toBe("unknown_path");
    expect(spanOf(ask(refused.session, "end_round")).submitted).toEqual({
      interval: { "mara.energy": 6 },
      lookahead: {},
    });
  });

  it("DD50 is refused once a round where something asked is missing, then taken and left unanswered", () => {
    const start = afterRounds(pond(), 1);
    const partial = { predict: { interval: [] } };
    const first = ask(start, "commit_step", partial);
    expect(errorOf(first.answer)).toEqual({
      code: "missing_key",
      message:
        "not answered: lookahead, counterfactuals.action, counterfactuals.happening. This is refused once a round; after that what is missing stays unanswered and counts as wrong",
      path: "predict.lookahead",
      hint: 'commit_step with all that is asked; an empty list says that nothing changes: {"predict": {"lookahead":[]}}',
    });
    expect(first.session.submission).toBe(null);
    const second = ask(first.session, "commit_step", partial);
    expect(second.answer).toMatchObject({
      ok: true,
      predicted: { interval: 0 },
      missing: ["lookahead", "counterfactuals.action", "counterfactuals.happening"],
    });
    expect(spanOf(ask(second.session, "end_round")).submitted).toEqual({
      interval: {},
      lookahead: null,
      action: null,
      happening: null,
    });
  });

  it("DD50 is asked for by end_round where nothing was submitted, once, and again in the next round", () => {
    for (const mode of ["M1", "M2"] as const) {
      const first = ask(pond({ mode }), "end_round");
      expect(errorOf(first.answer).code).toBe("missing_key");
      expect(first.session.world.clock).toBe(0);
      const second = ask(first.session, "end_round");
      expect(Object.values(spanOf(second).submitted)).toEqual(mode === "M1" ? [null] : [null, null]);
      expect(errorOf(ask(second.session, "end_round").answer).code).toBe("missing_key");
    }
  });

  it("DD45 is kept sorted, at the field's digits, the last of a path given twice", () => {
    const { record } = ask(pond({ mode: "M1" }), "commit_step", {
      predict: {
        segment: [
          { path: "weir.level", value: 9.449 },
          { path: "mara.mail", value: ["old_letter", "letter_6", "old_letter"] },
          { path: "mara.energy", value: 3 },
          { path: "ada.energy", value: 1 },
          { path: "mara.energy", value: 2.0 },
        ],
      },
      fires: ["writing", "crossing", "writing"],
    });
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        kind: "submission",
        round: 1,
        predict: {
          segment: { "ada.energy": 1, "mara.energy": 2, "mara.mail": ["letter_6", "old_letter"], "weir.level": 9.4 },
        },
        fires: ["crossing", "writing"],
      }),
    );
  });

  it("DD45 is answered with counts, the interval of the chosen action, and what stands is told by get_context", () => {
    const { answer, session } = ask(afterRounds(pond(), 1), "commit_step", {
      action: { action: "go", args: { to: "pond" } },
      predict: {
        interval: [{ path: "mara.at", value: "pond" }],
        lookahead: [],
        counterfactuals: { action: [{ path: "letter_9", value: "letter" }], happening: [] },
      },
    });
    const counts = {
      action: { action: "go", args: { to: "pond" } },
      predicted: { interval: 1, lookahead: 0, counterfactuals: { action: 1, happening: 0 } },
      fires: null,
      missing: [],
    };
    expect(answer).toEqual({
      ok: true,
      round: 2,
      ...counts,
      interval: { from: 4, to: 8 },
      note: "it stands until another commit_step replaces it, whole; end_round closes the round with it",
    });
    expect(ask(session, "get_context").answer).toMatchObject({ submitted: counts });
    expect(ask(passRound(session).session, "get_context").answer).toMatchObject({ submitted: null });
  });
});

describe("budgets of deduction", () => {
  it("DD56 allow 12 submissions and 60 calls a round, 160 in the first, and the run their sum", () => {
    expect(deductionBudgets(3)).toEqual({
      rounds: [
        { steps: 12, calls: 160 },
        { steps: 12, calls: 60 },
        { steps: 12, calls: 60 },
      ],
      runCalls: 280,
    });
    const { dynamics } = pondScenario();
    expect([plannedRounds(dynamics, "M1"), plannedRounds(dynamics, "M2")]).toEqual([3, 6]);
    expect(() => openSession({ ...pondScenario(), budgets: deductionBudgets(2) })).toThrow(
      "openSession: pond_base plans 6 rounds and needs a budget for each",
    );
  });

  it("DD56 let only help, get_context and end_round answer once a round's are spent", () => {
    let session = pond({ mode: "M1" });
    for (let i = 0; i < 12; i += 1) session = ask(session, "commit_step", { predict: { segment: [] } }).session;
    for (const tool of ["read_data", "commit_step", "construct"])
      expect(errorOf(ask(session, tool, tool === "read_data" ? { from: "map" } : {}).answer).code).toBe(
        "round_budget_spent",
      );
    for (const tool of ["help", "get_context", "end_round"]) expect(ask(session, tool).answer.ok).toBe(true);
    expect(ask(ask(session, "end_round").session, "commit_step", { predict: { segment: [] } }).answer.ok).toBe(true);
  });

  it("DD56 count refused submissions, and of what is no submission the call alone", () => {
    const { session } = ask(pond(), "commit_step", { predict: { interval: [{ path: "x", value: 1 }] } });
    expect(session.used).toEqual({ steps: 1, calls: 1, runCalls: 1 });
    expect(ask(session, "commit_step", { predict: 3 }).session.used).toEqual({ steps: 1, calls: 2, runCalls: 2 });
  });

  it("DD56 end the run where its calls are spent", () => {
    const budgets = { ...deductionBudgets(6), runCalls: 3 };
    const { session } = ask(ask(ask(pond({ budgets }), "help").session, "help").session, "help");
    expect(outcomeOf(session)).toEqual({ kind: "limit", limit: { which: "run_calls", setting: 3, measured: 3 } });
    expect(errorOf(ask(session, "end_round").answer).code).toBe("run_budget_spent");
  });
});

describe("a case at fault", () => {
  const more = [
    { id: "clash_a", every: 6, effects: [{ set: "weir.murk", value: 1 }], priority: 50 },
    { id: "clash_b", every: 6, effects: [{ set: "weir.murk", value: 2 }], priority: 50 },
  ];

  it("DD57 ends the run as a fault, with a message that lays it on the case", () => {
    for (const mode of ["M1", "M2"] as const) {
      const start = pond({ mode, more });
      const sent = ask(start, "commit_step", emptyAnswer(start));
      const turn = ask(sent.session, "end_round");
      const error = errorOf(turn.answer);
      expect(error.code).toBe("engine_fault");
      expect(error.message).toMatch(
        /^the case is at fault, not you, and the run is over: at tick 6, clash_a and clash_b: .*weir\.murk/,
      );
      expect(turn.record).toBe(undefined);
      expect(outcomeOf(turn.session)).toMatchObject({ kind: "fault", message: expect.stringContaining("at tick 6") });
      expect(ask(turn.session, "get_context").answer).toEqual(turn.answer);
      expect(closeRest(start)).toMatchObject({ ok: false, error: { kind: "conflict", tick: 6 } });
    }
  });
});

describe("a run that stops early", () => {
  it("DD58 has its other rounds closed with waiting, all unanswered, a submission that stands left out", () => {
    for (const mode of ["M1", "M2"] as const) {
      const played = playOut(pond({ mode })).map(spanOf);
      const stopped = afterRounds(pond({ mode }), 1);
      const standing = ask(stopped, "commit_step", emptyAnswer(stopped)).session;
      const rest = closeRest(standing);
      if (!rest.ok) throw new Error(rest.error.message);
      expect(rest.value.map(({ round }) => round)).toEqual(played.slice(1).map(({ round }) => round));
      for (const [i, span] of rest.value.entries()) {
        const { submitted, fires, ...same } = span;
        const { submitted: answered, fires: fired, ...other } = played[i + 1] as SpanRecord;
        expect(same).toEqual(other);
        expect(Object.keys(submitted)).toEqual(Object.keys(answered));
        expect(new Set(Object.values(submitted))).toEqual(new Set([null]));
        expect(fires).toEqual({ ...fired, predicted: null });
      }
      expect(closeRest(standing)).toEqual(rest);
    }
  });

  it("DD58 has all rounds closed where none was, and none where the case is finished", () => {
    const rest = closeRest(pond());
    expect(rest.ok && rest.value.map(({ from, to }) => [from, to])).toEqual(
      [0, 4, 8, 12, 16, 20].map((from) => [from, from + 4]),
    );
    const last = playOut(pond()).at(-1);
    expect(last && closeRest(last.session)).toEqual({ ok: true, value: [] });
  });
});

describe("the record of deduction", () => {
  it("DD52 parses as the log keeps it, and every answer as its tool says, under 8 KB", () => {
    for (const mode of ["M1", "M2"] as const) {
      for (let session = pond({ mode }); session.outcome.kind === "playing";) {
        const calls: readonly (readonly [(typeof TOOL_NAMES)[number], unknown])[] = [
          ["help", {}],
          ["get_context", {}],
          ["read_data", { from: "log" }],
          ["commit_step", emptyAnswer(session)],
          ["get_context", {}],
          ["end_round", {}],
        ];
        for (const [tool, input] of calls) {
          const { answer, record, session: next } = ask(session, tool, input);
          expect(toolsOf("deduction")[tool].answer.safeParse(answer).error).toBe(undefined);
          expect(bytesOf(answer)).toBeLessThanOrEqual(LIMITS.answerBytes);
          expect(record && effectRecordSchema.parse(record)).toEqual(record);
          session = next;
        }
      }
    }
  });

  it("DD52 refuses what no session writes", () => {
    const span = spanOf(passRound(pond()));
    for (const wrong of [
      { ...span, legal: 0 },
      { ...span, more: 1 },
      { ...span, truth: { ...span.truth, other: {} } },
      { ...span, fires: { truth: [] } },
      { ...span, action: { action: "wait" } },
    ])
      expect(effectRecordSchema.safeParse(wrong).success).toBe(false);
  });

  it("DD61 is the same for the same calls, as is every answer", () => {
    const calls: readonly (readonly [string, unknown])[] = [
      ["get_context", {}],
      ["commit_step", { predict: { interval: [{ path: "ada.energy", value: 8 }], lookahead: [] }, fires: ["tiring"] }],
      ["end_round", {}],
      ["commit_step", { predict: {} }],
      ["end_round", {}],
      ["read_data", { from: "log" }],
      ["end_round", {}],
      ["end_round", {}],
    ];
    const play = () => {
      let session = pond();
      return calls.map(([tool, input]) => {
        const turn = ask(session, tool, input);
        session = turn.session;
        return JSON.stringify([turn.answer, turn.record, digestOfWorld(session.world)]);
      });
    };
    expect(play()).toEqual(play());
  });

  it("DD63 knows no construction", () => {
    for (const input of [{}, { op: "delete", level: "type", id: "weir" }, { nonsense: true }]) {
      expect(errorOf(ask(pond(), "construct", input).answer)).toEqual({
        code: "not_permitted",
        message: "nothing is constructed here: the world is complete",
        hint: "commit_step submits what you predict",
      });
    }
  });
});
