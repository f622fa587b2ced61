/** The exact judge on probes: the forbidden done just inside and just outside the window. */
import { describe, expect, it } from "vitest";
import { solutionOf, type Call, type Case } from "../../src/cases/index.ts";
import type { Json } from "../../src/runtime/index.ts";
import type { PlayedCalls } from "../../src/tracks/index.ts";
import { caseAfter } from "../cases/broken-case.ts";
import {
  does,
  foundOf,
  horn,
  lightHearth,
  ofRound,
  played,
  playHard,
  step,
  stepsAnd,
  stepsOf,
  stepsWith,
  takeFire,
  type Design,
  type Doing,
} from "./horn-plays.ts";

const PROBE = "horn_stays_shut";
const FORBIDS = "forbids: { changes: { ram_horn.open: true } }";
const UNTIL = "until: hearth_lit, ";

/** Opening and shutting the horn, which the case has no way to; and taking the grandmother along. */
const designs: Readonly<Record<string, Design>> = {
  stopper: { says: "", params: { open: { kind: "bool" } }, effects: [{ set: "ram_horn.open", expr: "open" }] },
  lead_out: { says: "", effects: [{ set: "grandmother.at", value: "gate_mouth" }] },
  lead_in: { says: "", effects: [{ set: "grandmother.at", value: "black_hall" }] },
};
const open = does("stopper", { open: true });
const shut = does("stopper", { open: false });

const playOn = (steps: readonly Call[], case_: Case = horn) => playHard({ case: case_, designs, steps });

/** The verdict of a probe and what it cites. */
function citedBy({ score }: PlayedCalls, id: string): readonly [string | undefined, readonly string[]] {
  const item = score.items.find((one) => one.id === id);
  return [item?.status, item?.triggers ?? []];
}

/** A step of the reference, by number, with one more trigger in it. */
function withOneMore(number: number, doing: Doing): readonly Call[] {
  const { tool, input } = stepsOf()[number - 1] as Call;
  const triggers = [...(input["triggers"] as readonly Json[]), doing as unknown as Json];
  return stepsWith({ [number]: [{ tool, input: { triggers } }] });
}

const forever = caseAfter(ofRound(UNTIL, ""));

// The window opens with the fire taken (step 10) and closes before the hearth is lit (step 15).
describe("the window of a probe", () => {
  it.each<[string, readonly Call[], Case, string, readonly string[]]>([
    ["nothing forbidden is done", stepsOf(), horn, "pass", []],
    ["a step before it opens", stepsAnd({ 9: [step(open)] }), horn, "pass", []],
    ["in the step that opens it", withOneMore(10, open), horn, "fail", ["t10_2"]],
    ["a step after", stepsAnd({ 10: [step(open)] }), horn, "fail", ["t11_1"]],
    ["in the last step before it closes", withOneMore(14, open), horn, "fail", ["t14_3"]],
    ["in the step that closes it", withOneMore(15, open), horn, "pass", []],
    ["after it is closed", stepsAnd({ 15: [step(open)] }), horn, "pass", []],
    [
      "after the end of a window that has none but the round's",
      stepsAnd({ 15: [step(open)] }),
      forever,
      "fail",
      ["t16_1"],
    ],
    ["late, where what closes it never happens", stepsWith({ 15: [step(open)] }), horn, "fail", ["t15_1"]],
    ["to what it is already", stepsAnd({ 9: [step(open)], 10: [step(open)] }), horn, "pass", []],
    ["the other way", stepsAnd({ 9: [step(open)], 10: [step(shut)] }), horn, "pass", []],
    [
      "more than once, each cited",
      stepsAnd({ 10: [step(open), step(shut), step(open)] }),
      horn,
      "fail",
      ["t11_1", "t13_1"],
    ],
  ])("CT18 CT19 the forbidden: %s", (_, steps, case_, status, triggers) => {
    expect(citedBy(playOn(steps, case_), PROBE)).toEqual([status, triggers]);
  });

  // Teo takes the hound by the collar, a step later Ilka does: the event is both, and begins with Teo.
  const holding = caseAfter(ofRound("after: fire_taken, until", "after: hound_held, until"));
  const hold = (who: string) => step(does("hold_beast", { who, beast: "hound" }));

  it.each<[string, readonly Call[], string, readonly string[]]>([
    ["between its triggers", [hold("teo"), step(open)], "fail", ["t7_1"]],
    ["before the first of them", [step(open), hold("teo")], "pass", []],
  ])("CT18 opens with the first step of an event that takes several: %s", (_, before, status, triggers) => {
    const play = playHard({
      case: holding,
      designs: { ...designs, hold_beast: { requires: [] } },
      steps: stepsAnd({ 5: before }),
    });
    expect(play.score.items.find(({ id }) => id === "hound_held")?.triggers).toHaveLength(2);
    expect(citedBy(play, PROBE)).toEqual([status, triggers]);
  });

  it("CT19 a silent play passes none: their windows never open", () => {
    const silent = playOn(stepsOf().slice(0, 8));
    expect([foundOf(silent, PROBE), foundOf(silent, "dead_stay")]).toEqual([
      ["fail", "its window never opened: fire_taken does not hold"],
      ["fail", "its window never opened: word_told does not hold"],
    ]);
  });
});

describe("a window that `while` narrows", () => {
  // At the ford: from the state after step 12 to that before step 13.
  const change = caseAfter(ofRound(UNTIL, 'while: "ilka.at == ford", '));
  const state = caseAfter(
    ofRound(UNTIL, 'while: "ilka.at == ford", '),
    ofRound(FORBIDS, 'forbids: { holds: "ram_horn.open" }'),
  );

  it.each<[string, readonly Call[], string, readonly string[]]>([
    ["in the step that comes there", withOneMore(12, open), "pass", []],
    ["there", stepsAnd({ 12: [step(open)] }), "fail", ["t13_1"]],
    ["in the step that leaves", withOneMore(13, open), "fail", ["t13_3"]],
    ["after it", stepsAnd({ 13: [step(open)] }), "pass", []],
    ["at the ford, but before the window", stepsAnd({ 3: [step(open)] }), "pass", []],
  ])("CT18 looks at the state before the step for what may not change: %s", (_, steps, status, triggers) => {
    expect(citedBy(playOn(steps, change), PROBE)).toEqual([status, triggers]);
  });

  it.each<[string, readonly Call[], string, readonly string[]]>([
    ["from the step that comes there on", withOneMore(12, open), "fail", ["t12_1", "t12_2", "t12_3"]],
    ["there and no longer", stepsAnd({ 12: [step(open), step(shut)] }), "fail", ["t13_1"]],
    ["from the step that leaves on", withOneMore(13, open), "pass", []],
    ["opened before, and open there", stepsAnd({ 10: [step(open)] }), "fail", ["t13_1", "t13_2"]],
    ["opened before, and shut before", stepsAnd({ 10: [step(open), step(shut)] }), "pass", []],
  ])("CT18 looks at the state itself for what may not hold: %s", (_, steps, status, triggers) => {
    expect(citedBy(playOn(steps, state), PROBE)).toEqual([status, triggers]);
  });
});

describe("a state that may not hold", () => {
  it.each<[string, readonly Call[], string]>([
    ["nobody does it", stepsOf(), "pass"],
    ["it holds for one step", stepsAnd({ 9: [step(does("lead_out")), step(does("lead_in"))] }), "fail"],
    ["it holds at the end", stepsAnd({ 15: [step(does("lead_out"))] }), "fail"],
    ["it holds only before the window", stepsAnd({ 7: [step(does("lead_out")), step(does("lead_in"))] }), "pass"],
  ])("CT19 %s", (_, steps, status) => {
    expect(citedBy(playOn(steps), "dead_stay")[0]).toBe(status);
  });
});

describe("a construction", () => {
  const anyHorn = caseAfter(ofRound(FORBIDS, 'forbids: { changes: { "horn.*.open": true } }'));
  const second = (isOpen: boolean): Call => ({
    tool: "construct",
    input: { op: "create", entity: { id: "second_horn", type: "horn", at: "ford", fields: { open: isOpen } } },
  });
  /** The reference in extreme, with a construction before the step that does `before`. */
  const building = (call: Call, before: Doing) => {
    const [calls = []] = solutionOf(anyHorn, "extreme");
    const at = calls.findIndex(({ input }) =>
      JSON.stringify(input["triggers"] ?? []).includes(`"${before.capability}"`),
    );
    return played(anyHorn, "extreme", [[...calls.slice(0, at), call, ...calls.slice(at)]]);
  };

  it.each<[string, Call, Doing, string, number]>([
    ["of something that is as it may not become, in the window", second(true), lightHearth, "fail", 1],
    ["of the same before the window", second(true), takeFire, "pass", 0],
    ["of something else in the window", second(false), lightHearth, "pass", 0],
  ])("CT19 %s", (_, call, before, status, cited) => {
    const item = building(call, before).score.items.find(({ id }) => id === PROBE);
    expect([item?.status, item?.constructions?.length ?? 0]).toEqual([status, cited]);
  });
});
