/** A set: every case in every tier by every agent, so many times over. */
import { setImmediate } from "node:timers/promises";
import type { Case } from "../../cases/index.ts";
import {
  addPlanned,
  RecordError,
  runIdOf,
  runPath,
  type Outcome,
  type RecordErrorCode,
  type RunId,
} from "../../records/index.ts";
import type { Json, Tier, ToolAnswer } from "../../runtime/index.ts";
import type { Agent, AgentPlay } from "../agent.ts";
import { playRun, type RunOptions, type RunPlan, type Surroundings } from "./run.ts";

/** A tier that an agent does not play. */
export interface RefusedTier {
  readonly agent: string;
  readonly tier: Tier;
  readonly why: string;
}

export interface SetPlan {
  readonly plans: readonly RunPlan[];
  readonly refused: readonly RefusedTier[];
}

/** What a set is made of; `repeats` is how many runs of one kind, from 1. */
export interface SetAxes {
  readonly cases: readonly Case[];
  readonly tiers: readonly Tier[];
  readonly agents: readonly Agent[];
  readonly repeats: number;
}

/** Which run a plan is, in plain values. */
export interface RunName {
  readonly run: RunId;
  readonly case: string;
  readonly tier: Tier;
  readonly agent: string;
  readonly repeat: number;
}

/** A run of a set after it was played, or was left alone. */
export interface PlayedRun extends RunName {
  readonly path: string;
  /** null where the record refused the run; `fault` says why. A run that was not reached is `cancelled`. */
  readonly outcome: Outcome | null;
  readonly detail?: Json;
  /** It was finished before. */
  readonly skipped: boolean;
  /** Why it could not be played, or what broke while it was. */
  readonly fault?: string;
  /** The exception behind an `engine_fault`, for whoever mends it. */
  readonly cause?: unknown;
}

export type SetEvent =
  | { readonly kind: "begun"; readonly run: RunName }
  | { readonly kind: "call"; readonly run: RunName; readonly round: number; readonly calls: number }
  | { readonly kind: "notice"; readonly run: RunName; readonly text: string }
  | { readonly kind: "done"; readonly run: PlayedRun };

export interface SetOptions extends Pick<RunOptions, "signal" | "sync"> {
  /** Runs under way at once. Default 1. */
  readonly concurrency?: number;
  readonly onEvent?: (event: SetEvent) => void;
  /** Awaited after each run that was played, before the next of its worker begins. */
  readonly afterRun?: (plan: RunPlan, run: PlayedRun) => Promise<void>;
}

/** Every run of a set, case by case, and the pairs of agent and tier that are left out. */
export function planSet({ cases, tiers, agents, repeats }: SetAxes): SetPlan {
  const refused = agents.flatMap((agent) =>
    tiers.flatMap((tier): readonly RefusedTier[] => {
      const why = agent.refusesTier?.(tier);
      return why === undefined ? [] : [{ agent: agent.name, tier, why }];
    }),
  );
  const plays = (agent: Agent, tier: Tier): boolean =>
    !refused.some((pair) => pair.agent === agent.name && pair.tier === tier);
  const plans = cases.flatMap((case_) =>
    tiers.flatMap((tier) =>
      agents
        .filter((agent) => plays(agent, tier))
        .flatMap((agent) =>
          Array.from({ length: repeats }, (_, i): RunPlan => ({ case: case_, tier, agent, repeat: i + 1 })),
        ),
    ),
  );
  return { plans, refused };
}

/** Throws RecordError `bad_name` where a part of the name could not stand in a path. */
export function nameOfPlan({ case: { id }, tier, agent: { name }, repeat }: RunPlan): RunName {
  const run = runIdOf({ track: "maintenance", case: id, tier, agent: { name }, repeat });
  return { run, case: id, tier, agent: name, repeat };
}

/** Faults of the disk: they would meet every later run too. */
const STOPS_THE_SET: ReadonlySet<RecordErrorCode> = new Set([
  "disk_full",
  "read_only",
  "no_permission",
  "not_a_directory",
  "io_failed",
]);

/**
 * Plays the runs of a set; those that were begun go on, those that are finished are left alone. One run that its record
 * refuses (held by another process, begun on another version of the case) does not keep the others from being played.
 * Returns every planned run in the order of the plans. Throws RecordError where the disk fails.
 */
export async function playSet(
  plans: readonly RunPlan[],
  setFolder: string,
  surroundings: Surroundings,
  options: SetOptions = {},
): Promise<readonly PlayedRun[]> {
  addPlanned(
    setFolder,
    plans.map((plan) => nameOfPlan(plan).run),
  );
  const results = new Map<number, PlayedRun>();
  const queue = plans.entries();
  const work = async (): Promise<void> => {
    for (const [i, plan] of queue) {
      const played = await playOne(plan, setFolder, surroundings, options);
      results.set(i, played);
      options.onEvent?.({ kind: "done", run: played });
      await options.afterRun?.(plan, played);
    }
  };
  const workers = Math.max(1, Math.min(options.concurrency ?? 1, plans.length));
  const ended = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return plans.map((_, i) => results.get(i) as PlayedRun);
}

async function playOne(
  plan: RunPlan,
  setFolder: string,
  surroundings: Surroundings,
  options: SetOptions,
): Promise<PlayedRun> {
  const name = nameOfPlan(plan);
  const place = { ...name, path: runPath(setFolder, name.run), skipped: false };
  if (options.signal?.aborted === true) return { ...place, outcome: "cancelled" };
  options.onEvent?.({ kind: "begun", run: name });
  try {
    const breathing = { ...plan, agent: { ...plan.agent, play: breathe(plan.agent.play) } };
    const { outcome, detail, skipped } = await playRun(breathing, setFolder, surroundings, runOptions(name, options));
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
    if (STOPS_THE_SET.has(error.code)) throw error;
    return { ...place, outcome: null, fault: error.message };
  }
}

function runOptions(name: RunName, { signal, sync, onEvent }: SetOptions): RunOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(sync === undefined ? {} : { sync }),
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
