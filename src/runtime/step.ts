/** Atomic, simultaneous steps: all of a step holds together, or nothing of it happens. */
import { freeze } from "immer";
import type { Trigger } from "./capability.ts";
import { refuse, succeed, toolError, type Result, type ToolError, type TriggerFailure } from "./errors.ts";
import { costBeyond, costOf } from "./expression/index.ts";
import { triggerId } from "./ids.ts";
import { brokenInvariant, holdsAfter, invariantsTouched, rememberHolding } from "./invariant-check.ts";
import { LIMITS } from "./limits.ts";
import { mergeOperations, type Merged, type MergeFault } from "./merge.ts";
import { applyMerged, type Applied } from "./merged-state.ts";
import type { AcceptedStep, AcceptedTrigger } from "./record.ts";
import { resolveTrigger, type ResolvedTrigger } from "./resolve.ts";
import { getEntity } from "./state/index.ts";
import { alongsideOf, costOfTrigger, evaluateTrigger, type TriggerOutcome } from "./trigger.ts";
import { digestOfWorld, type World } from "./world.ts";
import { sizeOfWrites, writesOf } from "./writes.ts";

export interface StepInput {
  readonly triggers: readonly Trigger[];
  /** The clock then stands at the smallest end, not the largest. */
  readonly until?: "first" | undefined;
  /** Further ticks that pass afterwards. */
  readonly advance: number;
}

export interface StepOptions {
  /** Requirements never refuse (mutants of admission). */
  readonly stripped?: boolean;
  /** The record's digest is left empty: for plays in memory that nobody keeps (mutants of admission). */
  readonly undigested?: boolean;
}

/**
 * Submits triggers together. Accepted: the next world and the record of the step. Refused: an error that names every
 * failing trigger; the world is untouched. Pure.
 */
export function commitStep(
  world: World,
  input: StepInput,
  at: { readonly step: number; readonly round: number },
  options: StepOptions = {},
): Result<{ readonly world: World; readonly record: AcceptedStep }> {
  const { triggers } = input;
  if (triggers.length === 0 && input.advance < 1) {
    return refuse("empty_step", "a step without triggers is a wait, and a wait takes time", {
      path: "advance",
      hint: "advance: 1 or more",
    });
  }
  if (triggers.length > LIMITS.triggersPerStep) {
    return refuse("too_many_triggers", `${triggers.length} triggers in one step`, {
      path: "triggers",
      hint: `at most ${LIMITS.triggersPerStep}`,
    });
  }
  const attempts = triggers.map((trigger) => resolveTrigger(world, trigger));
  const resolved = collect(attempts, (one) => one);
  const cost = costBeyond(LIMITS.stepCost, (containment) =>
    attempts.reduce((sum, one) => sum + (one.ok ? costOfTrigger(world, one.value, containment) : 0), 0),
  );
  if (cost > LIMITS.stepCost) return resolved.ok ? tooCostly(cost) : refusedStep(triggers, resolved.error);
  const outcomes = collect(attempts, (one, i) =>
    one.ok ? evaluateTrigger(world, one.value, { alongside: alongsideOf(triggers, i), ...options }) : one,
  );
  if (!outcomes.ok || !resolved.ok)
    return refusedStep(triggers, outcomes.ok ? [] : withHints(world, attempts, outcomes.error, triggers));
  const operations = outcomes.value.map((outcome) => outcome.operations);
  const size = sizeOfWrites(world, operations);
  if (size > LIMITS.stepCost) return tooLarge(size);
  const { merged, faults } = mergeOperations(world, operations);
  if (faults.length > 0) return refusedStep(triggers, failuresOf(faults));
  const applied = applyMerged(world, merged);
  if (!applied.ok) return refusedStep(triggers, failuresOf(applied.error));
  const ends = outcomes.value.map((outcome) => world.clock + outcome.duration);
  const end = ends.length === 0 ? world.clock : input.until === "first" ? Math.min(...ends) : Math.max(...ends);
  const clock = end + input.advance;
  if (!Number.isSafeInteger(clock))
    return refuse("bad_duration", "the clock would pass the largest whole number", { path: "advance" });
  const next: World = freeze({ ...applied.value.world, clock });
  const lawful = checkInvariants(triggers, world, next, merged);
  if (!lawful.ok) return lawful;
  return succeed({
    world: next,
    record: {
      kind: "accepted",
      step: at.step,
      round: at.round,
      start: world.clock,
      clock,
      ...(input.until === undefined ? {} : { until: input.until }),
      advance: input.advance,
      triggers: recordTriggers(world, resolved.value, outcomes.value, applied.value, at.step),
      digest: options.undigested === true ? "" : digestOfWorld(next),
    },
  });
}

interface Failure {
  readonly position: number;
  readonly error: ToolError;
}

/** All values, or every failure. */
function collect<A, B>(
  items: readonly A[],
  make: (item: A, position: number) => Result<B>,
): Result<readonly B[], readonly Failure[]> {
  const values: B[] = [];
  const failures: Failure[] = [];
  items.forEach((item, position) => {
    const result = make(item, position);
    if (result.ok) values.push(result.value);
    else failures.push({ position, error: result.error });
  });
  return failures.length > 0 ? { ok: false, error: failures } : { ok: true, value: values };
}

function tooCostly(cost: number): Result<never> {
  return refuse("cost_exceeded", `the step could take up to ${cost} evaluations`, {
    hint: `at most ${LIMITS.stepCost}: loop over fewer entities, or not inside another loop`,
  });
}

function tooLarge(size: number): Result<never> {
  return refuse(
    "cost_exceeded",
    `the record of the step would hold up to ${size} ids of sets, before and after each write`,
    {
      hint: `at most ${LIMITS.stepCost}: change fewer members at once, or set the whole field in one effect`,
    },
  );
}

/** The failures to show: the first of every failing trigger, then further ones while there is room, in the order of the triggers. */
function chooseFailures(failures: readonly Failure[]): readonly Failure[] {
  const firsts = new Map<number, Failure>();
  for (const one of failures) if (!firsts.has(one.position)) firsts.set(one.position, one);
  const others = failures.filter((one) => firsts.get(one.position) !== one);
  return [...firsts.values(), ...others].slice(0, LIMITS.failuresShown).sort((a, b) => a.position - b.position);
}

/** One error for a refused step: the code and words of its first failure, and every failing trigger (up to 8). */
function refusedStep(triggers: readonly Trigger[], failures: readonly Failure[]): Result<never> {
  const shown: TriggerFailure[] = chooseFailures(failures).map(({ position, error }) => ({
    trigger: position + 1,
    capability: triggers[position]?.capability ?? "",
    code: error.code,
    message: error.path === undefined ? error.message : `${error.path}: ${error.message}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  }));
  const [first] = failures;
  if (first === undefined) throw new Error("refusedStep: no failure");
  const name = triggers[first.position]?.capability ?? "";
  const others = new Set(failures.map((one) => one.position)).size - 1;
  const more = others > 0 ? ` (and ${others} more)` : "";
  const error = toolError(
    first.error.code,
    `trigger ${first.position + 1} (${name}): ${first.error.message}${more}; nothing of this step happened`,
    {
      path: `triggers[${first.position}]${first.error.path === undefined ? "" : `.${first.error.path}`}`,
      hint: first.error.hint,
    },
  );
  return { ok: false, error: { ...error, failures: shown } };
}

function failuresOf(faults: readonly MergeFault[]): readonly Failure[] {
  return faults
    .flatMap(({ triggers, error }) => triggers.map((position) => ({ position, error })))
    .sort((a, b) => a.position - b.position);
}

/** Adds, where another trigger of the step would change what a requirement looked at, that it should come later. */
function withHints(
  world: World,
  attempts: readonly Result<ResolvedTrigger>[],
  failures: readonly (Failure & { readonly error: ToolError & { readonly reads?: readonly string[] } })[],
  triggers: readonly Trigger[],
): readonly Failure[] {
  const written = new Map<number, ReadonlySet<string>>();
  const writtenBy = (position: number): ReadonlySet<string> => {
    const known =
      written.get(position) ?? writtenPaths(world, attempts[position] as Result<ResolvedTrigger>, triggers, position);
    written.set(position, known);
    return known;
  };
  return failures.map(({ position, error }) => {
    const { reads = [], ...plain } = error;
    if (plain.code !== "requirement_not_met" || plain.hint !== undefined) return { position, error: plain };
    const meets = attempts.some((_, i) => i !== position && reads.some((read) => writtenBy(i).has(read)));
    if (!meets) return { position, error: plain };
    return {
      position,
      error: {
        ...plain,
        hint: "requirements see the world before the step: submit this one afterwards, in a step of its own",
      },
    };
  });
}

/** The paths that a trigger would write, as reads name them: `jug.litres`, `vessel.*.litres`, `vessel.*` for what comes or goes. */
function writtenPaths(
  world: World,
  attempt: Result<ResolvedTrigger>,
  triggers: readonly Trigger[],
  position: number,
): ReadonlySet<string> {
  const paths = new Set<string>();
  const outcome = attempt.ok
    ? evaluateTrigger(world, attempt.value, { alongside: alongsideOf(triggers, position) })
    : attempt;
  if (!outcome.ok) return paths;
  for (const operation of outcome.value.operations) {
    if (operation.kind === "claim") continue;
    const type =
      operation.kind === "create" ? operation.draft.type : (getEntity(world.entities, operation.id)?.type ?? "");
    if ("field" in operation) paths.add(`${operation.id}.${operation.field}`).add(`${type}.*.${operation.field}`);
    else paths.add(`${type}.*`);
  }
  return paths;
}

/** Invariants that the step may have broken; one that does not hold is laid to every trigger that wrote something it looks at. */
function checkInvariants(triggers: readonly Trigger[], before: World, next: World, merged: Merged): Result<undefined> {
  if (next.invariants.length === 0) return succeed(undefined);
  const comings = [...merged.creates.map(({ by }) => by), ...merged.destroys.flatMap(({ by }) => by)];
  const touched = invariantsTouched(next, {
    fields: new Set(merged.fields.map((one) => one.field)),
    population: comings.length > 0,
  });
  const cost = costBeyond(LIMITS.stepCost, (containment) =>
    touched.reduce((sum, one) => sum + costOf(one.expression.root, next, containment), 0),
  );
  if (cost > LIMITS.stepCost) return tooCostly(cost);
  const written = new Set([...merged.fields.map(({ id }) => id), ...merged.creates.map(({ draft }) => draft.id)]);
  const failures = touched.flatMap((one): readonly Failure[] => {
    if (holdsAfter(before, next, one, written)) return [];
    const holds = brokenInvariant(next, [one]);
    if (holds.ok) return [];
    const writers = merged.fields.flatMap(({ field, by }) => (one.mentions.fields.has(field) ? by : []));
    return [...new Set([...writers, ...comings])].map((position) => ({ position, error: holds.error }));
  });
  if (failures.length === 0) {
    rememberHolding(before, next, touched);
    return succeed(undefined);
  }
  return refusedStep(
    triggers,
    failures.sort((a, b) => a.position - b.position),
  );
}

function recordTriggers(
  world: World,
  resolved: readonly ResolvedTrigger[],
  outcomes: readonly TriggerOutcome[],
  applied: Applied,
  step: number,
): AcceptedTrigger[] {
  return resolved.map((one, i) => {
    const outcome = outcomes[i] as TriggerOutcome;
    return {
      id: triggerId(step, i + 1),
      capability: one.capability.id,
      version: one.capability.version,
      args: one.args,
      ...(one.trigger.note === undefined ? {} : { note: one.trigger.note }),
      start: world.clock,
      end: world.clock + outcome.duration,
      reads: [...outcome.reads],
      writes: writesOf(world, outcome.operations, applied),
    };
  });
}
