import { describe, expect, it } from "vitest";
import { checkLeaks } from "../../src/tracks/maintenance/admission/check-prose.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";

const inRound = (from: string, to: string): Edit => ({ file: "rounds/01.yaml", from, to });
const messagesAfter = (...edits: readonly Edit[]): readonly string[] =>
  checkLeaks(caseAfter(...edits)).map(({ item, message }) => (item === undefined ? message : `${item}: ${message}`));

describe("CS8 a narrative gives nothing away", () => {
  const rows: readonly (readonly [string, Edit, string])[] = [
    [
      "an id",
      inRound("Ilka went down alone", "ram_horn went down alone"),
      "the narrative of round 1 gives the id ram_horn away",
    ],
    [
      "an id in another spelling",
      inRound("Ilka went down alone", "boneGate went down alone"),
      "the narrative of round 1 gives the id bone_gate away",
    ],
    [
      "an id in the sentence of an item",
      inRound("says: Teo draws the bolt of the bone gate", "says: Teo opens bone_gate"),
      "the sentence of gate_opened gives the id bone_gate away",
    ],
    [
      "a sentence of the contract",
      inRound("They will tell you", "Teo draws the bolt of the bone gate. They will tell you"),
      'the narrative of round 1 has the sentence of gate_opened word for word: "teo draws the bolt of the bone gate"; say one of them otherwise',
    ],
    [
      "nine words of a longer one",
      inRound("They will tell you", "Ilka lays her iron knife on the stone at night. They will tell you"),
      'the narrative of round 1 has the sentence of knife_left word for word: "ilka lays her iron knife on the stone at"; say one of them otherwise',
    ],
  ];
  it.each(rows)("%s", (_says, edit, message) => {
    expect(messagesAfter(edit)).toEqual([message]);
  });

  it("CS8 by the name of a capability: three of its words in a row are no plain speech, two may be", () => {
    const named = (id: string): readonly Edit[] => [
      { file: "case.yaml", from: "  draw_bolt:", to: `  ${id}:` },
      inRound("capability: draw_bolt", `capability: ${id}`),
    ];
    const told = inRound("They will tell you", "Draw gate bolt, draw bolt. They will tell you");
    expect(messagesAfter(...named("draw_gate_bolt"), told)).toEqual([
      'the narrative of round 1 has the name of the capability draw_gate_bolt word for word: "draw gate bolt"; say one of them otherwise',
    ]);
    expect(messagesAfter(...named("draw_bolt"), told)).toEqual([]);
  });

  it("CS8 as it stands gives nothing away, and names everybody", () => {
    expect(messagesAfter()).toEqual([]);
  });
});

describe("CS8 a narrative names by then what an event needs", () => {
  it("CS8 who took part", () => {
    const edits = [
      { file: "case.yaml", from: "name: the white hound", to: "name: Garm" },
      { file: "case.yaml", from: "name: the bronze pin in Ilka's cloak", to: "name: the white hound" },
    ];
    expect(messagesAfter(...edits)).toEqual([
      "hound_held: it needs hound, and no narrative up to its round names Garm",
    ]);
  });

  it("CS8 the place of its circumstances, unless it is where one of those stands from the beginning", () => {
    const named = (from: string): Edit => ({ file: "case.yaml", from, to: `${from.split(":")[0]}: Brunnholz` });
    expect(messagesAfter(named("ford: the ford and its flat stone"))).toEqual([
      "knife_left: it needs ford, and no narrative up to its round names Brunnholz",
    ]);
    // The gate and the hound stand there all along.
    expect(messagesAfter(named("gate_mouth: the ground before the bone gate"))).toEqual([]);
  });
});
