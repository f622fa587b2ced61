import type { Case, DeductionCase } from "../cases/index.ts";
import type { Attempt, JournalBody, Outcome, RunId } from "../records/index.ts";
import type { Condition, Json, Mode, Tier, ToolAnswer } from "../runtime/index.ts";

/**
 * A call as an agent makes it: whatever it likes, admitted or refused at the border. `text` is the input as raw text,
 * for an agent whose words are to be parsed there; it stands in place of `input`.
 */
export interface AgentCall {
  readonly tool: unknown;
  readonly input?: unknown;
  readonly text?: unknown;
}

/**
 * What an agent keeps in its run's log beside its calls. A run is resumed by playing it again from its beginning: as
 * long as logged lines are left, they are given back and nothing is asked of anyone.
 */
export interface Journal {
  /** Keeps a line that follows from what was before. A logged line at this place must be equal to it. */
  readonly keep: (line: JournalBody) => void;
  /**
   * Keeps a line that comes from outside: the logged one where there is one at this place, else what `make` brings. It
   * is on disk when this returns. `undefined` from `make` says that nothing came; nothing is kept. `make` is given what to
   * ask before it tries again what failed.
   */
  readonly fetch: (
    make: (mayRetry: (failed: readonly Attempt[]) => boolean) => Promise<JournalBody | undefined>,
  ) => Promise<JournalBody | undefined>;
}

/** Why an agent stopped before the case was finished. */
export interface AgentEnd {
  readonly outcome: Outcome;
  readonly detail?: Json;
  /** Why no other run of the set can do better (a wrong key, a quota that is used up): the set stops. */
  readonly stopsSet?: string;
}

/** What an agent is given of any run beside what the tools tell it. */
interface RunSurroundings {
  readonly run: RunId;
  readonly journal: Journal;
  /** Aborted when the run is to stop: nothing new is begun, what is under way is heard to its end. */
  readonly stop: AbortSignal;
}

export interface MaintenanceContext extends RunSurroundings {
  readonly track: "maintenance";
  readonly tier: Tier;
  /** The whole case. Only agents that are no models under test may look into it: `reference` does. */
  readonly case: Case;
}

export interface DeductionContext extends RunSurroundings {
  readonly track: "deduction";
  readonly condition: Condition;
  readonly mode: Mode;
  readonly fold: number;
  /** The whole case. Only baselines may look into it: `rules` does, for the rules it knows. */
  readonly case: DeductionCase;
}

/** What an agent is told of a run beside what the tools tell it. */
export type AgentContext = MaintenanceContext | DeductionContext;

/** What an agent may be asked to play, as far as it can refuse it. */
export type RunKind =
  | Pick<MaintenanceContext, "track" | "tier">
  | Pick<DeductionContext, "track" | "condition" | "mode">;

/**
 * An agent under test: it makes one call after another and is given each answer. The same answers must lead to the
 * same calls, since a run is resumed by giving it the logged answers again.
 */
export type AgentPlay = (context: AgentContext) => AsyncGenerator<AgentCall, AgentEnd | undefined, ToolAnswer>;

export interface Agent {
  /** Part of a run's id: `[a-z][a-z0-9_-]*`. */
  readonly name: string;
  /** One sentence. */
  readonly says: string;
  /** Everything that can change what it does. */
  readonly settings: { readonly [key: string]: Json };
  /** Why it does not play something, or undefined where it does. */
  readonly refuses?: (kind: RunKind) => string | undefined;
  /** What its runs share: as many of them as `concurrency` are under way at once. */
  readonly lane?: { readonly name: string; readonly concurrency: number };
  readonly play: AgentPlay;
}
