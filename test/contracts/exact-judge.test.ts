/** The exact judge on events: plays of the horn case that differ from the reference in one thing. */
import { describe, expect, it } from "vitest";
import { solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import { deriveMarks, judgeExactly, playReference } from "../../src/contracts/index.ts";
import { marksOf } from "../../src/records/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";
import {
  does,
  foundOf,
  layKnife,
  lineHorn,
  horn,
  ofRound,
  ofWorld,
  played,
  playEasy,
  playHard,
  step,
  stepsAnd,
  stepsOf,
  stepsWith,
  TAKE_UP,
  type Design,
} from "./horn-plays.ts";

const [first, second] = stepsOf() as readonly [Call, Call];
const hold = (who: string) => does("hold_beast", { who, beast: "hound" });

/** The verdict of an event and the triggers it is bound to. */
function bindingOf({ score }: PlayedCalls, id: string): readonly [string | undefined, readonly string[]] {
  const item = score.items.find((one) => one.id === id);
  return [item?.status, item?.triggers ?? []];
}

const ROUND_STEP_7 = "  - { triggers: [ { capability: pass_gate, args: { who: ilka, gate: bone_gate, to: black_hall }";

describe("the marks of an event", () => {
  const faultsOfMarks = (...edits: readonly Edit[]): readonly string[] => {
    const { contract, reference, world } = caseAfter(...edits);
    const reached = playReference(world, reference);
    if (!reached.ok) throw new Error(reached.error.error.message);
    const marks = deriveMarks(contract, reached.value);
    return marks.ok ? [] : marks.error.map(({ message }) => message);
  };

  it.each<[string, readonly Edit[], readonly string[]]>([
    ["are what the reference changes", [], []],
    [
      "are none where it leaves the path alone",
      [ofRound("defining: [ram_horn.lined]", "defining: [ram_horn.open]")],
      ['event "horn_lined": no trigger that realises it changes ram_horn.open'],
    ],
    [
      "are none where it sets the path to what it was",
      [
        ofRound(", realises: [hound_held]", ""),
        ofRound(
          ROUND_STEP_7,
          `  - { triggers: [ { capability: hold_beast, args: { who: ilka, beast: hound }, realises: [hound_held] } ] }\n${ROUND_STEP_7}`,
        ),
      ],
      ['event "hound_held": no trigger that realises it changes hound.held_by'],
    ],
  ])("CT3 CT22 %s", (_, edits, faults) => {
    expect(faultsOfMarks(...edits)).toEqual(faults);
  });
});

describe("the ways in which an event may be realised", () => {
  const accepting = caseAfter(
    ofRound(
      "defining: [iron_knife.at], given",
      'defining: [iron_knife.at], accepts: [ { defining: { iron_knife.at: cold_spring }, given: "!ram_horn.lined" } ], given',
    ),
  );
  const atTheSpring = stepsWith({ 1: [first, step(layKnife)], 4: [] });
  const afterLining = stepsWith({ 2: [second, step(layKnife)], 4: [] });

  it.each<[string, Case, readonly Call[], readonly [string, string]]>([
    ["its own way, where others are accepted", accepting, stepsOf(), ["pass", "its defining change was made"]],
    ["an accepted way", accepting, atTheSpring, ["pass", "its defining change was made"]],
    [
      "that way where it is not accepted",
      horn,
      atTheSpring,
      ["fail", "its defining change was not made in this round"],
    ],
    [
      "an accepted way in other circumstances",
      accepting,
      afterLining,
      ["fail", "when it began, its circumstances did not hold: !ram_horn.lined"],
    ],
  ])("CT22 CT26 %s", (_, case_, steps, expected) => {
    expect(foundOf(playEasy(case_, steps), "knife_left")).toEqual(expected);
  });

  const measured = caseAfter(
    ofWorld(
      "full: { kind: bool, default: true }",
      "full: { kind: bool, default: true }, cups: { kind: int, default: 9 }",
    ),
    ofWorld("{ set: jug.full, value: false }", "{ set: jug.full, value: false }, { add: jug.cups, by: -4 }"),
    ofRound("defining: [grandmother.has_drunk]", "defining: [milk_jug.cups]"),
  );
  /** Teo pours these cups, a step each. */
  const pouring = (...cups: readonly number[]) =>
    playHard({
      case: measured,
      designs: {
        pour_milk: {
          params: { who: { type: "person" }, jug: { type: "jug" }, shade: { type: "shade" }, cups: { kind: "int" } },
          requires: [{ expr: "jug.at == who && who.at == shade.at" }],
          effects: [
            { set: "shade.has_drunk", value: true },
            { add: "jug.cups", by: "-cups" },
          ],
        },
      },
      steps: stepsWith({
        8: cups.map((many) =>
          step(does("pour_milk", { who: "teo", jug: "milk_jug", shade: "grandmother", cups: many })),
        ),
      }),
    });

  it.each([
    ["at once", [4], "pass", ["t8_1"]],
    ["in two pourings", [1, 3], "pass", ["t8_1", "t9_1"]],
    ["too little", [3], "fail", []],
    ["too much", [5], "fail", []],
    ["and then some more", [4, 2], "pass", ["t8_1"]],
    ["the shortest stretch, with something else before it", [3, 2, 2], "pass", ["t9_1", "t10_1"]],
    ["what no stretch of it comes to", [3, 2], "fail", []],
  ])("CT22 CT23 an amount: %s, %j", (_, cups, status, triggers) => {
    expect(bindingOf(pouring(...cups), "milk_poured")).toEqual([status, triggers]);
  });
});

describe("the circumstances of an event", () => {
  const anywhere = { line_horn: { requires: [{ expr: "horn.at == who" }] }, hold_beast: { requires: [] } };
  const late = (given: string) => ["fail", `when it began, its circumstances did not hold: ${given}`];

  it.each<[string, readonly Call[], string, readonly string[]]>([
    ["hold where it is done there", stepsOf(), "horn_lined", ["pass", "its defining change was made"]],
    [
      "do not where it is done a step too early",
      stepsWith({ 1: [step(lineHorn), first], 2: [] }),
      "horn_lined",
      late("ilka.at == cold_spring"),
    ],
    [
      "are those before the step, not after it",
      stepsWith({
        1: [
          step(lineHorn, does("walk", { who: "ilka", to: "cold_spring" })),
          step(does("walk", { who: "teo", to: "cold_spring" })),
        ],
        2: [],
      }),
      "horn_lined",
      late("ilka.at == cold_spring"),
    ],
    [
      "are those before the first step of a stretch",
      stepsAnd({ 5: [step(hold("teo"))] }),
      "hound_held",
      ["pass", "its defining change was made"],
    ],
    [
      "are those before the first step, whatever they are before the last",
      stepsAnd({ 4: [step(hold("teo"))] }),
      "hound_held",
      late("ilka.at == gate_mouth"),
    ],
  ])("CT26 %s", (_, steps, event, expected) => {
    expect(foundOf(playHard({ designs: anywhere, steps }), event)).toEqual(expected);
  });
});

describe("several realisations", () => {
  it("CT25 bind the event to the last, and the earlier ones are told", () => {
    const play = playHard({
      designs: { take_up: TAKE_UP },
      steps: stepsAnd({ 4: [step(does("take_up", { who: "ilka", what: "iron_knife" })), step(layKnife)] }),
    });
    const judged = judgeExactly(horn.contract, marksOf(horn), horn.world, play.trace, 1);
    expect(judged.find(({ item }) => item === "knife_left")).toMatchObject({
      verdict: "pass",
      triggers: ["t6_1"],
      surplus: [["t4_1"]],
    });
    expect(judged.find(({ item }) => item === "horn_lined")).not.toHaveProperty("surplus");
  });

  const sip = (who: string) => does("sip", { who, jug: "milk_jug" });
  const sipping = caseAfter(
    ofWorld(
      "full: { kind: bool, default: true }",
      "full: { kind: bool, default: true }, cups: { kind: int, default: 9 }",
    ),
    ofWorld(
      "capabilities:\n",
      "capabilities:\n  sip: { says: Somebody sips, params: { who: { type: person }, jug: { type: jug } }, requires: [ { expr: who.at == hearthfield } ], effects: [ { add: jug.cups, by: -1 } ] }\n",
    ),
    ofRound(
      "events:\n",
      "events:\n  - { id: teo_sips, says: Teo sips, involves: [teo, milk_jug], defining: [milk_jug.cups] }\n  - { id: ilka_sips, says: Ilka sips, involves: [ilka, milk_jug], defining: [milk_jug.cups] }\n",
    ),
    ofRound(
      "reference:\n",
      "reference:\n  - { triggers: [ { capability: sip, args: { who: teo, jug: milk_jug }, realises: [teo_sips] }, { capability: sip, args: { who: ilka, jug: milk_jug }, realises: [ilka_sips] } ] }\n",
    ),
  );

  it.each<[string, readonly Call[], readonly unknown[]]>([
    [
      "of one step, in the order of the events",
      [step(sip("teo"), sip("ilka"))],
      [
        ["pass", ["t1_1"]],
        ["pass", ["t1_2"]],
      ],
    ],
    [
      "of one step, in the other order",
      [step(sip("ilka"), sip("teo"))],
      [
        ["pass", ["t1_2"]],
        ["pass", ["t1_1"]],
      ],
    ],
    [
      "of two steps",
      [step(sip("teo")), step(sip("ilka"))],
      [
        ["pass", ["t1_1"]],
        ["pass", ["t2_1"]],
      ],
    ],
    [
      "of two steps, in the other order",
      [step(sip("ilka")), step(sip("teo"))],
      [
        ["fail", ["t1_1"]],
        ["fail", ["t2_1"]],
      ],
    ],
    [
      "of three, of which the last two count",
      [step(sip("ilka")), step(sip("teo")), step(sip("ilka"))],
      [
        ["pass", ["t2_1"]],
        ["pass", ["t3_1"]],
      ],
    ],
    [
      "of one, which is the first event's",
      [step(sip("teo"))],
      [
        ["pass", ["t1_1"]],
        ["fail", []],
      ],
    ],
  ])("CT25 of equal marks: %s", (_, sips, expected) => {
    const play = playEasy(sipping, [...sips, ...stepsOf(sipping).slice(1)]);
    expect([bindingOf(play, "teo_sips"), bindingOf(play, "ilka_sips")]).toEqual(expected);
  });
});

describe("realisations that begin elsewhere than the reference's", () => {
  const twice = caseAfter(
    ofWorld(
      "capabilities:\n",
      "capabilities:\n  take_up: { says: Somebody takes up a thing, params: { who: { type: person }, what: { type: thing } }, requires: [ { expr: what.at == who.at } ], effects: [ { set: what.at, expr: who } ] }\n",
    ),
    ofRound(
      "events:\n",
      "events:\n  - { id: knife_again, says: Ilka lays the knife down once more, involves: [ilka, iron_knife], defining: [iron_knife.at] }\n",
    ),
    ofRound(
      "  - { triggers: [ { capability: walk, args: { who: ilka, to: gate_mouth } }, { capability: walk, args: { who: teo, to: gate_mouth } } ] }\n",
      `  - { triggers: [ { capability: take_up, args: { who: ilka, what: iron_knife } } ] }
  - { triggers: [ { capability: lay_down, args: { who: ilka, what: iron_knife }, realises: [knife_again] } ] }
  - { triggers: [ { capability: walk, args: { who: ilka, to: gate_mouth } }, { capability: walk, args: { who: teo, to: gate_mouth } } ] }
`,
    ),
  );
  const kick: Design = {
    says: "",
    params: { who: { type: "person" }, to: { kind: "place" } },
    requires: [{ expr: "who.at == ford" }],
    effects: [{ set: "iron_knife.at", expr: "to" }],
    duration: 1,
  };
  const kicked = [
    step(does("kick", { who: "ilka", to: "cold_spring" })),
    step(does("kick", { who: "ilka", to: "ford" })),
  ];

  it("CT23 do not count where there are enough that do not", () => {
    const play = playHard({ designs: { kick }, steps: stepsAnd({ 4: kicked }) });
    expect(bindingOf(play, "knife_left")).toEqual(["pass", ["t4_1"]]);
  });

  it("CT23 count where there are too few", () => {
    const play = playHard({
      case: twice,
      designs: { kick },
      steps: stepsWith({ 5: kicked, 6: [] }, stepsOf(twice)),
    });
    expect([bindingOf(play, "knife_again"), bindingOf(play, "knife_left")]).toEqual([
      ["pass", ["t4_1"]],
      ["pass", ["t6_1"]],
    ]);
  });
});

describe("a run without an accepted trigger", () => {
  it.each(TIERS)("CT29 fails everything in %s, whatever it constructs and however long it waits", (tier) => {
    const [calls = []] = solutionOf(horn, tier);
    const wait: Call = { tool: "commit_step", input: { advance: 5 } };
    const { score, trace } = played(horn, tier, [[...calls.filter(({ tool }) => tool === "construct"), wait]]);
    expect(trace.steps.size).toBe(1);
    expect(score.items.filter(({ status }) => status !== "fail")).toEqual([]);
  });
});
