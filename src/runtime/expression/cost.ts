import { LIMITS } from "../limits.ts";
import { countEntities, containmentBound, countOfType, deepestContainment } from "../state/index.ts";
import type { World } from "../world.ts";
import { childrenOf, type Node } from "./node.ts";

/** Members of a set that are looked through in the time of one node. */
const MEMBERS_PER_NODE = 16;

/** How deep `inside` may have to climb. */
export type Containment = typeof deepestContainment;

/**
 * What `cost` comes to, as far as it matters: exactly where it exceeds `limit`, else perhaps more than it is. The deepest
 * containment has to be looked for among all entities, and seldom decides.
 */
export function costBeyond(limit: number, cost: (containment: Containment) => number): number {
  const bound = cost(containmentBound);
  return bound > limit ? cost(deepestContainment) : bound;
}

/**
 * An upper bound of the work of evaluating `node`, before it is done: nodes × the actual sizes of what they range
 * over. `all(type)` and a `refs` field are bounded by the number of entities of the type, `inside` by the deepest
 * containment there is, a comparison of lists by all that lies in them: sets that are many times the same set, too.
 */
export function costOf(node: Node, world: World, containment: Containment = deepestContainment): number {
  return cost(node, { world, containment, shapes: {} });
}

/** Where costs are found: the variables of macros stand for elements of this shape. */
interface Site {
  readonly world: World;
  readonly containment: Containment;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** The most elements of a list, and what each of them is at most; anything else is no list. */
type Shape = { readonly size: number; readonly of: Shape } | undefined;

function cost(node: Node, site: Site): number {
  switch (node.kind) {
    case "extent":
      return 1 + countOfType(site.world.entities, node.type);
    case "macro": {
      // a list of a record of the log is as long as that record says
      const size = Math.max(countEntities(site.world.entities), LIMITS.listElements);
      const range = shapeOf(node.range, site) ?? { size, of: undefined };
      return 1 + cost(node.range, site) + range.size * cost(node.body, within(site, node.variable, range));
    }
    case "call":
      return (
        1 +
        (node.name === "inside" ? site.containment(site.world.entities) : 0) +
        sum(node.args, site) * (isScan(node.name) ? 2 : 1)
      );
    case "binary": {
      const sides = sum([node.left, node.right], site);
      if (node.operator === "==" || node.operator === "!=")
        return 1 + sides + elements(shapeOf(node.left, site)) + elements(shapeOf(node.right, site));
      if (node.operator !== "in") return 1 + sides;
      const range = shapeOf(node.right, site);
      const size = range?.size ?? 0;
      // each comparison with an element that is a list reads both lists
      const each = elements(shapeOf(node.left, site));
      return 1 + sides * 2 + Math.ceil(size / MEMBERS_PER_NODE) + size * each + size * elements(range?.of);
    }
    default:
      // a refs field may hold as many ids as there are entities of its type; reading it copies nothing
      return 1 + sum(childrenOf(node), site);
  }
}

function isScan(name: string): boolean {
  return name === "count" || name === "min" || name === "max";
}

function sum(nodes: readonly Node[], site: Site): number {
  return nodes.reduce((total, node) => total + cost(node, site), 0);
}

function within(site: Site, variable: string, range: Shape): Site {
  return { ...site, shapes: { ...site.shapes, [variable]: range?.of } };
}

/** All that lies in a list, and in the lists in it. */
function elements(shape: Shape): number {
  return shape === undefined ? 0 : shape.size * Math.max(1, elements(shape.of));
}

function shapeOf(node: Node, site: Site): Shape {
  switch (node.kind) {
    case "list":
      return { size: node.items.length, of: widest(node.items.map((item) => shapeOf(item, site))) };
    case "extent":
      return { size: countOfType(site.world.entities, node.type), of: undefined };
    case "macro": {
      if (node.macro !== "map" && node.macro !== "filter") return undefined;
      const range = shapeOf(node.range, site);
      if (range === undefined || node.macro === "filter") return range;
      return { size: range.size, of: shapeOf(node.body, within(site, node.variable, range)) };
    }
    case "choice":
      return widest([shapeOf(node.then, site), shapeOf(node.otherwise, site)]);
    case "field": {
      if (node.setOf === undefined) return undefined;
      const { entities } = site.world;
      return { size: node.setOf === "" ? countEntities(entities) : countOfType(entities, node.setOf), of: undefined };
    }
    case "variable":
      return Object.hasOwn(site.shapes, node.name) ? site.shapes[node.name] : undefined;
    default:
      return undefined;
  }
}

function widest(shapes: readonly Shape[]): Shape {
  return shapes.reduce<Shape>((a, b) => {
    if (a === undefined || b === undefined) return a ?? b;
    return { size: Math.max(a.size, b.size), of: widest([a.of, b.of]) };
  }, undefined);
}
