/** From judgments to a score: audits every judgment, settles the relations, counts. */
import type { Tier, TriggerId } from "../runtime/index.ts";
import { auditEvents } from "./audit-events.ts";
import { auditProbe, auditStructure } from "./audit-structures.ts";
import type { AuditedItem } from "./audited-item.ts";
import type { CaseContract, EventId, ItemId } from "./contract.ts";
import type { Judgment } from "./judgment.ts";
import { relevantPaths, type CaseMarks } from "./marks.ts";
import { participationIn } from "./participation.ts";
import type { HeldEvent, StepFacts } from "./relations.ts";
import { scoreRun, type Score } from "./score.ts";
import type { Trace } from "./trace.ts";

export interface RunToSettle {
  readonly case: string;
  readonly tier: Tier;
  readonly agent?: string;
  readonly contract: CaseContract;
  readonly trace: Trace;
  readonly judgments: readonly Judgment[];
  /** Rounds that were begun. */
  readonly roundsPlayed: number;
  readonly outcome: string;
  readonly judge: string;
  /** The marks of the case. Left out where the agent's world has ids of its own: there every path may matter. */
  readonly marks: CaseMarks | undefined;
}

/** What a run's judgments come to after the audit: items, events that hold, what is bound to what. */
export interface SettledRun {
  readonly audited: ReadonlyMap<ItemId, AuditedItem>;
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  readonly steps: ReadonlyMap<number, StepFacts>;
  readonly boundTo: ReadonlyMap<TriggerId, readonly EventId[]>;
}

/** Audits the judgments of a run, round by round. */
export function settleRun(
  run: Pick<RunToSettle, "contract" | "trace" | "judgments" | "roundsPlayed" | "marks">,
): SettledRun {
  const { contract, trace, judgments } = run;
  const participation = participationIn(trace, run.marks && relevantPaths(run.marks));
  const byItem = new Map(judgments.map((judgment) => [judgment.item as string, judgment]));
  const audited = new Map<ItemId, AuditedItem>();
  const held = new Map<EventId, HeldEvent>();
  for (const round of contract.rounds.slice(0, run.roundsPlayed)) {
    const events = auditEvents(round, byItem, trace, participation);
    for (const event of events.held) held.set(event.id, event);
    const others = [
      ...round.structures.map((item) => auditStructure(item, round.round, byItem.get(item.id), held, trace)),
      ...round.probes.map((item) => auditProbe(item, round.round, byItem.get(item.id), held, trace)),
    ];
    for (const item of [...events.items, ...others]) audited.set(item.id, item);
  }
  return { audited, held, steps: factsOf(trace), boundTo: bindingsOf(held) };
}

/** The score of a run from its judgments: settle, then count. */
export function scoreJudgedRun(run: RunToSettle): Score {
  const settled = settleRun(run);
  const { trace: _, judgments: __, marks: ___, ...rest } = run;
  return scoreRun({ ...rest, ...settled });
}

function factsOf(trace: Trace): ReadonlyMap<number, StepFacts> {
  return new Map(
    [...trace.steps.values()].map(({ record }) => [
      record.step,
      { step: record.step, triggers: record.triggers.map(({ id }) => id), advance: record.advance },
    ]),
  );
}

function bindingsOf(held: ReadonlyMap<EventId, HeldEvent>): ReadonlyMap<TriggerId, readonly EventId[]> {
  const bound = new Map<TriggerId, EventId[]>();
  for (const event of held.values())
    for (const id of event.triggers) bound.set(id, [...(bound.get(id) ?? []), event.id]);
  return bound;
}
