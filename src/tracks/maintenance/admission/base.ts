/** The reference that mutants are made from. */
import type { EventId, Recall, RoundContract, Trace } from "../../../contracts/index.ts";
import { canonicalJson, type MaintenanceScenario, type Tier } from "../../../runtime/index.ts";
import {
  judgeRound,
  judgeRounds,
  outcomeOf,
  participationOf,
  type Bench,
  type Outcome,
  type RoundVerdict,
} from "./judge.ts";
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
import { recallFor } from "./recall.ts";
import { reachOf, type Reach } from "./reach.ts";
import type { Script } from "./script.ts";

/** The reference of a tier, played and judged once, with every state it passes through. */
export interface Base extends Played {
  readonly bench: Bench;
  readonly tier: Tier;
  readonly scenario: MaintenanceScenario;
  readonly script: Script;
  /** By round and act, the state before it; the last of a round is the state before its end. */
  readonly states: readonly (readonly PlayState[])[];
  /** By round, the state after its end. */
  readonly ends: readonly PlayState[];
  readonly verdicts: readonly RoundVerdict[];
  readonly outcome: Outcome;
  /** What is known of who takes part, for plays that are made of it. */
  readonly recall: Recall;
  /** By round, what a play and a judgment of it may look at; without those in which nothing is done. */
  readonly reaches: ReadonlyMap<number, Reach>;
  /** By round, the capabilities that are used or made in it. */
  readonly tools: ReadonlyMap<number, ReadonlySet<string>>;
  /** Rounds in which a later hour changes nothing but hours. */
  readonly clockFree: ReadonlySet<number>;
  /** Rounds whose verdicts follow from the round alone. */
  readonly closed: ReadonlySet<number>;
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
  const recall = recallFor(trace);
  const verdicts = judgeRounds(bench, trace, undefined, undefined, participationOf(bench, trace, recall));
  const { rounds } = bench.case.contract;
  const inRounds = <T>(make: (round: RoundContract) => T | undefined): ReadonlyMap<number, T> =>
    new Map(
      rounds.flatMap((round) => {
        const made = make(round);
        return made === undefined ? [] : [[round.round, made] as const];
      }),
    );
  const tools = inRounds(({ round }) => toolsOf(trace, round));
  const chosen = (choose: (round: RoundContract) => boolean) =>
    new Set(rounds.filter(choose).map(({ round }) => round));
  return {
    bench,
    tier,
    scenario,
    script,
    states,
    ends,
    trace,
    refused,
    recall,
    verdicts,
    outcome: outcomeOf(bench, trace, verdicts),
    reaches: inRounds((round) => reachOf(round, trace)),
    tools,
    clockFree: chosen((round) => isClockFree(bench, round, tools.get(round.round) ?? new Set())),
    closed: chosen((round) => isClosed(bench, round, trace, recall)),
  };
}

function toolsOf(trace: Trace, round: number): ReadonlySet<string> {
  return new Set(
    trace.entries.flatMap(({ kind, record }): readonly string[] => {
      if (record.round !== round) return [];
      if (kind === "step") return record.triggers.map(({ capability }) => capability);
      return record.item.level === "capability" ? [record.item.id] : [];
    }),
  );
}

/** Whether nothing that a round's play or its judgment looks at is the clock. */
function isClockFree(
  { case: { world } }: Bench,
  { events, structures, probes }: RoundContract,
  tools: ReadonlySet<string>,
): boolean {
  const clocks = structures.flatMap((item) => [...item.refusedWhen, ...item.allowedWhen].map(({ clock }) => clock));
  const named = structures.flatMap((item) => [
    item.usedBy,
    ...[...item.refusedWhen, ...item.allowedWhen].flatMap(({ since }) => since ?? []),
  ]);
  // What is held from an earlier event on runs through steps of other rounds.
  const used = named.some((event) => !events.some(({ id }) => id === event))
    ? Object.values(world.capabilities)
    : [...tools].map((id) => world.capabilities[id]);
  return (
    clocks.every((clock) => clock === undefined) &&
    !/\bclock\b/.test(JSON.stringify([used, events.map(({ given, accepts }) => [given, accepts]), probes]))
  );
}

/**
 * Whether a round that is played as in the reference has the reference's verdicts, whatever came before it: its events
 * hold by what the round itself wrote and read (more writers before it could only add participants), none of them
 * shares its marks with another (so which realisation is whose does not turn on participants), and no structure of it
 * looks back to an event of an earlier round.
 */
function isClosed(bench: Bench, round: RoundContract, trace: Trace, recall: Recall): boolean {
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
  return judgeRound(bench, round, trace, participationOf(bench, alone, recall), new Map()).audited.every(
    ({ status }) => status === "pass",
  );
}
