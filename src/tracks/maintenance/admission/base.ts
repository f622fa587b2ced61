/** The reference that mutants are made from. */
import { participationIn, type EventId, type RoundContract, type Trace } from "../../../contracts/index.ts";
import { canonicalJson, type Scenario, type Tier } from "../../../runtime/index.ts";
import { judgeRound, judgeRounds, outcomeOf, type Bench, type Outcome, type RoundVerdict } from "./judge.ts";
import {
  endRound,
  generousScenario,
  openPlay,
  playAct,
  traceOf,
  type Played,
  type PlayState,
  type RefusedAct,
} from "./play.ts";
import { reachOf, type Reach } from "./reach.ts";
import type { Script } from "./script.ts";

/** The reference of a tier, played and judged once, with every state it passes through. */
export interface Base extends Played {
  readonly bench: Bench;
  readonly tier: Tier;
  readonly scenario: Scenario;
  readonly script: Script;
  /** By round and act, the state before it; the last of a round is the state before its end. */
  readonly states: readonly (readonly PlayState[])[];
  /** By round, the state after its end. */
  readonly ends: readonly PlayState[];
  readonly verdicts: readonly RoundVerdict[];
  readonly outcome: Outcome;
  /** Whether a later hour changes no verdict. */
  readonly isClockFree: boolean;
  /** Rounds whose verdicts follow from the round alone, and what the judge may look at in them. */
  readonly closed: ReadonlyMap<number, Reach>;
}

export function playBase(bench: Bench, tier: Tier, script: Script): Base {
  const scenario = generousScenario(bench.case, tier);
  const refused: RefusedAct[] = [];
  const states: PlayState[][] = [];
  const ends: PlayState[] = [];
  let state = openPlay(scenario);
  script.forEach((acts, i) => {
    const own: PlayState[] = [];
    for (const act of acts) {
      own.push(state);
      const done = playAct(state, act);
      if (done.error !== undefined) refused.push({ round: i + 1, act, error: done.error });
      state = done.state;
    }
    states.push([...own, state]);
    state = endRound(state);
    ends.push(state);
  });
  const trace = traceOf(scenario, state.entries, state.ends);
  const verdicts = judgeRounds(bench, trace);
  const isFree = isClockFree(bench);
  const closed = new Map<number, Reach>();
  for (const round of isFree ? bench.case.contract.rounds : []) {
    const reach = isClosed(bench, round, trace) ? reachOf(round, trace) : undefined;
    if (reach !== undefined) closed.set(round.round, reach);
  }
  return {
    bench,
    tier,
    scenario,
    script,
    states,
    ends,
    trace,
    refused,
    verdicts,
    outcome: outcomeOf(bench, tier, trace, verdicts),
    isClockFree: isFree,
    closed,
  };
}

/** Whether nothing a play or a judgment looks at is the clock, so that a later hour changes no verdict. */
function isClockFree({ case: { world, contract } }: Bench): boolean {
  return !/\bclock\b/.test(
    JSON.stringify([
      world.capabilities,
      contract.rounds.map(({ events, probes }) => [events.map(({ given, accepts }) => [given, accepts]), probes]),
    ]),
  );
}

/**
 * Whether a round that is played as in the reference has the reference's verdicts, whatever came before it: its events
 * hold by what the round itself wrote and read (more writers before it could only add participants), none of them
 * shares its marks with another (so which realisation is whose does not turn on participants), and no structure of it
 * looks back to an event of an earlier round.
 */
function isClosed(bench: Bench, round: RoundContract, trace: Trace): boolean {
  const own = new Set<EventId>(round.events.map(({ id }) => id));
  const looksBack = round.structures.some(
    ({ availableBefore, refusedWhen, allowedWhen }) =>
      (availableBefore !== undefined && !own.has(availableBefore)) ||
      [...refusedWhen, ...allowedWhen].some(({ since }) => since !== undefined && !own.has(since)),
  );
  const marks = round.events.map(({ id }) =>
    canonicalJson(
      (bench.marks.events.get(id) ?? [])[0]?.paths.map((mark) =>
        mark.kind === "reach" ? [mark.path, mark.after] : [mark.path, mark.total, "+"],
      ),
    ),
  );
  if (looksBack || new Set(marks).size < marks.length) return false;
  const steps = new Map([...trace.steps].filter(([, { record }]) => record.round === round.round));
  const alone: Trace = { ...trace, steps };
  return judgeRound(bench, round, trace, participationIn(alone), new Map()).audited.every(
    ({ status }) => status === "pass",
  );
}
