/** Plays a set: its lanes side by side, its budgets, and what stops it. */
import { setImmediate } from "node:timers/promises";
import { addPlanned, isDiskFault, readRunFolder, readRunProgress, RecordError, runPath } from "../../records/index.ts";
import type { ToolAnswer } from "../../runtime/index.ts";
import type { AgentPlay } from "../agent.ts";
import { systemClock, type Clock } from "./clock.ts";
import { lanesOf } from "./lanes.ts";
import { idOfPlan, nameOfPlan, type RunName, type RunPlan } from "./plan.ts";
import { playRun, type RunOptions, type Surroundings } from "./run.ts";
import { requireFit } from "./set-fit.ts";
import { openMeter, type SetMeter } from "./set-meter.ts";
import { StopSwitch } from "./set-stop.ts";
import type { PlayedRun, SetOptions, SetResult } from "./set.ts";

/**
 * Plays the runs of a set; those that were begun go on, those that are finished are left alone. The lanes of the agents
 * go on side by side. One run that its record refuses (held by another process, damaged) does not keep the others from
 * being played; a disk that fails stops the set. Throws RecordError where the folder holds something else than this set,
 * and where what is planned cannot be written.
 */
export async function playSet(
  plans: readonly RunPlan[],
  setFolder: string,
  surroundings: Surroundings,
  options: SetOptions = {},
): Promise<SetResult> {
  await requireFit(plans, setFolder);
  addPlanned(setFolder, plans.map(idOfPlan));
  const meter = await openMeter(setFolder, options.budgets ?? {}, options.costOf);
  const stop = new StopSwitch(options.signal, options.onStop);
  const stopClock = limitWall(stop, options.budgets?.wallMs, options.clock ?? systemClock);
  try {
    const unanswered = { requests: 0, attempts: 0 };
    const runs = await playLanes(plans, { setFolder, surroundings, options, meter, stop, unanswered });
    return {
      runs,
      ...(stop.why === undefined ? {} : { stop: stop.why }),
      spent: meter.spent,
      unanswered,
      ...(meter.before === undefined ? {} : { before: meter.before }),
    };
  } finally {
    stopClock();
    stop.release();
  }
}

/** A set that is being played. */
interface SetUnderWay {
  readonly setFolder: string;
  readonly surroundings: Surroundings;
  readonly options: SetOptions;
  readonly meter: SetMeter;
  readonly stop: StopSwitch;
  /** Counted up while it is played. */
  readonly unanswered: { requests: number; attempts: number };
}

/** Stops a set when it has taken so long, whatever its runs wait for. Returns what takes that back. */
function limitWall(stop: StopSwitch, wallMs: number | undefined, clock: Clock): () => void {
  if (wallMs === undefined) return () => {};
  const startMs = clock.nowMs();
  return clock.after(wallMs, () => {
    // A timer may fire a moment early by the other clock.
    const measured = Math.max(wallMs, Math.round(clock.nowMs() - startMs));
    stop.stop({ kind: "budget", which: "set_wall", setting: wallMs, measured });
  });
}

async function playLanes(plans: readonly RunPlan[], set: SetUnderWay): Promise<readonly PlayedRun[]> {
  const { options, stop } = set;
  const results = new Map<RunPlan, PlayedRun>();
  const work = async (queue: Iterable<RunPlan>): Promise<void> => {
    try {
      for (const plan of queue) {
        const played = await playOne(plan, set);
        results.set(plan, played);
        options.onEvent?.({ kind: "done", run: played });
        await options.afterRun?.(plan, played);
      }
    } catch (error) {
      // What breaks here is a fault of ours: the other lanes are let go on to the end of their call.
      stop.breakOff();
      throw error;
    }
  };
  const workers = lanesOf(plans, options.concurrency ?? 1).flatMap(({ plans: ofLane, concurrency }) => {
    const queue = ofLane.values();
    return Array.from({ length: Math.min(concurrency, ofLane.length) }, async () => await work(queue));
  });
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return plans.map((plan) => results.get(plan) as PlayedRun);
}

async function playOne(plan: RunPlan, set: SetUnderWay): Promise<PlayedRun> {
  const { setFolder, surroundings, options, stop } = set;
  const name = nameOfPlan(plan);
  const place = { ...name, path: runPath(setFolder, name.run), skipped: false };
  if (stop.signal.aborted) return (await finishedBefore(name, place.path)) ?? { ...place, outcome: "cancelled" };
  options.onEvent?.({ kind: "begun", run: name });
  try {
    const breathing = { ...plan, agent: { ...plan.agent, play: breathe(plan.agent.play) } };
    const ended = await playRun(breathing, setFolder, surroundings, runOptions(plan, name, set));
    const { outcome, detail, skipped, stopsSet } = ended;
    if (stopsSet !== undefined) stop.stop({ kind: "fault", run: name.run, agent: name.agent, why: stopsSet });
    return { ...place, outcome, skipped, ...(detail === undefined ? {} : { detail }) };
  } catch (error) {
    if (!(error instanceof RecordError)) {
      return {
        ...place,
        outcome: "engine_fault",
        fault: error instanceof Error ? error.message : String(error),
        cause: error,
      };
    }
    if (isDiskFault(error)) stop.stop({ kind: "disk", run: name.run, why: error.message });
    return { ...place, outcome: null, fault: error.message, faultCode: error.code };
  }
}

/** A run that was not reached and was finished by an earlier command: it is what it was. */
async function finishedBefore(name: RunName, path: string): Promise<PlayedRun | undefined> {
  try {
    if ((await readRunProgress(path)).state !== "sealed") return undefined;
    return { ...name, path, outcome: (await readRunFolder(path)).outcome ?? "engine_fault", skipped: true };
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

function runOptions(plan: RunPlan, name: RunName, { options, meter, stop, unanswered }: SetUnderWay): RunOptions {
  const { sync, onEvent } = options;
  return {
    signal: stop.signal,
    ...(sync === undefined ? {} : { sync }),
    mayAsk: () => {
      const reached = meter.reached;
      if (reached !== undefined) stop.stop(reached);
      return reached === undefined;
    },
    mayRetry: (failed) => {
      meter.hold(name.run, failed, plan.agent);
      const reached = meter.reached;
      if (reached !== undefined) stop.stop(reached);
      return reached === undefined;
    },
    onAnswer: (answer, replayed) => {
      meter.release(name.run);
      const counted = meter.take(answer, plan.agent, replayed);
      onEvent?.({ kind: "answer", run: name, replayed, ...counted });
    },
    onFault: (fault) => {
      meter.release(name.run);
      meter.takeFault(fault, plan.agent);
      unanswered.requests += 1;
      unanswered.attempts += fault.attempts.length + 1;
    },
    onCall: ({ round, calls }) => onEvent?.({ kind: "call", run: name, round, calls }),
    onNotice: (text) => onEvent?.({ kind: "notice", run: name, text }),
  };
}

/** Lets the event loop turn between two calls: else an agent that waits for nothing would keep Ctrl-C from being seen. */
function breathe(play: AgentPlay): AgentPlay {
  return async function* (context) {
    const inner = play(context);
    let answer: ToolAnswer | undefined;
    for (;;) {
      await setImmediate();
      const next = answer === undefined ? await inner.next() : await inner.next(answer);
      if (next.done === true) return next.value;
      answer = yield next.value;
    }
  };
}
