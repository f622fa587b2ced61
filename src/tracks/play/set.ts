/** A set of runs: how it is planned, what is told while it is played, and what it came to. */
import type { CostOf, Outcome, RecordErrorCode, Spending } from "../../records/index.ts";
import type { Json } from "../../runtime/index.ts";
import { planDeduction, type DeductionAxes, type DeductionPlan } from "../deduction/plan.ts";
import { planMaintenance, type MaintenanceAxes, type MaintenancePlan } from "../maintenance/plan.ts";
import type { Clock } from "./clock.ts";
import type { RunName, RunPlan } from "./plan.ts";
import type { RunOptions } from "./run.ts";
import type { CountedAnswer, SetBudgets } from "./set-meter.ts";
import type { SetPlan } from "./set-plan.ts";
import type { SetStop } from "./set-stop.ts";

/** What a set is made of. */
export type SetAxes = MaintenanceAxes | DeductionAxes;

/** A run of a set after it was played, or was left alone. */
export type PlayedRun = RunName & PlayedAs;

/** What playing a run came to. */
export interface PlayedAs {
  readonly path: string;
  /** null where the record refused the run; `fault` says why. A run that was not reached is `cancelled`. */
  readonly outcome: Outcome | null;
  readonly detail?: Json;
  /** It was finished before. */
  readonly skipped: boolean;
  /** Why it could not be played, or what broke while it was. */
  readonly fault?: string;
  /** The code of the record's refusal: `locked` where another process plays the run. */
  readonly faultCode?: RecordErrorCode;
  /** The exception behind an `engine_fault`, for whoever mends it. */
  readonly cause?: unknown;
}

export type SetEvent =
  | { readonly kind: "begun"; readonly run: RunName }
  | { readonly kind: "call"; readonly run: RunName; readonly round: number; readonly calls: number }
  | ({
      readonly kind: "answer";
      readonly run: RunName;
      /** Given again from the log: it was paid for before. */
      readonly replayed: boolean;
    } & CountedAnswer)
  | { readonly kind: "notice"; readonly run: RunName; readonly text: string }
  | { readonly kind: "done"; readonly run: PlayedRun };

export interface SetOptions extends Pick<RunOptions, "signal" | "sync"> {
  /** Runs under way at once among those of agents that name no lane of their own. Default 1. */
  readonly concurrency?: number;
  /** Limits of the whole set; a limit of 0 leaves nothing to be done. */
  readonly budgets?: SetBudgets;
  /** What an answer cost. Default: nobody knows. */
  readonly costOf?: CostOf;
  /** For the budget of wall time. Default: the system's. */
  readonly clock?: Clock;
  readonly onEvent?: (event: SetEvent) => void;
  /** Told at once why the set stops; runs under way may still go on to the end of what they wait for. */
  readonly onStop?: (stop: SetStop) => void;
  /** Awaited after each run that was played, before the next of its lane begins. */
  readonly afterRun?: (plan: RunPlan, run: PlayedRun) => Promise<void>;
}

export interface Unanswered {
  readonly requests: number;
  readonly attempts: number;
}

/** What playing a set came to. */
export interface SetResult {
  /** Every planned run, in the order of the plans. */
  readonly runs: readonly PlayedRun[];
  /** Why it stopped before everything was played, where it did. */
  readonly stop?: SetStop;
  /** By this command. */
  readonly spent: Spending;
  /** Requests of this command that brought no answer, and how often they were sent. */
  readonly unanswered: Unanswered;
  /** By earlier commands on this set, where a budget of tokens or cost made that count. */
  readonly before?: Spending;
}

/** Every run of a set, case by case, and what of it agents do not play. */
export function planSet(axes: MaintenanceAxes): SetPlan<MaintenancePlan>;
export function planSet(axes: DeductionAxes): SetPlan<DeductionPlan>;
export function planSet(axes: SetAxes): SetPlan<RunPlan>;
export function planSet(axes: SetAxes): SetPlan<RunPlan> {
  return axes.track === "maintenance" ? planMaintenance(axes) : planDeduction(axes);
}
