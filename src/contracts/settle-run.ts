/** From judgments to a score: audits every judgment, settles the relations, counts. */
import type { Tier, TriggerId } from "../runtime/index.ts";
import { auditEvents } from "./audit-events.ts";
import { auditProbe, auditStructure } from "./audit-structures.ts";
import type { AuditedItem, PassFault } from "./audited-item.ts";
import type { CaseContract, EventId, ItemId } from "./contract.ts";
import { groundRelations } from "./grounding/grounding.ts";
import { settleIdentities, type IdentityMap } from "./identity.ts";
import type { Identity, Judgment } from "./judgment.ts";
import { relevantPaths, type CaseMarks } from "./marks.ts";
import { participationIn } from "./participation.ts";
import type { HeldEvent, StepFacts } from "./relations.ts";
import { scoreRun, type ByModel, type Score } from "./score.ts";
import { standingOfItem } from "./standing.ts";
import type { Trace } from "./trace.ts";
import { settleIdentityVotes, settleVotes } from "./votes.ts";

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
  /** Who is who in a world whose ids are the agent's own; left out where they are as given. */
  readonly identities?: readonly Identity[] | undefined;
  /** Only where a model judged. */
  readonly model?: ModelJudge | undefined;
  /** Whether causal items are grounded, too. */
  readonly grounded?: boolean;
}

/** A judge that is a model, as a score is made of its judgments. */
export interface ModelJudge {
  readonly judgedBy: ByModel["judgedBy"];
  /** What the exact judge makes of the same run; undefined where it does not apply. */
  readonly exact: Pick<SettledRun, "audited"> | undefined;
  /** Whether the set holds the exact judge's judgments, and the model's only where that one failed an item. */
  readonly looksAgain: boolean;
}

/** What a run's judgments come to after the audit: items, events that hold, what is bound to what. */
export interface SettledRun {
  readonly audited: ReadonlyMap<ItemId, AuditedItem>;
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  readonly steps: ReadonlyMap<number, StepFacts>;
  readonly boundTo: ReadonlyMap<TriggerId, readonly EventId[]>;
  /** What the judge said of each item, several votes settled to one. */
  readonly said: ReadonlyMap<string, Judgment>;
  /** Who is who; undefined where ids are as given. */
  readonly identity: IdentityMap | undefined;
}

/** Audits the judgments of a run, round by round. */
export function settleRun(
  run: Pick<RunToSettle, "contract" | "trace" | "judgments" | "roundsPlayed" | "marks" | "identities">,
): SettledRun {
  const { contract, trace, identities } = run;
  const participation = participationIn(trace, run.marks && relevantPaths(run.marks));
  const said = settleVotes(run.judgments);
  const identity = identities && settleIdentities(contract, settleIdentityVotes(identities), trace);
  // Forbidden fields and expressions are the case's own: a program can look for them only where the world is too.
  const byProgram = identity === undefined;
  const audited = new Map<ItemId, AuditedItem>();
  const held = new Map<EventId, HeldEvent>();
  const open = new Map<EventId, PassFault>();
  for (const round of contract.rounds.slice(0, run.roundsPlayed)) {
    const events = auditEvents(round, said, trace, participation, identity);
    for (const event of events.held) held.set(event.id, event);
    for (const event of events.open) open.set(...event);
    const others = [
      ...round.structures.map((item) =>
        auditStructure(item, round.round, said.get(item.id), held, trace, { participation, identity, open }),
      ),
      ...round.probes.map((item) => auditProbe(item, round.round, said.get(item.id), held, trace, byProgram, open)),
    ];
    for (const item of [...events.items, ...others]) audited.set(item.id, item);
  }
  return { audited, held, steps: factsOf(trace), boundTo: bindingsOf(held), said, identity };
}

/** The score of a run from its judgments: settle, then count. */
export function scoreJudgedRun(run: RunToSettle): Score {
  return scoreSettledRun(run, settleRun(run));
}

/** The score of a run that is settled already. */
export function scoreSettledRun(run: RunToSettle, settled: SettledRun): Score {
  const { case: case_, tier, agent, contract, roundsPlayed, outcome, judge, model } = run;
  return scoreRun({
    case: case_,
    tier,
    ...(agent !== undefined && { agent }),
    contract,
    roundsPlayed,
    outcome,
    judge,
    audited: settled.audited,
    held: settled.held,
    steps: settled.steps,
    boundTo: settled.boundTo,
    byModel: model && byModelOf(model, settled),
    grounding: run.grounded === true ? groundRelations(contract, run.trace, settled) : undefined,
  });
}

function byModelOf({ judgedBy, exact, looksAgain }: ModelJudge, { audited, said }: SettledRun): ByModel {
  const items = [...audited.values()];
  return {
    judgedBy,
    standings: new Map(
      items.flatMap((item) => {
        const standing = standingOfItem(item, said.get(item.id), exact?.audited.get(item.id));
        return standing === undefined ? [] : [[item.id, standing] as const];
      }),
    ),
    judgeOf: looksAgain ? new Map(items.map(({ id }) => [id, said.get(id)?.by ?? "exact"] as const)) : undefined,
  };
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
