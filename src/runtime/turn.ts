/**
 * What the sessions of all tracks have in common: whether a run goes on, how its calls are counted, what a spent
 * budget no longer answers.
 */
import type { AdmittedCall } from "./admit.ts";
import {
  countCall,
  roundSpentError,
  runSpentError,
  spentInRound,
  spentInRun,
  type Allowance,
  type Limit,
  type Used,
} from "./budget.ts";
import { toolError, type ToolError } from "./errors.ts";
import type { EffectRecord } from "./record.ts";
import { fittingError } from "./fitting-error.ts";
import type { ToolAnswer } from "./tool-answers.ts";
import type { ToolName } from "./tools.ts";

/** Whether the run goes on, and if not, why. */
export type SessionOutcome =
  | { readonly kind: "playing" }
  | { readonly kind: "finished" }
  | { readonly kind: "limit"; readonly limit: Limit }
  /** The case's own rules met a fault in play; nothing the agent did. */
  | { readonly kind: "fault"; readonly message: string };

/** What one call comes to. `record` is there where it changed the world or the log of what was submitted. */
export interface Turn<S> {
  readonly session: S;
  readonly answer: ToolAnswer;
  readonly record?: EffectRecord;
  /** What was thrown on the way, where something was: for whoever mends the program, never for agent or log. */
  readonly internal?: { readonly cause: unknown };
}

/** What of a session counting needs. */
interface Counted {
  readonly outcome: SessionOutcome;
  readonly round: number;
  readonly used: Used;
}

/** The tools that a spent round no longer answers. */
const NOT_FREE: ReadonlySet<string> = new Set<ToolName>(["read_data", "construct", "commit_step"]);

type OkCall = Extract<AdmittedCall, { readonly ok: true }>;

/** What a track makes of a call that may be answered. */
export interface TrackRules<S> {
  /** What the session's present round allows. */
  readonly allowanceOf: (session: S) => Allowance;
  readonly answer: (session: S, call: OkCall) => Turn<S>;
  /** The refusal of a call that broke inside; a step leaves the record of a refused step. */
  readonly refuse: (session: S, call: OkCall, error: ToolError) => Turn<S>;
}

/**
 * Counts one call and has the track answer it, unless the run is over or the round's budget is spent. A run whose
 * calls are all used is over, whatever the last of them did but finish it. Throws nothing: an exception on the way is a
 * fault of this program, the call is refused with `internal_error`, and of what it would have done nothing is.
 */
export function takeCall<S extends Counted>(session: S, call: AdmittedCall, track: TrackRules<S>): Turn<S> {
  try {
    return countAndAnswer(session, call, track);
  } catch (cause) {
    return { ...refuseBroken(session, call, track), internal: { cause } };
  }
}

/** Begins anew from the session before the call, in which nothing of what was half done shows. */
function refuseBroken<S extends Counted>(session: S, call: AdmittedCall, track: TrackRules<S>): Turn<S> {
  const { allowanceOf, refuse } = track;
  try {
    const answer = (counted: S, one: OkCall) => refuse(counted, one, internalError());
    return countAndAnswer(session, call, { allowanceOf, refuse, answer });
  } catch {
    // What broke breaks refusals, too: then not even the call is counted.
    return refused(session, internalError());
  }
}

function countAndAnswer<S extends Counted>(session: S, call: AdmittedCall, track: TrackRules<S>): Turn<S> {
  const { allowanceOf, answer } = track;
  const over = overError(session.outcome);
  if (over !== undefined) return refused(session, over);
  const allowance = allowanceOf(session);
  const spent = spentInRound(allowance, session.used);
  const counted: S = { ...session, used: countCall(allowance, session.used) };
  const turn =
    spent !== undefined && NOT_FREE.has(call.tool)
      ? refused(counted, roundSpentError(spent, session.round))
      : call.ok
        ? answer(counted, call)
        : refused(counted, call.error);
  if (turn.session.outcome.kind !== "playing") return turn;
  const limit = spentInRun(allowanceOf(turn.session), turn.session.used);
  return limit === undefined ? turn : { ...turn, session: { ...turn.session, outcome: { kind: "limit", limit } } };
}

/** The turn, for callers to whom a fault of this program is an exception: rethrows what was thrown inside. */
export function soundTurn<T extends Turn<unknown>>(turn: T): T {
  if (turn.internal !== undefined) throw turn.internal.cause;
  return turn;
}

function overError(outcome: SessionOutcome): ToolError | undefined {
  switch (outcome.kind) {
    case "playing":
      return undefined;
    case "finished":
      return toolError("case_finished", "the case is finished: no call changes anything any more");
    case "limit":
      return runSpentError(outcome.limit);
    case "fault":
      return faultError(outcome.message);
  }
}

/** The answer once the case's own rules met a fault. */
export function faultError(message: string): ToolError {
  return toolError("engine_fault", `the case is at fault, not you, and the run is over: ${message}`);
}

/** One text for whatever broke: what is inside differs by version and machine, and is no agent's to see. */
function internalError(): ToolError {
  return toolError(
    "internal_error",
    "the program failed on this call; it is no fault of yours, and nothing of the call happened",
  );
}

export function refused<S>(session: S, error: ToolError): Turn<S> {
  return { session, answer: { ok: false, error: fittingError(error) } };
}
