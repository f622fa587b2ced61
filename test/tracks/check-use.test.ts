import { describe, expect, it } from "vitest";
import { playBase } from "../../src/tracks/maintenance/admission/base.ts";
import { checkUse } from "../../src/tracks/maintenance/admission/check-use.ts";
import { benchOf } from "../../src/tracks/maintenance/admission/judge.ts";
import { scriptOf } from "../../src/tracks/maintenance/admission/script.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";

const world = (from: string, to: string): Edit => ({ file: "case.yaml", from, to });

/** What is found to be used by nothing. */
function idleAfter(...edits: readonly Edit[]): readonly string[] {
  const case_ = caseAfter(...edits);
  return checkUse(playBase(benchOf(case_), "easy", scriptOf(case_, "easy"))).map(({ check, message }) => {
    expect([check, message]).toEqual([9, expect.stringMatching(/ is used by nothing: /)]);
    return message.replace(/ is used by nothing: .*/s, "");
  });
}

const place = (id: string, says: string, ...linkedTo: readonly string[]): readonly Edit[] => [
  world("  places:\n", `  places:\n    ${id}: ${says}\n`),
  ...linkedTo.map((to) => world("  links:\n", `  links:\n    - { from: ${id}, to: ${to}, bothWays: true }\n`)),
];

describe("CS5 whatever nothing uses is found", () => {
  it("CS5 and the case as it is uses everything", () => {
    expect(idleAfter()).toEqual([]);
  });

  it.each<[string, Edit]>([
    [
      "capability hum",
      world(
        "capabilities:\n",
        "capabilities:\n  hum: { says: Somebody hums, params: {}, requires: [], effects: [] }\n",
      ),
    ],
    ["type bird", world("types:\n", "types:\n  bird: { says: A bird, fields: {} }\n")],
    ["field gate.old", world("A gate with a bolt, fields: {", "A gate with a bolt, fields: { old: { kind: bool },")],
    ["entity spare_jug", world("entities:\n", "entities:\n  spare_jug: { type: jug, name: a spare jug, at: ford }\n")],
  ])("CS5 %s", (what, edit) => {
    expect(idleAfter(edit)).toEqual([what]);
    const name = what.split(" ")[1] ?? "";
    expect(
      idleAfter(edit, world("invariants:\n", `unused: { ${name}: it is there to be passed by }\ninvariants:\n`)),
    ).toEqual([]);
  });

  it("CS5 a place that leads nowhere and is never named, unless it says why it is there", () => {
    const moor = place("moor", "the moor", "ford");
    expect(idleAfter(...moor)).toEqual(["place moor"]);
    const excused = world("invariants:\n", "unused: { moor: one may lose one's way }\ninvariants:\n");
    expect(idleAfter(...moor, excused)).toEqual([]);
  });

  it("CS5 a place of the story, or one on a way between two that are used, is no idle place", () => {
    expect(idleAfter(...place("moor", "the moor", "ford", "gate_mouth"))).toEqual([]);
    const told: Edit = {
      file: "rounds/01.yaml",
      from: "They will tell you",
      to: "There is a moor. They will tell you",
    };
    expect(idleAfter(...place("moor", "the moor", "ford"), told)).toEqual([]);
  });
});
