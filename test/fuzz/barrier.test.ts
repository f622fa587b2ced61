import { describe, expect, it } from "vitest";
import { scenarioOf, type Case } from "../../src/cases/index.ts";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { sha256 } from "../../src/runtime/digest.ts";
import { budgetsFrom, TIERS, type Tier } from "../../src/runtime/index.ts";
import { isOver, openSession, type Session } from "../../src/runtime/session.ts";
import { digestOfWorld } from "../../src/runtime/world.ts";
import { OPENING, soundCall, type ToolCall } from "./calls.ts";
import { engine, type Engine } from "./fuzz.ts";
import { learn, nothingKnown } from "./knowledge.ts";
import { malicious } from "./malice.ts";
import { randomOf } from "./random.ts";
import {
  CANARY,
  isSealed,
  MARK,
  markedCase,
  markOf,
  markOfRound,
  partsOfFiles,
  plainCase,
  SEEN,
} from "./sealed-case.ts";

const CALLS = 500;
const plenty = (rounds: number) => budgetsFrom(Array.from({ length: rounds }, () => ({ steps: 1e6, calls: 1e6 })));

/** A case as it is played, by the way that every run takes, but with calls to spare. */
function sessionOf(case_: Case, tier: Tier): Session {
  return openSession({ ...scenarioOf(case_, tier), budgets: plenty(case_.narratives.length) });
}

/** The calls of a fuzzed play, learnt from the answers of a case; every so often a round ends. */
function callsFor(case_: Case, tier: Tier, seed: number, everyRound = 60): readonly ToolCall[] {
  const random = randomOf(seed);
  const known = nothingKnown();
  let session = sessionOf(case_, tier);
  const calls: ToolCall[] = [];
  while (calls.length < CALLS && !isOver(session)) {
    const sound = OPENING[calls.length] ?? soundCall(random, known, tier);
    const isEnd = calls.length % everyRound === everyRound - 1;
    const other = random.once(3) ? malicious(random, known, sound) : sound;
    const call: ToolCall = isEnd ? { tool: "end_round", input: {} } : other.tool === "end_round" ? sound : other;
    if (call.tool === "end_round" && !isEnd) continue;
    calls.push(call);
    const turn = engine(session, call);
    session = turn.session;
    if (turn.answer.ok && typeof call.tool === "string" && isObject(call.input))
      learn(known, call.tool, call.input, turn.answer);
  }
  return calls;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Every answer of a play, as text, with the round in which it was given. */
function transcriptOf(case_: Case, tier: Tier, calls: readonly ToolCall[], play: Engine = engine) {
  let session = sessionOf(case_, tier);
  return calls.map((call) => {
    const turn = play(session, call);
    session = turn.session;
    return { round: "round" in session ? session.round : 0, answer: JSON.stringify(turn.answer) };
  });
}

const answersOf = (transcript: readonly { readonly answer: string }[]) => transcript.map(({ answer }) => answer);

describe("the information barrier", () => {
  it("RT75 classes every part of a case's files by who may see it", () => {
    for (const [kind, key] of partsOfFiles()) expect([kind, key, SEEN[kind][key]]).not.toContain(undefined);
  });

  it.each(TIERS)("RT75 what is sealed in %s changes no answer by a byte, and no word of it is ever told", (tier) => {
    const plain = plainCase();
    const { case: marked, marks } = markedCase({ tier });
    const sealed = partsOfFiles().filter(([kind, key]) => isSealed(SEEN[kind][key] ?? "sealed", tier));
    const unmarkable = ["family", "stratum", "version", "licence", "canary"];
    const keys = [...new Set(sealed.map(([, key]) => key))].filter((key) => !unmarkable.includes(key));
    // Every sealed part is marked: those of the contract by their names, where they hold no text.
    expect(keys.filter((key) => !marks.has(markOf(key)))).toEqual(["relations", "reference"]);
    expect(marks).toContain(markOf("name"));
    for (const seed of [1, Date.now() % 1_000_000]) {
      const calls = callsFor(plain, tier, seed);
      const told = answersOf(transcriptOf(marked, tier, calls));
      expect(told, `seed ${seed}`).toEqual(answersOf(transcriptOf(plain, tier, calls)));
      expect(told.filter((answer) => answer.includes(MARK) || answer.includes(CANARY))).toEqual([]);
      expect(told.filter((answer) => answer.startsWith('{"ok":true')).length).toBeGreaterThan(50);
    }
  });

  it("RT75 a narrative is told from its round on, and not before", () => {
    const rounds = plainCase().narratives.map((_, i) => i + 1);
    const { case: marked } = markedCase({ tier: "hard", rounds });
    const transcript = transcriptOf(marked, "hard", callsFor(marked, "hard", 7, 25));
    for (const round of rounds) {
      const first = transcript.find(({ answer }) => answer.includes(markOfRound(round)));
      expect(first?.round ?? round).toBe(round);
    }
    expect(new Set(transcript.map(({ round }) => round)).size).toBeGreaterThan(4);
  });

  it("RT75 what is given in a tier is told there: the marks can be seen", () => {
    const { case: marked } = markedCase({ tier: "extreme" });
    const told = answersOf(transcriptOf(marked, "easy", callsFor(marked, "easy", 3))).join("");
    for (const part of ["capabilities", "entities", "types"]) expect(told).toContain(markOf(part));
    expect(told).not.toContain(markOf("events"));
  });

  it("RT75 RT83 an engine whose error texts leak is found out", () => {
    const leaky =
      (case_: Case): Engine =>
      (session, call) => {
        const turn = engine(session, call);
        if (turn.answer.ok || turn.answer.error.code !== "unknown_entity") return turn;
        const hint = `there is no such entity; events are ${case_.contract.rounds[0]?.events.map(({ id }) => id).join(", ")}`;
        return { ...turn, answer: { ok: false, error: { ...turn.answer.error, hint } } };
      };
    const [plain, { case: marked }] = [plainCase(), markedCase({ tier: "hard" })];
    const calls = callsFor(plain, "hard", 1);
    const told = answersOf(transcriptOf(marked, "hard", calls, leaky(marked)));
    expect(told).not.toEqual(answersOf(transcriptOf(plain, "hard", calls, leaky(plain))));
    expect(told.some((answer) => answer.includes(MARK))).toBe(true);
  });
});

describe("reads", () => {
  const READS: ReadonlySet<unknown> = new Set(["help", "get_context", "read_data"]);
  it.each(TIERS)(
    "RT76 in %s leave digest, log and every later answer as they were, whatever is read between",
    (tier) => {
      const case_ = plainCase();
      const calls = callsFor(case_, tier, 11);
      const doings = calls.filter(({ tool }) => !READS.has(tool));
      const reads = calls.filter(({ tool }) => READS.has(tool));
      const random = randomOf(5);
      let moved = 0;
      const play = (disturbed: boolean) => {
        let session = sessionOf(case_, tier);
        return doings.map((call) => {
          if (disturbed) {
            for (let n = random.below(4); n > 0; n -= 1) {
              const before = digestOfWorld(session.world);
              session = engine(session, reads[random.below(reads.length)] as ToolCall).session;
              if (digestOfWorld(session.world) !== before) moved += 1;
            }
          }
          const turn = engine(session, call);
          session = turn.session;
          // The budgets of a context tell how many calls were made: of that alone reads leave a trace.
          const context = { ...engine(session, { tool: "get_context", input: {} }).answer, budgets: null };
          return sha256(canonicalJson([turn.answer, turn.record ?? null, digestOfWorld(session.world), context]));
        });
      };
      expect(reads.length).toBeGreaterThan(30);
      expect(play(true)).toEqual(play(false));
      expect(moved).toBe(0);
    },
  );
});
