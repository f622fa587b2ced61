import { describe, expect, it } from "vitest";
import { DEDUCTION_CHECKS } from "../../src/tracks/deduction/admission/problem.ts";
import { FEW, verifyNow, weirAfter, withProcess, type Edit } from "./weir-case.ts";

/** The problems of the case after edits, each as its check and its place. */
function namedAfter(...edits: readonly Edit[]): readonly string[] {
  return verifyNow(weirAfter(...edits)).problems.map(({ check, where }) => `${check} ${where}`);
}

/** One process that is told as it should be. */
function process(id: string, rest: string, tells = "Every hour it does so."): Edit {
  return withProcess(`${id}:\n  name: The ${id}\n  says: Something ${id} goes on.\n  tells: ${tells}\n${rest}`);
}

describe("a deduction case that proves itself", () => {
  it("DD100 is admitted with the figures of every check, and found the same when it is verified again", () => {
    const found = verifyNow(weirAfter());
    expect(found).toMatchObject({ case: "salt_weir", track: "deduction", ok: true, problems: [] });
    expect(Object.keys(found.figures).sort()).toEqual(Object.values(DEDUCTION_CHECKS).toSorted());
    const { sizes, play, liveness, folds, quiet, choice, goal, words, hidden, truth } = found.figures;
    expect(sizes).toEqual({ entities: 15, fields: 66, processes: 12, entries: 1, actions: 3, ticks: 96 });
    expect(play).toMatchObject({ plays: 20, ticks: 20 * 144, faults: 0, mostEntities: 15, created: 0 });
    expect(liveness).toEqual({ inEveryFold: 12, processes: 12, inSome: {} });
    expect(folds).toEqual({ folds: 5, states: 5, rollouts: 5 });
    expect(quiet?.segments).toMatchObject({ spans: 20, quiet: 0 });
    expect([quiet?.waiting.spans, quiet?.random.spans]).toEqual([40, 120]);
    expect(choice).toEqual({ points: 40, rich: 40, legal: { least: 12, mean: 12, most: 12 } });
    expect(goal).toMatchObject({ waiting: [], random: [0, 0, 0, 0, 0], randomOf: 3 });
    expect(goal?.planner.filter(({ reaches, actions }) => reaches && actions >= 4)).toHaveLength(5);
    expect(words.rules).toBe(16);
    expect(hidden).toEqual({
      shown: {
        "person.trust": ["person.mood (grumbling)"],
        "pond.silt": ["pond.fish (clouding)"],
        "sky.wind": ["sky.rain (raining)"],
      },
      unseen: [],
    });
    // Two plays of five folds, seven decision points each after the first.
    expect(truth).toMatchObject({ action: 70, happening: 70 });
    expect(verifyNow(weirAfter())).toEqual(found);
  });

  it("DD107 is planned for without luck: the plan of one fold is tried in the others", () => {
    const { planner } = verifyNow(weirAfter(), FEW).figures.goal ?? { planner: [] };
    expect(planner.map(({ width }) => width)).toEqual([1, 0, 0, 0, 0]);
  });
});

describe("a deduction case with one fault is named by the check it fails, and by no other", () => {
  it.each<readonly [string, readonly string[], readonly Edit[]]>([
    [
      "DD101 too few entities",
      ["1 case"],
      [
        { from: /^ {2}hob: .*\n/gm, to: "" },
        { from: /^ {4}hob.trust: .*\n/gm, to: "" },
      ],
    ],
    [
      "DD102 two rules that set one field to two values at once",
      ["2 jamming, turning"],
      [
        process(
          "jamming",
          "  every: 24\n  phase: 4\n  effects: [ { set: wheel.turning, expr: '!wheel.open' } ]",
          "Every 24 hours, first at hour 4, it jams.",
        ),
      ],
    ],
    [
      "DD102 an effect that has no value",
      ["2 sharing"],
      [
        process(
          "sharing",
          "  effects: [ { add: store.seed, by: '6 / (store.seed - store.seed)' } ]",
          "Every hour 6 seeds are shared out.",
        ),
      ],
    ],
    [
      "DD102 rules that change a field to and fro within a tick",
      ["2 ebbing, flowing"],
      [
        process("ebbing", "  priority: 1\n  effects: [ { add: store.seed, by: 2 } ]", "Every hour it does so by 2."),
        process(
          "flowing",
          "  priority: 2\n  effects: [ { add: store.seed, by: -2 } ]",
          "Every hour it undoes it by 2.",
        ),
      ],
    ],
    [
      "DD102 a number that grows without end",
      ["2 field store.seed"],
      [
        { from: "seed: { kind: int, min: 0, max: 20,", to: "seed: { kind: int, min: 0," },
        process(
          "swelling",
          "  every: 24\n  phase: 3\n  effects: [ { add: store.seed, by: 1000000000 } ]",
          "Every 24 hours, first at hour 3, it grows by 1000000000.",
        ),
      ],
    ],
    [
      "DD102 an id that fits no pattern",
      ["2 type sky"],
      [
        process(
          "clearing",
          "  every: 96\n  phase: 5\n  effects: [ { create: sky, id: { expr: \"'sky_' + clock\" }, name: another sky, at: weir } ]",
          "Every 96 hours, first at hour 5, another sky opens.",
        ),
      ],
    ],
    [
      "DD103 a process that never fires",
      ["3 process comet"],
      [
        process(
          "comet",
          "  when: clock > 5000\n  effects: [ { add: store.seed, by: 1 } ]",
          "After hour 5000 it does so by 1.",
        ),
      ],
    ],
    [
      "DD103 an entry beyond the end",
      ["3 schedule entry frost"],
      [
        {
          from: "\nschedule:\n",
          to: "\nschedule:\n  frost:\n    name: The frost\n    says: The frost comes.\n    tells: At hour 97 a measure of seed is lost.\n    at: [97]\n    effects: [ { add: store.seed, by: -1 } ]\n",
        },
      ],
    ],
    [
      "DD103 an action that is never possible",
      ["3 action fly"],
      [
        {
          from: "\nactions:\n",
          to: "\nactions:\n  fly:\n    says: Fly over the weir.\n    tells: Fly over the weir when the clock is above 5000.\n    requires: [ { expr: clock > 5000 } ]\n    effects: [ { set: maud.at, value: village } ]\n",
        },
      ],
    ],
    [
      "DD104 folds that are the same",
      ["4 fold 3", "4 fold 3", "4 fold 4", "4 fold 4", "4 fold 5", "4 fold 5"],
      [
        { from: "hob.trust: { from: 2, to: 8 }", to: "hob.trust: { among: [3, 9] }" },
        { from: /^ {4}(?:north|south|east|west|heaven|frida|ben)\..*: \{ from.*\n/gm, to: "" },
      ],
    ],
    [
      "DD105 nights in which nothing happens",
      ["5 case", "5 case", "5 case"],
      [
        { from: /first at hour (14|20|21|38|39),/g, to: "first at hour 8," },
        { from: /phase: (14|20|21|38|39)/g, to: "phase: 8" },
      ],
    ],
    [
      "DD106 decision points at which little makes a difference",
      ["6 case"],
      [
        { from: "gains 2 trust", to: "gains 0 trust" },
        { from: "{ add: who.trust, by: 2 }", to: "{ add: who.trust, by: 0 }" },
        {
          from: "    params: { which: { type: pond } }\n",
          to: "    params: { which: { type: pond } }\n    requires: [ { expr: which == north } ]\n",
        },
      ],
    ],
    [
      "DD107 a goal that is reached by waiting",
      ["7 case", "7 fold 1", "7 fold 2", "7 fold 3", "7 fold 4", "7 fold 5"],
      [{ from: 'expr: "store.salt >= 4"', to: 'expr: "store.bread >= 4"' }],
    ],
    [
      "DD108 a number of the rule that its words do not tell",
      ["8 process supper"],
      [{ from: "first at hour 21, 2 loaves", to: "first at hour 21, some loaves" }],
    ],
    [
      "DD108 a number in its words that the rule does not have",
      ["8 schedule entry flood"],
      [{ from: "each loses 4 fish", to: "each of 7 loses 4 fish" }],
    ],
    [
      "DD108 a number in the words of naming",
      ["8 action boil"],
      [{ from: "says: Boil brine to salt.", to: "says: Boil two pans of brine to salt." }],
    ],
    [
      "DD108 words that are no sentence",
      ["8 process market"],
      [{ from: "says: On market days", to: "says: on market days" }],
    ],
    [
      "DD108 two rules told alike",
      ["8 process winds"],
      [{ from: "says: The wind rises and falls from one day to the other.", to: "says: By night bread is eaten." }],
    ],
    ["DD109 nothing hidden", ["9 case"], [{ from: /visibility: hidden/g, to: "visibility: public" }]],
  ])(
    "DD101 DD102 DD103 DD104 DD105 DD106 DD107 DD108 DD109 are named by the check of %s, and by no other",
    (_, expected, edits) => {
      expect([...namedAfter(...edits)].sort()).toEqual([...expected].sort());
    },
  );

  it("DD102 where rules clash in play the problem names them, the tick, the path and both values, and nothing is built on it", () => {
    const jamming = process(
      "jamming",
      "  every: 24\n  phase: 4\n  effects: [ { set: wheel.turning, value: false } ]",
      "Every 24 hours, first at hour 4, it jams.",
    );
    const { figures, problems } = verifyNow(
      weirAfter(
        jamming,
        { from: "south.level: { from: 6,", to: "south.level: { from: 15," },
        { from: "to: 16 }", to: "to: 18 }" },
      ),
    );
    expect(figures).not.toHaveProperty("goal");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ check: 2, where: "jamming, turning" });
    expect(problems[0]?.message).toMatch(/at tick 4, jamming and turning: .*wheel\.turning.*false.*true|true.*false/);
  });

  it("DD101 a case of the wrong size is not played, and what can be read of it is told all the same", () => {
    const { figures, problems } = verifyNow(
      weirAfter({ from: /^ {2}hob: .*\n/gm, to: "" }, { from: /^ {4}hob.trust: .*\n/gm, to: "" }),
    );
    expect(Object.keys(figures).sort()).toEqual(["hidden", "sizes", "words"]);
    expect(problems.map(({ check }) => check)).toEqual([1]);
  });

  it("DD102 a character that is destroyed is named with the tick and the rule", () => {
    const leaving = process(
      "leaving",
      "  every: 96\n  phase: 5\n  priority: 900\n  effects: [ { destroy: maud } ]",
      "Every 96 hours, first at hour 5, it does so.",
    );
    const { figures, problems } = verifyNow(weirAfter(leaving));
    expect(figures).not.toHaveProperty("goal");
    expect(problems).toEqual([
      {
        check: 2,
        where: "leaving",
        message: "in fold 1, waiting, the character maud is gone at tick 5, destroyed by leaving",
        hint: "let nothing destroy the entity that the agent acts as",
      },
    ]);
  });

  it("DD102 a fault that follows from the character's end, within the same span, is not said in its place", () => {
    const rule = (id: string, phase: number, effects: string): Edit =>
      process(id, `  every: 96\n  phase: ${phase}\n  priority: 900\n  effects: [ ${effects} ]`, "It is so.");
    const { problems } = verifyNow(
      weirAfter(rule("leaving", 5, "{ destroy: maud }"), rule("missing", 6, "{ add: store.seed, by: maud.energy }")),
    );
    expect(problems.filter(({ check }) => check === 2).map(({ message }) => message)).toEqual([
      "in fold 1, waiting, the character maud is gone at tick 5, destroyed by leaving",
    ]);
  });

  it("DD102 a character that its own action destroys is named with the action", () => {
    const { problems } = verifyNow(
      weirAfter({
        from: "\nactions:\n",
        to: "\nactions:\n  drown:\n    says: Go into the water.\n    tells: Go into the water for good.\n    effects: [ { destroy: maud } ]\n",
      }),
    );
    expect(problems.filter(({ where }) => where === "drown").map(({ message }) => message)).toEqual([
      expect.stringMatching(/^in fold \d, random \d, the character maud is gone at tick \d+, destroyed by drown$/),
    ]);
  });

  it("DD102 a number that something adds to by itself and that lacks a bound is named with the rules, though it stays small", () => {
    const { problems } = verifyNow(
      weirAfter(
        { from: "seed: { kind: int, min: 0, max: 20,", to: "seed: { kind: int, max: 20," },
        process(
          "sowing",
          "  every: 24\n  phase: 3\n  effects: [ { add: store.seed, by: 1 } ]",
          "Every 24 hours, first at hour 3, 1 comes.",
        ),
      ),
    );
    expect(problems).toContainEqual({
      check: 2,
      where: "field store.seed",
      message: "store.seed can grow without bound: it has no min, and sowing adds to it",
      hint: "give the field a min and a max, or its stock an outflow",
    });
  });

  it("DD107 a planner that may not work enough says how near it came", () => {
    const { problems } = verifyNow(weirAfter(), { ...FEW, work: 200 });
    expect(problems.map(({ check, where }) => `${check} ${where}`)).toEqual(
      [1, 2, 3, 4, 5].map((fold) => `7 fold ${fold}`),
    );
    expect(problems[0]?.message).toMatch(
      /^a planner that looks ahead does not reach the goal: at its nearest 0\.\d{3} of it holds, after \d+ ticks rolled$/,
    );
  });
});
