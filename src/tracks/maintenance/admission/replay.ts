/** Replays of mutants: from where they part from the reference, to where they come back to it. */
import type { EventId, HeldEvent, RoundContract, Trace, TraceStep } from "../../../contracts/index.ts";
import { participationIn } from "../../../contracts/index.ts";
import { canonicalJson, entityIds, getEntity, parseTriggerId, sameJson, triggerId, valueOf, type Scenario, type Tier, type TriggerId, type World } from "../../../runtime/index.ts";
import { judgeRounds, judgeRound, outcomeOf, type Bench, type Outcome, type RoundVerdict } from "./judge.ts";
import { endRound, generousScenario, openPlay, playAct, traceOf, type Played, type PlayOptions, type PlayState, type RefusedAct, type TraceEntry } from "./play.ts";
import { isWithin, reachOf, type Reach } from "./reach.ts";
import { partingOf, type Act, type Script } from "./script.ts";

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
  const closed = new Map<number, Reach>();
  for (const round of isClockFree(bench) ? bench.case.contract.rounds : []) {
    const reach = isClosed(bench, round, trace) ? reachOf(round, trace) : undefined;
    if (reach !== undefined) closed.set(round.round, reach);
  }
  return { bench, tier, scenario, script, states, ends, trace, refused, verdicts, outcome: outcomeOf(bench, tier, trace, verdicts), closed };
}

/** Plays a mutant of the reference, from where it parts from it. */
export function replay(base: Base, script: Script, options: PlayOptions = {}): Replayed {
  const parting = partingOf(base.script, script);
  if (parting === undefined) return { trace: base.trace, refused: base.refused, parting: base.script.length + 1, backAfter: undefined, shift: NO_SHIFT };
  return playFrom(base, script, parting, options);
}

/** Judges a mutant; rounds that are as in the reference keep its verdicts. */
export function judgeReplayed(base: Base, replayed: Replayed): Outcome {
  const { trace, parting, backAfter, shift } = replayed;
  const verdicts = judgeRounds(base.bench, trace, (round) => {
    const own = base.verdicts[round - 1] as RoundVerdict;
    if (round < parting) return own;
    const by = backAfter !== undefined && round > backAfter && base.closed.has(round) ? shift : shiftOfRound(base, trace, round);
    return by === undefined ? undefined : shiftVerdict(own, by);
  });
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

function playActs(start: PlayState, round: number, acts: readonly Act[], options: PlayOptions): { readonly state: PlayState; readonly refused: readonly RefusedAct[] } {
  const refused: RefusedAct[] = [];
  let state = start;
  for (const act of acts) {
    const done = playAct(state, act, options);
    if (done.error !== undefined) refused.push({ round, act, error: done.error });
    state = done.state;
  }
  return { state, refused };
}

/** How far a play that came back to the reference is ahead of it. */
interface Shift {
  readonly steps: number;
  readonly ticks: number;
  readonly constructions: number;
  readonly order: number;
}

/** A mutant as it was played. */
export interface Replayed extends Played {
  /** The first round that is not the reference's. */
  readonly parting: number;
  /** The round after which all is as in the reference, but for the clock and the numbers. */
  readonly backAfter: number | undefined;
  readonly shift: Shift;
}

const NO_SHIFT: Shift = { steps: 0, ticks: 0, constructions: 0, order: 0 };

function playFrom(base: Base, script: Script, parting: { readonly round: number; readonly act: number }, options: PlayOptions): Replayed {
  const refused: RefusedAct[] = [];
  let state = base.states[parting.round - 1]?.[parting.act] as PlayState;
  for (let round = parting.round; round <= script.length; round += 1) {
    const acts = (script[round - 1] ?? []).slice(round === parting.round ? parting.act : 0);
    const done = playActs(state, round, acts, options);
    refused.push(...done.refused);
    state = endRound(done.state);
    const reference = base.ends[round - 1] as PlayState;
    const isSameFromHere = script.slice(round).every((own, i) => own === base.script[round + i]);
    if (!isSameFromHere || !base.closed.size || !isSameButClock(state.session.world, reference.session.world)) continue;
    const shift = shiftOf(state, reference);
    const rest = (base.ends.at(-1) as PlayState).entries.slice(reference.entries.length).map((entry) => shiftEntry(entry, shift));
    const ends = [...state.ends, ...(base.ends.at(-1) as PlayState).ends.slice(round).map((end) => ({ ...end, clock: end.clock + shift.ticks }))];
    return { trace: traceOf(base.scenario, [...state.entries, ...rest], ends), refused, parting: parting.round, backAfter: round, shift };
  }
  return { trace: traceOf(base.scenario, state.entries, state.ends), refused, parting: parting.round, backAfter: undefined, shift: NO_SHIFT };
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

/**
 * How far a round is shifted that was played as in the reference, from a state that differs at most in what the judge
 * does not look at; undefined where it was not.
 */
function shiftOfRound({ trace: reference, closed }: Base, trace: Trace, round: number): Shift | undefined {
  const reach = closed.get(round);
  const [was, is] = [reference.rounds.get(round) ?? [], trace.rounds.get(round) ?? []];
  const [first, own] = [was[0], is[0]];
  if (reach === undefined || first === undefined || own === undefined || was.length !== is.length) return undefined;
  if (madeIn(reference, round) !== madeIn(trace, round)) return undefined;
  const ticks = own.record.start - first.record.start;
  const isAlike = was.every((step, i) => isSameStep(step, is[i] as TraceStep, ticks));
  if (!isAlike || !differOutside(first.before, own.before, reach)) return undefined;
  return { steps: own.record.step - first.record.step, ticks, constructions: 0, order: own.order - first.order };
}

function madeIn(trace: Trace, round: number): string {
  return [...trace.constructions.values()].flatMap(({ record: { item, op, round: own } }) => (own === round ? [`${op} ${item.id}`] : [])).join();
}

const doneIn = new WeakMap<TraceStep, string>();

/** What a step did, without its number and hour. */
function doingOf(step: TraceStep): string {
  const known = doneIn.get(step);
  if (known !== undefined) return known;
  const { start, clock, advance, until, triggers } = step.record;
  const doing = JSON.stringify([clock - start, advance, until ?? "", triggers.map(({ capability, args, end, reads, writes }) => [capability, args, end - start, reads, writes])]);
  doneIn.set(step, doing);
  return doing;
}

function isSameStep(was: TraceStep, is: TraceStep, ticks: number): boolean {
  if (is.record.start - was.record.start !== ticks || doingOf(was) !== doingOf(is)) return false;
  return was.record.triggers.every(({ capability: id }) => isSame(was.before.capabilities[id], is.before.capabilities[id]));
}

function differOutside(a: World, b: World, reach: Reach): boolean {
  const ids = entityIds(a.entities);
  if (!sameRecords(a.types, b.types) || ids.length !== entityIds(b.entities).length) return false;
  return ids.every((id) => {
    const [was, is] = [getEntity(a.entities, id), getEntity(b.entities, id)];
    if (was === is) return true;
    if (was === undefined || is === undefined || was.type !== is.type) return false;
    const fields = [...Object.keys(was.fields), "at"];
    return fields.every((field) => !isWithin(reach, id, field) || isSame(valueOf(was, field), valueOf(is, field)));
  });
}

function isSameButClock(a: World, b: World): boolean {
  if (!sameJson([...a.retired], [...b.retired]) || !sameRecords(a.types, b.types) || !sameRecords(a.capabilities, b.capabilities)) return false;
  const ids = entityIds(a.entities);
  return sameJson([...ids], [...entityIds(b.entities)]) && ids.every((id) => isSame(getEntity(a.entities, id), getEntity(b.entities, id)));
}

function sameRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const ids = Object.keys(a);
  return ids.length === Object.keys(b).length && ids.every((id) => Object.hasOwn(b, id) && isSame(a[id], b[id]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

function shiftEntry(entry: TraceEntry, shift: Shift): TraceEntry {
  if (Object.values(shift).every((by) => by === 0)) return entry;
  const order = entry.order + shift.order;
  const [before, after] = [shiftWorld(entry.before, shift), shiftWorld(entry.after, shift)];
  if (entry.kind === "construction") {
    const { construction, afterStep } = entry.record;
    return { kind: "construction", order, before, after, record: { ...entry.record, construction: construction + shift.constructions, afterStep: afterStep + shift.steps } };
  }
  const { record } = entry;
  const triggers = record.triggers.map((one) => ({ ...one, id: shiftId(one.id, shift), start: one.start + shift.ticks, end: one.end + shift.ticks }));
  return { kind: "step", order, before, after, record: { ...record, step: record.step + shift.steps, start: record.start + shift.ticks, clock: record.clock + shift.ticks, triggers } };
}

function shiftWorld(world: World, { ticks }: Shift): World {
  return ticks === 0 ? world : { ...world, clock: world.clock + ticks };
}

function shiftId(id: TriggerId, { steps }: Shift): TriggerId {
  const { step, position } = parseTriggerId(id) as { readonly step: number; readonly position: number };
  return triggerId(step + steps, position);
}

function shiftVerdict(verdict: RoundVerdict, shift: Shift): RoundVerdict {
  return {
    audited: verdict.audited.map((item) => ({
      ...item,
      triggers: item.triggers.map((id) => shiftId(id, shift)),
      constructions: item.constructions.map((number) => number + shift.constructions),
    })),
    held: verdict.held.map((event): HeldEvent => ({
      ...event,
      interval: { start: event.interval.start + shift.ticks, end: event.interval.end + shift.ticks },
      firstStep: event.firstStep + shift.steps,
      lastStep: event.lastStep + shift.steps,
      triggers: event.triggers.map((id) => shiftId(id, shift)),
    })),
  };
}

/** Whether nothing a play or a judgment looks at is the clock, so that a later hour changes no verdict. */
function isClockFree({ case: { world, contract } }: Bench): boolean {
  return !/\bclock\b/.test(JSON.stringify([world.capabilities, contract.rounds.map(({ events, probes }) => [events.map(({ given, accepts }) => [given, accepts]), probes])]));
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
      (availableBefore !== undefined && !own.has(availableBefore)) || [...refusedWhen, ...allowedWhen].some(({ since }) => since !== undefined && !own.has(since)),
  );
  const marks = round.events.map(({ id }) => canonicalJson((bench.marks.events.get(id) ?? [])[0]?.paths.map((mark) => (mark.kind === "reach" ? [mark.path, mark.after] : [mark.path, mark.total, "+"]))));
  if (looksBack || new Set(marks).size < marks.length) return false;
  const steps = new Map([...trace.steps].filter(([, { record }]) => record.round === round.round));
  const alone: Trace = { ...trace, steps };
  return judgeRound(bench, round, trace, participationIn(alone), new Map()).audited.every(({ status }) => status === "pass");
}
