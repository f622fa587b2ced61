/** Plays in memory: the real session without a record on disk, resumed wherever a mutant parts from the reference. */
import { scenarioOf, type Call, type Case, type ReferenceStep } from "../../../cases/index.ts";
import { judgeExactly, scoreJudgedRun, type Score, type Trace, type TraceStep } from "../../../contracts/index.ts";
import { marksOf } from "../../../records/index.ts";
import {
  type AcceptedStep,
  type Capability,
  type Construction,
  type EffectRecord,
  LIMITS,
  type MaintenanceScenario,
  type MaintenanceSession,
  type RoundEnd,
  type Tier,
  type ToolError,
  type Trigger,
  type World,
  admitCall,
  applyConstruction,
  callTool,
  commitStep,
  entityIds,
  getEntity,
  openSession,
  retiredIds,
  soundTurn,
} from "../../../runtime/index.ts";
import { sameIds } from "./difference.ts";
import { actOf, callOf, type Act, type Script } from "./script.ts";

export type TraceEntry = Trace["entries"][number];

/** Where a play stands: between two calls. Plain and persistent, so a play can be taken up from any of its states. */
export interface PlayState {
  readonly session: MaintenanceSession;
  readonly entries: readonly TraceEntry[];
  readonly ends: Trace["ends"];
}

/** A call that was refused, and the act it was. */
export interface RefusedAct {
  readonly round: number;
  readonly act: Act;
  readonly error: ToolError;
}

export interface PlayOptions {
  /** Requirements never refuse; they are still evaluated for what they read. */
  readonly stripped?: boolean;
  /**
   * Every call goes through the session as an agent's does: parsed, answered, digested. Left out, steps and ends of
   * rounds are played without what nobody reads of a mutant: its records have no digests.
   */
  readonly asAgent?: boolean;
}

/** A case at a tier with budgets that no mutant spends. */
export function generousScenario(case_: Case, tier: Tier): MaintenanceScenario {
  const plenty = { steps: 1_000_000, calls: 1_000_000 };
  return {
    ...scenarioOf(case_, tier),
    budgets: { rounds: case_.narratives.map(() => plenty), runCalls: 1_000_000_000 },
  };
}

export function openPlay(scenario: MaintenanceScenario): PlayState {
  return { session: openSession(scenario), entries: [], ends: [] };
}

/** Plays one act. What was refused changes nothing. */
export function playAct(
  state: PlayState,
  act: Act,
  options: PlayOptions = {},
): { readonly state: PlayState; readonly error?: ToolError } {
  if (act.kind === "grant") return { state: grant(state, act.id, act.capability) };
  if (act.kind === "call") return options.asAgent === true ? submit(state, act.call) : playCall(state, act.call);
  const done = options.asAgent === true ? submit(state, callOf(act)) : playStep(state, act.step, false);
  if (options.stripped !== true || done.error?.code !== "requirement_not_met") return done;
  // The session never saw it refused.
  const bare = playStep(state, act.step, true);
  return bare.error === undefined ? bare : done;
}

/** What a call constructed, and all that this followed from but for what it was called for. */
interface Made {
  readonly item: Construction["item"];
  readonly before: Pick<World, "types" | "entities" | "retired">;
}

const madeBy = new WeakMap<Call, Made>();

/** A construction depends on which types and entities there are, not on what they hold: where these are the same, so is it. */
function playCall(state: PlayState, call: Call): { readonly state: PlayState; readonly error?: ToolError } {
  const { session } = state;
  const known = madeBy.get(call);
  if (known === undefined || !isSameSite(known, session.world)) {
    const done = submit(state, call);
    const last = done.state.entries.at(-1);
    if (done.error === undefined && last?.kind === "construction" && last.record.op === "create")
      madeBy.set(call, { item: last.record.item, before: session.world });
    return done;
  }
  return { state: construct(state, "create", known.item) };
}

function isSameSite({ item, before }: Made, world: World): boolean {
  if (!isSameTypes(before.types, world.types) || !sameIds(retiredIds(before.retired), retiredIds(world.retired)))
    return false;
  if (!isSamePopulation(before, world)) return false;
  return item.level === "capability"
    ? !Object.hasOwn(world.capabilities, item.id) && Object.keys(world.capabilities).length < LIMITS.capabilities
    : true;
}

function isSameTypes(a: World["types"], b: World["types"]): boolean {
  const ids = Object.keys(a);
  return a === b || (ids.length === Object.keys(b).length && ids.every((id) => a[id] === b[id]));
}

function isSamePopulation(a: Pick<World, "entities">, b: Pick<World, "entities">): boolean {
  const [ids, others] = [entityIds(a.entities), entityIds(b.entities)];
  if (ids === others) return true;
  return sameIds(ids, others) && ids.every((id) => getEntity(a.entities, id)?.type === getEntity(b.entities, id)?.type);
}

/** Plays a step; stripped, its requirements are evaluated for what they read and refuse nothing. */
function playStep(
  state: PlayState,
  { triggers, until, advance = 0 }: ReferenceStep,
  stripped: boolean,
): { readonly state: PlayState; readonly error?: ToolError } {
  const { session } = state;
  const done = commitStep(
    session.world,
    { triggers: plainTriggers(triggers), until, advance },
    { step: session.accepted + 1, round: session.round },
    { stripped, undigested: true },
  );
  if (!done.ok) {
    const { rejected, rejectedInRound } = session;
    const counted = { ...session, rejected: rejected + 1, rejectedInRound: rejectedInRound + 1 };
    return { state: { ...state, session: counted }, error: done.error };
  }
  const { world, record } = done.value;
  const next = { ...session, world, accepted: session.accepted + 1, acceptedInRound: session.acceptedInRound + 1 };
  return { state: withRecord({ ...state, session: next }, record, session) };
}

const plainOf = new WeakMap<ReferenceStep["triggers"], readonly Trigger[]>();

/** The triggers as they are submitted: without what they realise. */
function plainTriggers(triggers: ReferenceStep["triggers"]): readonly Trigger[] {
  const known = plainOf.get(triggers);
  if (known !== undefined) return known;
  const plain = triggers.map((trigger): Trigger => {
    const { realises: _, ...rest } = trigger;
    return rest;
  });
  plainOf.set(triggers, plain);
  return plain;
}

function submit(state: PlayState, call: Call): { readonly state: PlayState; readonly error?: ToolError } {
  const turn = soundTurn(callTool(state.session, admitCall(call.tool, call.input)));
  const next = { ...state, session: turn.session };
  if (!turn.answer.ok) return { state: next, error: turn.answer.error };
  return { state: turn.record === undefined ? next : withRecord(next, turn.record, state.session) };
}

function withRecord(state: PlayState, record: EffectRecord, { world: before }: MaintenanceSession): PlayState {
  switch (record.kind) {
    case "accepted":
      return { ...state, entries: [...state.entries, entryOfStep(record, before, state)] };
    case "construction":
      return { ...state, entries: [...state.entries, entryOfConstruction(record, before, state)] };
    case "round_end":
      return { ...state, ends: [...state.ends, record] };
    case "rejected":
      return state;
    case "submission":
    case "span":
      throw new Error(`withRecord: a record of deduction (${record.kind}) in a play of maintenance`);
  }
}

function entryOfStep(
  record: AcceptedStep,
  before: MaintenanceSession["world"],
  { entries, session }: PlayState,
): TraceEntry {
  return { kind: "step", order: entries.length, record, before, after: session.world };
}

function entryOfConstruction(
  record: Construction,
  before: MaintenanceSession["world"],
  { entries, session }: PlayState,
): TraceEntry {
  // Numbered anew, since the session does not count what was granted.
  const construction = entries.filter(({ kind }) => kind === "construction").length + 1;
  return {
    kind: "construction",
    order: entries.length,
    record: { ...record, construction },
    before,
    after: session.world,
  };
}

function grant(state: PlayState, id: string, capability: Capability | null): PlayState {
  return construct(state, capability === null ? "delete" : "create", { level: "capability", id, now: capability });
}

/** Puts something into the world, or takes it out, without asking whether the tier allows it. */
function construct(state: PlayState, op: Construction["op"], item: Construction["item"]): PlayState {
  const { session } = state;
  const world = applyConstruction(session.world, { item });
  const record: Construction = {
    kind: "construction",
    construction: state.entries.filter(({ kind }) => kind === "construction").length + 1,
    round: session.round,
    afterStep: session.accepted,
    op,
    item,
    digest: "",
  };
  return withRecord({ ...state, session: { ...session, world } }, record, session);
}

/** Plays the end of a round. After the last one the session stands in a round that is none. */
export function endRound(state: PlayState, options: PlayOptions = {}): PlayState {
  if (options.asAgent === true) return submit(state, { tool: "end_round", input: {} }).state;
  const { session } = state;
  const { round, acceptedInRound: steps, rejectedInRound: rejected, world } = session;
  const next: MaintenanceSession = {
    ...session,
    round: round + 1,
    acceptedInRound: 0,
    rejectedInRound: 0,
    used: { ...session.used, steps: 0, calls: 0 },
  };
  const record: RoundEnd = { kind: "round_end", round, steps, rejected, clock: world.clock, digest: "" };
  return withRecord({ ...state, session: next }, record, session);
}

/** A play as it ended. */
export interface Played {
  readonly trace: Trace;
  readonly refused: readonly RefusedAct[];
}

/** Plays acts round by round, each round ended. */
export function playScript(scenario: MaintenanceScenario, script: Script, options: PlayOptions = {}): Played {
  const refused: RefusedAct[] = [];
  let state = openPlay(scenario);
  script.forEach((acts, i) => {
    for (const act of acts) {
      const done = playAct(state, act, options);
      if (done.error !== undefined) refused.push({ round: i + 1, act, error: done.error });
      state = done.state;
    }
    state = endRound(state, options);
  });
  return { trace: traceOf(scenario, state.entries, state.ends), refused };
}

/** The entries of a play as a trace: what `buildTrace` makes of its records, without applying their writes again. */
export function traceOf(
  { world: initial }: Pick<MaintenanceScenario, "world">,
  entries: readonly TraceEntry[],
  ends: Trace["ends"],
): Trace {
  const steps = entries.filter((entry) => entry.kind === "step");
  return {
    initial,
    entries,
    ends,
    steps: new Map(steps.map((step) => [step.record.step, step])),
    triggers: new Map(
      steps.flatMap((step) => step.record.triggers.map((trigger) => [trigger.id, { trigger, step }] as const)),
    ),
    constructions: new Map(
      entries.flatMap((entry) => (entry.kind === "construction" ? [[entry.record.construction, entry] as const] : [])),
    ),
    rounds: byRound(steps),
  };
}

function byRound(steps: readonly TraceStep[]): ReadonlyMap<number, readonly TraceStep[]> {
  const rounds = new Map<number, TraceStep[]>();
  for (const step of steps) rounds.set(step.record.round, [...(rounds.get(step.record.round) ?? []), step]);
  return rounds;
}

/** What a play comes to. */
export interface PlayedCalls {
  readonly score: Score;
  readonly trace: Trace;
  /** The calls that were refused, in order. */
  readonly refused: readonly { readonly round: number; readonly call: Call; readonly error: ToolError }[];
}

/**
 * Plays calls in memory, round by round (each round is ended after its calls), and scores the play with the exact
 * judge. Budgets never stop it. Pure: same case, tier and calls, same outcome.
 */
export function playCalls(
  case_: Case,
  tier: Tier,
  rounds: readonly (readonly Call[])[],
  options: PlayOptions = {},
): PlayedCalls {
  const script = rounds.map((calls) => calls.filter(({ tool }) => tool !== "end_round").map(actOf));
  const { trace, refused } = playScript(generousScenario(case_, tier), script, { ...options, asAgent: true });
  return {
    score: scoreOfTrace(case_, tier, trace, rounds.length),
    trace,
    refused: refused.flatMap(({ round, act, error }) =>
      act.kind === "grant" ? [] : [{ round, call: callOf(act), error }],
    ),
  };
}

/** The exact judge's score of a trace in which `roundsPlayed` rounds were begun. */
export function scoreOfTrace(case_: Case, tier: Tier, trace: Trace, roundsPlayed: number): Score {
  const { contract, id } = case_;
  const judgments = judgeExactly(contract, marksOf(case_), case_.world, trace, roundsPlayed);
  return scoreJudgedRun({
    case: id,
    tier,
    contract,
    trace,
    judgments,
    roundsPlayed,
    outcome: "finished",
    judge: "exact",
    marks: marksOf(case_),
  });
}
