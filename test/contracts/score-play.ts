/** Small contracts and plays of them, as a scorer is given them. */
import { triggerId, type Level, type TriggerId } from "../../src/runtime/index.ts";
import type { AuditedItem } from "../../src/contracts/audited-item.ts";
import type { CaseContract, EventId, ItemId, RelationItem, RoundContract } from "../../src/contracts/contract.ts";
import { itemsOf } from "../../src/contracts/items.ts";
import type { Rate } from "../../src/contracts/rate.ts";
import type { HeldEvent } from "../../src/contracts/relations.ts";
import { scoreRun, type Score, type ScoreInput } from "../../src/contracts/score.ts";

export const event = (id: string) => ({
  id: id as EventId,
  says: id,
  involves: ["odile"],
  defining: [`odile.${id}`],
  accepts: [],
});
export const structure = (id: string, level: Level) => ({
  id: id as ItemId,
  level,
  says: id,
  usedBy: "e1" as EventId,
  reference: id,
  refusedWhen: [],
  allowedWhen: [],
});
export const probe = (id: string) => ({
  id: id as ItemId,
  says: id,
  after: "e1" as EventId,
  forbids: { holds: "valve.open" },
});
export const causal = (id: string, cause: string, effect: string): RelationItem => ({
  id: id as ItemId,
  kind: "CA",
  causes: [cause as EventId],
  effect: effect as EventId,
  told: "because",
});
export const temporal = (id: string, before: string, after: string): RelationItem => ({
  id: id as ItemId,
  kind: "TM",
  before: before as EventId,
  after: after as EventId,
  immediate: true,
  told: "at once",
});
export const together = (id: string, a: string, b: string): RelationItem => ({
  id: id as ItemId,
  kind: "CC",
  events: [a as EventId, b as EventId],
  mode: "overlap",
  told: "while",
});

export const FIRST: RoundContract = {
  round: 1,
  events: [event("e1"), event("e2")],
  structures: [structure("a_type", "type"), structure("a_entity", "entity"), structure("a_capability", "capability")],
  probes: [probe("p1")],
  relations: [causal("ca1", "e1", "e2"), temporal("tm1", "e1", "e2")],
};
export const SECOND: RoundContract = {
  round: 2,
  events: [event("e3"), event("e4")],
  structures: [],
  probes: [],
  relations: [causal("ca2", "e2", "e4"), together("cc2", "e3", "e4")],
};
const CONTRACT: CaseContract = { rounds: [FIRST, SECOND] };

export type Status = AuditedItem["status"];

/** A run: the steps of each event that passes (one tick a step), the status of everything else that was judged. */
export interface Play {
  readonly contract?: CaseContract;
  readonly tier?: ScoreInput["tier"];
  readonly roundsPlayed?: number;
  readonly stepOf?: Readonly<Record<string, number>>;
  readonly others?: Readonly<Record<string, Status>>;
  readonly steps?: number;
}

export function inputOf({
  contract = CONTRACT,
  tier = "extreme",
  roundsPlayed = 2,
  stepOf = {},
  others = {},
  steps = 9,
}: Play): ScoreInput {
  const rounds = new Map(itemsOf(contract).map((item) => [item.id as string, item]));
  const audited = new Map<ItemId, AuditedItem>();
  const held = new Map<EventId, HeldEvent>();
  const boundTo = new Map<TriggerId, EventId[]>();
  const audit = (id: string, status: Status, triggers: TriggerId[]) => {
    const { kind, round } = rounds.get(id) as { kind: "E" | "A" | "P"; round: number };
    const constructions = kind === "A" && status === "pass" ? [1] : [];
    audited.set(id as ItemId, { id: id as ItemId, kind, round, status, reason: `seen ${id}`, triggers, constructions });
  };
  for (const [name, step] of Object.entries(stepOf)) {
    const [id, trigger] = [name as EventId, triggerId(step, 1)];
    audit(name, "pass", [trigger]);
    const round = rounds.get(name)?.round as number;
    held.set(id, {
      id,
      round,
      interval: { start: step - 1, end: step },
      firstStep: step,
      lastStep: step,
      triggers: [trigger],
    });
    boundTo.set(trigger, [...(boundTo.get(trigger) ?? []), id]);
  }
  for (const [id, status] of Object.entries(others)) audit(id, status, []);
  const facts = Array.from({ length: steps }, (_, i) => ({ step: i + 1, triggers: [triggerId(i + 1, 1)], advance: 0 }));
  return {
    case: "ark_001",
    tier,
    contract,
    roundsPlayed,
    outcome: roundsPlayed === contract.rounds.length ? "finished" : "limit",
    judge: "exact",
    audited,
    held,
    boundTo,
    steps: new Map(facts.map((step) => [step.step, step])),
  };
}

export const RIGHT: Play = {
  stepOf: { e1: 1, e2: 2, e3: 3, e4: 3 },
  others: { a_type: "pass", a_entity: "pass", a_capability: "pass", p1: "pass" },
};
export const rate = (passed: number, scored: number): Rate => ({
  passed,
  scored,
  rate: scored === 0 ? null : passed / scored,
});
export const score = (play: Play): Score => scoreRun(inputOf(play));
export const itemOf = (of: Score, id: string) => of.items.find((item) => item.id === id);
