/** Questions about what did not happen: another action, or something that had not happened by itself. */
import { canonicalJson, compareText, sameJson } from "../canonical.ts";
import { sha256 } from "../digest.ts";
import { succeed, type Result } from "../errors.ts";
import type { World } from "../world.ts";
import { legalActions } from "./action.ts";
import { changesBetween, type Changes } from "./changes.ts";
import type { ActionUse, Dynamics, DynamicsFault, Happening } from "./dynamics.ts";
import { rollout } from "./rollout.ts";

/** What went before a decision point: the world at the last one, what was done there, and what came of it. */
export interface LastSpan {
  readonly before: World;
  readonly action: ActionUse;
  readonly after: World;
  readonly happenings: readonly Happening[];
}

export interface ActionQuestion {
  readonly instead: ActionUse;
  /** The fields whose value now would differ, with the value they would have. */
  readonly truth: Changes;
}

export interface HappeningQuestion {
  readonly without: Happening;
  readonly truth: Changes;
}

export interface Questions {
  readonly action?: ActionQuestion;
  readonly happening?: HappeningQuestion;
}

/** Candidates that are rolled out in search of one that would have made a difference. */
const TRIED = 4;

/**
 * The questions after a span. Candidates are all alternatives that were possible then, and all that happened by itself
 * since; they are ordered by SHA-256 of `key` and candidate, and the first of a few that would have made a difference is
 * asked, else the first.
 */
export function askCounterfactuals(dynamics: Dynamics, last: LastSpan, key: string): Result<Questions, DynamicsFault> {
  const { before, action, happenings } = last;
  const instead = legalActions(dynamics, before)
    .map(({ use }) => use)
    .filter((use) => !sameJson(use, action));
  const acting = choose(ordered(instead, `${key} action`), (use) => truthOfAction(dynamics, last, use));
  if (!acting.ok) return acting;
  const happening = choose(ordered(happenings, `${key} happening`), (without) =>
    truthOfHappening(dynamics, last, without),
  );
  if (!happening.ok) return happening;
  return succeed({
    ...(acting.value === undefined ? {} : { action: { instead: acting.value.candidate, truth: acting.value.truth } }),
    ...(happening.value === undefined
      ? {}
      : { happening: { without: happening.value.candidate, truth: happening.value.truth } }),
  });
}

/** What now would differ, had the last action been `instead`. */
export function truthOfAction(
  dynamics: Dynamics,
  { before, after }: Pick<LastSpan, "before" | "after">,
  instead: ActionUse,
): Result<Changes, DynamicsFault> {
  const other = rollout(dynamics, before, {
    ticks: after.clock - before.clock,
    actions: new Map([[before.clock, instead]]),
  });
  return other.ok ? succeed(changesBetween(dynamics, after, other.value.world)) : other;
}

/** What now would differ, had this not happened since. */
export function truthOfHappening(
  dynamics: Dynamics,
  { before, after, action }: Pick<LastSpan, "before" | "after" | "action">,
  without: Happening,
): Result<Changes, DynamicsFault> {
  const other = rollout(dynamics, before, {
    ticks: after.clock - before.clock,
    actions: new Map([[before.clock, action]]),
    omit: without,
  });
  return other.ok ? succeed(changesBetween(dynamics, after, other.value.world)) : other;
}

function ordered<T extends ActionUse | Happening>(candidates: readonly T[], key: string): readonly T[] {
  return candidates
    .map((candidate) => ({ candidate, rank: sha256(`${key} ${canonicalJson(candidate)}`) }))
    .sort((a, b) => compareText(a.rank, b.rank))
    .map(({ candidate }) => candidate);
}

function choose<T>(
  candidates: readonly T[],
  truthOf: (candidate: T) => Result<Changes, DynamicsFault>,
): Result<{ readonly candidate: T; readonly truth: Changes } | undefined, DynamicsFault> {
  let first: { readonly candidate: T; readonly truth: Changes } | undefined;
  for (const candidate of candidates.slice(0, TRIED)) {
    const truth = truthOf(candidate);
    if (!truth.ok) return truth;
    const found = { candidate, truth: truth.value };
    if (Object.keys(truth.value).length > 0) return succeed(found);
    first ??= found;
  }
  return succeed(first);
}
