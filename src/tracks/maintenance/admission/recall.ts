/**
 * What is known of who takes part, from one play to the next. Whether a path matters to a trigger follows from the
 * trigger and from what it can look at: where both are those of the reference, so is the answer.
 */
import type { Recall, Trace, TracedTrigger, TraceStep } from "../../../contracts/index.ts";
import { alongsideOf, compareText, sameJson, type Capability } from "../../../runtime/index.ts";
import { differOutside } from "./alike.ts";
import { reachOfTrigger, type Reach } from "./reach.ts";
import { originOf } from "./shift.ts";

interface Known {
  readonly traced: TracedTrigger;
  readonly capability: Capability;
  /** Whether the hour is nothing to it. */
  readonly isClockFree: boolean;
  readonly reach: Reach;
}

/** Remembers answers by the reference's triggers, and those of other states by their step. */
export function recallFor(reference: Trace): Recall {
  const known = new Map<string, Known[]>();
  for (const traced of reference.triggers.values()) {
    const capability = traced.step.before.capabilities[traced.trigger.capability] as Capability;
    const isClockFree = !/\bclock\b/.test(JSON.stringify(capability));
    const one = { traced, capability, isClockFree, reach: reachOfTrigger(traced) };
    const key = callOf(traced);
    known.set(key, [...(known.get(key) ?? []), one]);
  }
  const standIns = new WeakMap<TraceStep, Map<number, TracedTrigger>>();
  const answers = new WeakMap<TraceStep, Map<string, boolean>>();

  const standInFor = (traced: TracedTrigger): TracedTrigger => {
    const origin = originOf(traced.step);
    const position = traced.step.record.triggers.indexOf(traced.trigger);
    if (origin !== traced.step)
      return { step: origin, trigger: origin.record.triggers[position] as TracedTrigger["trigger"] };
    if (reference.steps.get(origin.record.step) === origin) return traced;
    const found = standIns.get(origin) ?? new Map<number, TracedTrigger>();
    standIns.set(origin, found);
    const before = found.get(position);
    if (before !== undefined) return before;
    const alike = (known.get(callOf(traced)) ?? []).find((one) => isAlike(one, traced));
    found.set(position, alike?.traced ?? traced);
    return alike?.traced ?? traced;
  };

  return (traced, path, find) => {
    const { step, trigger } = standInFor(traced);
    const own = answers.get(step) ?? new Map<string, boolean>();
    answers.set(step, own);
    const key = `${trigger.id} ${path}`;
    const answer = own.get(key) ?? find();
    own.set(key, answer);
    return answer;
  };
}

/** A trigger as it was called, and what stood beside it. */
function callOf({ trigger, step }: TracedTrigger): string {
  const { triggers } = step.record;
  const alongside = alongsideOf(triggers, triggers.indexOf(trigger));
  return JSON.stringify([
    trigger.capability,
    trigger.args,
    Object.keys(alongside)
      .sort(compareText)
      .map((id) => [id, alongside[id]]),
  ]);
}

function isAlike({ traced, capability, isClockFree, reach }: Known, { trigger, step }: TracedTrigger): boolean {
  const own = step.before.capabilities[trigger.capability];
  if (own !== capability && !sameJson(own, capability)) return false;
  if (!isClockFree && traced.step.before.clock !== step.before.clock) return false;
  return differOutside(traced.step.before, step.before, reach);
}
