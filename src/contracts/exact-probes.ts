/** The exact judge on probes: no forbidden write, no forbidden state, while the window is open. */
import {
  compileCondition,
  getEntity,
  isTrue,
  sameJson,
  type FieldValue,
  type TriggerId,
  type World,
} from "../runtime/index.ts";
import type { EventId, ForbiddenValue, ProbeItem } from "./contract.ts";
import type { Judgment } from "./judgment.ts";
import { splitPath } from "./path.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace, TraceStep } from "./trace.ts";
import { windowOf, type ProbeWindow } from "./window.ts";

export function judgeProbe(
  probe: ProbeItem,
  round: number,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
): Judgment {
  const base = { v: 1 as const, item: probe.id, kind: "P" as const, round, vote: 1 };
  const window = windowOf(probe, round, held, trace);
  if (window === undefined)
    return {
      ...base,
      verdict: "fail",
      triggers: [],
      constructions: [],
      reason: `its window never opened: ${probe.after} does not hold`,
    };
  const violations =
    "changes" in probe.forbids
      ? forbiddenChanges(probe, probe.forbids.changes, window)
      : forbiddenStates(probe, probe.forbids.holds, window);
  const { triggers, constructions } = violations;
  if (triggers.length + constructions.length === 0) {
    return {
      ...base,
      verdict: "pass",
      triggers: [],
      constructions: [],
      reason: `nothing forbidden in ${window.steps.length} step(s)`,
    };
  }
  const where = [...triggers, ...constructions.map((number) => `construction ${number}`)];
  return {
    ...base,
    verdict: "fail",
    triggers: [...triggers],
    constructions: [...constructions],
    reason: `the forbidden was done by ${where.slice(0, 4).join(", ")}`,
  };
}

interface Violations {
  readonly triggers: readonly TriggerId[];
  readonly constructions: readonly number[];
}

/** Writes in the window that make a forbidden change. Those that leave the value as it was do not count. */
function forbiddenChanges(
  probe: ProbeItem,
  changes: Readonly<Record<string, ForbiddenValue>>,
  window: ProbeWindow,
): Violations {
  const forbids = (world: World, path: string, value: FieldValue) =>
    Object.entries(changes).some(
      ([pattern, forbidden]) => matchesPath(world, pattern, path) && isForbidden(forbidden, value),
    );
  const triggers = window.steps.flatMap((step) => {
    if (!isOpen(probe, step.before)) return [];
    return step.record.triggers.filter(({ writes }) =>
      writes.some((write) =>
        "entity" in write
          ? write.kind === "create" &&
            fieldsOf(write.entity).some(([field, value]) => forbids(step.after, `${write.path}.${field}`, value))
          : write.same !== true && forbids(step.before, write.path, write.after),
      ),
    );
  });
  const constructions = window.constructions.filter(({ record, before, after }) => {
    const { item, op } = record;
    if (op !== "create" || item.level !== "entity" || item.now === null || !isOpen(probe, before)) return false;
    return fieldsOf(item.now).some(([field, value]) => forbids(after, `${item.id}.${field}`, value));
  });
  return {
    triggers: triggers.map(({ id }) => id),
    constructions: constructions.map(({ record }) => record.construction),
  };
}

function fieldsOf(entity: {
  readonly at: string | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
}): readonly (readonly [string, FieldValue])[] {
  return [["at", entity.at], ...Object.entries(entity.fields)];
}

/** `gate.open`, `*.at` (any entity), `person.*.at` (any entity of a type). */
export function matchesPath(world: World, pattern: string, path: string): boolean {
  const { id, field } = splitPath(path);
  const parts = pattern.split(".");
  if (parts.at(-1) !== field) return false;
  if (parts.length === 3) return getEntity(world.entities, id)?.type === parts[0];
  return parts[0] === "*" || parts[0] === id;
}

function isForbidden(forbidden: ForbiddenValue, value: FieldValue): boolean {
  if (typeof forbidden === "object" && forbidden !== null && !Array.isArray(forbidden)) {
    return "any" in forbidden || !sameJson(forbidden.not, value);
  }
  return sameJson(forbidden, value);
}

/** States in the window in which the forbidden holds; cited are the triggers of the steps that led to them. */
function forbiddenStates(probe: ProbeItem, text: string, window: ProbeWindow): Violations {
  const holdsIn = (world: World) => isOpen(probe, world) && isMet(text, world);
  const steps = window.steps.filter((step) => holdsIn(step.after));
  const constructions = window.constructions.filter(({ after }) => holdsIn(after));
  return {
    triggers: steps.flatMap(citedTriggers),
    constructions: constructions.map(({ record }) => record.construction),
  };
}

function citedTriggers(step: TraceStep): readonly TriggerId[] {
  return step.record.triggers.map(({ id }) => id);
}

function isOpen(probe: ProbeItem, world: World): boolean {
  return probe.while === undefined || isMet(probe.while, world);
}

function isMet(text: string, world: World): boolean {
  const condition = compileCondition(world, text);
  return condition.ok && isTrue(condition.value, world);
}
