/**
 * A planner that looks ahead: a beam search over what is possible at each decision point, every candidate rolled out
 * exactly on a fork and judged by how near the goal is at the end if one waits from there on; then what it came to is
 * improved one decision at a time, the others kept. Deterministic, and bounded in the ticks it may roll.
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
  /** Worlds kept at each decision point when it was found: 1 is greedy; 0: another fold's plan, as it is or improved. */
  readonly width: number;
  readonly ticks: number;
}

export interface PlanOptions {
  /** Ticks that may be rolled. */
  readonly work: number;
  /** Plans that reached the goal from other first states: tried and improved first. */
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
  const valueOf = (end: World | undefined): number => {
    const value = end === undefined ? 0 : isTrue(goal, end) ? 1 : Math.min(measureGoal(goal, end), 0.999);
    meter.nearest = Math.max(meter.nearest, value);
    return value;
  };
  const search: Search = { dynamics, first, work, meter, valueOf };
  const transferred = known.map((plan): Valued => {
    const followed = follow(search, first, plan);
    return { plan: followed.plan, value: valueOf(followed.end) };
  });
  const there = transferred.find(({ value }) => value === 1);
  if (there !== undefined) return { plan: there.plan, nearest: 1, width: 0, ticks: meter.ticks };
  // First by what is done in any of them, then, the nearest first, by all that is possible.
  const used = new Set(known.flatMap((plan) => [...plan.values()].map(canonicalJson)));
  const half = { ...search, work: work / 2 };
  const improved = nearestFirst(transferred).map((start) => improve(half, start, used));
  for (const start of nearestFirst(improved)) {
    const { plan, value } = improve(half, start);
    if (value === 1) return { plan, nearest: 1, width: 0, ticks: meter.ticks };
  }
  for (const width of WIDTHS) {
    if (meter.ticks >= work) break;
    const { plan, value } = improve(search, searchBeam(search, width));
    if (value === 1) return { plan, nearest: 1, width, ticks: meter.ticks };
  }
  return { plan: undefined, nearest: meter.nearest, width: 0, ticks: meter.ticks };
}

interface Meter {
  ticks: number;
  nearest: number;
}

interface Search {
  readonly dynamics: Dynamics;
  readonly first: World;
  readonly work: number;
  readonly meter: Meter;
  /** How near a world at the end of the case is to the goal. */
  readonly valueOf: (end: World | undefined) => number;
}

interface Valued {
  readonly plan: Plan;
  readonly value: number;
}

/** The best plan that was met. Nodes lie by the tick of their decision point: actions last differently long. */
function searchBeam(search: Search, width: number): Valued {
  const { dynamics, first, work, meter, valueOf } = search;
  const open = new Map<number, Node[]>([[first.clock, [{ world: first, plan: [], value: 0 }]]]);
  const seen = new Set<string>();
  let best: Valued = { plan: new Map(), value: -1 };
  for (let at = first.clock; at < dynamics.ticks; at += dynamics.decision) {
    for (const node of bestOf(open.get(at) ?? [], width)) {
      for (const action of legalActions(dynamics, node.world)) {
        if (meter.ticks >= work) return best;
        const next = advance(search, node, action);
        if (next === undefined) continue;
        const digest = digestOfWorld(next.world);
        if (seen.has(digest)) continue;
        seen.add(digest);
        const value = valueOf(waitToEnd(search, next.world));
        if (value > best.value) best = { plan: new Map(next.plan), value };
        if (value === 1) return best;
        const there = open.get(next.world.clock) ?? [];
        open.set(next.world.clock, [...there, { ...next, value }]);
      }
    }
  }
  return best;
}

/** Changes one decision after the other for the better, until none is left that can be; by `used` alone where it is given. */
function improve(search: Search, found: Valued, used?: ReadonlySet<string>): Valued {
  const { dynamics, first, work, meter, valueOf } = search;
  let best = found;
  for (let isBetter = true; isBetter && best.value < 1;) {
    isBetter = false;
    let node: Way = { world: first, plan: [] };
    while (node.world.clock < dynamics.ticks) {
      for (const action of legalActions(dynamics, node.world)) {
        if (used !== undefined && !used.has(canonicalJson(action.use))) continue;
        if (meter.ticks >= work) return best;
        const next = advance(search, node, action);
        if (next === undefined) continue;
        const followed = follow(search, next.world, best.plan);
        const value = valueOf(followed.end);
        if (value <= best.value) continue;
        best = { plan: new Map([...next.plan, ...followed.plan]), value };
        isBetter = true;
        if (value === 1) return best;
      }
      const next = advance(search, node, possible(search, node.world, best.plan));
      if (next === undefined) break;
      node = next;
    }
  }
  return best;
}

function nearestFirst(found: readonly Valued[]): readonly Valued[] {
  return [...found].sort((a, b) => b.value - a.value);
}

function bestOf(nodes: readonly Node[], width: number): readonly Node[] {
  // Sorting is stable: of equals the one found first.
  return [...nodes].sort((a, b) => b.value - a.value).slice(0, width);
}

type Way = Omit<Node, "value">;

function advance({ dynamics, meter }: Search, node: Way, { use, duration }: LegalAction): Way | undefined {
  const from = node.world.clock;
  const to = Math.min(nextDecision(dynamics, from, duration), dynamics.ticks);
  const rolled = rollout(dynamics, node.world, { ticks: to - from, actions: new Map([[from, use]]) });
  meter.ticks += to - from;
  return rolled.ok ? { world: rolled.value.world, plan: [...node.plan, [from, use]] } : undefined;
}

function waitToEnd({ dynamics, meter }: Search, world: World): World | undefined {
  const ticks = dynamics.ticks - world.clock;
  meter.ticks += ticks;
  const rolled = rollout(dynamics, world, { ticks });
  return rolled.ok ? rolled.value.world : undefined;
}

/** Follows the rest of a plan from a world it was not made for: what is not possible there is left out. */
function follow(search: Search, from: World, plan: Plan): { readonly plan: Plan; readonly end: World | undefined } {
  let node: Way = { world: from, plan: [] };
  while (node.world.clock < search.dynamics.ticks) {
    const next = advance(search, node, possible(search, node.world, plan));
    if (next === undefined) return { plan: new Map(node.plan), end: undefined };
    node = next;
  }
  return { plan: new Map(node.plan), end: node.world };
}

/** What the plan does here, if it can be done here. */
function possible({ dynamics }: Search, world: World, plan: Plan): LegalAction {
  const checked = checkAction(dynamics, world, plan.get(world.clock) ?? WAIT);
  return checked.ok ? checked.value : { use: WAIT, duration: 1 };
}
