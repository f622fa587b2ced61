/** Questions about what did not happen: another action, or something that had not happened by itself. */
import { canonicalJson, compareText, sameJson } from "../canonical.ts";
import { sha256 } from "../digest.ts";
import { succeed, type Result } from "../errors.ts";
import type { World } from "../world.ts";
import { legalActions } from "./action.ts";
import { changesBetween, type Changes } from "./changes.ts";
import type { ActionUse, Dynamics, DynamicsFault, Happening } from "./dynamics.ts";
import { rollout } from "./rollout.ts";
import { suspectsOf } from "./suspects.ts";

/** What went before a decision point: the world at the last one, what was done there, and what came of it. */
export interface LastSpan {
  readonly before: World;
  readonly action: ActionUse;
  readonly after: World;
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

/**
 * The questions after a span. **What is asked turns on what the character sees and on the rules, and on nothing else**: not
 * on what is hidden, nor on whether it would have made a difference, which is for whoever answers to say. Of all other
 * actions that were possible, and of all that may be behind a change that was seen, the first by SHA-256 of `key` and
 * candidate is asked about.
 */
export function askCounterfactuals(dynamics: Dynamics, last: LastSpan, key: string): Result<Questions, DynamicsFault> {
  const { before, action } = last;
  const others = legalActions(dynamics, before)
    .map(({ use }) => use)
    .filter((use) => !sameJson(use, action));
  const instead = first(others, `${key} action`);
  const without = first(suspectsOf(dynamics, last), `${key} happening`);
  const acting = instead === undefined ? undefined : truthOfAction(dynamics, last, instead);
  if (acting?.ok === false) return acting;
  const happening = without === undefined ? undefined : truthOfHappening(dynamics, last, without);
  if (happening?.ok === false) return happening;
  return succeed({
    ...(instead && acting && { action: { instead, truth: acting.value } }),
    ...(without && happening && { happening: { without, truth: happening.value } }),
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

function first<T extends ActionUse | Happening>(candidates: readonly T[], key: string): T | undefined {
  const [found] = candidates
    .map((candidate) => ({ candidate, rank: sha256(`${key} ${canonicalJson(candidate)}`) }))
    .sort((a, b) => compareText(a.rank, b.rank));
  return found?.candidate;
}
