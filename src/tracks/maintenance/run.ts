/** The maintenance track: one agent, one case, one tier, one record. */
import { scenarioOf, type Case } from "../../cases/index.ts";
import {
  isSameCall,
  openRun,
  readRunFolder,
  RecordError,
  runIdOf,
  runPath,
  type Manifest,
  type Outcome,
  type RecordedRun,
} from "../../records/index.ts";
import { admitCall, isOver, outcomeOf, type Json, type Tier, type ToolAnswer } from "../../runtime/index.ts";
import type { Agent, AgentEnd, AgentPlay } from "../agent.ts";

export interface RunPlan {
  readonly case: Case;
  readonly tier: Tier;
  readonly agent: Agent;
  /** From 1. */
  readonly repeat: number;
}

/** Facts of the surroundings a run is played in. */
export interface Surroundings {
  readonly packageVersion: string;
  readonly gitCommit: string | null;
  readonly nodeVersion: string;
  readonly platform: string;
  /** The wall clock, as ISO text in UTC; the only time that is kept. */
  readonly now: () => string;
}

export interface RunOptions {
  /** Stops between two calls; the run can then be resumed. */
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
}

export function manifestOf(plan: RunPlan, surroundings: Surroundings): Manifest {
  const { now, ...facts } = surroundings;
  const { budgets } = scenarioOf(plan.case, plan.tier);
  return {
    v: 1,
    track: "maintenance",
    case: plan.case.id,
    worldDigest: plan.case.worldDigest,
    tier: plan.tier,
    repeat: plan.repeat,
    agent: { name: plan.agent.name, settings: plan.agent.settings },
    budgets: { rounds: budgets.rounds.map(({ steps, calls }) => ({ steps, calls })), runCalls: budgets.runCalls },
    ...facts,
    start: now(),
  };
}

/**
 * Plays a run to its end, or takes it up where it was left: the agent is given the logged answers again, then goes on.
 * A run that is sealed is left alone. Throws RecordError where the folder is not this run's or the disk fails.
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
    scenarioOf(plan.case, plan.tier),
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
    const end = await drive(plan, run, options);
    if (end.outcome !== "cancelled") run.end(end.outcome, end.detail);
    return {
      run: id,
      path,
      outcome: end.outcome,
      ...(end.detail === undefined ? {} : { detail: end.detail }),
      skipped: false,
    };
  } finally {
    run.close();
  }
}

async function sealedOutcome(path: string): Promise<Outcome> {
  return (await readRunFolder(path)).outcome ?? "engine_fault";
}

async function drive(plan: RunPlan, run: RecordedRun, options: RunOptions): Promise<AgentEnd> {
  const play = plan.agent.play({ tier: plan.tier, case: plan.case });
  try {
    return await follow(play, run, options);
  } finally {
    // An agent that is not heard to its end must still let go of what it holds.
    await play.return(undefined);
  }
}

async function follow(play: ReturnType<AgentPlay>, run: RecordedRun, options: RunOptions): Promise<AgentEnd> {
  let answer: ToolAnswer | undefined;
  for (let calls = 0; ; calls += 1) {
    if (options.signal?.aborted === true) return { outcome: "cancelled" };
    const next = answer === undefined ? await play.next() : await play.next(answer);
    if (next.done === true && calls < run.logged.length) throw divergence(run, calls);
    if (next.done === true)
      return (
        next.value ?? endOf(run) ?? { outcome: "stopped", detail: "the agent stopped before the case was finished" }
      );
    const call = admitCall(next.value.tool, next.value.input);
    const logged = run.logged[calls];
    if (logged === undefined) answer = run.call(call);
    else if (isSameCall(logged.call, call)) answer = logged.answer;
    else throw divergence(run, calls);
    options.onCall?.({ run: run.path, round: run.session.round, calls: calls + 1 });
    const end = calls + 1 >= run.logged.length ? endOf(run) : undefined;
    if (end !== undefined) return end;
  }
}

/** How the session says it is over, where it is. */
export function endOf(run: RecordedRun): AgentEnd | undefined {
  if (!isOver(run.session)) return undefined;
  const outcome = outcomeOf(run.session);
  return outcome.kind === "limit" ? { outcome: "limit", detail: { ...outcome.limit } } : { outcome: "finished" };
}

function divergence(run: RecordedRun, call: number): RecordError {
  return new RecordError("log_damaged", {
    where: run.path,
    what: `given the same answers, the agent does not make call ${call + 1} as the log holds it`,
    remedy: "Resume it with the version of the agent it was begun with, or begin a new set",
  });
}
