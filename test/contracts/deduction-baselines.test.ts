import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BASELINE_NAMES,
  BASELINES,
  f1Of,
  matchChanges,
  NO_MEMORY,
  type BaselineName,
  type Knowledge,
} from "../../src/contracts/index.ts";
import { believe, rollBelief } from "../../src/contracts/deduction/baselines/belief.ts";
import { nextPlace, nextValue } from "../../src/contracts/deduction/baselines/next-value.ts";
import { baselinesAlong } from "../../src/contracts/deduction/along.ts";
import { questionsOf } from "../../src/contracts/deduction/question.ts";
import type { DeductionScenario } from "../../src/runtime/deduction/scenario.ts";
import {
  type ActionUse,
  changeEntities,
  type Field,
  type FieldValue,
  getEntity,
  observe,
  rollout,
  type SpanRecord,
  unsealed,
  valueAtPath,
  WAIT,
} from "../../src/runtime/index.ts";
import { small, type SmallParts } from "../runtime/dynamics/small.ts";
import { choosing, GARDEN, playBy, playSpans, scenarioOf, seenWhole } from "./deduction-toy.ts";

const MODES = ["M1", "M2"] as const;
const { everything, rules } = BASELINES;
const lastChange = BASELINES["last-change"];

const along = ({ mode, dynamics, world }: DeductionScenario, spans: readonly SpanRecord[]) =>
  baselinesAlong({ case: "garden", mode, dynamics, world, spans }).spans;

/** What a player who sees `parts` knows at the beginning. */
function knowing(parts: SmallParts, more: Partial<Knowledge> = {}): Knowledge {
  const { world, dynamics } = small(parts);
  return {
    mode: "M2",
    dynamics,
    types: world.types,
    round: 1,
    from: 0,
    to: 4,
    observed: observe(dynamics, world),
    history: [],
    asked: { interval: true },
    action: WAIT,
    ...more,
  };
}

describe("every baseline", () => {
  it.each(MODES.flatMap((mode) => BASELINE_NAMES.map((name) => [mode, name] as const)))(
    "DD16 in %s, %s answers all that is asked with what a session accepts, and along its own trajectory says the same",
    (mode, name) => {
      const scenario = scenarioOf(GARDEN, mode);
      const own = playBy(BASELINES[name], scenario);
      expect(own.length).toBe(8);
      expect(along(scenario, own)[name]).toEqual(own);
    },
  );

  it("DD17 along any trajectory says what it would say in the agent's place, whatever the agent says itself", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 8, maxLength: 8 }), (numbers) => {
        const scenario = scenarioOf(GARDEN, "M2");
        const act = choosing(numbers);
        const silent = playSpans(scenario, (state) => ({ action: act(state), predict: {} }));
        const said = along(scenario, silent);
        for (const name of BASELINE_NAMES) expect(said[name]).toEqual(playBy(BASELINES[name], scenario, act));
      }),
      { numRuns: 3 },
    );
  });

  it("DD17 what is remembered of one way never shows on another", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const play = (of: DeductionScenario, n: number) =>
      playSpans(of, (state) => ({ action: choosing(Array.from({ length: 8 }, (_, i) => n * i))(state), predict: {} }));
    const ways = [0, 1, 2, 3, 5, 0].map((n) => [n, along(scenario, play(scenario, n))] as const);
    for (const [n, said] of ways.slice(3)) {
      const fresh = scenarioOf(GARDEN, "M2");
      expect(said).toEqual(along(fresh, play(fresh, n)));
    }
    expect(ways[0]?.[1]).not.toEqual(ways[1]?.[1]);
  });

  it("DD17 changes no truth, no action and no span", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const spans = playSpans(scenario, () => null);
    for (const said of Object.values(along(scenario, spans)))
      expect(said.map(({ truth, action, from, to }) => ({ truth, action, from, to }))).toEqual(
        spans.map(({ truth, action, from, to }) => ({ truth, action, from, to })),
      );
  });

  it("DD25 spans of another world, and truths that the rules do not bear out, are refused", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const spans = playSpans(scenario, () => null);
    const other = spans.map((span) =>
      span.truth.action === undefined ? span : { ...span, truth: { ...span.truth, action: { "ana.energy": 19 } } },
    );
    expect(() => along(scenario, other)).toThrow("another truth of the counterfactual (action)");
    expect(() => along(scenario, spans.slice(1))).toThrow("a span begins at 4, where the clock is 0");
    const unasked = spans.map((span) => ({ ...span, truth: { ...span.truth, happening: undefined } }));
    expect(() => along(scenario, unasked)).toThrow("another truth of the counterfactual (happening)");
  });
});

describe("persist", () => {
  it("DD11 says of everything that nothing changes, and that nothing fires", () => {
    for (const mode of MODES) {
      for (const { submitted, fires } of playBy(BASELINES.persist, scenarioOf(GARDEN, mode))) {
        expect(new Set(Object.values(submitted).map((said) => JSON.stringify(said)))).toEqual(new Set(["{}"]));
        expect(fires.predicted).toEqual([]);
      }
    }
  });
});

describe("the next value", () => {
  const { world } = small({
    types: { person: {}, tool: {}, lone: {} },
    entities: { ana: { type: "person" }, ben: { type: "person" }, cyd: { type: "person" }, one: { type: "lone" } },
  });
  const int = (more = {}): Field => ({ kind: "int", ...more });
  const enums: Field = { kind: "enum", values: ["calm", "uneasy", "afraid"] };
  const refs: Field = { kind: "refs", of: "person", default: [] };
  const next = (field: Field, value: FieldValue, difference?: number, turns = true) =>
    nextValue(world, field, value, { difference, turns });

  it.each<[string, Field, FieldValue, number | undefined, FieldValue | undefined]>([
    ["true flips", { kind: "bool", default: false }, true, undefined, false],
    ["false flips", { kind: "bool", default: false }, false, undefined, true],
    ["an enum goes to the next word", enums, "calm", undefined, "uneasy"],
    ["an enum begins again", enums, "afraid", undefined, "calm"],
    ["an enum of one word stays", { kind: "enum", values: ["calm"] }, "calm", undefined, undefined],
    ["a number adds 1", int(), 4, undefined, 5],
    ["a number that stood still adds 1", int(), 4, 0, 5],
    ["a number repeats its difference", int(), 4, -3, 1],
    ["a number stops at its bound", int({ max: 6 }), 4, 3, 6],
    ["a number at its bound turns round", int({ max: 6 }), 6, 2, 4],
    ["a number at its lower bound turns round", int({ min: 0 }), 0, -2, 2],
    ["a number between equal bounds stays", int({ min: 2, max: 2 }), 2, undefined, undefined],
    ["decimals keep their digits", { kind: "number", digits: 1 }, 0.3, 0.3 - 0.1, 0.5],
    ["a text stays", { kind: "text", default: "" }, "a", undefined, undefined],
    ["a place goes to the next", { kind: "place", default: "hall" }, "hall", undefined, "yard"],
    ["a place begins again", { kind: "place", default: "hall" }, "yard", undefined, "hall"],
    ["no reference becomes the first", { kind: "ref", of: "person", default: null }, null, undefined, "ana"],
    ["a reference goes to the next", { kind: "ref", of: "person", default: null }, "ana", undefined, "ben"],
    ["a reference begins again", { kind: "ref", of: "person", default: null }, "cyd", undefined, "ana"],
    ["a reference to the only one becomes none", { kind: "ref", of: "lone", default: null }, "one", undefined, null],
    ["a reference to nobody stays", { kind: "ref", of: "tool", default: null }, null, undefined, undefined],
    ["a set takes in the next it lacks", refs, ["ana"], undefined, ["ana", "ben"]],
    ["a set of all is empty again", refs, ["ana", "ben", "cyd"], undefined, []],
    ["a set of nobody stays", { kind: "refs", of: "tool", default: [] }, [], undefined, undefined],
  ])("DD12 %s", (_, field, value, difference, expected) => {
    expect(next(field, value, difference)).toEqual(expected);
  });

  it("DD13 a repeated change does not turn round at a bound", () => {
    expect(next(int({ max: 6 }), 6, 2, false)).toBeUndefined();
    expect(next(int({ max: 6 }), 5, 2, false)).toBe(6);
  });

  it("DD12 who is in a place goes to the next place, who is held goes to the next holder but not into itself", () => {
    expect(nextPlace(world, "ana", "hall")).toBe("yard");
    expect(nextPlace(world, "ana", "yard")).toBe("hall");
    expect(nextPlace(world, "ana", "cyd")).toBe("ben");
    expect(nextPlace(world, "ben", "cyd")).toBe("ana");
    expect(nextPlace(world, "ana", "one")).toBeUndefined();
    expect(nextPlace(world, "ana", null)).toBeUndefined();
  });
});

describe("everything", () => {
  it("DD12 changes each field it knows of; sealed ones and texts stay out, unseen ones begin at their defaults", () => {
    const { predictions, fires } = everything(knowing(GARDEN), NO_MEMORY);
    const said = predictions.interval ?? {};
    const of = (id: string) => Object.fromEntries(Object.entries(said).filter(([path]) => path.split(".")[0] === id));
    expect(of("ana")).toEqual({
      "ana.at": "yard",
      "ana.awake": false,
      "ana.energy": 13,
      "ana.friend": "ana",
      "ana.home": "yard",
      "ana.mood": "uneasy",
      "ana.plan": 1,
    });
    // dot is elsewhere: where she is and how she is are not seen
    expect(of("dot")).toMatchObject({ "dot.at": "hall", "dot.awake": false, "dot.energy": 11, "dot.friend": "ana" });
    expect(of("spring")).toEqual({ "spring.heat": 23.5, "spring.pressure": 2 });
    expect(of("basket")).toEqual({ "basket.at": "yard", "basket.holds": ["letter_0"] });
    expect(fires).toContain("warming");
    expect(fires).not.toContain("tally");
  });

  it("DD12 numbers repeat their last difference where it was seen", () => {
    const [first, second] = playBy(everything, scenarioOf(GARDEN, "M2"));
    const heat = (second?.truth.interval ?? {})["spring.heat"];
    expect(heat).toBeDefined();
    const { world, dynamics } = small(GARDEN);
    const there = rollout(dynamics, world, { ticks: 4 });
    if (!there.ok) throw new Error(there.error.message);
    const [was, is] = [world, there.value.world].map((one) => valueAtPath(one, "spring.heat") as number) as [
      number,
      number,
    ];
    expect(first?.submitted.interval?.["spring.heat"]).toBe(was + 1);
    expect(second?.submitted.interval?.["spring.heat"]).toBeCloseTo(is + (is - was), 9);
  });

  it("DD12 in M1 what it said of a segment goes on in the next", () => {
    const said = playBy(everything, scenarioOf({ ...GARDEN, ticks: 44 }, "M1")).map(
      ({ submitted }) => submitted.segment,
    );
    expect(said.slice(0, 4).map((one) => [one?.["ana.energy"], one?.["ana.mood"], one?.["ana.awake"]])).toEqual([
      [13, "uneasy", false],
      [14, "afraid", true],
      [15, "calm", false],
      [16, "uneasy", true],
    ]);
    // at the bound of 20 it turns round
    expect(said.map((one) => one?.["ana.energy"]).slice(6, 11)).toEqual([19, 20, 19, 18, 17]);
  });
});

describe("last-change", () => {
  it("DD13 says nothing in the first round, and nothing in M1: there it is persist", () => {
    expect(lastChange(knowing(GARDEN), NO_MEMORY).predictions).toEqual({ interval: {} });
    const m1 = scenarioOf(GARDEN, "M1");
    expect(playBy(lastChange, m1)).toEqual(playBy(BASELINES.persist, m1));
  });

  it("DD13 what was seen to change changes again likewise, everywhere it is asked", () => {
    const { world, dynamics } = small(GARDEN);
    const set = (
      entities: typeof world.entities,
      id: string,
      at: string | null,
      fields: Record<string, FieldValue>,
    ) => {
      const own = getEntity(entities, id) as NonNullable<ReturnType<typeof getEntity>>;
      const entity = { ...own, ...(at !== null && { at }), fields: { ...own.fields, ...fields } };
      return changeEntities(entities, [{ kind: "put", entity }]);
    };
    const before = observe(dynamics, world);
    let entities = before.entities;
    entities = set(entities, "ana", "yard", { energy: 9, awake: false, mood: "uneasy" });
    entities = set(entities, "ben", null, { energy: 6 });
    entities = set(entities, "cyd", null, { energy: 4 }); // not seen before
    const after = { ...before, clock: 4, entities };
    const knowledge = knowing(GARDEN, {
      round: 2,
      from: 4,
      to: 8,
      observed: after,
      history: [{ from: 0, to: 4, action: WAIT, before, after }],
      asked: { interval: true, lookahead: true, action: WAIT },
    });
    const again = { "ana.at": "hall", "ana.awake": true, "ana.energy": 6, "ana.mood": "afraid" };
    expect(lastChange(knowledge, NO_MEMORY).predictions).toEqual({ interval: again, lookahead: again, action: again });
  });
});

describe("rules", () => {
  const meets = (spans: readonly SpanRecord[]) =>
    questionsOf(spans).map(({ submitted, truth }) => {
      expect(submitted).toEqual(truth);
      return f1Of(matchChanges(submitted ?? {}, truth));
    });

  it.each(MODES)("DD15 in %s, with everything seen, it is exact in every question and every firing", (mode) => {
    const spans = playBy(rules, scenarioOf(seenWhole(GARDEN), mode));
    const scores = meets(spans);
    expect(scores.length).toBeGreaterThanOrEqual(8);
    expect(scores.every((f1) => f1 === null || f1 === 1)).toBe(true);
    for (const { fires } of spans) expect(fires.predicted).toEqual(fires.truth);
  });

  it("DD15 it is so under any actions", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 8, maxLength: 8 }), (numbers) => {
        const spans = playBy(rules, scenarioOf(seenWhole(GARDEN), "M2"), choosing(numbers));
        meets(spans);
        for (const { fires } of spans) expect(fires.predicted).toEqual(fires.truth);
      }),
      { numRuns: 5 },
    );
  });

  it("DD15 in M1 all but what is sealed is given, so that it is exact there whatever may be seen", () => {
    const scores = meets(playBy(rules, scenarioOf(GARDEN, "M1")));
    expect(scores).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it("DD14 with less seen it errs only through what is not seen, and stays above those who know no rules", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    const spans = playSpans(scenario, () => null);
    const mean = (name: BaselineName) => {
      const f1s = questionsOf(along(scenario, spans)[name])
        .map(({ submitted, truth }) => f1Of(matchChanges(submitted ?? {}, truth)))
        .filter((f1) => f1 !== null);
      return f1s.reduce((sum, f1) => sum + f1, 0) / f1s.length;
    };
    expect(mean("rules")).toBeGreaterThan(Math.max(mean("persist"), mean("everything"), mean("last-change")));
    expect(mean("rules")).toBeLessThan(1);
  });

  it("DD14 depends on nothing that is not seen: worlds that look alike get one prediction", () => {
    const other: SmallParts = {
      ...GARDEN,
      entities: {
        ...GARDEN.entities,
        ben: { type: "person", at: "hall", energy: 6, plan: 9, home: "yard", friend: "ana", secret: 4 },
        cyd: { type: "person", at: "yard", energy: 1, awake: false, plan: 5, friend: "dot" },
      },
    };
    for (const name of BASELINE_NAMES) {
      const [one, two] = [GARDEN, other].map((parts) => BASELINES[name](knowing(parts), NO_MEMORY).predictions);
      expect(one).toEqual(two);
    }
  });

  it("DD14 holds on to what it saw, and lets it go on by the rules", () => {
    const scenario = scenarioOf(GARDEN, "M2");
    // ana sees ben in the hall, then goes to the yard: ben's energy is no longer seen, and tiring goes on
    const go = { action: "go", args: { to: "yard" } };
    const spans = playBy(rules, scenario, ({ round }) => (round === 1 ? go : WAIT));
    const said = spans[1]?.submitted.interval ?? {};
    expect(said["ben.energy"]).toBe(spans[1]?.truth.interval?.["ben.energy"]);
    expect(said["ben.energy"]).toBeDefined();
  });
});

describe("a belief", () => {
  const hide: SmallParts = {
    types: {
      person: { at: "hidden", mood: { kind: "int", default: 0, visibility: "local" } },
      chest: { at: "hidden", full: { kind: "bool", default: true, visibility: "hidden" } },
    },
    entities: {
      ana: { type: "person", at: "hall", mood: 3 },
      ben: { type: "person", at: "hall", mood: 5 },
      cyd: { type: "person", at: "yard", mood: 7 },
      chest: { type: "chest", at: "yard", full: false },
    },
    character: "ana",
  };

  it("DD26 is what is seen, then what was believed, then the defaults; who is seen without a place is here", () => {
    const seen = knowing({ ...hide, types: { ...hide.types, person: { ...hide.types["person"], at: "public" } } });
    const first = believe(seen, null);
    expect(
      ["ben.mood", "cyd.mood", "cyd.at", "chest.at", "chest.full"].map((path) => valueAtPath(first, path)),
    ).toEqual([5, 0, "yard", null, true]);
    const before = small({
      ...hide,
      entities: {
        ...hide.entities,
        cyd: { type: "person", at: "yard", mood: 9 },
        chest: { type: "chest", at: "hall" },
      },
    }).world;
    const second = believe(seen, before);
    expect(["ben.mood", "cyd.mood", "chest.at"].map((path) => valueAtPath(second, path))).toEqual([5, 9, "hall"]);
  });

  it("DD26 of whom more is seen than where they are, they are here", () => {
    const parts: SmallParts = {
      ...hide,
      types: {
        ...hide.types,
        person: { at: "public", mood: { kind: "int", default: 0, visibility: "local" } },
        cat: { at: "hidden", purrs: { kind: "bool", default: false, visibility: "local" } },
      },
      entities: { ...hide.entities, tom: { type: "cat", at: "hall", purrs: true }, kit: { type: "cat", at: "yard" } },
    };
    const belief = believe(knowing(parts), null);
    expect([valueAtPath(belief, "tom.at"), valueAtPath(belief, "kit.at")]).toEqual(["hall", null]);
  });

  it("DD26 a rule that cannot go on in it is left out, the others go on", () => {
    const parts: SmallParts = {
      types: { person: { boss: { kind: "ref", of: "person" }, mood: { kind: "int", default: 0 } } },
      entities: { ana: { type: "person" } },
      processes: {
        obey: { effects: [{ set: "ana.mood", expr: "ana.boss.mood" }] },
        first: { priority: 1, effects: [{ set: "ana.mood", value: 1 }] },
        second: { priority: 1, every: 3, effects: [{ set: "ana.mood", value: 2 }] },
        gladden: { priority: 2, effects: [{ add: "ana.mood", by: 5 }] },
      },
    };
    const { world, dynamics } = small(parts);
    expect(rollout(dynamics, world, { ticks: 4 }).ok).toBe(false);
    const future = rollBelief(dynamics, world, { ticks: 4 });
    expect([...future.fired]).toEqual(["gladden"]);
    expect([future.world.clock, valueAtPath(future.world, "ana.mood")]).toEqual([4, 20]);
  });

  it("DD26 an action that cannot be in it is left out", () => {
    const parts: SmallParts = {
      types: { person: { boss: { kind: "ref", of: "person" }, mood: { kind: "int", default: 0 } } },
      entities: { ana: { type: "person" } },
      processes: { gladden: { effects: [{ add: "ana.mood", by: 5 }] } },
      actions: { obey: { effects: [{ set: "ana.mood", expr: "ana.boss.mood" }] } },
    };
    const { world, dynamics } = small(parts);
    const obey: ActionUse = { action: "obey", args: {} };
    const future = rollBelief(dynamics, world, { ticks: 2, actions: new Map([[0, obey]]) });
    expect(valueAtPath(future.world, "ana.mood")).toBe(10);
  });

  it("DD16 what a session would refuse of it is not said", () => {
    const parts: SmallParts = {
      types: {
        person: { mood: { kind: "int", default: 0, visibility: "hidden" } },
        letter: { read: { kind: "bool" } },
      },
      entities: { ana: { type: "person" } },
      processes: {
        writing: { when: "ana.mood > 3", effects: [{ create: "letter", id: { expr: '"note_" + clock' } }] },
        gladden: { effects: [{ add: "ana.mood", by: 1 }] },
      },
      creates: [{ type: "letter", pattern: "letter_<n>", says: "a letter" }],
    };
    const { predictions } = rules(knowing(parts, { to: 8 }), NO_MEMORY);
    expect(predictions.interval).toEqual({ "ana.mood": 8 });
  });

  it("DD14 what is sealed is believed at its default and is nobody's business", () => {
    const { world, dynamics } = small(GARDEN);
    const belief = believe(knowing(GARDEN), null);
    expect(valueAtPath(belief, "ana.secret")).toBe(0);
    const future = rollBelief(dynamics, belief, { ticks: 12 });
    expect(future.fired.has("tally")).toBe(false);
    expect(valueAtPath(unsealed(dynamics, world), "ana.secret")).toBeUndefined();
  });
});
