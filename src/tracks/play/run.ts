/** One run: one agent, one case in one form of its track, one record. */
import {
  endOfSession,
  openRun,
  readRunFolder,
  runIdOf,
  runPath,
  scenarioOfRun,
  type Manifest,
  type Outcome,
  type RecordedRun,
  type RunId,
} from "../../records/index.ts";
import { admitCall, admitText, type AdmittedCall, type Json, type ToolAnswer } from "../../runtime/index.ts";
import type { AgentCall, AgentContext, AgentEnd, AgentPlay, Journal } from "../agent.ts";
import { JournaledRun, type JournalOptions } from "./journal.ts";
import { keyOfPlan, type RunPlan } from "./plan.ts";

/** Facts of the surroundings a run is played in. */
export interface Surroundings {
  readonly packageVersion: string;
  readonly gitCommit: string | null;
  readonly nodeVersion: string;
  readonly platform: string;
  /** The wall clock, as ISO text in UTC; the only time that is kept. */
  readonly now: () => string;
}

export interface RunOptions extends Pick<JournalOptions, "mayAsk" | "mayRetry" | "onAnswer" | "onFault"> {
  /** Begins nothing new: what is under way is heard to its end, and the run can then be resumed. */
  readonly signal?: AbortSignal;
  /** Told after each call. */
  readonly onCall?: (progress: RunProgressEvent) => void;
  /** Told what opening a begun run found: a torn end that was cut, for one. */
  readonly onNotice?: (text: string) => void;
  /** Whether each line is on disk before its answer is shown. Default true. */
  readonly sync?: boolean;
}

export interface RunProgressEvent {
  readonly run: string;
  readonly round: number;
  readonly calls: number;
}

export interface RunResult {
  readonly run: string;
  readonly path: string;
  readonly outcome: Outcome;
  readonly detail?: Json;
  /** It was finished before, and nothing was done. */
  readonly skipped: boolean;
  /** Why no other run of the set can do better, where the agent said so. */
  readonly stopsSet?: string;
}

export function manifestOf(plan: RunPlan, surroundings: Surroundings): Manifest {
  const { now, ...facts } = surroundings;
  const key = keyOfPlan(plan);
  const { budgets } = scenarioOfRun(plan.case, key);
  return {
    v: 1,
    ...key,
    worldDigest: plan.case.worldDigest,
    agent: { name: plan.agent.name, settings: plan.agent.settings },
    budgets: { rounds: budgets.rounds.map(({ steps, calls }) => ({ steps, calls })), runCalls: budgets.runCalls },
    ...facts,
    start: now(),
  };
}

/**
 * Plays a run to its end, or takes it up where it was left: the agent is given the logged answers again, then goes on.
 * A run that is sealed is left alone; one that ended on an endpoint's fault is asked on from there. Throws RecordError
 * where the folder is not this run's, the agent does otherwise than is logged, or the disk fails.
 */
export async function playRun(
  plan: RunPlan,
  setFolder: string,
  surroundings: Surroundings,
  options: RunOptions = {},
): Promise<RunResult> {
  const manifest = manifestOf(plan, surroundings);
  const id = runIdOf(manifest);
  const path = runPath(setFolder, id);
  const run = await openRun(
    setFolder,
    manifest,
    scenarioOfRun(plan.case, manifest),
    options.sync === undefined ? {} : { sync: options.sync },
  );
  if (run === undefined) return { run: id, path, outcome: await sealedOutcome(path), skipped: true };
  try {
    if (run.repair !== undefined)
      options.onNotice?.(`${id}: cut ${run.repair.bytes} bytes that a killed process left at the end of its log`);
    if (run.ended !== undefined) {
      run.end(run.ended);
      return { run: id, path, outcome: run.ended, skipped: false };
    }
    const end = await drive(plan, id, run, options);
    if (end.outcome !== "cancelled") run.end(end.outcome, end.detail);
    return {
      run: id,
      path,
      outcome: end.outcome,
      ...(end.detail === undefined ? {} : { detail: end.detail }),
      skipped: false,
      ...(end.stopsSet === undefined ? {} : { stopsSet: end.stopsSet }),
    };
  } finally {
    run.close();
  }
}

async function sealedOutcome(path: string): Promise<Outcome> {
  return (await readRunFolder(path)).outcome ?? "engine_fault";
}

async function drive(plan: RunPlan, id: RunId, run: RecordedRun, options: RunOptions): Promise<AgentEnd> {
  const stop = options.signal ?? new AbortController().signal;
  const { mayAsk, mayRetry, onAnswer, onFault } = options;
  const played = new JournaledRun(run, {
    stop,
    ...(mayAsk === undefined ? {} : { mayAsk }),
    ...(mayRetry === undefined ? {} : { mayRetry }),
    ...(onAnswer === undefined ? {} : { onAnswer }),
    ...(onFault === undefined ? {} : { onFault }),
  });
  const play = plan.agent.play(contextOf(plan, { run: id, journal: played.journal, stop }));
  try {
    return await follow(play, run, played, stop, options.onCall);
  } finally {
    // An agent that is not heard to its end must still let go of what it holds.
    await play.return(undefined);
  }
}

/** What the agent of a plan is told. */
function contextOf(
  plan: RunPlan,
  around: { readonly run: RunId; readonly journal: Journal; readonly stop: AbortSignal },
): AgentContext {
  if (plan.track === "maintenance") return { track: plan.track, tier: plan.tier, case: plan.case, ...around };
  const { track, condition, mode, fold } = plan;
  return { track, condition, mode, fold, case: plan.case, ...around };
}

const LEFT_OPEN: AgentEnd = { outcome: "cancelled" };

async function follow(
  play: ReturnType<AgentPlay>,
  run: RecordedRun,
  played: JournaledRun,
  stop: AbortSignal,
  onCall: RunOptions["onCall"],
): Promise<AgentEnd> {
  let answer: ToolAnswer | undefined;
  for (;;) {
    if (stop.aborted) return LEFT_OPEN;
    const next = answer === undefined ? await play.next() : await play.next(answer);
    played.requireSameAsLogged();
    if (played.isLeftOpen) return LEFT_OPEN;
    if (next.done === true) {
      if (next.value?.outcome === "cancelled" && stop.aborted) return LEFT_OPEN;
      played.requireEnd();
      return (
        next.value ?? endOf(run) ?? { outcome: "stopped", detail: "the agent stopped before the case was finished" }
      );
    }
    answer = played.call(admit(next.value));
    onCall?.({ run: run.path, round: run.session.round, calls: played.calls });
    // While lines are left, the session is ahead of what the agent was given.
    const end = run.next === undefined ? endOf(run) : undefined;
    if (end !== undefined) return end;
  }
}

function admit({ tool, input, text }: AgentCall): AdmittedCall {
  return text === undefined ? admitCall(tool, input) : admitText(tool, text);
}

/** How the session says it is over, where it is. */
export function endOf(run: RecordedRun): AgentEnd | undefined {
  return endOfSession(run.session);
}
