/** Replays of mutants: from where they part from the reference, to where they come back to it. */
import { isSameButClock, knownStructure, shiftOfRound } from "./alike.ts";
import type { Base } from "./base.ts";
import { judgeRounds, outcomeOf, type Outcome, type RoundVerdict } from "./judge.ts";
import { endRound, playAct, traceOf, type Played, type PlayOptions, type PlayState, type RefusedAct } from "./play.ts";
import { NO_SHIFT, shiftEntry, shiftVerdict, type Shift } from "./shift.ts";
import { partingOf, type Act, type Script } from "./script.ts";

/** Plays a mutant of the reference, from where it parts from it. */
export function replay(base: Base, script: Script, options: PlayOptions = {}): Replayed {
  const parting = partingOf(base.script, script);
  if (parting === undefined)
    return {
      trace: base.trace,
      refused: base.refused,
      parting: base.script.length + 1,
      backAfter: undefined,
      shift: NO_SHIFT,
    };
  return playFrom(base, script, parting, options);
}

/** Judges a mutant; rounds that are as in the reference keep its verdicts. */
export function judgeReplayed(base: Base, replayed: Replayed): Outcome {
  const { trace, parting, backAfter, shift } = replayed;
  const verdicts = judgeRounds(
    base.bench,
    trace,
    (round) => {
      const own = base.verdicts[round - 1] as RoundVerdict;
      if (round < parting) return own;
      const by =
        backAfter !== undefined && round > backAfter && base.closed.has(round)
          ? shift
          : shiftOfRound(base, trace, round);
      return by === undefined ? undefined : shiftVerdict(own, by);
    },
    (item, round, held) => knownStructure(base, item, round, trace, held),
  );
  return outcomeOf(base.bench, base.tier, trace, verdicts);
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
  /** The round after which all is as in the reference, but for the clock and the numbers. */
  readonly backAfter: number | undefined;
  readonly shift: Shift;
}

function playFrom(
  base: Base,
  script: Script,
  parting: { readonly round: number; readonly act: number },
  options: PlayOptions,
): Replayed {
  const refused: RefusedAct[] = [];
  let state = base.states[parting.round - 1]?.[parting.act] as PlayState;
  for (let round = parting.round; round <= script.length; round += 1) {
    const acts = (script[round - 1] ?? []).slice(round === parting.round ? parting.act : 0);
    const done = playActs(state, round, acts, options);
    refused.push(...done.refused);
    state = endRound(done.state);
    const reference = base.ends[round - 1] as PlayState;
    const isSameFromHere = script.slice(round).every((own, i) => own === base.script[round + i]);
    if (!isSameFromHere || !base.isClockFree || !isSameButClock(state.session.world, reference.session.world)) continue;
    const shift = shiftOf(state, reference);
    const rest = (base.ends.at(-1) as PlayState).entries
      .slice(reference.entries.length)
      .map((entry) => shiftEntry(entry, shift));
    const ends = [
      ...state.ends,
      ...(base.ends.at(-1) as PlayState).ends.slice(round).map((end) => ({ ...end, clock: end.clock + shift.ticks })),
    ];
    return {
      trace: traceOf(base.scenario, [...state.entries, ...rest], ends),
      refused,
      parting: parting.round,
      backAfter: round,
      shift,
    };
  }
  return {
    trace: traceOf(base.scenario, state.entries, state.ends),
    refused,
    parting: parting.round,
    backAfter: undefined,
    shift: NO_SHIFT,
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
