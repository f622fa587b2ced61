/** The audit of event bindings: by program, whoever judged. It can only turn a pass into a fail. */
import type { TriggerId } from "../runtime/index.ts";
import type { AuditedItem } from "./audited-item.ts";
import type { EventId, EventItem, RelationItem, RoundContract } from "./contract.ts";
import { firstStepOf, lastStepOf } from "./exact-events.ts";
import { spanOf } from "./interval.ts";
import type { Judgment } from "./judgment.ts";
import type { Participation } from "./participation.ts";
import type { HeldEvent } from "./relations.ts";
import type { Trace, TracedTrigger } from "./trace.ts";

export interface AuditedEvents {
  readonly items: readonly AuditedItem[];
  readonly held: readonly HeldEvent[];
}

/** How the entities a contract names are called in the agent's world; left out they are called the same. */
export type IdentityMap = ReadonlyMap<string, string>;

/** Audits the judgments on a round's events, in the order of the contract. */
export function auditEvents(
  contract: RoundContract,
  judgments: ReadonlyMap<string, Judgment>,
  trace: Trace,
  participation: Participation,
  identity: IdentityMap = new Map(),
): AuditedEvents {
  const items: AuditedItem[] = [];
  const held: HeldEvent[] = [];
  const owners = new Map<TriggerId, EventId[]>();
  for (const event of contract.events) {
    const judgment = judgments.get(event.id);
    const fault =
      judgment?.verdict === "pass"
        ? faultOfBinding(event, judgment.triggers, contract.round, trace, participation, identity)
        : undefined;
    const overloaded =
      judgment?.verdict === "pass" && fault === undefined
        ? overloadOf(event.id, judgment.triggers, owners, contract.relations)
        : undefined;
    const reason = fault ?? overloaded ?? judgment?.reason ?? "no judgment";
    const triggers = judgment?.triggers ?? [];
    const holds = judgment?.verdict === "pass" && fault === undefined && overloaded === undefined;
    const status = holds ? "pass" : judgment?.verdict === "undecided" ? "undecided" : "fail";
    items.push({
      id: event.id as string as AuditedItem["id"],
      kind: "E",
      round: contract.round,
      status,
      reason,
      triggers,
      constructions: [],
    });
    if (!holds) continue;
    for (const id of triggers) owners.set(id, [...(owners.get(id) ?? []), event.id]);
    held.push(holdEvent(event.id, contract.round, triggers, trace));
  }
  return { items, held };
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
  identity: IdentityMap,
): string | undefined {
  if (triggers.length === 0) return "bound to no trigger";
  const bound: TracedTrigger[] = [];
  for (const id of triggers) {
    const traced = trace.triggers.get(id);
    if (traced === undefined) return `${id} is no accepted trigger`;
    if (traced.step.record.round !== round) return `${id} belongs to round ${traced.step.record.round}`;
    bound.push(traced);
  }
  if (!bound.some(({ trigger }) => trigger.writes.some(isChange))) return "none of its triggers changed anything";
  const idOf = (entity: string) => identity.get(entity) ?? entity;
  for (const entity of event.involves) {
    if (!triggers.some((id) => participation.takesPart(id, idOf(entity)))) return `${entity} took no part in it`;
  }
  // Several triggers of one step that set the defining path to the same value: each must be this event.
  for (const path of event.defining) {
    const [id = "", field = ""] = path.split(".");
    const setters = bound.filter(({ trigger }) =>
      trigger.writes.some((write) => write.kind === "set" && write.path === `${idOf(id)}.${field}` && isChange(write)),
    );
    for (const one of setters) {
      if (setters.filter((other) => other.step === one.step).length < 2) continue;
      const absent = event.involves.find((entity) => !participation.takesPart(one.trigger.id, idOf(entity)));
      if (absent !== undefined) return `${one.trigger.id} sets ${path} as well, and ${absent} took no part in it`;
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
): string | undefined {
  for (const id of triggers) {
    const others = owners.get(id) ?? [];
    const [other] = others;
    if (other === undefined) continue;
    const joined =
      others.length === 1 &&
      relations.some((item) => item.kind === "CC" && item.events.includes(event) && item.events.includes(other));
    if (!joined) return `overloaded: ${id} realises ${others.join(" and ")} already`;
  }
  return undefined;
}
