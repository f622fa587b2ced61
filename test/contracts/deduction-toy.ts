/** A garden with a hot spring that goes on by itself, and hands to play it without the tools. */
import { expect } from "vitest";
import { NO_MEMORY, type Past, type Predictor } from "../../src/contracts/index.ts";
import { checkPrediction, checkProcess } from "../../src/runtime/deduction/paths.ts";
import type { SpanRecord, Submission } from "../../src/runtime/deduction/record.ts";
import { deductionBudgets, plannedRounds, type DeductionScenario } from "../../src/runtime/deduction/scenario.ts";
import { closeSpan, endOf, type RoundState } from "../../src/runtime/deduction/span.ts";
import { deductionView } from "../../src/runtime/deduction/view.ts";
import { compileCondition, legalActions, observe, unsealed, WAIT, type ActionUse } from "../../src/runtime/index.ts";
import { small, type SmallParts } from "../runtime/dynamics/small.ts";

const bool = (visibility = "public", start = false) => ({ kind: "bool", default: start, visibility });
const int = (visibility: string, more = {}) => ({ kind: "int", default: 0, visibility, ...more });

/** Every kind of field, every visibility, things that come and go. */
export const GARDEN: SmallParts = {
  types: {
    person: {
      at: "local",
      energy: int("local", { min: 0, max: 20, default: 10 }),
      awake: bool("local", true),
      mood: { kind: "enum", values: ["calm", "uneasy", "afraid"], visibility: "public" },
      home: { kind: "place", default: "hall", visibility: "hidden" },
      friend: { kind: "ref", of: "person", visibility: "local" },
      plan: int("hidden"),
      secret: int("sealed"),
    },
    spring: {
      heat: { kind: "number", digits: 1, min: 0, max: 100, default: 20, visibility: "public" },
      pressure: { kind: "number", digits: 2, min: 0, max: 10, default: 1, visibility: "hidden" },
      sign: { kind: "text", default: "quiet", visibility: "public" },
    },
    letter: { read: bool() },
    basket: { holds: { kind: "refs", of: "letter", visibility: "public" } },
  },
  entities: {
    ana: { type: "person", at: "hall", energy: 12 },
    ben: { type: "person", at: "hall", energy: 6, plan: 2, friend: "ana" },
    cyd: { type: "person", at: "yard", energy: 9, plan: 5, home: "yard" },
    dot: { type: "person", at: "yard", energy: 3, awake: false, friend: "cyd" },
    spring: { type: "spring", heat: 22.5, pressure: 2.25 },
    basket: { type: "basket", at: "hall" },
    letter_0: { type: "letter", at: "basket" },
  },
  character: "ana",
  processes: {
    warming: { effects: [{ add: "spring.heat", by: "spring.pressure * 1.5" }] },
    building: { every: 2, when: "spring.pressure < 8", effects: [{ add: "spring.pressure", by: 0.75 }] },
    release: {
      priority: 5,
      when: "spring.heat > 60",
      effects: [
        { set: "spring.heat", value: 20 },
        { set: "spring.pressure", value: 1 },
        { set: "spring.sign", value: "loud" },
      ],
    },
    tiring: {
      every: 2,
      for: { p: "person" },
      where: "p.at == hall",
      effects: [{ add: "p.energy", by: "spring.heat > 40 ? -2 : -1" }],
    },
    resting: { every: 3, for: { p: "person" }, where: "p.at == yard", effects: [{ add: "p.energy", by: 1 }] },
    fear: {
      priority: 10,
      for: { p: "person" },
      when: "p.energy < 5 && p.mood != 'afraid'",
      effects: [{ set: "p.mood", value: "afraid" }],
    },
    calming: { priority: 11, for: { p: "person" }, when: "p.energy > 7", effects: [{ set: "p.mood", value: "calm" }] },
    sleep: { every: 8, phase: 3, for: { p: "person" }, effects: [{ set: "p.awake", expr: "!p.awake" }] },
    wander: {
      every: 6,
      for: { p: "person" },
      where: "p != ana",
      when: "p.plan > 3",
      effects: [
        { set: "p.at", expr: "p.at == hall ? yard : hall" },
        { set: "p.home", expr: "p.at" },
      ],
    },
    brooding: { every: 4, for: { p: "person" }, effects: [{ add: "p.plan", by: 1 }] },
    befriending: {
      every: 12,
      phase: 5,
      for: { p: "person" },
      where: "p != ana",
      effects: [{ set: "p.friend", value: "ana" }],
    },
    writing: {
      every: 10,
      effects: [{ create: "letter", id: { expr: "'letter_' + clock" }, at: "hall" }],
    },
    reading: { every: 7, for: { l: "letter" }, effects: [{ set: "l.read", value: true }] },
    keeping: {
      every: 7,
      priority: 3,
      for: { l: "letter" },
      when: "l.read",
      effects: [{ insert: "basket.holds", expr: "l" }],
    },
    burning: {
      every: 29,
      when: "clock < 30",
      effects: [{ remove: "basket.holds", value: "letter_0" }, { destroy: "letter_0" }],
    },
    tally: { for: { p: "person" }, effects: [{ add: "p.secret", by: "p.energy" }] },
  },
  schedule: {
    storm: { at: [9, 10], effects: [{ add: "spring.heat", by: 10 }] },
    whisper: { at: [5], effects: [{ set: "dot.secret", value: 3 }] },
  },
  actions: {
    go: {
      params: { to: { kind: "place" } },
      requires: [{ expr: "ana.at != to" }],
      effects: [{ set: "ana.at", expr: "to" }],
      duration: 2,
    },
    vent: { requires: [{ expr: "ana.at == yard" }], effects: [{ set: "spring.pressure", value: 0 }] },
    feed: {
      params: { who: { type: "person" } },
      requires: [{ expr: "who.energy < 12" }],
      effects: [
        { add: "who.energy", by: 4 },
        { add: "who.secret", by: 1 },
      ],
      duration: 5,
    },
  },
  creates: [{ type: "letter", pattern: "letter_<n>", says: "letter_ and the hour it was written" }],
  ticks: 32,
};

/** The same parts with everything public but what is sealed. */
export function seenWhole(parts: SmallParts): SmallParts {
  const types = Object.fromEntries(
    Object.entries(parts.types).map(([id, fields]) => [
      id,
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => {
          if (typeof field === "string") return [name, "public" as const];
          return [name, field["visibility"] === "sealed" ? field : { ...field, visibility: "public" }];
        }),
      ),
    ]),
  );
  return { ...parts, types };
}

export function scenarioOf(parts: SmallParts, mode: "M1" | "M2", goal = "ana.energy > 0"): DeductionScenario {
  const { world, dynamics } = small(parts);
  const holds = compileCondition(world, goal);
  if (!holds.ok) throw new Error(holds.error.message);
  return {
    track: "deduction",
    caseId: "garden",
    condition: "open",
    mode,
    unit: "hour",
    intro: "A garden.",
    goal: { says: "Ana is awake.", holds: holds.value },
    world,
    dynamics,
    budgets: deductionBudgets(plannedRounds(dynamics, mode)),
  };
}

/** What is submitted in a round; null: nothing is. */
export type Answering = (state: RoundState) => Omit<Submission, "kind" | "round"> | null;

/** Plays a scenario to its end: closes each round with what `answer` submits. */
export function playSpans(scenario: DeductionScenario, answer: Answering): readonly SpanRecord[] {
  const spans: SpanRecord[] = [];
  let state: RoundState = { scenario, round: 1, world: scenario.world, questions: {} };
  for (;;) {
    const given = answer(state);
    const closed = closeSpan(state, given && { kind: "submission", round: state.round, ...given });
    if (!closed.ok) throw new Error(closed.error.message);
    spans.push(closed.value.record);
    if (closed.value.finished) return spans;
    state = { scenario, round: state.round + 1, world: closed.value.world, questions: closed.value.questions };
  }
}

/** Legal actions one after the other, by a number for each round. */
export function choosing(numbers: readonly number[]): (state: RoundState) => ActionUse {
  return ({ scenario, world, round }) => {
    const legal = legalActions(scenario.dynamics, world);
    return legal[(numbers[round - 1] ?? 0) % legal.length]?.use ?? WAIT;
  };
}

/** A predictor as a player: it knows what it sees round by round, and all it says must be what a session accepts. */
export function playBy(
  predict: Predictor,
  scenario: DeductionScenario,
  act: (state: RoundState) => ActionUse = () => WAIT,
): readonly SpanRecord[] {
  const { mode, dynamics } = scenario;
  let memory = NO_MEMORY;
  let last: Omit<Past, "after"> | undefined;
  const history: Past[] = [];
  return playSpans(scenario, (state) => {
    const { round, world, questions } = state;
    const observed = mode === "M1" ? unsealed(dynamics, scenario.world) : observe(dynamics, world);
    if (last !== undefined && mode === "M2") history.push({ ...last, after: observed });
    const action = mode === "M1" ? WAIT : act(state);
    const [from, to] = [world.clock, endOf(state, action)];
    last = { from, to, action, before: observed };
    const asked =
      mode === "M1"
        ? { segment: true as const }
        : {
            interval: true as const,
            lookahead: true as const,
            ...(questions.action && { action: questions.action.instead }),
            ...(questions.happening && { happening: questions.happening.without }),
          };
    const knowledge = {
      mode,
      dynamics,
      types: scenario.world.types,
      round,
      from,
      to,
      observed,
      history,
      asked,
      action,
    };
    const { predictions, fires, memory: next } = predict(knowledge, memory);
    memory = next;
    expect(Object.keys(predictions).sort()).toEqual(Object.keys(asked).sort());
    const view = deductionView(state);
    const said = Object.values(predictions).flatMap((changes) => Object.entries(changes));
    const kept = said.map(([path, value]) => [path, checkPrediction(view, path, value)]);
    expect(kept).toEqual(said.map(([path, value]) => [path, { ok: true, value }]));
    expect(fires.filter((id) => !checkProcess(view, id).ok)).toEqual([]);
    return {
      ...(mode === "M2" && { action: { ...action, args: { ...action.args } } }),
      predict: predictions,
      fires: [...fires],
    };
  });
}
