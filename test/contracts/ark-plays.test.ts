/**
 * Plays of the first round of ark_001 in hard, through the real session: three honest ones that model the round
 * differently, made from the narrative, the world and help alone; and four that try to score without keeping the world.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCase, scenarioOf } from "../../src/cases/index.ts";
import {
  buildTrace,
  deriveMarks,
  judgeExactly,
  playReference,
  scoreJudgedRun,
  type Score,
} from "../../src/contracts/index.ts";
import { admitCall, callTool, openSession, type EffectRecord, type Json } from "../../src/runtime/index.ts";

interface Play {
  readonly constructs: readonly Json[];
  readonly steps: readonly Json[];
}

interface Outcome {
  /** passed/scored of the round. */
  readonly completion: string;
  readonly relation: string;
  /** Scored items of the round that did not pass, in the order of the contract. */
  readonly missed: readonly string[];
  /** Calls that were refused. */
  readonly refused: number;
}

const loaded = loadCase(fileURLToPath(new URL("../../cases/maintenance/ark_001", import.meta.url)));
if (!loaded.ok) throw new Error("ark_001 does not load");
const case_ = loaded.value;
const scenario = scenarioOf(case_, "hard");
const marks = marksOfCase();

function marksOfCase() {
  const played = playReference(case_.world, case_.reference);
  if (!played.ok) throw new Error("the reference of ark_001 is refused");
  const derived = deriveMarks(case_.contract, played.value);
  if (!derived.ok) throw new Error("the reference of ark_001 does not give its marks");
  return derived.value;
}

function readPlay(name: string): Play | readonly Call[] {
  const file = new URL(`../fixtures/plays/ark_001/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Play | readonly Call[];
}

type Call = readonly [string, Json];

/** A file of constructs and steps of one round, or of calls as a player made them. */
function callsOf(name: string): readonly Call[] {
  const play = readPlay(name);
  if (!("steps" in play)) return play;
  return [
    ...play.constructs.map((capability): Call => ["construct", { op: "create", capability }]),
    ...play.steps.map((step): Call => ["commit_step", step]),
    ["end_round", {}],
  ];
}

/** Plays it as an agent would, call by call, and scores the rounds it ended. */
function scoresOf(name: string): { readonly score: Score; readonly refused: number } {
  let session = openSession(scenario);
  let refused = 0;
  const records: EffectRecord[] = [];
  for (const [tool, input] of callsOf(name)) {
    const turn = callTool(session, admitCall(tool, input));
    session = turn.session;
    if (!turn.answer.ok) refused += 1;
    if (turn.record) records.push(turn.record);
  }
  const trace = buildTrace(scenario.world, records);
  if (!trace.ok) throw new Error(`${name}: ${trace.error.where}`);
  const roundsPlayed = trace.value.ends.length;
  const score = scoreJudgedRun({
    case: case_.id,
    tier: "hard",
    contract: case_.contract,
    trace: trace.value,
    judgments: judgeExactly(case_.contract, marks, case_.world, trace.value, roundsPlayed),
    roundsPlayed,
    outcome: "stopped",
    judge: "exact",
    marks,
  });
  return { score, refused };
}

const known = new Map<string, readonly Outcome[]>();

/** What a play comes to, round by round; played once. */
function outcomesOf(name: string): readonly Outcome[] {
  const before = known.get(name);
  if (before !== undefined) return before;
  const { score, refused } = scoresOf(name);
  const outcomes = score.rounds
    .filter((round) => round.played)
    .map(({ round, completion, relation }) => ({
      completion: `${completion.passed}/${completion.scored}`,
      relation: `${relation.passed}/${relation.scored}`,
      missed: score.items
        .filter((item) => item.round === round && item.scored && item.status !== "pass")
        .map(({ id }) => id),
      refused,
    }));
  known.set(name, outcomes);
  return outcomes;
}

function outcomeOf(name: string): Outcome {
  return outcomesOf(name)[0] as Outcome;
}

const shareOf = (rate: string) => {
  const [passed = 0, scored = 0] = rate.split("/").map(Number);
  return passed / scored;
};

const FULL: Outcome = { completion: "14/14", relation: "8/8", missed: [], refused: 0 };

/**
 * coarse: one capability for two hands. split: the card is read in an earlier step of its own. strokes: the oil comes in
 * several pourings. alongside: the card is read by a trigger beside the dose. through null: one hand off, then the other on.
 */
const HONEST = ["honest_coarse", "honest_split", "honest_strokes", "honest_alongside", "honest_brake_through_null"];

const RULES = ["lamp_needs_oil_and_striker", "no_filling_alight", "drops_need_leave_and_low_fever"];
const UNGUARDED = [
  "wind_eight",
  "lamp_lit",
  "tooth_dosed",
  ...RULES,
  "bell_stays_tied",
  "r1_ca1",
  "r1_tm1",
  "r1_ca2",
  "r1_tm2",
  "r1_cc2",
  "r1_tm3",
];
const OVERLOADED = [
  "striker_given",
  "lamp_filled",
  "tooth_dosed",
  "caps_found",
  "no_filling_alight",
  "drops_need_leave_and_low_fever",
  "r1_tm1",
  "r1_ca2",
  "r1_tm2",
  "r1_cc2",
  "r1_tm3",
];

const CHEATS: Readonly<Record<string, Outcome>> = {
  setters: { completion: "7/14", relation: "2/8", missed: UNGUARDED, refused: 0 },
  spam: { completion: "7/14", relation: "2/8", missed: UNGUARDED, refused: 0 },
  mega: { completion: "8/14", relation: "3/8", missed: OVERLOADED, refused: 0 },
  freeze: { completion: "11/14", relation: "8/8", missed: RULES, refused: 0 },
};

/** Setters that try to make everybody take part without one rule that holds anything back, and two plays that do the forbidden. */
const TRICKS: Readonly<Record<string, { readonly completion: string; readonly relation: string }>> = {
  /** `who.fever != 43`: true in all legal values but one, of a field the story never turns on for them. */
  trick_all_but_one_value: { completion: "3/14", relation: "0/8" },
  /** `all(person).all(p, p.fever < 43)` in every capability: everybody would take part in everything. */
  trick_blanket_rule: { completion: "3/14", relation: "0/8" },
  /** One trigger touches everybody, and every other asks whether it happened. */
  trick_muster: { completion: "3/14", relation: "0/8" },
  /** `set who.fever = who.fever`. */
  trick_write_back: { completion: "3/14", relation: "0/8" },
  /** `set who.at` to where they are. */
  trick_constant_same: { completion: "3/14", relation: "0/8" },
  /** Each doing also adds a degree of fever to whoever should have taken part. */
  trick_dummy_writes: { completion: "3/14", relation: "0/8" },
  /** Lit without a rule; a step later a trigger with the rules sets the lamp to lit once more. */
  trick_guard_afterwards: { completion: "13/14", relation: "8/8" },
  trick_brake_given_away: { completion: "13/14", relation: "8/8" },
  trick_bell_untied_before: { completion: "13/14", relation: "8/8" },
};

describe("plays of the first round of ark_001", () => {
  it.each(HONEST)("CT5 CT11 CT23 CT27 CT28 an honest play keeps every point: %s", (name) => {
    expect(outcomeOf(name)).toEqual(FULL);
  });

  it("a stranger who knew only the tools keeps two rounds running", () => {
    // One call was refused, and sent in a batch: the burnt oil came out of the lamp too late, which the contract does not ask.
    expect(outcomesOf("stranger_two_rounds")).toEqual([
      { completion: "14/14", relation: "8/8", missed: [], refused: 1 },
      { completion: "13/13", relation: "9/9", missed: [], refused: 1 },
    ]);
  });

  it.each(Object.entries(CHEATS))("CT5 CT8 CT25 CT28 a cheat gets what its doings deserve: %s", (name, expected) => {
    expect(outcomeOf(name)).toEqual(expected);
  });

  it.each(Object.entries(TRICKS))("CT7 CT8 CT9 CT27 CT30 a trick earns nothing: %s", (name, expected) => {
    expect(outcomeOf(name)).toMatchObject(expected);
  });

  it.each(Object.keys(CHEATS))("every honest play completes more than %s", (cheat) => {
    const worst = Math.min(...HONEST.map((name) => shareOf(outcomeOf(name).completion)));
    expect(worst).toBeGreaterThan(shareOf(outcomeOf(cheat).completion));
  });

  // What freeze did happened in its order: only its rules are none, so it may have every relation.
  it.each(["setters", "spam", "mega"])("every honest play keeps more relations than %s", (cheat) => {
    const worst = Math.min(...HONEST.map((name) => shareOf(outcomeOf(name).relation)));
    expect(worst).toBeGreaterThan(shareOf(outcomeOf(cheat).relation));
  });
});
