/** What must fall with an event, and what may, read from the contract alone. */
import type { Case } from "../../src/cases/index.ts";
import { eventsOfRelation, type EventId, type ItemId } from "../../src/contracts/index.ts";

/** The items over lost events: they cannot hold. */
export function itemsOver({ contract }: Case, lost: ReadonlySet<string>): ReadonlySet<ItemId> {
  return new Set(
    contract.rounds.flatMap(({ events, structures, probes, relations }) => [
      ...events.filter(({ id }) => lost.has(id)).map(({ id }) => id as string as ItemId),
      ...structures.filter(({ usedBy }) => lost.has(usedBy)).map(({ id }) => id),
      ...probes.filter(({ after }) => lost.has(after)).map(({ id }) => id),
      ...relations.filter((item) => eventsOfRelation(item).some((event) => lost.has(event))).map(({ id }) => id),
    ]),
  );
}

/**
 * The items that look at an event in any other way: windows that end with it or forbid something of what it changes,
 * structures that were there before it.
 */
export function itemsBeside({ contract }: Case, lost: ReadonlySet<string>): ReadonlySet<ItemId> {
  const subjects = contract.rounds.flatMap(({ events }) =>
    events
      .filter(({ id }) => lost.has(id))
      .flatMap(({ defining }) => defining.map((path) => path.split(".")[0] as string)),
  );
  const speaksOf = (what: unknown) =>
    subjects.some((entity) => new RegExp(`\\b${entity}\\b`).test(JSON.stringify(what)));
  return new Set(
    contract.rounds.flatMap(({ structures, probes }) => [
      ...structures
        .filter(({ availableBefore, refusedWhen, allowedWhen }) =>
          [availableBefore, ...[...refusedWhen, ...allowedWhen].map(({ since }) => since)].some(
            (event) => event !== undefined && lost.has(event),
          ),
        )
        .map(({ id }) => id),
      ...probes
        .filter(
          ({ until, forbids, while: narrowed }) =>
            (until !== undefined && lost.has(until)) || speaksOf([forbids, narrowed ?? ""]),
        )
        .map(({ id }) => id),
    ]),
  );
}

/**
 * The events that may be lost with others, in the same round or later: effects of lost causes, events that are defined
 * by the same path as one that is lost, and events whose circumstances name such a path or that involve what it is a
 * path of.
 */
export function eventsAfter({ contract }: Case, lost: ReadonlySet<string>): ReadonlySet<string> {
  const events = contract.rounds.flatMap(({ round, events: own }) => own.map((event) => ({ ...event, round })));
  const effects = new Map<EventId, EventId[]>();
  for (const relation of contract.rounds.flatMap((round) => round.relations)) {
    if (relation.kind !== "CA") continue;
    for (const cause of relation.causes) effects.set(cause, [...(effects.get(cause) ?? []), relation.effect]);
  }
  const reached = new Set(lost);
  for (const id of reached) {
    const own = events.find((event) => event.id === id);
    if (own === undefined) continue;
    for (const effect of effects.get(own.id) ?? []) reached.add(effect);
    const subjects = own.defining.map((path) => path.split(".")[0] as string);
    for (const other of events) {
      const isNear =
        own.defining.some((path) => other.defining.includes(path) || other.given?.includes(path) === true) ||
        subjects.some((entity) => other.involves.includes(entity));
      if (isNear && other.round >= own.round) reached.add(other.id);
    }
  }
  return reached;
}

/** The events of a round that involve any of some entities. */
export function eventsOf({ contract }: Case, round: number, entities: readonly string[]): readonly EventId[] {
  const events = contract.rounds.find((one) => one.round === round)?.events ?? [];
  return events.filter(({ involves }) => involves.some((id) => entities.includes(id))).map(({ id }) => id);
}
