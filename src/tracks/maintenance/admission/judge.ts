/**
 * The exact judge, round by round: the verdicts of rounds that a mutant leaves as they were are taken from the
 * reference instead of being found again. Equal to `judgeExactly` and `scoreJudgedRun` on the whole trace.
 */
import type { Case } from "../../../cases/index.ts";
import {
  auditEvents,
  auditProbe,
  auditStructure,
  isScored,
  itemsOf,
  judgeEvents,
  judgeProbe,
  judgeStructure,
  participationIn,
  relevantPaths,
  scoreRun,
  settleRelation,
  type AuditedItem,
  type CaseMarks,
  type EventId,
  type HeldEvent,
  type ItemId,
  type Judgment,
  type Participation,
  type Recall,
  type RoundContract,
  type Score,
  type StructureItem,
  type Trace,
} from "../../../contracts/index.ts";
import { marksOf } from "../../../records/index.ts";
import type { Tier, TriggerId } from "../../../runtime/index.ts";

/** What the judge and the audit make of one round. */
export interface RoundVerdict {
  readonly audited: readonly AuditedItem[];
  readonly held: readonly HeldEvent[];
}

/** A case as it is judged. */
export interface Bench {
  readonly case: Case;
  readonly marks: CaseMarks;
}

export function benchOf(case_: Case): Bench {
  return { case: case_, marks: marksOf(case_) };
}

/** Who took part in the triggers of a trace, as the exact judge and the audit ask it. */
export function participationOf({ marks }: Bench, trace: Trace, recall?: Recall): Participation {
  return participationIn(trace, relevantPaths(marks), recall);
}

/** Judges the events of a round alone. */
export function judgeEventsOf(
  bench: Bench,
  round: RoundContract,
  trace: Trace,
  participation: Participation,
): Pick<RoundVerdict, "held"> & { readonly items: readonly AuditedItem[] } {
  const judgments = judgeEvents(round, bench.marks, trace, participation);
  return auditEvents(round, new Map(judgments.map((one) => [one.item as string, one])), trace, participation);
}

/** A judgment on a structure that need not be found again. */
export type KnownStructure = (
  item: StructureItem,
  round: number,
  held: ReadonlyMap<EventId, HeldEvent>,
) => Judgment | undefined;

/** Judges one round; `before` are the events that hold in earlier ones. */
export function judgeRound(
  bench: Bench,
  round: RoundContract,
  trace: Trace,
  participation: Participation,
  before: ReadonlyMap<EventId, HeldEvent>,
  known: KnownStructure = () => undefined,
): RoundVerdict {
  const { items, held } = judgeEventsOf(bench, round, trace, participation);
  const all = new Map([...before, ...held.map((event) => [event.id, event] as const)]);
  const judge = (item: StructureItem) =>
    known(item, round.round, all) ?? judgeStructureOf(bench, item, round.round, trace, participation, all);
  const structures = round.structures.map((item) => auditStructure(item, round.round, judge(item), all, trace));
  const probes = round.probes.map((item) =>
    auditProbe(item, round.round, judgeProbe(item, round.round, all, trace), all, trace),
  );
  return { audited: [...items, ...structures, ...probes], held };
}

export function judgeStructureOf(
  bench: Bench,
  item: StructureItem,
  round: number,
  trace: Trace,
  participation: Participation,
  held: ReadonlyMap<EventId, HeldEvent>,
): Judgment {
  return judgeStructure(item, round, { held, trace, marks: bench.marks, participation, full: bench.case.world });
}

/** Judges the rounds for which `known` has no verdict. */
export function judgeRounds(
  bench: Bench,
  trace: Trace,
  known: (round: number) => RoundVerdict | undefined = () => undefined,
  structures?: KnownStructure,
  participation: Participation = participationOf(bench, trace),
): readonly RoundVerdict[] {
  const held = new Map<EventId, HeldEvent>();
  return bench.case.contract.rounds.map((round) => {
    const verdict = known(round.round) ?? judgeRound(bench, round, trace, participation, held, structures);
    for (const event of verdict.held) held.set(event.id, event);
    return verdict;
  });
}

/** What became of the items of a play in which every round was begun. */
export interface Outcome {
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  /** Items of any tier that do not pass. */
  readonly failed: ReadonlySet<ItemId>;
}

export function outcomeOf({ case: { contract } }: Bench, trace: Trace, verdicts: readonly RoundVerdict[]): Outcome {
  const held = heldIn(verdicts);
  const [steps, boundTo] = [stepFactsOf(trace), bindingsOf(held)];
  const failed = new Set<ItemId>();
  for (const { audited } of verdicts) for (const { id, status } of audited) if (status !== "pass") failed.add(id);
  for (const { relations } of contract.rounds)
    for (const item of relations) if (!settleRelation(item, held, steps, boundTo).holds) failed.add(item.id);
  return { held, failed };
}

/** The score of a play in which every round was begun. */
export function scoreOf(bench: Bench, tier: Tier, trace: Trace, verdicts: readonly RoundVerdict[]): Score {
  const { id, contract } = bench.case;
  const held = heldIn(verdicts);
  return scoreRun({
    case: id,
    tier,
    contract,
    roundsPlayed: contract.rounds.length,
    outcome: "finished",
    judge: "exact",
    audited: new Map(verdicts.flatMap((verdict) => verdict.audited).map((item) => [item.id, item])),
    held,
    steps: stepFactsOf(trace),
    boundTo: bindingsOf(held),
  });
}

function heldIn(verdicts: readonly RoundVerdict[]): ReadonlyMap<EventId, HeldEvent> {
  return new Map(verdicts.flatMap((verdict) => verdict.held).map((event) => [event.id, event]));
}

function bindingsOf(held: ReadonlyMap<EventId, HeldEvent>): ReadonlyMap<TriggerId, readonly EventId[]> {
  const boundTo = new Map<TriggerId, EventId[]>();
  for (const event of held.values())
    for (const trigger of event.triggers) boundTo.set(trigger, [...(boundTo.get(trigger) ?? []), event.id]);
  return boundTo;
}

/** The steps of a trace as relations are settled from them. */
export function stepFactsOf(
  trace: Trace,
): ReadonlyMap<number, { readonly step: number; readonly triggers: readonly TriggerId[]; readonly advance: number }> {
  return new Map(
    [...trace.steps.values()].map(({ record: { step, triggers, advance } }) => [
      step,
      { step, triggers: triggers.map(({ id }) => id), advance },
    ]),
  );
}

const scoredOf = new WeakMap<Case, Map<Tier, ReadonlySet<ItemId>>>();

/** The items of a case that count in a tier. */
export function scoredIn(case_: Case, tier: Tier): ReadonlySet<ItemId> {
  const known = scoredOf.get(case_) ?? new Map<Tier, ReadonlySet<ItemId>>();
  scoredOf.set(case_, known);
  const scored =
    known.get(tier) ??
    new Set(
      itemsOf(case_.contract)
        .filter((item) => isScored(item, tier))
        .map(({ id }) => id),
    );
  known.set(tier, scored);
  return scored;
}
