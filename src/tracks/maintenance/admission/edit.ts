/** Edits of one round's acts. Each leaves the acts it does not touch as the objects they are. */
import type { EventId } from "../../../contracts/index.ts";
import { realises, stepAct, triggersOf, waitAct, type Act } from "./script.ts";

/** The acts without the triggers that realise an event, and those triggers as steps of their own, in order. */
export function takeOut(
  acts: readonly Act[],
  event: EventId,
): { readonly rest: readonly Act[]; readonly taken: readonly Act[] } {
  const taken: Act[] = [];
  const rest = acts.flatMap((act): readonly Act[] => {
    if (act.kind !== "step" || !realises(act, event)) return [act];
    const { triggers, advance, until } = act.step;
    const own = triggers.filter((trigger) => trigger.realises.includes(event));
    const others = triggers.filter((trigger) => !trigger.realises.includes(event));
    taken.push(stepAct(own));
    if (others.length > 0) return [stepAct(others, { advance, ...(others.length > 1 ? { until } : {}) })];
    return advance === undefined || advance === 0 ? [] : [waitAct(advance)];
  });
  return { rest, taken };
}

export function insertAt(acts: readonly Act[], position: number, more: readonly Act[]): readonly Act[] {
  return [...acts.slice(0, position), ...more, ...acts.slice(position)];
}

/** Puts triggers into a step that is there already. */
export function joinAt(acts: readonly Act[], position: number, more: readonly Act[]): readonly Act[] {
  return acts.map((act, i) => {
    if (i !== position || act.kind !== "step") return act;
    const { triggers, ...rest } = act.step;
    return stepAct([...triggers, ...more.flatMap(triggersOf)], rest);
  });
}

export function firstOf(acts: readonly Act[], event: EventId): number {
  return acts.findIndex((act) => realises(act, event));
}

export function lastOf(acts: readonly Act[], event: EventId): number {
  return acts.findLastIndex((act) => realises(act, event));
}
