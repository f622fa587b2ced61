import type { CompiledExpression, Node } from "./expression/index.ts";

/** A rule of the form `all(type).all(x, …)` that asks of each entity only what it holds itself. */
export interface PointwiseRule {
  readonly type: string;
  readonly variable: string;
  readonly body: CompiledExpression;
}

/** The rule, where it is of that form: it then holds after a step if it held before and holds for what the step wrote. */
export function pointwiseRuleOf({ root, type }: CompiledExpression): PointwiseRule | undefined {
  if (root.kind !== "macro" || root.macro !== "all" || root.range.kind !== "extent") return undefined;
  const { variable, body, range } = root;
  return asksOnly(variable, body)
    ? { type: range.type, variable, body: { text: body.text, root: body, type } }
    : undefined;
}

/** Calls that turn on their arguments and on the map alone, which is frozen. */
const SETTLED: ReadonlySet<string> = new Set(["linked", "travelTicks", "min", "max", "abs", "clamp", "count"]);

/** Whether the value of `node` follows from the fields of the entity that `variable` stands for. */
function asksOnly(variable: string, node: Node): boolean {
  switch (node.kind) {
    case "literal":
      return true;
    case "variable":
      return node.name === variable;
    case "field":
      return node.of.kind === "variable" && node.of.name === variable;
    case "list":
      return node.items.every((item) => asksOnly(variable, item));
    case "not":
    case "negate":
      return asksOnly(variable, node.operand);
    case "binary":
    case "and":
    case "or":
      return asksOnly(variable, node.left) && asksOnly(variable, node.right);
    case "choice":
      return [node.test, node.then, node.otherwise].every((part) => asksOnly(variable, part));
    case "call":
      return SETTLED.has(node.name) && node.args.every((arg) => asksOnly(variable, arg));
    default:
      return false;
  }
}
