/** The audit of event bindings: by program, whoever judged. It can only turn a pass into a fail. */
import type { TriggerId } from "../runtime/index.ts";
import { auditedItem, refused, unsettled, type AuditedItem, type PassFault } from "./audited-item.ts";
import type { EventId, EventItem, RelationItem, RoundContract } from "./contract.ts";
import { firstStepOf, lastStepOf } from "./exact-events.ts";
import { whoIs, type IdentityMap, type Who } from "./identity.ts";
import { spanOf } from "./interval.ts";
import type { Judgment } from "./judgment.ts";
import type { Participation } from "./participation.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace, TracedTrigger } from "./trace.ts";

export interface AuditedEvents {
  readonly items: readonly AuditedItem[];
  readonly held: readonly HeldEvent[];
  /** What was passed and is left undecided all the same, with why. */
  readonly open: readonly (readonly [EventId, PassFault])[];
}

/**
 * Audits the judgments on a round's events; the items come in the order of the contract. Where an exact judge and a model
 * judged one set, the exact judge's bindings are audited first: a model that looks again takes no trigger from them.
 */
export function auditEvents(
  contract: RoundContract,
  judgments: ReadonlyMap<string, Judgment>,
  trace: Trace,
  participation: Participation,
  identity?: IdentityMap,
): AuditedEvents {
  const items = new Map<EventId, AuditedItem>();
  const held = new Map<EventId, HeldEvent>();
  const open: [EventId, PassFault][] = [];
  const owners = new Map<TriggerId, EventId[]>();
  const isSecondLook = ({ id }: EventItem) => judgments.get(id)?.by === "model";
  const inTurn = [
    ...contract.events.filter((event) => !isSecondLook(event)),
    ...contract.events.filter((event) => isSecondLook(event)),
  ];
  for (const event of inTurn) {
    const judgment = judgments.get(event.id);
    const fault =
      judgment?.verdict === "pass"
        ? (faultOfBinding(event, judgment.triggers, contract.round, trace, participation, identity) ??
          overloadOf(event.id, judgment.triggers, owners, contract.relations))
        : undefined;
    const base = { id: event.id as string as AuditedItem["id"], kind: "E" as const, round: contract.round };
    const item = { ...auditedItem(base, judgment, fault), constructions: [] };
    items.set(event.id, item);
    if (fault?.status === "undecided") open.push([event.id, fault]);
    if (item.status !== "pass") continue;
    for (const id of item.triggers) owners.set(id, [...(owners.get(id) ?? []), event.id]);
    held.set(event.id, holdEvent(event.id, contract.round, item.triggers, trace));
  }
  return {
    items: contract.events.map(({ id }) => items.get(id) as AuditedItem),
    held: contract.events.flatMap(({ id }) => held.get(id) ?? []),
    open,
  };
}

/** An event with its frozen binding and the interval that follows from it. */
export function holdEvent(id: EventId, round: number, triggers: readonly TriggerId[], trace: Trace): HeldEvent {
  const bound = triggers.map((one) => trace.triggers.get(one) as TracedTrigger);
  return {
    id,
    round,
    interval: spanOf(bound.map(({ trigger }) => trigger)),
    firstStep: firstStepOf(triggers, trace)?.record.step as number,
    lastStep: lastStepOf(triggers, trace)?.record.step as number,
    triggers,
  };
}

function faultOfBinding(
  event: EventItem,
  triggers: readonly TriggerId[],
  round: number,
  trace: Trace,
  participation: Participation,
  identity: IdentityMap | undefined,
): PassFault | undefined {
  if (triggers.length === 0) return refused("bound to no trigger");
  const bound: TracedTrigger[] = [];
  for (const id of triggers) {
    const traced = trace.triggers.get(id);
    if (traced === undefined) return refused(`${id} is no accepted trigger`);
    if (traced.step.record.round !== round) return refused(`${id} belongs to round ${traced.step.record.round}`);
    bound.push(traced);
  }
  if (!bound.some(({ trigger }) => trigger.writes.some(isChange)))
    return refused("none of its triggers changed anything");
  const involved = event.involves.map((entity) => [entity, whoIs(identity, entity)] as const);
  for (const [entity, who] of involved) {
    if (who.kind === "nobody") return refused(who.why);
    if (who.kind === "is" && !triggers.some((id) => participation.takesPart(id, who.id)))
      return refused(`${entity} took no part in it`);
  }
  const [open] = involved.flatMap(([, who]) => (who.kind === "unsettled" ? who : []));
  if (open !== undefined) return unsettled(open);
  const isThere = (one: TracedTrigger, who: Who) =>
    who.kind === "is" && participation.takesPart(one.trigger.id, who.id);
  // Several triggers of one step that set the defining path to the same value: each must be this event.
  for (const path of event.defining) {
    const [id = "", field = ""] = path.split(".");
    const owner = whoIs(identity, id);
    if (owner.kind !== "is") continue;
    const setters = bound.filter(({ trigger }) =>
      trigger.writes.some((write) => write.kind === "set" && write.path === `${owner.id}.${field}` && isChange(write)),
    );
    for (const one of setters) {
      if (setters.filter((other) => other.step === one.step).length < 2) continue;
      const absent = involved.find(([, who]) => !isThere(one, who));
      if (absent !== undefined)
        return refused(`${one.trigger.id} sets ${path} as well, and ${absent[0]} took no part in it`);
    }
  }
  return undefined;
}

function isChange(write: TracedTrigger["trigger"]["writes"][number]): boolean {
  return !("after" in write) || write.same !== true;
}

/** One trigger realises one event; two where a concurrency joins them. */
function overloadOf(
  event: EventId,
  triggers: readonly TriggerId[],
  owners: ReadonlyMap<TriggerId, readonly EventId[]>,
  relations: readonly RelationItem[],
): PassFault | undefined {
  for (const id of triggers) {
    const others = owners.get(id) ?? [];
    const [other] = others;
    if (other === undefined) continue;
    const joined =
      others.length === 1 &&
      relations.some((item) => item.kind === "CC" && item.events.includes(event) && item.events.includes(other));
    if (!joined) return refused(`overloaded: ${id} realises ${others.join(" and ")} already`);
  }
  return undefined;
}
