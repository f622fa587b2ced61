import { entityIdsOfType } from "../state.ts";
import type { World } from "../world.ts";
import { childrenOf, type Node } from "./node.ts";

/**
 * An upper bound of the work of evaluating `node`, before it is done: nodes × the actual sizes of what they range
 * over. `all(type)` and a `refs` field are bounded by the number of entities of the type.
 */
export function costOf(node: Node, world: World): number {
  switch (node.kind) {
    case "extent":
      return 1 + entityIdsOfType(world.entities, node.type).length;
    case "macro":
      return 1 + costOf(node.range, world) + sizeOf(node, world) * costOf(node.body, world);
    case "field":
      // a refs field may hold as many ids as there are entities of its type; reading it copies nothing
      return 1 + costOf(node.of, world);
    case "call":
      return 1 + (node.name === "inside" ? 20 : 0) + sum(node.args, world) + (node.name === "count" || node.name === "min" || node.name === "max" ? sum(node.args, world) : 0);
    case "binary":
      return 1 + sum([node.left, node.right], world) * (node.operator === "in" ? 2 : 1);
    default:
      return 1 + sum(childrenOf(node), world);
  }
}

function sum(nodes: readonly Node[], world: World): number {
  return nodes.reduce((total, node) => total + costOf(node, world), 0);
}

function sizeOf(node: Extract<Node, { kind: "macro" }>, world: World): number {
  if (node.range.kind === "list") return node.range.items.length;
  if (node.over !== undefined) return entityIdsOfType(world.entities, node.over).length;
  return Math.max(boundOf(node.range, world), 1);
}

/** The most elements a list expression can have. */
function boundOf(node: Node, world: World): number {
  switch (node.kind) {
    case "list":
      return node.items.length;
    case "extent":
      return entityIdsOfType(world.entities, node.type).length;
    case "macro":
      return sizeOf(node, world);
    case "choice":
      return Math.max(boundOf(node.then, world), boundOf(node.otherwise, world));
    default:
      return world.entities.ids.length;
  }
}
