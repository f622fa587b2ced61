import { alg, Graph } from "@dagrejs/graphlib";
import { compareText } from "../runtime/index.ts";
import type { PlacedRelation } from "./relations.ts";

/** A relation with its round, in the order of the files. */
export interface CaseRelation extends PlacedRelation {
  readonly round: number;
}

/** Events as nodes; an edge says that the first must end before the second begins, and which relation says so. */
export type PrecedenceGraph = Graph;

/** The precedences that CA and TM items demand. Nodes and edges are inserted sorted, so that answers never vary. */
export function precedenceGraph(relations: readonly CaseRelation[]): PrecedenceGraph {
  const edges = relations.flatMap((relation) => {
    const { item } = relation;
    if (item.kind === "CA") return item.causes.map((cause) => ({ from: cause, to: item.effect, relation }));
    return item.kind === "TM" ? [{ from: item.before, to: item.after, relation }] : [];
  });
  const graph = new Graph({ directed: true });
  for (const event of [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort(compareText)) graph.setNode(event);
  for (const { from, to, relation } of edges.sort((a, b) => compareText(a.from, b.from) || compareText(a.to, b.to))) {
    if (!graph.hasEdge(from, to)) graph.setEdge(from, to, relation);
  }
  return graph;
}

/** The relation that demands an edge. */
export function relationOf(graph: PrecedenceGraph, from: string, to: string): CaseRelation {
  return graph.edge(from, to) as CaseRelation;
}

/** The smallest circle of every group of events that precede one another, each beginning with its least event. */
export function smallestCircles(graph: PrecedenceGraph): readonly (readonly string[])[] {
  return alg
    .findCycles(graph)
    .map((group) => {
      const members = new Set(group);
      const circles = group.flatMap((event) => {
        const circle = shortestWay(graph, event, event, members);
        return circle ? [circle.slice(0, -1)] : [];
      });
      const [smallest = []] = circles
        .map(fromLeast)
        .sort((a, b) => a.length - b.length || compareText(a.join(" "), b.join(" ")));
      return smallest;
    })
    .sort((a, b) => compareText(a.join(" "), b.join(" ")));
}

/** The shortest way of at least one edge from one event to another, both ends included; only over `within`. */
export function shortestWay(
  graph: PrecedenceGraph,
  from: string,
  to: string,
  within?: ReadonlySet<string>,
): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[from]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of (graph.successors(way.at(-1) as string) ?? []).sort(compareText)) {
      if (next === to) return [...way, next];
      if (seen.has(next) || (within && !within.has(next))) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

function fromLeast(circle: readonly string[]): readonly string[] {
  const least = circle.indexOf([...circle].sort(compareText)[0] as string);
  return [...circle.slice(least), ...circle.slice(0, least)];
}
