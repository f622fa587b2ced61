/** The audit of judgments on structures and probes: by program, whoever judged. */
import { getEntity, lookUp, type TriggerId } from "../runtime/index.ts";
import { auditedItem, refused, unsettled, type AuditedItem, type PassFault } from "./audited-item.ts";
import type { EventId, ProbeItem, StructureItem } from "./contract.ts";
import { judgeProbe } from "./exact-probes.ts";
import { whoIs, type IdentityMap } from "./identity.ts";
import type { Judgment } from "./judgment.ts";
import type { Participation } from "./participation.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace, TraceConstruction, TracedTrigger } from "./trace.ts";
import { windowOf, type ProbeWindow } from "./window.ts";

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

/** What the audit of a structure may know beside the trace. */
export interface StructureAuditFacts {
  /** Asked whether an entity took part in its use; left out by who judges exactly and has asked already. */
  readonly participation?: Participation;
  readonly identity?: IdentityMap | undefined;
  /** Events that the judge passed and that are left open, since it is not settled who took part. */
  readonly open?: OpenEvents;
}

/** Why each of these events is left undecided: so is what hangs on it. */
export type OpenEvents = ReadonlyMap<EventId, PassFault>;

/** Audits a judgment on a structure: accepted, in time, standing, and used by a trigger bound to `usedBy`. */
export function auditStructure(
  item: StructureItem,
  round: number,
  judgment: Judgment | undefined,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
  facts: StructureAuditFacts = {},
): AuditedItem {
  const fault = judgment?.verdict === "pass" ? faultOfStructure(item, judgment, held, trace, facts) : undefined;
  return auditedItem({ id: item.id, kind: "A", round }, judgment, fault);
}

function faultOfStructure(
  item: StructureItem,
  judgment: Judgment,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
  { participation, identity, open }: StructureAuditFacts,
): PassFault | undefined {
  const use = held.get(item.usedBy);
  if (use === undefined) return open?.get(item.usedBy) ?? refused(`it was not used: ${item.usedBy} does not hold`);
  const bound = judgment.triggers
    .filter((id) => use.triggers.includes(id))
    .map((id) => trace.triggers.get(id) as TracedTrigger);
  if (bound.length === 0) return refused(`no trigger bound to ${item.usedBy} is named as its use`);
  const named = idsOfStructure(item, judgment, bound, trace, identity);
  if (!named.ok) return named.fault;
  const { ids } = named;
  const made = ids.map((id) => ({ id, construction: constructionOf(item.level, id, bound, trace) }));
  const known = made.flatMap(({ construction }) => construction?.record.construction ?? []);
  const stray = judgment.constructions.find(
    (number) => !known.includes(number) && !isOfTheirType(item.level, ids, trace.constructions.get(number), bound),
  );
  if (stray !== undefined) return refused(`construction ${stray} is not what was used`);
  const deadline =
    item.availableBefore === undefined ? firstOrder(bound) : orderOf(held.get(item.availableBefore), trace);
  if (deadline === undefined) {
    const before = item.availableBefore as EventId;
    return open?.get(before) ?? refused(`it had to be there before ${before}, which does not hold`);
  }
  const late = made.find(({ id, construction }) =>
    construction === undefined ? !existedAt(item.level, id, deadline, trace) : construction.order >= deadline,
  );
  if (late !== undefined)
    return refused(`${late.id} was built too late: it had to be there before ${item.availableBefore ?? item.usedBy}`);
  const idle =
    item.level === "entity" && participation !== undefined
      ? ids.find((id) => !bound.some(({ trigger }) => participation.takesPart(trigger.id, id)))
      : undefined;
  return idle === undefined ? undefined : refused(`${idle} took no part in ${item.usedBy}`);
}

/**
 * Whether a construction made the type of one of these entities: a thing is what its type and its own construction make
 * it, and a judge who cites both cites what was used.
 */
function isOfTheirType(
  level: StructureItem["level"],
  ids: readonly string[],
  construction: TraceConstruction | undefined,
  bound: readonly TracedTrigger[],
): boolean {
  if (level !== "entity" || construction?.record.item.level !== "type") return false;
  const type = construction.record.item.id;
  return ids.some((id) => bound.some(({ step }) => getEntity(step.before.entities, id)?.type === type));
}

type NamedIds =
  | { readonly ok: true; readonly ids: readonly string[] }
  | { readonly ok: false; readonly fault: PassFault };

/**
 * What a structure is called in the judged world: a capability by its use, an entity by who it is. A type of an agent's
 * own has a name that nothing tells but the construction that the judge cites.
 */
function idsOfStructure(
  item: StructureItem,
  judgment: Judgment,
  bound: readonly TracedTrigger[],
  trace: Trace,
  identity: IdentityMap | undefined,
): NamedIds {
  switch (item.level) {
    case "capability":
      return { ok: true, ids: [...new Set(bound.map(({ trigger }) => trigger.capability))] };
    case "entity": {
      const who = whoIs(identity, item.reference);
      if (who.kind === "is") return { ok: true, ids: [who.id] };
      return { ok: false, fault: who.kind === "nobody" ? refused(who.why) : unsettled(who) };
    }
    case "type": {
      if (identity === undefined) return { ok: true, ids: [item.reference] };
      const cited = judgment.constructions.flatMap((number) => trace.constructions.get(number)?.record.item ?? []);
      const ids = cited.flatMap(({ level, id }) => (level === "type" ? [id] : []));
      return ids.length > 0 ? { ok: true, ids } : { ok: false, fault: refused("no construction of a type is named") };
    }
  }
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

/**
 * Audits a judgment on a probe: no window, no pass; violations outside the window are dropped. Where `byProgram`, a pass
 * is checked by the exact judge as well, which finds what the other overlooked: program checks outrank a judge. It
 * cannot be where the agent's world has ids and fields of its own.
 */
export function auditProbe(
  item: ProbeItem,
  round: number,
  judgment: Judgment | undefined,
  held: ReadonlyMap<EventId, HeldEvent>,
  trace: Trace,
  byProgram = false,
  open?: OpenEvents,
): AuditedItem {
  const base = { id: item.id, kind: "P" as const, round };
  if (judgment === undefined || judgment.verdict === "undecided") return auditedItem(base, judgment, undefined);
  const window = windowOf(item, round, held, trace);
  if (window === undefined) {
    const fault = judgment.verdict === "pass" ? (open?.get(item.after) ?? refused(sayNeverOpened(item))) : undefined;
    return {
      ...auditedItem(base, judgment, fault),
      reason: fault?.reason ?? sayNeverOpened(item),
      triggers: [],
      constructions: [],
    };
  }
  const cited = judgment.verdict === "pass" ? NOTHING : citedInside(judgment, window);
  if (cited.triggers.length + cited.constructions.length > 0)
    return { ...auditedItem(base, judgment, undefined), ...cited };
  const found = byProgram ? judgeProbe(item, round, held, trace) : undefined;
  if (found?.verdict === "fail") {
    const { reason, triggers, constructions } = found;
    return { ...base, status: "fail", reason: `by program: ${reason}`, triggers, constructions };
  }
  return judgment.verdict === "pass"
    ? auditedItem(base, judgment, undefined)
    : { ...base, status: "pass", reason: "no violation was cited inside its window", ...NOTHING };
}

type Cited = Pick<AuditedItem, "triggers" | "constructions">;

const NOTHING: Cited = { triggers: [], constructions: [] };

function sayNeverOpened({ after }: ProbeItem): string {
  return `its window never opened: ${after} does not hold`;
}

/** What a judgment cites, less what lies outside the window. */
function citedInside(judgment: Judgment, window: ProbeWindow): Cited {
  const inside = new Set<TriggerId>(window.steps.flatMap((step) => step.record.triggers.map(({ id }) => id)));
  const built = new Set(window.constructions.map(({ record }) => record.construction));
  return {
    triggers: judgment.triggers.filter((id) => inside.has(id)),
    constructions: judgment.constructions.filter((number) => built.has(number)),
  };
}
