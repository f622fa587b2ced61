/** When a mutant shows that an item measures something: it fails it, and for the reason that is the item's own. */
import {
  eventsOfRelation,
  type CaseContract,
  type EventId,
  type ItemId,
  type RelationItem,
  type RoundContract,
} from "../../../contracts/index.ts";
import { judgeStructureOf, participationOf, type Outcome } from "./judge.ts";
import { bareScript, type Weakened } from "./mutants/build.ts";
import { itemOf, type Mutant } from "./mutants/mutant.ts";
import type { Base } from "./base.ts";
import { replay, type Replayed } from "./replay.ts";

/** What is looked at of a mutant that was judged. */
export type Judged = Pick<Outcome, "failed" | "held">;

/** Whether order across rounds is part of a relation: it cannot fail by itself. */
export function isCrossing(relation: RelationItem, round: RoundContract): boolean {
  const own = new Set<EventId>(round.events.map(({ id }) => id));
  return eventsOfRelation(relation).some((event) => !own.has(event));
}

/**
 * The items that a mutant kills. An event, and a relation across rounds, by failing. A relation within a round while all
 * its events hold. A probe by the forbidden act while its opening event holds. A capability by what it was built
 * without, while the event that uses it holds; an entity by failing.
 */
export function killedBy(contract: CaseContract, mutant: Mutant, { failed, held }: Judged): readonly ItemId[] {
  return contract.rounds.flatMap((round) => [
    ...round.events.map(({ id }) => itemOf(id)).filter((id) => failed.has(id)),
    ...round.structures
      .filter(
        (item) =>
          failed.has(item.id) &&
          (item.level === "entity" ||
            ((mutant.kind === "weaken" || mutant.kind === "strip") &&
              mutant.over.includes(item.id) &&
              held.has(item.usedBy))),
      )
      .map(({ id }) => id),
    ...round.probes
      .filter(
        (item) =>
          failed.has(item.id) && mutant.kind === "forbid" && mutant.over.includes(item.id) && held.has(item.after),
      )
      .map(({ id }) => id),
    ...round.relations
      .filter(
        (item) =>
          failed.has(item.id) && (isCrossing(item, round) || eventsOfRelation(item).every((event) => held.has(event))),
      )
      .map(({ id }) => id),
  ]);
}

/**
 * Whether a perturbed state tells a capability that lacks what refuses it from the reference: by itself, or, where the
 * way there is barred by other rules or by what else it writes, with those taken away too.
 */
export function isDistinguished(
  base: Base,
  { item, perturbation }: Weakened,
  replayed: Replayed,
  { held }: Judged,
): boolean {
  const failsOn = ({ trace }: Replayed, events: Judged["held"]): boolean => {
    const use = events.get(item.usedBy);
    if (use === undefined || use.triggers.some((id) => !trace.triggers.has(id))) return false;
    const judgment = judgeStructureOf(
      base.bench,
      { ...item, refusedWhen: [perturbation] },
      use.round,
      trace,
      participationOf(base.bench, trace, base.recall),
      events,
    );
    return judgment.verdict === "fail";
  };
  return failsOn(replayed, held) || failsOn(replay(base, bareScript(base, item)), base.outcome.held);
}
