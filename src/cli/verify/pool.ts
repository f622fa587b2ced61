/** Finds parts of verifications: by worker threads, or, where the sources run, one after the other in this thread. */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Case } from "../../cases/index.ts";
import { partFinder, type PartFinder, type PartFound } from "../../tracks/index.ts";
import type { PartOrder, WorkerSays } from "./message.ts";

export interface PartTask {
  readonly case: Case;
  readonly order: PartOrder;
}

export interface PoolEvents {
  readonly onProgress: (task: PartTask, text: string) => void;
  readonly onFound: (task: PartTask, found: PartFound) => void;
  readonly onFault: (task: PartTask, message: string) => void;
}

/** Finds every part, in their order as far as they are begun. Whatever becomes of a part, the others are still found. */
export async function findParts(
  tasks: readonly PartTask[],
  jobs: number,
  workerFile: string | undefined,
  events: PoolEvents,
): Promise<void> {
  if (workerFile === undefined) return findHere(tasks, events);
  const waiting = [...tasks];
  const workers = Math.min(jobs, tasks.length);
  await Promise.all(Array.from({ length: workers }, () => workOff(waiting, workerFile, events)));
}

/** One worker after the other takes what is next: a worker that dies takes only its part with it. */
async function workOff(waiting: PartTask[], workerFile: string, events: PoolEvents): Promise<void> {
  let worker: Worker | undefined;
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
    worker ??= new Worker(workerFile);
    const isAlive = await giveTo(worker, task, events);
    if (!isAlive) worker = undefined;
  }
  await worker?.terminate();
}

/** Has a worker find a part; false where the worker did not outlive it. */
function giveTo(worker: Worker, task: PartTask, events: PoolEvents): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAlive: boolean): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      // What a dying worker still has to say is said already.
      if (!isAlive) worker.on("error", () => {});
      resolve(isAlive);
    };
    const fail = (message: string): void => {
      events.onFault(task, message);
      end(false);
    };
    const onMessage = (says: WorkerSays): void => {
      if (says.kind === "progress") return events.onProgress(task, says.text);
      if (says.kind === "found") events.onFound(task, says.found);
      else events.onFault(task, says.message);
      end(true);
    };
    const onError = (error: unknown): void => fail(error instanceof Error ? error.message : String(error));
    const onExit = (code: number): void => fail(`a worker ended with code ${code}`);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(task.order, []);
  });
}

/** How long this thread works before whoever waits for it has a turn. */
const TURN_MS = 50;

async function findHere(tasks: readonly PartTask[], events: PoolEvents): Promise<void> {
  let laidOut: { readonly case: Case; readonly finder: PartFinder } | undefined;
  for (const task of tasks) {
    try {
      if (laidOut?.case !== task.case) laidOut = { case: task.case, finder: partFinder(task.case) };
      events.onFound(task, await findOne(laidOut.finder, task, events));
    } catch (error) {
      events.onFault(task, error instanceof Error ? error.message : String(error));
    }
  }
}

async function findOne(finder: PartFinder, task: PartTask, events: PoolEvents): Promise<PartFound> {
  const finding = finder.find(task.order.part, task.order.tiers);
  let turnMs = performance.now();
  for (let next = finding.next(); ; next = finding.next()) {
    if (next.done === true) return next.value;
    if (performance.now() - turnMs < TURN_MS) continue;
    events.onProgress(task, next.value);
    await setImmediate();
    turnMs = performance.now();
  }
}
