/**
 * A planner that looks ahead: a beam search over what is possible at each decision point, every candidate rolled out
 * exactly on a fork and judged by how near the goal is at the end if one waits from there on. Deterministic, and bounded
 * in the ticks it may roll.
 */
import {
  canonicalJson,
  checkAction,
  digestOfWorld,
  isTrue,
  legalActions,
  nextDecision,
  rollout,
  WAIT,
  type ActionUse,
  type Dynamics,
  type LegalAction,
  type World,
} from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { measureGoal } from "./goal-measure.ts";

/** What to do, by the tick at which it is chosen; where nothing stands one waits. */
export type Plan = ReadonlyMap<number, ActionUse>;

export interface PlanFound {
  /** Reaches the goal, where one was found. */
  readonly plan: Plan | undefined;
  /** How near the nearest came: 1 where it reaches the goal. */
  readonly nearest: number;
  /** Worlds kept at each decision point when it was found: 1 is greedy; 0: another fold's plan. */
  readonly width: number;
  readonly ticks: number;
}

export interface PlanOptions {
  /** Ticks that may be rolled. */
  readonly work: number;
  /** Plans that reached the goal from other first states: tried first. */
  readonly known: readonly Plan[];
}

/** Widths of the beam, one after the other, as long as there is work left. */
const WIDTHS = [1, 3, 8, 20] as const;

interface Node {
  readonly world: World;
  readonly plan: readonly (readonly [number, ActionUse])[];
  readonly value: number;
}

export function findPlan({ dynamics, goal }: Bench, first: World, { work, known }: PlanOptions): PlanFound {
  const meter = { ticks: 0, nearest: 0 };
  const judge = (world: World): number => {
    const end = waitToEnd(dynamics, world, meter);
    const value = end === undefined ? 0 : isTrue(goal, end) ? 1 : Math.min(measureGoal(goal, end), 0.999);
    meter.nearest = Math.max(meter.nearest, value);
    return value;
  };
  for (const plan of known) {
    const kept = follow(dynamics, first, plan, meter);
    if (kept !== undefined && isTrue(goal, kept.end))
      return { plan: kept.plan, nearest: 1, width: 0, ticks: meter.ticks };
  }
  for (const width of WIDTHS) {
    if (meter.ticks >= work) break;
    const plan = searchBeam(dynamics, { first, width, work, meter, judge });
    if (plan !== undefined) return { plan, nearest: 1, width, ticks: meter.ticks };
  }
  return { plan: undefined, nearest: meter.nearest, width: 0, ticks: meter.ticks };
}

interface Meter {
  ticks: number;
  nearest: number;
}

interface Search {
  readonly first: World;
  readonly width: number;
  readonly work: number;
  readonly meter: Meter;
  readonly judge: (world: World) => number;
}

/** Nodes by the tick of their decision point: actions last differently long. */
function searchBeam(dynamics: Dynamics, { first, width, work, meter, judge }: Search): Plan | undefined {
  const open = new Map<number, Node[]>([[first.clock, [{ world: first, plan: [], value: 0 }]]]);
  const seen = new Set<string>();
  for (let at = first.clock; at < dynamics.ticks; at += dynamics.decision) {
    const nodes = bestOf(open.get(at) ?? [], width);
    for (const node of nodes) {
      for (const action of candidatesIn(dynamics, node.world)) {
        if (meter.ticks >= work) return undefined;
        const next = advance(dynamics, node, action, meter);
        if (next === undefined) continue;
        const digest = digestOfWorld(next.world);
        if (seen.has(digest)) continue;
        seen.add(digest);
        const value = judge(next.world);
        if (value === 1) return new Map(next.plan);
        const there = open.get(next.world.clock) ?? [];
        open.set(next.world.clock, [...there, { ...next, value }]);
      }
    }
  }
  return undefined;
}

function bestOf(nodes: readonly Node[], width: number): readonly Node[] {
  // Sorting is stable: of equals the one found first.
  return [...nodes].sort((a, b) => b.value - a.value).slice(0, width);
}

/** What is possible, one of each effect: actions whose arguments make no difference are tried once. */
function candidatesIn(dynamics: Dynamics, world: World): readonly LegalAction[] {
  const seen = new Set<string>();
  return legalActions(dynamics, world).filter((action) => {
    const key = canonicalJson(action);
    return !seen.has(key) && seen.add(key);
  });
}

function advance(
  dynamics: Dynamics,
  node: Node,
  { use, duration }: LegalAction,
  meter: Meter,
): Omit<Node, "value"> | undefined {
  const from = node.world.clock;
  const to = Math.min(nextDecision(dynamics, from, duration), dynamics.ticks);
  const rolled = rollout(dynamics, node.world, { ticks: to - from, actions: new Map([[from, use]]) });
  meter.ticks += to - from;
  const step: readonly [number, ActionUse] = [from, use];
  return rolled.ok ? { world: rolled.value.world, plan: [...node.plan, step] } : undefined;
}

function waitToEnd(dynamics: Dynamics, world: World, meter: Meter): World | undefined {
  const ticks = dynamics.ticks - world.clock;
  meter.ticks += ticks;
  const rolled = rollout(dynamics, world, { ticks });
  return rolled.ok ? rolled.value.world : undefined;
}

/** Follows a plan made for another first state; what is not possible here is left out. */
function follow(
  dynamics: Dynamics,
  first: World,
  plan: Plan,
  meter: Meter,
): { readonly plan: Plan; readonly end: World } | undefined {
  let node: Omit<Node, "value"> = { world: first, plan: [] };
  while (node.world.clock < dynamics.ticks) {
    const checked = checkAction(dynamics, node.world, plan.get(node.world.clock) ?? WAIT);
    const action = checked.ok ? checked.value : { use: WAIT, duration: 1 };
    const next = advance(dynamics, { ...node, value: 0 }, action, meter);
    if (next === undefined) return undefined;
    node = next;
  }
  return { plan: new Map(node.plan), end: node.world };
}
