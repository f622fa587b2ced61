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
 * containment there is.
 */
export function costOf(node: Node, world: World, containment: Containment = deepestContainment): number {
  switch (node.kind) {
    case "extent":
      return 1 + countOfType(world.entities, node.type);
    case "macro":
      return (
        1 + costOf(node.range, world, containment) + boundOf(node.range, world) * costOf(node.body, world, containment)
      );
    case "call":
      return (
        1 +
        (node.name === "inside" ? containment(world.entities) : 0) +
        sum(node.args, world, containment) * (isScan(node.name) ? 2 : 1)
      );
    case "binary": {
      const sides = sum([node.left, node.right], world, containment);
      if (node.operator === "in") return 1 + sides * 2 + Math.ceil(setBound(node.right, world) / MEMBERS_PER_NODE);
      if (node.operator !== "==" && node.operator !== "!=") return 1 + sides;
      return 1 + sides + setBound(node.left, world) + setBound(node.right, world);
    }
    default:
      // a refs field may hold as many ids as there are entities of its type; reading it copies nothing
      return 1 + sum(childrenOf(node), world, containment);
  }
}

function isScan(name: string): boolean {
  return name === "count" || name === "min" || name === "max";
}

function sum(nodes: readonly Node[], world: World, containment: Containment): number {
  return nodes.reduce((total, node) => total + costOf(node, world, containment), 0);
}

/** The most members of the set that a field holds; 0 for everything else. */
function setBound(node: Node, world: World): number {
  return node.kind === "field" && node.setOf !== undefined ? boundOf(node, world) : 0;
}

/** The most elements a list expression can have. */
function boundOf(node: Node, world: World): number {
  switch (node.kind) {
    case "list":
      return node.items.length;
    case "extent":
      return countOfType(world.entities, node.type);
    case "macro":
      return boundOf(node.range, world);
    case "choice":
      return Math.max(boundOf(node.then, world), boundOf(node.otherwise, world));
    case "field":
      if (node.setOf !== undefined && node.setOf !== "") return countOfType(world.entities, node.setOf);
      return countEntities(world.entities);
    default:
      // a list that is an element of another: all entities, or a list that was written out
      return Math.max(countEntities(world.entities), LIMITS.listElements);
  }
}
