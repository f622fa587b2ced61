/** The audit of judgments on structures and probes: by program, whoever judged. */
import { getEntity, lookUp, type TriggerId } from "../runtime/index.ts";
import type { AuditedItem } from "./audited-item.ts";
import type { EventId, ProbeItem, StructureItem } from "./contract.ts";
import type { Judgment } from "./judgment.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace, TraceConstruction, TracedTrigger } from "./trace.ts";
import { windowOf } from "./window.ts";

/**
 * The construction that made a structure what it was when the bound triggers used it: of a capability the one of the
 * version they used, of an entity or type its creation. Undefined where it is prebuilt or came from a `create` effect.
 */
export function constructionOf(
  level: StructureItem["level"],
  id: string,
  bound: readonly TracedTrigger[],
  trace: Trace,
): TraceConstruction | undefined {
  const version = bound.find(({ trigger }) => trigger.capability === id)?.trigger.version;
  return [...trace.constructions.values()].find(({ record: { item, op } }) => {
    if (item.level !== level || item.id !== id || op === "delete") return false;
    return item.level === "capability" ? item.now?.version === version : op === "create";
  });
}

/** Audits a judgment on a structure: accepted, in time, standing, and used by a trigger bound to `usedBy`. */
export function auditStructure(
  item: StructureItem,
  round: number,
  judgment: Judgment | undefined,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
): AuditedItem {
  const fault = judgment?.verdict === "pass" ? faultOfStructure(item, judgment, held, trace) : undefined;
  return audited(item.id, "A", round, judgment, fault);
}

function faultOfStructure(
  item: StructureItem,
  judgment: Judgment,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
): string | undefined {
  const use = held.get(item.usedBy);
  if (use === undefined) return `it was not used: ${item.usedBy} does not hold`;
  const bound = judgment.triggers
    .filter((id) => use.triggers.includes(id))
    .map((id) => trace.triggers.get(id) as TracedTrigger);
  if (bound.length === 0) return `no trigger bound to ${item.usedBy} is named as its use`;
  const ids =
    item.level === "capability" ? [...new Set(bound.map(({ trigger }) => trigger.capability))] : [item.reference];
  const made = ids.map((id) => ({ id, construction: constructionOf(item.level, id, bound, trace) }));
  const known = made.flatMap(({ construction }) => construction?.record.construction ?? []);
  const stray = judgment.constructions.find((number) => !known.includes(number));
  if (stray !== undefined) return `construction ${stray} is not what was used`;
  const deadline =
    item.availableBefore === undefined ? firstOrder(bound) : orderOf(held.get(item.availableBefore), trace);
  if (deadline === undefined) return `it had to be there before ${item.availableBefore}, which does not hold`;
  const late = made.find(({ id, construction }) =>
    construction === undefined ? !existedAt(item.level, id, deadline, trace) : construction.order >= deadline,
  );
  return late === undefined
    ? undefined
    : `${late.id} was built too late: it had to be there before ${item.availableBefore ?? item.usedBy}`;
}

function firstOrder(bound: readonly TracedTrigger[]): number {
  return Math.min(...bound.map(({ step }) => step.order));
}

function orderOf(event: HeldEvent | undefined, trace: Trace): number | undefined {
  return event && trace.steps.get(event.firstStep)?.order;
}

/** Whether something was there before entry `order`, prebuilt or created by an effect. */
function existedAt(level: StructureItem["level"], id: string, order: number, trace: Trace): boolean {
  const before = trace.entries[order - 1]?.after ?? trace.initial;
  switch (level) {
    case "entity":
      return getEntity(before.entities, id) !== undefined;
    case "type":
      return lookUp(before.types, id) !== undefined;
    case "capability":
      return lookUp(before.capabilities, id) !== undefined;
  }
}

/** Audits a judgment on a probe: no window, no pass; violations outside the window are dropped. */
export function auditProbe(
  item: ProbeItem,
  round: number,
  judgment: Judgment | undefined,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
): AuditedItem {
  const window = windowOf(item, round, held, trace);
  const closed = `its window never opened: ${item.after} does not hold`;
  if (judgment === undefined || judgment.verdict === "undecided")
    return audited(item.id, "P", round, judgment, undefined);
  if (window === undefined)
    return { ...audited(item.id, "P", round, judgment, closed), triggers: [], constructions: [] };
  if (judgment.verdict === "pass") return audited(item.id, "P", round, judgment, undefined);
  const inside = new Set<TriggerId>(window.steps.flatMap((step) => step.record.triggers.map(({ id }) => id)));
  const built = new Set(window.constructions.map(({ record }) => record.construction));
  const triggers = judgment.triggers.filter((id) => inside.has(id));
  const constructions = judgment.constructions.filter((number) => built.has(number));
  const base = audited(item.id, "P", round, judgment, undefined);
  if (triggers.length + constructions.length > 0) return { ...base, triggers, constructions };
  return {
    ...base,
    status: "pass",
    reason: "no violation was cited inside its window",
    triggers: [],
    constructions: [],
  };
}

/** A judgment as it stands after the audit; a fault turns a pass into a fail. */
function audited(
  id: AuditedItem["id"],
  kind: AuditedItem["kind"],
  round: number,
  judgment: Judgment | undefined,
  fault: string | undefined,
): AuditedItem {
  const verdict = judgment?.verdict ?? "fail";
  return {
    id,
    kind,
    round,
    status: fault === undefined ? verdict : "fail",
    reason: fault ?? judgment?.reason ?? "no judgment",
    triggers: judgment?.triggers ?? [],
    constructions: judgment?.constructions ?? [],
  };
}
