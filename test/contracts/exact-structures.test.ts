/** The exact judge on structures: capabilities of the horn case in designs of all kinds, the rest played as the reference does. */
import { describe, expect, it } from "vitest";
import type { Case } from "../../src/cases/index.ts";
import { caseAfter } from "../cases/broken-case.ts";
import {
  copyOf,
  does,
  foundOf,
  horn,
  ofRound,
  passGate,
  playHard,
  step,
  stepsAnd,
  stepsWith,
  tellWord,
  type Design,
  type HardPlay,
} from "./horn-plays.ts";

type Row = readonly [says: string, play: HardPlay, status: string, reason?: string];

const RIGHT = "it refuses what it must and allows what it may";

/** A test for each row, of the verdict and the reason it gives. */
function expectVerdicts(structure: string, rows: readonly Row[]): void {
  const cases = rows.map(([says, play, status, reason = RIGHT]) => [says, play, status, reason] as const);
  it.each(cases)("%s", (_, play, status, reason) => {
    expect(foundOf(playHard(play), structure)).toEqual([status, reason]);
  });
}

const requires = (...texts: readonly string[]): Design => ({ requires: texts.map((expr) => ({ expr })) });
const telling = (...texts: readonly string[]) => ({ tell_word: requires("shade.at == hearer.at", ...texts) });

/** One step in which the word is told by two capabilities at once. */
function bothTell() {
  return step(tellWord, { ...tellWord, capability: "second" });
}

describe("CT27 what a structure must refuse", () => {
  const drunk = "it does not refuse when grandmother.has_drunk is false since milk_poured";
  expectVerdicts("dead_must_drink", [
    ["is refused by the case's own design", {}, "pass"],
    ["is refused by another rule that comes to the same", { designs: telling("shade.has_drunk != false") }, "pass"],
    ["is not, where there is no rule", { designs: telling() }, "fail", drunk],
    ["is not, where the rule is about another shade", { designs: telling("!drowned_miller.has_drunk") }, "fail", drunk],
    [
      "is refused by a duration that cannot be",
      { designs: { tell_word: { ...requires("shade.at == hearer.at"), duration: "shade.has_drunk ? 1 : 0" } } },
      "pass",
    ],
    [
      "is not, by a guard that looks on afterwards and changes nothing",
      {
        designs: { ...telling(), guarded: copyOf("tell_word") },
        steps: guarded(),
      },
      "fail",
      drunk,
    ],
    [
      "is refused by a guard that stands beside and does the same",
      { designs: { ...telling(), second: copyOf("tell_word") }, steps: stepsWith({ 9: [bothTell()] }) },
      "pass",
    ],
  ]);

  /** The word is told without a rule, and a step later told again by the rule. */
  function guarded() {
    return stepsAnd({ 9: [step({ ...tellWord, capability: "guarded" })] });
  }

  it("CT27 every state it must refuse counts, not one of them", () => {
    const designs = { take_fire: requires("fire.lit && who.at == fire.at && horn.at == who", "horn.lined") };
    expect(foundOf(playHard({ designs }), "fire_needs_word_and_clay")).toEqual([
      "fail",
      "it does not refuse when ilka.knows_word is false since word_told",
    ]);
  });

  // The bolt knows the iron, and the gate knows only the bolt.
  const bolt = {
    draw_bolt: requires("who.at == gate.at && !gate.open", "!all(thing).exists(t, t.iron && t.at == ilka)"),
  };
  const gate = { pass_gate: requires("gate.open", "linked(who.at, to) && who.at == gate.at") };
  const goingBack = {
    // The way home, which the gate's design above is not made for.
    pass_back: copyOf("pass_gate"),
  };
  const designs = { ...bolt, ...gate, ...goingBack };
  const back = (who: string) => does("pass_back", { who, gate: "bone_gate", to: "gate_mouth" });
  const steps = stepsWith({ 11: [step(back("ilka"), back("teo"))] });
  const iron = '{ iron_knife.at: ilka, since: knife_left, told: "nobody passes the bone gate with iron on them" }';

  expectVerdicts("gate_knows_iron", [
    ["what did not happen any more in that state counts", { designs, steps }, "pass"],
    [
      "nothing counts but the trigger itself where the state does not hold since then",
      { designs, steps, case: caseAfter(ofRound(iron, iron.replace(" since: knife_left,", ""))) },
      "fail",
      'it does not refuse when iron_knife.at is "ilka"',
    ],
    [
      "what still holds runs on: a bolt that does not know iron opens the gate all the same",
      { designs: { ...gate, ...goingBack }, steps },
      "fail",
      'it does not refuse when iron_knife.at is "ilka" since knife_left',
    ],
  ]);

  const swapping = (...more: readonly string[]): Case =>
    caseAfter(
      ofRound(
        'refusedWhen: [ { grandmother.has_drunk: false, since: milk_poured, told: "The dead have no voice until they have drunk" } ]',
        `refusedWhen: [ ${['{ args: { shade: drowned_miller }, told: "The dead have no voice until they have drunk" }', ...more].join(", ")} ]`,
      ),
    );
  const dry =
    '{ grandmother.has_drunk: false, since: milk_poured, told: "The dead have no voice until they have drunk" }';
  const named = {
    tell_word: {
      params: { hearer: { type: "person" }, voice: { type: "shade" } },
      ...requires("voice.has_drunk", "voice.at == hearer.at"),
    },
  } as const;
  const grandmotherAlone = {
    tell_word: {
      params: { hearer: { type: "person" } },
      ...requires("grandmother.has_drunk", "grandmother.at == hearer.at"),
    },
  } as const;
  const withArgs = (args: Readonly<Record<string, string>>) => stepsWith({ 9: [step(does("tell_word", args))] });

  expectVerdicts("dead_must_drink", [
    ["another shade is swapped in, and refused", { case: swapping() }, "pass"],
    [
      "another shade is swapped in, and told all the same",
      { case: swapping(), designs: telling("grandmother.has_drunk") },
      "fail",
      'it does not refuse when shade is "drowned_miller"',
    ],
    [
      "it is swapped whatever the parameter is called",
      { case: swapping(), designs: named, steps: withArgs({ hearer: "ilka", voice: "grandmother" }) },
      "pass",
    ],
    [
      "a trigger that names it nowhere cannot be tried, and a structure of which nothing can fails",
      { case: swapping(), designs: grandmotherAlone, steps: withArgs({ hearer: "ilka" }) },
      "fail",
      "nothing that it must refuse could be tried on it",
    ],
    [
      "what cannot be tried is passed over where something else can",
      { case: swapping(dry), designs: grandmotherAlone, steps: withArgs({ hearer: "ilka" }) },
      "pass",
    ],
  ]);
});

describe("CT11 who stands beside a trigger that is tried alone", () => {
  // Ilka follows Teo through the gate: she may where he passes, and it is he who needs it open.
  const follow = (...texts: readonly string[]): Readonly<Record<string, Design>> => ({
    follow: {
      says: "",
      params: { who: { type: "person" }, gate: { type: "gate" }, to: { kind: "place" } },
      ...requires("who.at == gate.at && !all(thing).exists(t, t.iron && t.at == who)", ...texts),
      effects: [{ set: "who.at", expr: "to" }],
      duration: 1,
    },
  });
  const steps = stepsWith({ 7: [step({ ...passGate("ilka"), capability: "follow" }, passGate("teo"))] });

  expectVerdicts("gate_knows_iron", [
    [
      "is counted, and falls away where the state does not allow it",
      { designs: follow('alongside("pass_gate") >= 1'), steps },
      "pass",
    ],
    [
      "is nothing to a rule that does not ask",
      { designs: follow(), steps },
      "fail",
      "it does not refuse when bone_gate.open is false since gate_opened",
    ],
  ]);
});

describe("CT28 what a structure must allow", () => {
  const own = horn.world.capabilities["pass_gate"]?.requires ?? [];
  const passing = (expr: string): Readonly<Record<string, Design>> => ({
    pass_gate: { requires: [...own, { expr }] },
  });
  expectVerdicts("gate_knows_iron", [
    ["a difference that does no harm", { designs: passing("bronze_pin.at != null") }, "pass"],
    [
      "not the milk in the jug",
      // Poured before they come back: so the gate is passed by another design then.
      {
        designs: {
          ...passing("milk_jug.full"),
          pass_back: copyOf("pass_gate"),
        },
        steps: stepsWith({
          11: [
            step(
              does("pass_back", { who: "ilka", gate: "bone_gate", to: "gate_mouth" }),
              does("pass_back", { who: "teo", gate: "bone_gate", to: "gate_mouth" }),
            ),
          ],
        }),
      },
      "fail",
      "it refuses when milk_jug.full is false, which does no harm",
    ],
  ]);

  // The fire is taken at tick 16.
  expectVerdicts("fire_needs_word_and_clay", [
    ["at a clock that is never too late", { designs: fireUntil("clock >= 0") }, "pass"],
    ["at a clock that is too late only after more than 100 ticks", { designs: fireUntil("clock <= 116") }, "pass"],
    [
      "at a clock that is too late after 100",
      { designs: fireUntil("clock < 116") },
      "fail",
      "it refuses 100 ticks later",
    ],
  ]);
  function fireUntil(expr: string): Readonly<Record<string, Design>> {
    return { take_fire: { requires: [...(horn.world.capabilities["take_fire"]?.requires ?? []), { expr }] } };
  }

  // Of the eleven fields that the reference changes, telling the word has to do with three: eight are tried.
  expectVerdicts("dead_must_drink", [
    [
      "two of eight differences may be refused",
      { designs: telling("shade.has_drunk", "bone_gate.open", "ram_horn.lined") },
      "pass",
    ],
    [
      "three of eight are more than a third",
      { designs: telling("shade.has_drunk", "bone_gate.open", "ram_horn.lined", "!village_hearth.lit") },
      "fail",
      "it refuses 3 of 8 harmless differences, such as when bone_gate.open is false or ram_horn.lined is false or village_hearth.lit is true",
    ],
    [
      "what its own reference looks at is no harmless difference",
      { designs: telling("shade.has_drunk", "bone_gate.open", "ram_horn.lined", "!hearer.knows_word") },
      "pass",
    ],
    [
      "what the reference changes nowhere is none either",
      { designs: telling("shade.has_drunk", "bone_gate.open", "ram_horn.lined", "king_fire.lit", "!bronze_pin.iron") },
      "pass",
    ],
  ]);

  // Two designs tell the word in one step, and both are the event.
  const twice = { designs: { second: copyOf("tell_word") }, steps: stepsWith({ 9: [bothTell()] }) };
  expectVerdicts("dead_must_drink", [
    ["in every bound trigger: two that are", twice, "pass"],
    [
      "in every bound trigger: one that is and one that is not",
      { ...twice, designs: { second: { ...copyOf("tell_word"), ...requires("shade.has_drunk", "clock < 100") } } },
      "fail",
      "it refuses when the clock is 400, which does no harm",
    ],
  ]);
});
