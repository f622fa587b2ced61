/** States that differ from what happened, to see what a capability refuses. */
import {
  alongsideOf,
  applyConstruction,
  commitStep,
  entityIdsOfType,
  tryTrigger,
  type FieldValue,
  type Trigger,
  type TriggerId,
  type World,
} from "../runtime/index.ts";
import type { Perturbation } from "./contract.ts";
import { withValues } from "./path.ts";
import type { HeldEvent } from "./relations.ts";
import { asSubmitted, type Trace, type TraceStep, type TracedTrigger } from "./trace.ts";

/** Whether a trigger tried on another state was refused. `untried`: it could not be tried. */
export type Tried = "allowed" | "refused" | "untried";

/** Tries a bound trigger, alone and without invariants, on the state before its step with some values changed. */
export function tryPerturbed(
  traced: TracedTrigger,
  values: Readonly<Record<string, FieldValue>>,
  clock?: number,
): Tried {
  const world = withValues(traced.step.before, values, clock);
  return world === undefined ? "untried" : tryOn(world, traced, asSubmitted(traced.trigger));
}

/**
 * What `tryPerturbed` could come to otherwise for: the paths that the triggers of a step look at, refused or not. Another
 * value anywhere else leaves it what it is. Every path, where one of the triggers cannot be done at all.
 */
export function lookedAtBy({ step }: TracedTrigger): (path: string) => boolean {
  const { before, record } = step;
  const paths = new Set<string>();
  let isMoving = false;
  for (const [i, trigger] of record.triggers.entries()) {
    const trial = tryTrigger(before, asSubmitted(trigger), {
      alongside: alongsideOf(record.triggers, i),
      stripped: true,
    });
    if (!trial.ok) return () => true;
    for (const read of trial.value.reads) {
      const [, type, field] = /^([^.]+)\.\*\.(.+)$/.exec(read) ?? [];
      if (type === undefined) paths.add(read);
      else for (const id of entityIdsOfType(before.entities, type)) paths.add(`${id}.${field}`);
    }
    for (const write of trial.value.writes) {
      paths.add(write.path);
      // What is put somewhere must not come to be inside itself, and what comes or goes is looked for everywhere.
      if ("entity" in write || write.path.endsWith(".at")) isMoving = true;
    }
  }
  return (path) => paths.has(path) || (isMoving && path.endsWith(".at"));
}

/** Beside the trigger stand those others of its step that the state still allows: a rule may ask for them (`alongside`). */
function tryOn(world: World, traced: TracedTrigger, trigger: Trigger): Tried {
  const { triggers } = traced.step.record;
  const others = triggers.filter(({ id }) => id !== traced.trigger.id);
  const standing = others.filter((one) => {
    const alongside = alongsideOf(triggers, triggers.indexOf(one));
    return tryTrigger(world, asSubmitted(one), { alongside }).ok;
  });
  return tryTrigger(world, trigger, { alongside: alongsideOf(standing, -1) }).ok ? "allowed" : "refused";
}

/**
 * Tries a bound trigger under an authored perturbation. `since` holds the perturbation from that event on; where the
 * event does not hold, or not before this step, only the state before the step is changed. Swapped arguments are those
 * of the reference: wherever the trigger names the entity of the reference's argument it names the other one instead.
 */
export function tryPerturbation(
  traced: TracedTrigger,
  perturbation: Perturbation,
  referenceArgs: readonly Readonly<Record<string, string | number | boolean>>[],
  since: HeldEvent | undefined,
  trace: Trace,
): Tried {
  const trigger = swapArgs(asSubmitted(traced.trigger), perturbation, referenceArgs);
  if (trigger === undefined) return "untried";
  const from = since && trace.steps.get(since.firstStep);
  const world =
    from !== undefined && from.order < traced.step.order
      ? holdSince(trace, from, traced.step, perturbation)
      : withValues(traced.step.before, perturbation.paths, perturbation.clock);
  return world === undefined ? "untried" : tryOn(world, traced, trigger);
}

function swapArgs(
  trigger: Trigger,
  perturbation: Perturbation,
  referenceArgs: readonly Readonly<Record<string, string | number | boolean>>[],
): Trigger | undefined {
  if (perturbation.args === undefined) return trigger;
  const args = { ...trigger.args };
  for (const [param, other] of Object.entries(perturbation.args)) {
    const was = referenceArgs.find((one) => Object.hasOwn(one, param))?.[param];
    const bearing = Object.keys(trigger.args).filter((name) => trigger.args[name] === was);
    if (bearing.length === 0) return undefined;
    for (const name of bearing) args[name] = other;
  }
  return { ...trigger, args };
}

/**
 * The state before `until` had the perturbation held from the end of step `from` on: it is applied again after each
 * step, what still holds runs on, what no longer holds falls away. The clock is that of the run.
 */
function holdSince(trace: Trace, from: TraceStep, until: TraceStep, perturbation: Perturbation): World | undefined {
  let world = withValues({ ...from.after, invariants: [] }, perturbation.paths, perturbation.clock);
  for (const entry of trace.entries) {
    if (world === undefined || entry.order >= until.order) break;
    if (entry.order <= from.order) continue;
    const next: World = entry.kind === "construction" ? applyConstruction(world, entry.record) : runOn(world, entry);
    world = withValues(next, perturbation.paths, perturbation.clock);
  }
  return world;
}

/** As much of a step as another state still allows. */
export function runOn(world: World, step: TraceStep): World {
  const { record } = step;
  const attempt = (ids: readonly TriggerId[]) =>
    commitStep(
      world,
      {
        triggers: record.triggers.filter(({ id }) => ids.includes(id)).map(asSubmitted),
        until: record.until,
        advance: Math.max(record.advance, 1),
      },
      { step: record.step, round: record.round },
      { undigested: true },
    );
  const all = attempt(record.triggers.map(({ id }) => id));
  if (all.ok) return { ...all.value.world, clock: record.clock };
  const standing = record.triggers
    .filter((trigger) => tryOn(world, { trigger, step }, asSubmitted(trigger)) === "allowed")
    .map(({ id }) => id);
  const some = standing.length === 0 || standing.length === record.triggers.length ? undefined : attempt(standing);
  return { ...(some?.ok ? some.value.world : world), clock: record.clock };
}
