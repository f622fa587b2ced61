import { alg } from "@dagrejs/graphlib";
import type { TriggerId } from "../../runtime/index.ts";
import type { HeldEvent } from "../relations.ts";
import type { Trace } from "../trace.ts";
import type { Hop } from "./grounding.ts";
import { provenanceGraphOf, type Dependence, type ProvenanceGraph } from "./provenance-graph.ts";

/** From one trigger, how each other is reached in the fewest hops. */
type Ways = Readonly<Record<string, { readonly distance: number; readonly predecessor?: string }>>;

const waysOfGraph = new WeakMap<ProvenanceGraph, Map<string, Ways>>();

function waysFrom(graph: ProvenanceGraph, trigger: string): Ways {
  const known = waysOfGraph.get(graph) ?? new Map<string, Ways>();
  waysOfGraph.set(graph, known);
  const ways = known.get(trigger) ?? alg.dijkstra(graph, trigger, () => 1);
  known.set(trigger, ways);
  return ways;
}

/**
 * The shortest way in the provenance graph from a trigger of `cause` to a trigger of `effect`, hop by hop; undefined where
 * none leads there. Of equally short ways the one that begins, then ends, with the earliest trigger of the binding.
 */
export function wayBetween(trace: Trace, cause: HeldEvent, effect: HeldEvent): readonly Hop[] | undefined {
  const graph = provenanceGraphOf(trace);
  let best: { readonly ways: Ways; readonly to: TriggerId; readonly distance: number } | undefined;
  for (const from of cause.triggers) {
    const ways = waysFrom(graph, from);
    for (const to of effect.triggers) {
      const distance = ways[to]?.distance ?? Infinity;
      if (distance > 0 && distance < (best?.distance ?? Infinity)) best = { ways, to, distance };
    }
  }
  return best && hopsTo(graph, best.ways, best.to);
}

function hopsTo(graph: ProvenanceGraph, ways: Ways, last: TriggerId): readonly Hop[] {
  const hops: Hop[] = [];
  for (let to: string = last; ;) {
    const from = ways[to]?.predecessor;
    if (from === undefined || from === "") return hops.reverse();
    const { paths } = graph.edge(from, to) as Dependence;
    hops.push({ from: from as TriggerId, path: paths[0] ?? "", to: to as TriggerId });
    to = from;
  }
}
