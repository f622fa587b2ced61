import { alg, Graph } from "@dagrejs/graphlib";
import { compareText } from "./canonical.ts";
import { lookUp } from "./ids.ts";
import type { WorldMap } from "./world.ts";

/** Ticks of the direct way from each place to its neighbours: the shortest where there are several links. */
type Ways = Readonly<Record<string, Readonly<Record<string, number>>>>;

const waysOfMap = new WeakMap<WorldMap, Ways>();
const travelOfMap = new WeakMap<WorldMap, Map<string, Readonly<Record<string, number>>>>();

function waysOf(map: WorldMap): Ways {
  const known = waysOfMap.get(map);
  if (known) return known;
  const ways: Record<string, Record<string, number>> = {};
  const add = (from: string, to: string, ticks: number) => {
    const row = (ways[from] ??= {});
    row[to] = Math.min(row[to] ?? ticks, ticks);
  };
  for (const link of map.links) {
    add(link.from, link.to, link.ticks);
    if (link.bothWays) add(link.to, link.from, link.ticks);
  }
  waysOfMap.set(map, ways);
  return ways;
}

/** Whether a link leads from place `from` to place `to`. */
export function isLinked(map: WorldMap, from: string, to: string): boolean {
  return lookUp(lookUp(waysOf(map), from) ?? {}, to) !== undefined;
}

/** Ticks of the shortest way from place `from` to place `to` (Dijkstra); 0 to itself, undefined where no way leads. */
export function travelTicks(map: WorldMap, from: string, to: string): number | undefined {
  if (from === to) return 0;
  let travel = travelOfMap.get(map);
  if (!travel) travelOfMap.set(map, (travel = new Map()));
  let row = travel.get(from);
  if (!row) travel.set(from, (row = distancesFrom(map, from)));
  return lookUp(row, to);
}

function distancesFrom(map: WorldMap, from: string): Readonly<Record<string, number>> {
  const graph = new Graph({ directed: true });
  const ways = waysOf(map);
  for (const place of Object.keys(map.places).sort(compareText)) graph.setNode(place);
  for (const a of Object.keys(ways).sort(compareText)) {
    for (const b of Object.keys(ways[a] ?? {}).sort(compareText)) graph.setEdge(a, b, ways[a]?.[b]);
  }
  const found = alg.dijkstra(graph, from, (edge) => graph.edge(edge) as number);
  const row: Record<string, number> = {};
  for (const [place, { distance }] of Object.entries(found)) if (Number.isFinite(distance)) row[place] = distance;
  return row;
}
