import type { RelationItem } from "../contracts/index.ts";
import type { CaseRelation } from "./precedence.ts";

/**
 * `to - from ≤ bound` between two ends of events. Every relation is one or two such differences, and whether they can
 * all be met is whether no circle of them has a negative sum (Bellman–Ford).
 */
interface Difference {
  readonly from: string;
  readonly to: string;
  readonly bound: number;
  /** Undefined for what every event demands: it ends at least one tick after it starts. */
  readonly relation: CaseRelation | undefined;
}

/**
 * Relations that cannot hold together, group by group, the smallest first, each in the order of the
 * files: a concurrency and what it contradicts. Expects precedences without a circle; those are told apart, as circles.
 */
export function findContradictions(relations: readonly CaseRelation[]): readonly (readonly CaseRelation[])[] {
  const found: (readonly CaseRelation[])[] = [];
  let left = relations;
  for (;;) {
    const group = impossibleGroup(left);
    if (group === undefined) return found;
    found.push(group);
    const concurrency = group.find(({ item }) => item.kind === "CC");
    if (concurrency === undefined) return found;
    left = left.filter((relation) => relation !== concurrency);
  }
}

function impossibleGroup(relations: readonly CaseRelation[]): readonly CaseRelation[] | undefined {
  const differences = differencesOf(relations);
  if (canBeMet(differences)) return undefined;
  const group = new Set(smallestCircle(differences));
  return relations.filter((relation) => group.has(relation));
}

/** Bellman–Ford from an end that lies before all others: whether no circle of differences has a negative sum. */
function canBeMet(differences: readonly Difference[]): boolean {
  const ends = endsOf(differences);
  const value = new Map(ends.map((end) => [end, 0]));
  for (let pass = 0; pass <= ends.length; pass += 1) {
    let hasMoved = false;
    for (const { from, to, bound } of differences) {
      const reached = (value.get(from) ?? 0) + bound;
      if (reached >= (value.get(to) ?? 0)) continue;
      value.set(to, reached);
      hasMoved = true;
    }
    if (!hasMoved) return true;
  }
  return false;
}

/** How an end is reached with a number of relations, and by which difference last. */
interface Reached {
  readonly sum: number;
  readonly by: Difference | undefined;
  readonly before: Reached | undefined;
}

/**
 * The negative circle of the fewest relations: a set of differences cannot be met exactly where it holds such a circle,
 * so its relations are the smallest set that cannot hold together. Bellman–Ford by the number of relations on the
 * way (what every event demands of itself counts none), from every end; of equals the first end in the alphabet.
 */
function smallestCircle(differences: readonly Difference[]): readonly CaseRelation[] {
  const ends = endsOf(differences);
  const ofRelations = differences.filter(({ relation }) => relation !== undefined);
  const ofEvents = differences.filter(({ relation }) => relation === undefined);
  let reached = new Map(
    ends.map((start) => [start, relax(new Map([[start, { sum: 0, by: undefined, before: undefined }]]), ofEvents)]),
  );
  for (let count = 1; count <= ofRelations.length; count += 1) {
    reached = new Map(
      [...reached].map(([start, from]) => [start, relax(relax(from, ofRelations, new Map()), ofEvents)]),
    );
    for (const [start, to] of reached) {
      const closed = to.get(start);
      if (closed !== undefined && closed.sum < 0) return relationsOn(closed);
    }
  }
  throw new Error("findContradictions: differences that cannot be met have no negative circle");
}

/** One difference further from every end that was reached; `into` keeps what is nearer already. */
function relax(
  from: ReadonlyMap<string, Reached>,
  differences: readonly Difference[],
  into: Map<string, Reached> = new Map(from),
): Map<string, Reached> {
  for (const by of differences) {
    const before = from.get(by.from);
    if (before === undefined) continue;
    const sum = before.sum + by.bound;
    if (sum < (into.get(by.to)?.sum ?? Infinity)) into.set(by.to, { sum, by, before });
  }
  return into;
}

function relationsOn(closed: Reached): readonly CaseRelation[] {
  const found: CaseRelation[] = [];
  for (let at: Reached | undefined = closed; at !== undefined; at = at.before)
    found.push(...(at.by?.relation ? [at.by.relation] : []));
  return found;
}

function endsOf(differences: readonly Difference[]): readonly string[] {
  return [...new Set(differences.flatMap(({ from, to }) => [from, to]))].sort();
}

function differencesOf(relations: readonly CaseRelation[]): readonly Difference[] {
  const events = new Set<string>();
  const differences = relations.flatMap((relation) => {
    for (const event of namedIn(relation.item)) events.add(event);
    return demandsOf(relation.item).map(([to, from, bound]): Difference => ({ from, to, bound, relation }));
  });
  const durations = [...events]
    .sort()
    .map((event): Difference => ({ from: endOf(event), to: startOf(event), bound: -1, relation: undefined }));
  return [...durations, ...differences];
}

function namedIn(item: RelationItem): readonly string[] {
  if (item.kind === "CA") return [...item.causes, item.effect];
  return item.kind === "TM" ? [item.before, item.after] : item.events;
}

/** `[x, y, bound]`: x - y ≤ bound. */
function demandsOf(item: RelationItem): readonly (readonly [string, string, number])[] {
  if (item.kind === "CA") return item.causes.map((cause) => [endOf(cause), startOf(item.effect), 0]);
  if (item.kind === "TM") return [[endOf(item.before), startOf(item.after), 0]];
  const [a, b] = item.events;
  switch (item.mode) {
    case "start_together":
      return [
        [startOf(a), startOf(b), 0],
        [startOf(b), startOf(a), 0],
      ];
    case "end_together":
      return [
        [endOf(a), endOf(b), 0],
        [endOf(b), endOf(a), 0],
      ];
    case "overlap":
      return [
        [startOf(a), endOf(b), -1],
        [startOf(b), endOf(a), -1],
      ];
  }
}

const startOf = (event: string): string => `${event}.start`;
const endOf = (event: string): string => `${event}.end`;
