/** The exact judge on plays of the horn case that differ from the reference in one thing. */
import { describe, expect, it } from "vitest";
import type { Call, Case } from "../../src/cases/index.ts";
import { deriveMarks, playReference } from "../../src/contracts/index.ts";
import { caseAfter } from "../cases/broken-case.ts";
import {
  constructionsOf,
  does,
  foundOf,
  horn,
  layKnife,
  lightHearth,
  lineHorn,
  ofRound,
  ofWorld,
  passGate,
  played,
  playEasy,
  playHard,
  step,
  stepsAnd,
  stepsOf,
  stepsWith,
  takeFire,
  tellWord,
  type HardPlay,
} from "./horn-plays.ts";

const hold = (who: string) => does("hold_beast", { who, beast: "hound" });
const take = does("take_up", { who: "ilka", what: "iron_knife" });
const walk = (who: string, to: string) => does("walk", { who, to });

/** Capabilities that the case has not. */
const NEW = {
  take_up: {
    params: { who: { type: "person" }, what: { type: "thing" } },
    requires: [{ expr: "what.at == who.at" }],
    effects: [{ set: "what.at", expr: "who" }],
    duration: 1,
  },
  open_horn: {
    params: { open: { kind: "bool" } },
    requires: [],
    effects: [{ set: "ram_horn.open", expr: "open" }],
    duration: 1,
  },
} as const;

describe("an event", () => {
  it("CT3 CT22 has marks only where its reference triggers change its defining path", () => {
    const marksAfter = (from: string, to: string) => {
      const { contract, reference, world } = caseAfter(ofRound(from, to));
      const reached = playReference(world, reference);
      if (!reached.ok) throw new Error(reached.error.error.message);
      const marks = deriveMarks(contract, reached.value);
      return marks.ok ? [] : marks.error.map(({ message }) => message);
    };
    expect(marksAfter("defining: [ram_horn.lined]", "defining: [ram_horn.lined]")).toEqual([]);
    expect(marksAfter("defining: [ram_horn.lined]", "defining: [ram_horn.open]")).toEqual([
      'event "horn_lined": no trigger that realises it changes ram_horn.open',
    ]);
    // To hold the hound once more writes the path, and changes nothing.
    const twice =
      "  - { triggers: [ { capability: hold_beast, args: { who: ilka, beast: hound }, realises: [hound_held] } ] }\n";
    expect(
      marksAfter(
        "{ who: ilka, beast: hound }, realises: [hound_held] }",
        "{ who: ilka, beast: hound } }",
      ).length,
    ).toBe(1);
    expect(twice).toContain("hound_held");
  });
});
