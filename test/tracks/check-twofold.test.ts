import { expect, it } from "vitest";
import { playBase } from "../../src/tracks/maintenance/admission/base.ts";
import { checkTwofold } from "../../src/tracks/maintenance/admission/check-twofold.ts";
import { benchOf } from "../../src/tracks/maintenance/admission/judge.ts";
import { scriptOf } from "../../src/tracks/maintenance/admission/script.ts";
import { caseAfter, type Edit } from "../cases/broken-case.ts";

const world = (from: string, to: string): Edit => ({ file: "case.yaml", from, to });

function messagesAfter(...edits: readonly Edit[]): readonly string[] {
  const case_ = caseAfter(...edits);
  return checkTwofold(playBase(benchOf(case_), "easy", scriptOf(case_, "easy"))).map(({ message }) => message);
}

const STANDS = world("knows_word: {", "stands: { kind: place, default: hearthfield }, knows_word: {");
const walking = (effects: string): Edit =>
  world(
    "effects: [ { set: who.at, expr: to } ]\n    duration: travelTicks",
    `effects: [ ${effects} ]\n    duration: travelTicks`,
  );
const passing = (effects: string): Edit =>
  world(
    '|| to == gate.at)" }\n    effects: [ { set: who.at, expr: to } ]',
    `|| to == gate.at)" }\n    effects: [ ${effects} ]`,
  );
const BOTH = "{ set: who.at, expr: to }, { set: who.stands, expr: to }";

it("CS8 a fact that is kept in two fields of one entity is found", () => {
  expect(messagesAfter()).toEqual([]);
  expect(messagesAfter(STANDS, walking(BOTH), passing(BOTH))).toEqual([
    "person.at and person.stands keep one fact: each value of one goes with one value of the other in every state of the reference; keep one of them",
  ]);
});

it("CS8 two fields that part once keep two facts", () => {
  expect(messagesAfter(STANDS, walking(BOTH))).toEqual([]);
});

it("CS8 two references that point at one another are one fact", () => {
  const refs = [
    world("knows_word: {", "holds: { kind: ref, of: beast, default: null }, knows_word: {"),
    world(
      "effects: [ { set: beast.held_by, expr: who } ]",
      "effects: [ { set: beast.held_by, expr: who }, { set: who.holds, expr: beast } ]",
    ),
  ];
  // Once may be chance.
  expect(messagesAfter(...refs)).toEqual([]);
  const letGo = world(
    'to == gate.at)" }\n    effects: [',
    'to == gate.at)" }\n    effects: [ { set: hound.held_by, value: null }, { set: ilka.holds, value: null },',
  );
  expect(messagesAfter(...refs, letGo)).toEqual([
    "beast.held_by and person.holds keep one fact: each points back where the other points in every state of the reference; keep one of them",
  ]);
});
