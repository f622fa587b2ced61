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
 * Relations that cannot hold together, group by group: in each a concurrency and what it contradicts.
 * Expects precedences without a circle; those are told apart, as circles.
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
  const ends = [...new Set(differences.flatMap(({ from, to }) => [from, to]))].sort();
  const value = new Map(ends.map((end) => [end, 0]));
  const last = new Map<string, Difference>();
  let moved: string | undefined;
  for (let pass = 0; pass <= ends.length; pass += 1) {
    moved = undefined;
    for (const difference of differences) {
      const bound = (value.get(difference.from) ?? 0) + difference.bound;
      if (bound >= (value.get(difference.to) ?? 0)) continue;
      value.set(difference.to, bound);
      last.set(difference.to, difference);
      moved = difference.to;
    }
    if (moved === undefined) return undefined;
  }
  return relationsOnCircle(last, moved as string, ends.length);
}

/** Walks back far enough to be on the circle, then once around it. */
function relationsOnCircle(last: ReadonlyMap<string, Difference>, end: string, count: number): readonly CaseRelation[] {
  let start = end;
  for (let i = 0; i < count; i += 1) start = last.get(start)?.from ?? start;
  const circle: CaseRelation[] = [];
  let at = start;
  do {
    const difference = last.get(at);
    if (difference === undefined) throw new Error("findContradictions: a circle with a gap");
    if (difference.relation && !circle.includes(difference.relation)) circle.push(difference.relation);
    at = difference.from;
  } while (at !== start);
  return circle.reverse();
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
