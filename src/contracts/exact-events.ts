/** The exact judge on events: each binds to the last realisation of its marks in its round. */
import { canonicalJson, compileCondition, isTrue, type TriggerId, type World } from "../runtime/index.ts";
import type { EventItem, RoundContract } from "./contract.ts";
import type { Judgment } from "./judgment.ts";
import type { CaseMarks, EventMarks } from "./marks.ts";
import type { Participation } from "./participation.ts";
import { realisationsOf, type Realisation } from "./realisation.ts";
import { stepsOfRound, type Trace, type TraceStep } from "./trace.ts";

interface Candidate extends Realisation {
  readonly given: string | undefined;
}

/** Judges the events of a round, in the order of the contract. */
export function judgeEvents(
  contract: RoundContract,
  marks: CaseMarks,
  trace: Trace,
  participation: Participation,
): readonly Judgment[] {
  const steps = stepsOfRound(trace, contract.round);
  const groups = groupByMarks(contract.events, marks);
  const judged = new Map(
    groups.flatMap((group) =>
      judgeGroup(group, contract.round, marks, steps, trace, participation).map(
        (one) => [one.item as string, one] as const,
      ),
    ),
  );
  return contract.events.map((event) => judged.get(event.id) as Judgment);
}

/** Events of equal marks, together; groups and members in the order of the contract. */
function groupByMarks(events: readonly EventItem[], marks: CaseMarks): readonly (readonly EventItem[])[] {
  const groups = new Map<string, EventItem[]>();
  for (const event of events) {
    const own = (marks.events.get(event.id) as readonly EventMarks[])[0] as EventMarks;
    const key = canonicalJson(
      own.paths.map((mark) => (mark.kind === "amount" ? [mark.path, "+", mark.total] : [mark.path, mark.after])),
    );
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

function judgeGroup(
  group: readonly EventItem[],
  round: number,
  marks: CaseMarks,
  steps: readonly TraceStep[],
  trace: Trace,
  participation: Participation,
): readonly Judgment[] {
  const all = candidatesOf(marks.events.get((group[0] as EventItem).id) as readonly EventMarks[], steps);
  // What did not begin at the value before (a thing dropped and taken up again, say) counts only where nothing else does.
  const whole = all.filter((one) => one.whole);
  const candidates = whole.length >= group.length ? whole : all;
  const chosen = candidates.length >= group.length ? candidates.slice(candidates.length - group.length) : candidates;
  const surplus = candidates.slice(0, candidates.length - chosen.length).map((one) => [...one.triggers]);
  const assigned = assign(group, chosen, participation);
  return group.map((event, i) => {
    const found = assigned[i];
    const base = {
      v: 1 as const,
      item: event.id as string as Judgment["item"],
      kind: "E" as const,
      round,
      vote: 1,
      constructions: [],
    };
    if (found === undefined)
      return { ...base, verdict: "fail", triggers: [], reason: "its defining change was not made in this round" };
    const given = givenOf(event, found, marks);
    const fault = faultOfGiven(given, found, trace);
    const earlier = i === 0 && surplus.length > 0 ? { surplus } : {};
    return fault === undefined
      ? { ...base, verdict: "pass", triggers: [...found.triggers], reason: "its defining change was made", ...earlier }
      : { ...base, verdict: "fail", triggers: [...found.triggers], reason: fault, ...earlier };
  });
}

/** The event's own circumstances, or those of the way in which it was realised. */
function givenOf(event: EventItem, found: Candidate, marks: CaseMarks): string | undefined {
  const [own] = marks.events.get(event.id) as readonly EventMarks[];
  return found.given === OWN ? own?.given : found.given;
}

const OWN = "\u0000own";

function candidatesOf(ways: readonly EventMarks[], steps: readonly TraceStep[]): readonly Candidate[] {
  const all = ways.flatMap((way, i) =>
    realisationsOf(way, steps).map((one) => ({ ...one, given: i === 0 ? OWN : way.given })),
  );
  return all.sort((a, b) => a.last - b.last || a.first - b.first);
}

/**
 * Realisations in order, to events in order. Several of one and the same step have no order among themselves: there an
 * event takes the first whose triggers its participants took part in, so that the order within a step never shows.
 */
function assign(
  events: readonly EventItem[],
  chosen: readonly Candidate[],
  participation: Participation,
): readonly (Candidate | undefined)[] {
  const assigned: (Candidate | undefined)[] = [...chosen];
  for (let from = 0; from < chosen.length;) {
    const sameStep = (one: Candidate) => one.first === chosen[from]?.first && one.last === chosen[from]?.last;
    let to = from + 1;
    while (to < chosen.length && sameStep(chosen[to] as Candidate)) to += 1;
    const free = chosen.slice(from, to);
    for (let i = from; i < to; i += 1) {
      const fits = free.findIndex((one) =>
        (events[i] as EventItem).involves.every((entity) =>
          one.triggers.some((id) => participation.takesPart(id, entity)),
        ),
      );
      assigned[i] = free.splice(Math.max(fits, 0), 1)[0];
    }
    from = to;
  }
  return assigned;
}

function faultOfGiven(given: string | undefined, found: Candidate, trace: Trace): string | undefined {
  if (given === undefined) return undefined;
  const before = trace.steps.get(found.first)?.before as World;
  const condition = compileCondition(before, given);
  if (condition.ok && isTrue(condition.value, before)) return undefined;
  return `when it began, its circumstances did not hold: ${given}`;
}

/** The step a binding begins in. */
export function firstStepOf(triggers: readonly TriggerId[], trace: Trace): TraceStep | undefined {
  return orderedSteps(triggers, trace)[0];
}

export function lastStepOf(triggers: readonly TriggerId[], trace: Trace): TraceStep | undefined {
  return orderedSteps(triggers, trace).at(-1);
}

function orderedSteps(triggers: readonly TriggerId[], trace: Trace): readonly TraceStep[] {
  return triggers.flatMap((id) => trace.triggers.get(id)?.step ?? []).sort((a, b) => a.order - b.order);
}
