/**
 * The first round of every shipped case in hard: as its author plays it, as a stranger played it who knew only what the
 * tools say, and by those who try to score without keeping the world. They keep their order.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listCases, loadCase, scenarioOf, type Case } from "../../src/cases/index.ts";
import { buildTrace, judgeExactly, scoreJudgedRun } from "../../src/contracts/index.ts";
import { marksOf } from "../../src/records/index.ts";
import { admitCall, callTool, openSession, type EffectRecord, type Json } from "../../src/runtime/index.ts";
import { playBase } from "../../src/tracks/maintenance/admission/base.ts";
import { checkCheats } from "../../src/tracks/maintenance/admission/check-cheats.ts";
import { benchOf } from "../../src/tracks/maintenance/admission/judge.ts";
import { scriptOf } from "../../src/tracks/maintenance/admission/script.ts";

interface Share {
  readonly completion: number;
  readonly relation: number;
}

function firstRoundOf(case_: Case): Case {
  return {
    ...case_,
    narratives: case_.narratives.slice(0, 1),
    contract: { ...case_.contract, rounds: case_.contract.rounds.slice(0, 1) },
    reference: case_.reference.slice(0, 1),
  };
}

/** Calls as somebody made them, the tool and its input, the last of them the end of the round. */
function callsOf(id: string): readonly (readonly [string, Json])[] {
  const file = `test/fixtures/plays/${id}/stranger.json`;
  if (!existsSync(file)) throw new Error(`nobody has played ${id}: ${file} is missing`);
  return JSON.parse(readFileSync(file, "utf8")) as readonly (readonly [string, Json])[];
}

function scoreOfCalls(case_: Case, calls: readonly (readonly [string, Json])[]): Share {
  const scenario = scenarioOf(case_, "hard");
  let session = openSession(scenario);
  const records: EffectRecord[] = [];
  for (const [tool, input] of calls) {
    const turn = callTool(session, admitCall(tool, input));
    session = turn.session;
    if (turn.record) records.push(turn.record);
  }
  const trace = buildTrace(scenario.world, records);
  if (!trace.ok) throw new Error(trace.error.where);
  const marks = marksOf(case_);
  const { completion, relation } = scoreJudgedRun({
    case: case_.id,
    tier: "hard",
    contract: case_.contract,
    trace: trace.value,
    judgments: judgeExactly(case_.contract, marks, case_.world, trace.value, 1),
    roundsPlayed: 1,
    outcome: "finished",
    judge: "exact",
    marks,
  });
  return { completion: completion.passed / completion.scored, relation: relation.passed / relation.scored };
}

const cases = listCases("cases/maintenance").map(({ directory }) => {
  const loaded = loadCase(directory);
  if (!loaded.ok) throw new Error(directory);
  return loaded.value;
});
/** Plays of ark_001 have a test of their own. */
const others = cases.filter(({ id }) => id !== "ark_001");

describe("CS5 the first round of a case in hard", () => {
  it.each(others.map((case_) => [case_.id, case_] as const))(
    "%s: the author above or beside a stranger, a stranger above every cheat but the one that plays the story by heart",
    (id, case_) => {
      const first = firstRoundOf(case_);
      const base = playBase(benchOf(first), "hard", scriptOf(first, "hard"));
      const cheats = new Map(
        [...checkCheats(base)].map(({ score, problems }) => {
          expect(problems).toEqual([]);
          const { completion, relation } = score;
          return [
            score.cheat,
            { completion: completion.passed / completion.of, relation: relation.passed / relation.of },
          ] as const;
        }),
      );
      const stranger = scoreOfCalls(first, callsOf(id));
      expect(stranger.completion).toBeGreaterThanOrEqual(0.85);
      for (const cheat of ["setters", "idle arguments", "mega", "spam"] as const) {
        const earned = cheats.get(cheat) as Share;
        expect([cheat, earned.completion < stranger.completion]).toEqual([cheat, true]);
        expect([cheat, earned.relation < stranger.relation]).toEqual([cheat, true]);
      }
      // Freeze plays the story, every word of it by heart: it deserves the events, and no structure.
      expect(cheats.get("freeze")?.completion).toBeLessThan(1);
    },
  );
});
