import type { RelationItem } from "../contracts/index.ts";
import { findContradictions } from "./contradictions.ts";
import { faultAt, quote, type Path, type PathFault } from "./fault.ts";
import { faultsOfEventName, type CaseParts, type RoundPart } from "./parts.ts";
import {
  precedenceGraph,
  relationOf,
  shortestWay,
  smallestCircles,
  type CaseRelation,
  type PrecedenceGraph,
} from "./precedence.ts";

/** A fault and the round in whose file it stands. */
export interface RoundFault extends PathFault {
  readonly round: number;
}

/** Relations name events where they may: TM and CC of this round, CA of this or an earlier one with its effect in this. */
export function checkRelationNames(parts: CaseParts, { file }: RoundPart): readonly PathFault[] {
  return file.relations.flatMap(({ causal, precedes, concurrent, chain }, i) => {
    const base: Path = ["relations", i];
    const here = (event: string, path: Path): readonly PathFault[] =>
      faultsOfEventName(parts, file.round, event, "this", [...base, ...path]);
    if (causal) {
      const causes = causal.causes.flatMap((cause, j) =>
        faultsOfEventName(parts, file.round, cause, "this or earlier", [...base, "causal", "causes", j]),
      );
      return [...causes, ...here(causal.effect, ["causal", "effect"])];
    }
    if (precedes)
      return [...here(precedes.before, ["precedes", "before"]), ...here(precedes.after, ["precedes", "after"])];
    const [key, events] = concurrent ? (["concurrent", concurrent.events] as const) : (["chain", chain ?? []] as const);
    return events.flatMap((event, j) => here(event, key === "chain" ? ["chain", j] : ["concurrent", "events", j]));
  });
}

/** At most a third of the causal items name a cause of an earlier round: order across rounds cannot fail. */
export function checkCrossing(parts: CaseParts): readonly RoundFault[] {
  const causal = relationsOf(parts).filter(({ item }) => item.kind === "CA");
  const crossing = causal.filter(
    ({ item, round }) =>
      item.kind === "CA" && item.causes.some((cause) => (parts.eventRounds.get(cause) ?? round) < round),
  );
  const allowed = Math.floor(causal.length / 3);
  const first = crossing[allowed];
  if (!parts.complete || first === undefined) return [];
  const message = `${crossing.length} of ${causal.length} causal relations have a cause in an earlier round; this is the first beyond a third`;
  return [
    {
      round: first.round,
      ...faultAt(first.path, message, "order across rounds cannot fail: name causes of the round itself"),
    },
  ];
}

/** Circles of precedences, and relations that cannot hold together. */
export function checkOrder(parts: CaseParts): readonly RoundFault[] {
  const relations = relationsOf(parts);
  const graph = precedenceGraph(relations);
  const circles = smallestCircles(graph);
  if (circles.length > 0) return circles.map((circle) => faultOfCircle(graph, circle, relations));
  return [
    ...findContradictions(relations).map((group) => faultOfContradiction(group, relations)),
    ...relations.flatMap((relation) => faultsOfImmediate(graph, relation)),
  ];
}

function faultOfCircle(
  graph: PrecedenceGraph,
  circle: readonly string[],
  relations: readonly CaseRelation[],
): RoundFault {
  const around = circle.map((event, i) => relationOf(graph, event, circle[(i + 1) % circle.length] as string));
  const way = [...circle, circle[0] as string].join(" → ");
  return atLast(
    around,
    relations,
    `the relations go in a circle: ${way}`,
    "each must end before the next begins: take one of them away",
  );
}

function faultOfContradiction(group: readonly CaseRelation[], relations: readonly CaseRelation[]): RoundFault {
  return atLast(group, relations, `these cannot all hold: ${group.map(({ item }) => say(item)).join("; ")}`);
}

/** Nothing may have to come between two events of which one follows the other immediately. */
function faultsOfImmediate(graph: PrecedenceGraph, { item, round, path }: CaseRelation): readonly RoundFault[] {
  if (item.kind !== "TM" || !item.immediate) return [];
  const between = (graph.successors(item.before) ?? [])
    .filter((event) => event !== item.after)
    .sort()
    .find((event) => shortestWay(graph, event, item.after));
  if (between === undefined) return [];
  return [{ round, ...faultAt(path, `${say(item)}, but other relations put ${quote(between)} between them`) }];
}

/** At the relation of the group that stands last: it is the one that closed the circle. */
function atLast(
  group: readonly CaseRelation[],
  all: readonly CaseRelation[],
  message: string,
  hint?: string,
): RoundFault {
  const last = group.reduce((latest, relation) => (all.indexOf(relation) > all.indexOf(latest) ? relation : latest));
  return { round: last.round, ...faultAt(last.path, message, hint) };
}

function relationsOf(parts: CaseParts): readonly CaseRelation[] {
  return parts.rounds.flatMap(({ file, relations }) =>
    relations.map((relation) => ({ ...relation, round: file.round })),
  );
}

function say(item: RelationItem): string {
  if (item.kind === "CA")
    return `${item.causes.join(" and ")} cause${item.causes.length === 1 ? "s" : ""} ${item.effect}`;
  if (item.kind === "TM") return `${item.before} is ${item.immediate ? "immediately " : ""}before ${item.after}`;
  const modes = { start_together: "start together", overlap: "overlap", end_together: "end together" } as const;
  return `${item.events.join(" and ")} ${modes[item.mode]}`;
}
