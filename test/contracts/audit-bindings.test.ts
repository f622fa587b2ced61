/** The audit of judgments that nobody should believe: each forged upon a true play of the horn case. */
import { describe, expect, it } from "vitest";
import { judgeExactly, settleRun, type Judgment, type SettledRun } from "../../src/contracts/index.ts";
import { solutionOf, type Case } from "../../src/cases/index.ts";
import type { TriggerId } from "../../src/runtime/index.ts";
import { marksOf } from "../../src/records/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { caseAfter } from "../cases/broken-case.ts";
import {
  construct,
  constructionsOf,
  does,
  drawBolt,
  holdHound,
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
  tellWord,
} from "./horn-plays.ts";

/** The horn case with a second round, in which Teo walks to the ash wood. */
const twoRounds = caseAfter({
  file: "rounds/02.yaml",
  text: `round: 2
narrative: "Then Teo went to the ash wood."
events:
  - { id: wood_reached, says: Teo goes to the ash wood, involves: [teo], defining: [teo.at] }
reference:
  - { triggers: [ { capability: walk, args: { who: teo, to: ash_wood }, realises: [wood_reached] } ] }
`,
});
const toTheWood = step(does("walk", { who: "teo", to: "ash_wood" }));

/** After step 6 Ilka takes the hound, which she holds, by the collar once more: step 7, which changes nothing. */
const heldTwice = playEasy(twoRounds, stepsAnd({ 6: [step(holdHound)] }), [toTheWood]);
const truth = playEasy(twoRounds, stepsOf(), [toTheWood]);

type Forged = Partial<Omit<Judgment, "item" | "triggers">> & { readonly triggers?: readonly string[] };

/** A play settled by the exact judge's judgments, some of them forged. */
function settled(play: PlayedCalls, forged: Readonly<Record<string, Forged>>, case_: Case = twoRounds): SettledRun {
  const { contract, world } = case_;
  const roundsPlayed = contract.rounds.length;
  const marks = marksOf(case_);
  const judgments = judgeExactly(contract, marks, world, play.trace, roundsPlayed).map((one): Judgment => {
    const { triggers = one.triggers, ...more } = forged[one.item] ?? {};
    return { ...one, ...more, triggers: triggers as TriggerId[] };
  });
  return settleRun({ contract, trace: play.trace, judgments, roundsPlayed, marks });
}

function found(of: SettledRun, item: string): readonly [string, string] {
  const one = [...of.audited.values()].find(({ id }) => id === item);
  if (one === undefined) throw new Error(`${item} was not audited`);
  return [one.status, one.reason];
}

const pass = (...triggers: readonly string[]): Forged => ({ verdict: "pass", reason: "so it is said", triggers });

describe("a binding", () => {
  it.each<[string, PlayedCalls, string, Forged, readonly [string, string]]>([
    ["to the trigger that did it", truth, "horn_lined", pass("t2_1"), ["pass", "so it is said"]],
    ["to no trigger", truth, "horn_lined", pass(), ["fail", "bound to no trigger"]],
    [
      "to a trigger that there is not",
      truth,
      "horn_lined",
      pass("t2_1", "t2_2"),
      ["fail", "t2_2 is no accepted trigger"],
    ],
    ["to a trigger of a later round", truth, "horn_lined", pass("t2_1", "t16_1"), ["fail", "t16_1 belongs to round 2"]],
    ["to a trigger of an earlier round", truth, "wood_reached", pass("t5_2"), ["fail", "t5_2 belongs to round 1"]],
    [
      "to a trigger that changed nothing",
      heldTwice,
      "hound_held",
      pass("t7_1"),
      ["fail", "none of its triggers changed anything"],
    ],
    [
      "to one that changed nothing beside one that did",
      heldTwice,
      "hound_held",
      pass("t6_1", "t7_1"),
      ["pass", "so it is said"],
    ],
    [
      "to a trigger in which a participant is absent",
      truth,
      "hound_held",
      pass("t6_2"),
      ["fail", "ilka took no part in it"],
    ],
    [
      "to several triggers of which each has a participant",
      truth,
      "gate_opened",
      pass("t5_2", "t7_1"),
      ["pass", "so it is said"],
    ],
    [
      "that was called a fail, true as it may be",
      truth,
      "horn_lined",
      { ...pass("t2_1"), verdict: "fail" },
      ["fail", "so it is said"],
    ],
    [
      "that was left undecided",
      truth,
      "horn_lined",
      { ...pass("t2_1"), verdict: "undecided" },
      ["undecided", "so it is said"],
    ],
  ])("CT4 %s", (_, play, item, forged, expected) => {
    expect(found(settled(play, { [item]: forged }), item)).toEqual(expected);
  });

  it("CT4 that is refused takes every relation over its event along, and nothing else", () => {
    const before = settled(truth, {});
    const after = settled(truth, { knife_left: pass("t99_1") });
    expect([...before.held.keys()].filter((id) => !after.held.has(id))).toEqual(["knife_left"]);
    expect([...after.boundTo.values()].flat()).not.toContain("knife_left");
  });
});

describe("one trigger for several events", () => {
  const whole = (items: Readonly<Record<string, Forged>>, ...ids: readonly string[]) => {
    const of = settled(truth, items);
    return ids.map((id) => found(of, id));
  };

  it("CT5 realises the earliest of the contract, and overloads the others", () => {
    expect(whole({ horn_lined: pass("t10_1") }, "horn_lined", "fire_taken")).toEqual([
      ["pass", "so it is said"],
      ["fail", "overloaded: t10_1 realises horn_lined already"],
    ]);
  });

  it("CT5 is no one's who took no part: that is asked before", () => {
    expect(whole({ knife_left: pass("t10_1") }, "knife_left", "fire_taken")).toEqual([
      ["fail", "iron_knife took no part in it"],
      ["pass", "its defining change was made"],
    ]);
  });

  it("CT5 realises two that a concurrency joins, and no third, joined as it may be", () => {
    const joined = caseAfter(
      ofRound(
        "relations:\n",
        'relations:\n  - { concurrent: { events: [hound_held, hall_entered], mode: overlap }, told: "mine was on the bolt" }\n',
      ),
    );
    const forged = { gate_opened: pass("t6_1", "t6_2"), hall_entered: pass("t6_1", "t7_1") };
    const alone = settled(playEasy(joined, stepsOf()), { hall_entered: forged.hall_entered }, joined);
    expect([found(alone, "hound_held")[0], found(alone, "hall_entered")[0]]).toEqual(["pass", "pass"]);
    const all = settled(playEasy(joined, stepsOf()), forged, joined);
    expect(["hound_held", "gate_opened"].map((id) => found(all, id)[0])).toEqual(["pass", "pass"]);
    expect(found(all, "hall_entered")).toEqual([
      "fail",
      "overloaded: t6_1 realises hound_held and gate_opened already",
    ]);
    // Without a concurrency there is not even a second.
    const unjoined = settled(truth, { hall_entered: pass("t6_1", "t7_1") });
    expect(found(unjoined, "hall_entered")).toEqual(["fail", "overloaded: t6_1 realises hound_held already"]);
  });
});

describe("the interval of an event", () => {
  // Ilka and Teo walk in [7, 11), the hound is held in [11, 13), the bolt drawn in [11, 12).
  it.each([
    [["t6_2"], 11, 12, 6, 6],
    [["t6_1", "t6_2"], 11, 13, 6, 6],
    [["t6_1", "t5_2", "t6_2"], 7, 13, 5, 6],
  ])("CT6 over %j runs from %i to %i, steps %i to %i", (triggers, start, end, firstStep, lastStep) => {
    const { held } = settled(truth, { gate_opened: pass(...triggers) });
    const event = [...held.values()].find(({ id }) => id === "gate_opened");
    expect(event).toMatchObject({ interval: { start, end }, firstStep, lastStep });
  });
});

describe("several triggers of one step that set the defining path to one value", () => {
  const talkative = caseAfter(
    ofWorld("name: the drowned miller, at: black_hall", "name: the drowned miller, at: black_hall, has_drunk: true"),
  );
  const byTheMiller = does("tell_word", { shade: "drowned_miller", hearer: "ilka" });

  it.each([
    ["the grandmother twice", tellWord, ["pass", "its defining change was made"]],
    [
      "one of them by the miller",
      byTheMiller,
      ["fail", "t9_2 sets ilka.knows_word as well, and grandmother took no part in it"],
    ],
  ] as const)("CT10 must each have every participant: %s", (_, second, expected) => {
    const play = playEasy(talkative, stepsWith({ 9: [step(tellWord, second)] }));
    const of = settled(play, {}, talkative);
    expect(of.audited.get("word_told" as never)?.triggers).toEqual(["t9_1", "t9_2"]);
    expect(found(of, "word_told")).toEqual(expected);
  });
});

describe("a structure", () => {
  const early = caseAfter(
    ofRound("    usedBy: hall_entered\n", "    usedBy: hall_entered\n    availableBefore: hound_held\n"),
  );
  const { version: _, ...gate } = horn.world.capabilities["pass_gate"] ?? { version: 1, id: "" };
  const others = constructionsOf().filter(({ input }) => (input["capability"] as { id: string }).id !== "pass_gate");
  const update = { tool: "construct", input: { op: "update", capability: gate as never } } as const;
  const builtAfter = (number: number) =>
    played(early, "hard", [[...others, ...stepsAnd({ [number]: [construct(gate)] })]]);
  const late = "pass_gate was built too late: it had to be there before hound_held";

  it.each<[string, Case, () => PlayedCalls, readonly [string, string?]]>([
    ["built first of all", early, () => playHard({ case: early }), ["pass"]],
    ["built just before the event it had to precede", early, () => builtAfter(5), ["pass"]],
    ["built after that event, before its use", early, () => builtAfter(6), ["fail", late]],
    [
      "built in time, and built anew after that event",
      early,
      () => playHard({ case: early, steps: stepsAnd({ 6: [update] }) }),
      ["fail", late],
    ],
    [
      "built just before its use, where nothing else is asked",
      horn,
      () => played(horn, "hard", [[...others, ...stepsAnd({ 6: [construct(gate)] })]]),
      ["pass"],
    ],
    [
      "built in time, where the event it had to precede never holds",
      early,
      () => playHard({ case: early, steps: stepsWith({ 6: [step(drawBolt)] }) }),
      ["fail", "it had to be there before hound_held, which does not hold"],
    ],
  ])("CT17 is there in time: %s", (_says, case_, play, [status, reason]) => {
    const [is, why] = found(settled(play(), {}, case_), "gate_knows_iron");
    expect([is, reason === undefined ? undefined : why]).toEqual([status, reason]);
  });

  it.each<[string, Forged, readonly [string, string]]>([
    ["by the trigger of its event", { ...pass("t7_1"), constructions: [6] }, ["pass", "so it is said"]],
    [
      "by a trigger of another event",
      { ...pass("t9_1"), constructions: [6] },
      ["fail", "no trigger bound to hall_entered is named as its use"],
    ],
    [
      "with the construction of something else",
      { ...pass("t7_1"), constructions: [6, 7] },
      ["fail", "construction 7 is not what was used"],
    ],
    [
      "with a construction that was deleted again",
      { ...pass("t7_1"), constructions: [6, 11] },
      ["fail", "construction 11 is not what was used"],
    ],
  ])("CT17 is used %s", (_says, forged, expected) => {
    const idle = { ...gate, id: "idle_gate" };
    const away = { tool: "construct", input: { op: "delete", level: "capability", id: "idle_gate" } } as const;
    const play = played(horn, "hard", [[...constructionsOf(), construct(idle), away, ...stepsOf()]]);
    expect(found(settled(play, { gate_knows_iron: forged }, horn), "gate_knows_iron")).toEqual(expected);
  });

  it("CT17 that is a thing is made by its own construction and by that of its type, and by that of no other type", () => {
    const withThing = caseAfter(
      ofRound(
        "structures:\n",
        "structures:\n  - { id: horn_there, level: entity, says: A horn to line, usedBy: horn_lined, reference: ram_horn }\n",
      ),
    );
    const play = played(withThing, "extreme", solutionOf(withThing, "extreme"));
    const numberOf = (level: string, id: string) =>
      [...play.trace.constructions.values()].find(({ record: { item } }) => item.level === level && item.id === id)
        ?.record.construction ?? 0;
    const use = [...play.trace.triggers.values()].find(({ trigger }) => trigger.capability === "line_horn");
    const cites = (...constructions: readonly number[]) =>
      found(
        settled(
          play,
          { horn_there: { ...pass(String(use?.trigger.id)), constructions: [...constructions] } },
          withThing,
        ),
        "horn_there",
      );
    const [own, type, other] = [numberOf("entity", "ram_horn"), numberOf("type", "horn"), numberOf("type", "jug")];
    expect(cites(own)).toEqual(["pass", "so it is said"]);
    expect(cites(type, own)).toEqual(["pass", "so it is said"]);
    expect(cites(own, other)).toEqual(["fail", `construction ${other} is not what was used`]);
  });

  it("CT17 of an event that does not hold was not used", () => {
    const of = settled(playHard({}), { hall_entered: pass("t99_1"), gate_knows_iron: pass("t7_1") }, horn);
    expect(found(of, "gate_knows_iron")).toEqual(["fail", "it was not used: hall_entered does not hold"]);
  });
});

describe("a probe that is said to be violated", () => {
  const cites = (...triggers: readonly string[]): Forged => ({ verdict: "fail", reason: "so it is said", triggers });

  it.each<[string, Forged, string, readonly string[]]>([
    ["inside its window", cites("t11_1"), "fail", ["t11_1"]],
    ["in the step that opens it", cites("t10_1"), "fail", ["t10_1"]],
    ["before its window", cites("t9_1"), "pass", []],
    ["in the step that closes it", cites("t15_1"), "pass", []],
    ["by a trigger that there is not", cites("t99_1"), "pass", []],
    ["both inside and outside", cites("t9_1", "t12_2"), "fail", ["t12_2"]],
  ])("CT19 %s", (_, forged, status, triggers) => {
    const item = settled(truth, { horn_stays_shut: forged }).audited.get("horn_stays_shut" as never);
    expect([item?.status, item?.triggers]).toEqual([status, triggers]);
  });

  it("CT19 does not pass where its window never opens, whoever says so", () => {
    const of = settled(truth, { fire_taken: pass("t99_1"), horn_stays_shut: pass() });
    expect(found(of, "horn_stays_shut")).toEqual(["fail", "its window never opened: fire_taken does not hold"]);
  });
});
