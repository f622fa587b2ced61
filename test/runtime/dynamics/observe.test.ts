import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suspectsOf } from "../../../src/runtime/dynamics/suspects.ts";
import {
  applyAction,
  askCounterfactuals,
  changesBetween,
  checkAction,
  fitsAnyCreated,
  fitsCreated,
  getEntity,
  legalActions,
  nextDecision,
  observe,
  rollout,
  truthOfAction,
  truthOfHappening,
  unsealed,
  valueAtPath,
  WAIT,
  type Changes,
  type Happening,
} from "../../../src/runtime/index.ts";
import { small, type SmallParts } from "./small.ts";

const INT = { kind: "int", default: 0 };

const house: SmallParts = {
  types: {
    person: {
      at: "local",
      mood: { ...INT, visibility: "local" },
      rank: { ...INT, visibility: "public" },
      plan: { ...INT, visibility: "hidden" },
      note: { ...INT, visibility: "sealed" },
    },
    box: { open: { kind: "bool", default: false, visibility: "local" } },
  },
  entities: {
    ana: { type: "person", at: "hall", mood: 1, rank: 2, plan: 3, note: 4 },
    ben: { type: "person", at: "hall", mood: 5, plan: 6 },
    cyd: { type: "person", at: "yard", mood: 7, rank: 8 },
    chest: { type: "box", at: "ben" },
    crate: { type: "box", at: "yard" },
    ghost: { type: "person", mood: 9 },
  },
  character: "ana",
  processes: {
    sulk: { every: 2, for: { p: "person" }, when: "p.plan > 4", effects: [{ add: "p.mood", by: -1 }] },
    brood: { every: 3, for: { p: "person" }, effects: [{ add: "p.plan", by: "p.mood > 3 ? 2 : 1" }], priority: 2 },
    tally: { for: { p: "person" }, effects: [{ add: "p.note", by: 1 }], priority: 3 },
  },
  schedule: { bell: { at: [2], effects: [{ add: "cyd.rank", by: 1 }] } },
  actions: {
    go: {
      params: { to: { kind: "place" } },
      requires: [{ expr: "linked(ana.at, to)", says: "there must be a way" }],
      effects: [{ set: "ana.at", expr: "to" }],
      duration: 3,
    },
    cheer: {
      params: { who: { type: "person" } },
      requires: [{ expr: "who.mood < 7" }],
      effects: [{ add: "who.mood", by: "who.plan" }],
    },
    guess: { requires: [{ expr: "ben.plan > 0" }], effects: [{ add: "ben.rank", by: 1 }] },
  },
};

describe("what the character sees", () => {
  const { world, dynamics } = small(house);
  const seen = observe(dynamics, world);
  const shown = (id: string) => ({ at: getEntity(seen.entities, id)?.at, ...getEntity(seen.entities, id)?.fields });

  it("DD38 public always, local of the same place and of oneself, hidden and sealed never", () => {
    expect(shown("ana")).toEqual({ at: "hall", mood: 1, rank: 2 });
    expect(shown("ben")).toEqual({ at: "hall", mood: 5, rank: 0 });
    expect(shown("cyd")).toEqual({ rank: 8 });
    expect(shown("ghost")).toEqual({ rank: 0 });
  });

  it("DD38 the same place is reached through holders", () => {
    expect(shown("chest")).toEqual({ at: "ben", open: false });
    expect(shown("crate")).toEqual({ at: "yard" });
  });

  it("DD38 where nobody acts, all but what is sealed is given", () => {
    const given = unsealed(dynamics, world);
    expect(getEntity(given.entities, "cyd")?.fields).toEqual({ mood: 7, rank: 8, plan: 0 });
    expect(getEntity(given.entities, "cyd")?.at).toBe("yard");
    expect(Object.keys(given.types["person"]?.fields ?? {})).toEqual(["mood", "rank", "plan"]);
  });

  it("DD38 the true world is as it was", () => {
    expect(valueAtPath(world, "cyd.mood")).toBe(7);
    expect(observe(dynamics, world)).toBe(seen);
  });
});

describe("what the character can do", () => {
  const { world, dynamics } = small(house);

  it("DD39 is judged by what is seen, and lists wait first", () => {
    expect(legalActions(dynamics, world)).toEqual([
      { use: WAIT, duration: 1 },
      { use: { action: "cheer", args: { who: "ana" } }, duration: 1 },
      { use: { action: "cheer", args: { who: "ben" } }, duration: 1 },
      { use: { action: "go", args: { to: "yard" } }, duration: 3 },
    ]);
  });

  it.each([
    [
      { action: "go", args: { to: "hall" } },
      "requirement_not_met",
      /go is not possible here: linked\(ana\.at, to\) is false \(there must be a way\)/,
    ],
    [{ action: "cheer", args: { who: "cyd" } }, "requirement_not_met", /cannot be told from what is seen/],
    [{ action: "guess", args: {} }, "requirement_not_met", /cannot be told from what is seen/],
    [{ action: "goo", args: { to: "yard" } }, "unknown_capability", /"goo"/],
    [{ action: "go", args: {} }, "missing_key", /needs the argument "to"/],
    [{ action: "go", args: { to: "moon" } }, "unknown_place", /"moon"/],
    [{ action: "wait", args: { to: "yard" } }, "unknown_parameter", /wait takes no arguments/],
  ])("DD39 %j is refused: %s", (use, code, message) => {
    const checked = checkAction(dynamics, world, use);
    expect(checked.ok).toBe(false);
    if (checked.ok) return;
    expect(checked.error.code).toBe(code);
    expect(checked.error.message).toMatch(message);
  });

  it("DD39 no refusal turns on what is not seen", () => {
    const other = small({
      ...house,
      entities: { ...house.entities, cyd: { type: "person", at: "yard", mood: 1, rank: 8, plan: 99 } },
    });
    const answers = [small(house), other].map((one) =>
      JSON.stringify([
        legalActions(one.dynamics, one.world),
        checkAction(one.dynamics, one.world, { action: "cheer", args: { who: "cyd" } }),
      ]),
    );
    expect(answers[0]).toBe(answers[1]);
  });

  it("DD39 takes effect at once in the true world, and the next decision comes when it is over", () => {
    const cheered = applyAction(world, { action: "cheer", args: { who: "ben" } });
    expect(cheered.ok && valueAtPath(cheered.value, "ben.mood")).toBe(11);
    expect([1, 3, 4, 5, 8].map((duration) => nextDecision(dynamics, 4, duration))).toEqual([8, 8, 8, 12, 12]);
  });
});

describe("counterfactual questions", () => {
  const { world, dynamics } = small(house);
  const action = { action: "go", args: { to: "yard" } };
  const actions = new Map([[0, action]]);
  const went = rollout(dynamics, world, { ticks: 4, actions });
  if (!went.ok) throw new Error(went.error.message);
  const last = { before: world, action, after: went.value.world };

  const fresh = (use: typeof action | typeof WAIT, omit?: Happening): Changes => {
    const other = rollout(dynamics, small(house).world, { ticks: 4, actions: new Map([[0, use]]), omit });
    if (!other.ok) throw new Error(other.error.message);
    return changesBetween(dynamics, last.after, other.value.world);
  };

  it("DD38 their truth is that of a fresh run, with the other action or without what happened", () => {
    for (const { use } of legalActions(dynamics, world)) {
      const truth = truthOfAction(dynamics, last, use);
      expect(truth.ok && truth.value).toEqual(fresh(use as typeof action));
    }
    const any: readonly Happening[] = [
      { kind: "entry", id: "bell" },
      { kind: "process", id: "sulk", entity: "ben" },
      { kind: "process", id: "brood", entity: "cyd" },
      { kind: "process", id: "brood", entity: null },
      { kind: "process", id: "tally", entity: "ana" },
    ];
    expect(any.map((without) => Object.keys(fresh(action, without)).length)).toEqual([1, 1, 1, 4, 0]);
    for (const without of any) {
      const truth = truthOfHappening(dynamics, last, without);
      expect(truth.ok && truth.value).toEqual(fresh(action, without));
    }
  });

  it("DD54 ask of an action that was possible and not taken, and of something told that may be behind what was seen", () => {
    const keys = Array.from({ length: 30 }, (_, i) => `key ${i}`);
    const asked = keys.map((key) => {
      const questions = askCounterfactuals(dynamics, last, key);
      if (!questions.ok) throw new Error(questions.error.message);
      return questions.value;
    });
    for (const { action: other, happening } of asked) {
      expect(other?.instead).not.toEqual(action);
      expect(legalActions(dynamics, world).map(({ use }) => use)).toContainEqual(other?.instead);
      // She left the hall, and from the yard she sees of the others' changes Cyd's rank alone.
      expect(happening?.without).toEqual({ kind: "entry", id: "bell" });
    }
    expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(3);
    expect(askCounterfactuals(dynamics, last, "key 3")).toEqual({ ok: true, value: asked[3] });
  });
});

describe("what may be asked about", () => {
  /** Somebody writes to everybody who is afraid of them; who it is nobody sees. */
  const notes: SmallParts = {
    types: {
      person: {
        at: "public",
        fear: { ...INT, visibility: "local" },
        writes: { kind: "bool", default: false, visibility: "hidden" },
        wary: { kind: "bool", default: false, visibility: "public" },
        spent: { ...INT, visibility: "hidden" },
      },
      note: { read: { kind: "bool", default: false, visibility: "public" } },
    },
    entities: {
      ana: { type: "person", at: "hall" },
      ben: { type: "person", at: "hall", writes: true },
      cyd: { type: "person", at: "yard", fear: 3 },
    },
    character: "ana",
    processes: {
      writing: {
        for: { w: "person" },
        where: "w.writes",
        when: "clock == 2",
        effects: [
          { create: "note", id: "note_2", at: "w.at" },
          { add: "w.spent", by: 1 },
        ],
      },
      spending: { for: { p: "person" }, when: "p.writes", effects: [{ add: "p.spent", by: 1 }], priority: 1 },
      dread: { for: { p: "person" }, effects: [{ add: "p.fear", by: 1 }], priority: 2 },
      heeding: {
        for: { p: "person" },
        when: "clock == 3 && p.fear > 3",
        effects: [{ set: "p.wary", value: true }],
        priority: 3,
      },
      idle: { for: { p: "person" }, effects: [{ set: "p.wary", expr: "p.wary" }], priority: 4 },
    },
    schedule: {
      rumour: { at: [1], effects: [{ add: "ben.spent", by: 5 }] },
      knock: {
        at: [4],
        effects: [
          { set: "cyd.wary", value: true },
          { add: "ana.fear", by: 1 },
        ],
      },
    },
    creates: [{ type: "note", pattern: "note_<n>", says: "note_ and the hour" }],
  };

  function suspectsIn(parts: SmallParts, ticks: number): readonly Happening[] {
    const { world, dynamics } = small(parts);
    const rolled = rollout(dynamics, world, { ticks });
    if (!rolled.ok) throw new Error(rolled.error.message);
    return suspectsOf(dynamics, { before: world, after: rolled.value.world });
  }

  it("DD60 is what by the rules may be behind a change that was seen, whether it was or not", () => {
    expect(suspectsIn(notes, 4)).toEqual([
      { kind: "entry", id: "knock" },
      // A note came, and nobody saw from whom.
      { kind: "process", id: "writing", entity: null },
      // In the hall fear is seen; in the yard it is not, but that Cyd grew wary is.
      { kind: "process", id: "dread", entity: "ana" },
      { kind: "process", id: "dread", entity: "ben" },
      { kind: "process", id: "heeding", entity: "cyd" },
      // Never changes anything, and might have.
      { kind: "process", id: "idle", entity: "cyd" },
    ]);
  });

  it("DD60 does not turn on who is behind what is seen", () => {
    const others = {
      ...notes.entities,
      ben: { type: "person", at: "hall" },
      cyd: { type: "person", at: "yard", fear: 3, writes: true },
    };
    expect(suspectsIn({ ...notes, entities: others }, 4)).toEqual(suspectsIn(notes, 4));
  });

  it("DD60 is nothing where nothing was seen to change in the end, whatever went to and fro", () => {
    const bumps: SmallParts = {
      types: {
        bell: { rings: { ...INT, visibility: "public" } },
        spy: { on: { kind: "bool", default: false, visibility: "hidden" } },
      },
      entities: { bell: { type: "bell" }, one: { type: "spy", on: true }, two: { type: "spy" } },
      processes: {
        bump: { every: 2, for: { s: "spy" }, when: "s.on", effects: [{ add: "bell.rings", by: 1 }] },
        unbump: { every: 2, for: { s: "spy" }, when: "s.on", effects: [{ add: "bell.rings", by: -1 }], priority: 1 },
      },
    };
    expect(suspectsIn(bumps, 4)).toEqual([]);
  });

  it("DD60 leaves out what was not due", () => {
    expect(suspectsIn(notes, 3).filter(({ kind }) => kind === "entry")).toEqual([]);
  });

  it("DD60 two worlds that look alike are asked the same, in whatever is hidden they differ", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.string({ maxLength: 5 }), (a, b, key) => {
        const asked = [a, b].map((plan) => {
          const { world, dynamics } = small({
            ...house,
            entities: { ...house.entities, cyd: { type: "person", at: "yard", mood: 7, rank: 8, plan } },
          });
          const rolled = rollout(dynamics, world, { ticks: 4 });
          if (!rolled.ok) throw new Error(rolled.error.message);
          const found = askCounterfactuals(dynamics, { before: world, action: WAIT, after: rolled.value.world }, key);
          if (!found.ok) throw new Error(found.error.message);
          return [found.value.action?.instead, found.value.happening?.without];
        });
        expect(asked[0]).toEqual(asked[1]);
      }),
    );
  });
});

describe("ids of what comes into being", () => {
  const patterns = [
    { type: "letter", pattern: "letter_<n>", says: "" },
    { type: "copy", pattern: "copy_of_<id>", says: "" },
  ];
  it.each([
    ["letter", "letter_12", true],
    ["letter", "letter_", false],
    ["letter", "letter_x", false],
    ["letter", "xletter_1", false],
    ["letter", "copy_of_ana", false],
    ["copy", "copy_of_ana", true],
    ["copy", "copy_of_Ana", false],
  ])("DD36 of type %s: %s fits: %s", (type, id, fits) => {
    expect(fitsCreated(patterns, type, id)).toBe(fits);
  });

  it("DD36 of any type", () => {
    expect(fitsAnyCreated(patterns, "copy_of_letter_1")).toBe(true);
    expect(fitsAnyCreated(patterns, "nothing")).toBe(false);
  });
});
