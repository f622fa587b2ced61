/** Replays of mutants: from where they part from the reference, to where they come back to it. */
import { knownStructure } from "./alike.ts";
import type { Base } from "./base.ts";
import { differenceOf, withDifference, type Difference } from "./difference.ts";
import type { Score } from "../../../contracts/index.ts";
import { judgeRounds, outcomeOf, participationOf, scoreOf, type Outcome, type RoundVerdict } from "./judge.ts";
import { endRound, playAct, traceOf, type Played, type PlayOptions, type PlayState, type RefusedAct } from "./play.ts";
import { isWithin } from "./reach.ts";
import { shiftEntry, shiftVerdict, type Shift } from "./shift.ts";
import { partingOf, type Act, type Script } from "./script.ts";

/** Plays a mutant of the reference, from where it parts from it. */
export function replay(base: Base, script: Script, options: PlayOptions = {}): Replayed {
  const parting = partingOf(base.script, script);
  if (parting === undefined)
    return {
      trace: base.trace,
      refused: base.refused,
      parting: base.script.length + 1,
      takenOver: new Map(),
    };
  return playFrom(base, script, parting, options);
}

/** Judges a mutant; rounds that are as in the reference keep its verdicts. */
export function judgeReplayed(base: Base, replayed: Replayed): Outcome {
  return outcomeOf(base.bench, replayed.trace, verdictsOf(base, replayed));
}

/** The score of a mutant in the tier of its base. */
export function scoreReplayed(base: Base, replayed: Replayed): Score {
  return scoreOf(base.bench, base.tier, replayed.trace, verdictsOf(base, replayed));
}

function verdictsOf(base: Base, replayed: Replayed): readonly RoundVerdict[] {
  const { trace, parting, takenOver } = replayed;
  return judgeRounds(
    base.bench,
    trace,
    (round) => {
      const own = base.verdicts[round - 1] as RoundVerdict;
      if (round < parting) return own;
      const shift = base.closed.has(round) ? takenOver.get(round) : undefined;
      return shift && shiftVerdict(own, shift);
    },
    (item, round, held) => knownStructure(base, item, round, trace, held),
    participationOf(base.bench, trace, base.recall),
  );
}

/** Plays only as far as the end of one round, which is the only one that differs; for a look at its events. */
export function playRoundOf(base: Base, round: number, acts: readonly Act[], options: PlayOptions): Played {
  const own = base.script[round - 1] ?? [];
  let from = 0;
  while (from < own.length && own[from] === acts[from]) from += 1;
  const done = playActs(base.states[round - 1]?.[from] as PlayState, round, acts.slice(from), options);
  return { trace: traceOf(base.scenario, done.state.entries, done.state.ends), refused: done.refused };
}

function playActs(
  start: PlayState,
  round: number,
  acts: readonly Act[],
  options: PlayOptions,
): { readonly state: PlayState; readonly refused: readonly RefusedAct[] } {
  const refused: RefusedAct[] = [];
  let state = start;
  for (const act of acts) {
    const done = playAct(state, act, options);
    if (done.error !== undefined) refused.push({ round, act, error: done.error });
    state = done.state;
  }
  return { state, refused };
}

/** A mutant as it was played. */
export interface Replayed extends Played {
  /** The first round that is not the reference's. */
  readonly parting: number;
  /** Later rounds that went as in the reference and were not played again, and how far each is ahead of it. */
  readonly takenOver: ReadonlyMap<number, Shift>;
}

/**
 * Plays from the first act that is not the reference's. A later round is played again only where what has become
 * different is something that the round, or the judge of it, may look at.
 */
function playFrom(
  base: Base,
  script: Script,
  parting: { readonly round: number; readonly act: number },
  options: PlayOptions,
): Replayed {
  const refused: RefusedAct[] = [];
  const takenOver = new Map<number, Shift>();
  let state = base.states[parting.round - 1]?.[parting.act] as PlayState;
  for (let round = parting.round; round <= script.length; round += 1) {
    if (round > parting.round && script[round - 1] === base.script[round - 1]) {
      const reference = base.ends[round - 2] as PlayState;
      const difference = differenceOf(reference.session.world, state.session.world);
      const shift = shiftOf(state, reference);
      if (difference !== undefined && goesAsBefore(base, round, difference, shift)) {
        state = takeOver(base, round, state, difference, shift);
        takenOver.set(round, shift);
        continue;
      }
    }
    const acts = (script[round - 1] ?? []).slice(round === parting.round ? parting.act : 0);
    const done = playActs(state, round, acts, options);
    refused.push(...done.refused);
    state = endRound(done.state);
  }
  return {
    trace: traceOf(base.scenario, state.entries, state.ends),
    refused,
    parting: parting.round,
    takenOver,
  };
}

function goesAsBefore(base: Base, round: number, { values, capabilities }: Difference, shift: Shift): boolean {
  if (shift.ticks !== 0 && !base.clockFree.has(round)) return false;
  const tools = base.tools.get(round);
  for (const id of capabilities.keys()) if (tools?.has(id) === true) return false;
  const reach = base.reaches.get(round);
  if (reach === undefined) return values.size === 0;
  for (const path of values.keys()) {
    const dot = path.indexOf(".");
    if (isWithin(reach, path.slice(0, dot), path.slice(dot + 1))) return false;
  }
  return true;
}

/** The end of a round that goes as in the reference: what was different before it is different after it. */
function takeOver(base: Base, round: number, state: PlayState, difference: Difference, shift: Shift): PlayState {
  const [before, after] = [base.ends[round - 2] as PlayState, base.ends[round - 1] as PlayState];
  const { session } = after;
  return {
    session: {
      ...session,
      world: withDifference(session.world, difference, shift.ticks),
      accepted: session.accepted + shift.steps,
    },
    entries: [
      ...state.entries,
      ...after.entries.slice(before.entries.length).map((entry) => shiftEntry(entry, shift, difference)),
    ],
    ends: [
      ...state.ends,
      ...after.ends.slice(before.ends.length).map((end) => ({ ...end, clock: end.clock + shift.ticks })),
    ],
  };
}

function shiftOf(state: PlayState, reference: PlayState): Shift {
  const count = ({ entries }: PlayState) => entries.filter(({ kind }) => kind === "construction").length;
  return {
    steps: state.session.accepted - reference.session.accepted,
    ticks: state.session.world.clock - reference.session.world.clock,
    constructions: count(state) - count(reference),
    order: state.entries.length - reference.entries.length,
  };
}
