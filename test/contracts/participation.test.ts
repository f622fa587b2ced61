/** Who took part in a trigger of the horn case, and who only stood in its arguments. */
import { describe, expect, it } from "vitest";
import { participationIn } from "../../src/contracts/index.ts";
import { relevantPaths } from "../../src/contracts/marks.ts";
import { marksOf } from "../../src/records/index.ts";
import type { TriggerId } from "../../src/runtime/index.ts";
import { holdHound, horn, playHard, step, stepsAnd, type Design, type HardPlay } from "./horn-plays.ts";

/** Which of these entities took part in a trigger of a play, going by the paths on which the story turns, or by all. */
function partIn(
  play: HardPlay,
  trigger: string,
  entities: readonly string[],
  by: "story" | "all" = "story",
): readonly string[] {
  const relevant = by === "all" ? undefined : relevantPaths(marksOf(horn));
  const participation = participationIn(playHard(play).trace, relevant);
  return entities.filter((entity) => participation.takesPart(trigger as TriggerId, entity));
}

const requires = (...texts: readonly string[]): Design => ({ requires: texts.map((expr) => ({ expr })) });
/** Lining the horn, its rule written otherwise; nothing else of it concerns Ilka. */
const lining = (...texts: readonly string[]): HardPlay => ({ designs: { line_horn: requires(...texts) } });

describe("by a write", () => {
  const bare: HardPlay = { designs: { hold_beast: { requires: [] } }, steps: stepsAnd({ 6: [step(holdHound)] }) };

  it.each<[string, HardPlay, string, readonly string[]]>([
    ["of a path of it, or of its id as a value, that changes something", bare, "t6_1", ["ilka", "hound"]],
    ["not by the same write where it changes nothing", bare, "t7_1", []],
    ["not by being an argument", lining(), "t2_1", ["ram_horn"]],
  ])("CT7 %s", (_, play, trigger, expected) => {
    expect(partIn(play, trigger, ["ilka", "teo", "hound", "ram_horn"])).toEqual(expected);
  });
});

describe("by a read that matters", () => {
  it.each<[string, HardPlay, readonly string[]]>([
    ["where most places would be refused", lining("who.at == cold_spring"), ["ilka"]],
    ["where most places would change nothing", lining("who.at != ford"), []],
    ["where a path holds its id", lining("horn.at == who"), ["ilka"]],
    ["where nothing turns on what is read", lining("who.at == who.at"), []],
    ["where a field of it may not be otherwise", lining("!who.knows_word"), ["ilka"]],
    ["where either of two values would do", lining("who.knows_word || !who.knows_word"), []],
  ])("CT8 an entity takes part %s", (_, play, expected) => {
    expect(partIn(play, "t2_1", ["ilka", "teo"])).toEqual(expected);
  });

  it("CT8 what is asked of all things of a type is asked of each", () => {
    // Bronze that were iron would be refused, and so would the knife, were it not left at the ford.
    expect(partIn({}, "t7_1", ["bronze_pin", "iron_knife", "milk_jug"])).toEqual(["bronze_pin"]);
  });
});

describe("by a trigger before", () => {
  it.each<[string, string, readonly string[]]>([
    ["who drew the bolt is part of passing the gate", "t7_1", ["teo"]],
    ["who gave the milk is part of the word", "t9_1", ["teo", "grandmother"]],
    ["who gave the milk is two links away from the fire", "t10_1", ["grandmother"]],
  ])("CT9 %s", (_, trigger, expected) => {
    expect(partIn({}, trigger, ["teo", "grandmother", "hound"])).toEqual(expected);
  });

  it("CT9 a link counts where its path matters", () => {
    const passing = (expr: string): HardPlay => ({ designs: { pass_gate: { requires: [{ expr }] } } });
    expect(partIn(passing("gate.open"), "t7_1", ["teo"])).toEqual(["teo"]);
    expect(partIn(passing("gate.open || !gate.open"), "t7_1", ["teo"])).toEqual([]);
  });
});

describe("by what the story turns on", () => {
  const miller = lining("!drowned_miller.has_drunk");

  it.each<[string, HardPlay, "story" | "all", readonly string[]]>([
    ["a path that no reference changes or looks at gives no part", miller, "story", []],
    ["it does where every path may matter", miller, "all", ["drowned_miller"]],
    ["every `at` may give part", lining("drowned_miller.at == black_hall"), "story", ["drowned_miller"]],
    ["what the reference changes may", lining("!grandmother.has_drunk"), "story", ["grandmother"]],
    ["what a reference trigger only looks at may", lining("king_fire.lit"), "story", ["king_fire"]],
  ])("CT30 %s", (_, play, by, expected) => {
    expect(partIn(play, "t2_1", ["drowned_miller", "grandmother", "king_fire"], by)).toEqual(expected);
  });
});

describe("beside others", () => {
  // Ilka may take the hound only while the bolt is drawn.
  const both: HardPlay = {
    designs: { hold_beast: requires("who.at == beast.at", 'alongside("draw_bolt") >= 1') },
  };

  it("CT11 a trigger that may be done only together keeps its participants when tried alone", () => {
    expect(partIn(both, "t6_1", ["ilka", "hound", "teo"])).toEqual(["ilka", "hound"]);
  });
});
