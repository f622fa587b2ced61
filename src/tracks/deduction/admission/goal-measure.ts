/**
 * How near a world is to a goal, for a planner that would see nothing but "not yet" otherwise: the share of the goal's
 * conjuncts that hold, those that do not hold counting by how much their comparisons lack. Derived from the compiled
 * expression alone.
 */
import {
  evaluate,
  type CompiledExpression,
  type Environment,
  type ExpressionNode,
  type World,
} from "../../../runtime/index.ts";

/** What does not hold never counts as much as what holds, however little it lacks. */
const MOST_WITHOUT = 0.9;

/** From 0 to 1; exactly 1 where the goal holds. A part that cannot be evaluated counts nothing. */
export function measureGoal(goal: CompiledExpression, world: World): number {
  return gradeOf(goal.root, true, { world, variables: {} });
}

/** How near `node` is to being `wanted`: 1 exactly where it is. */
function gradeOf(node: ExpressionNode, wanted: boolean, env: Environment): number {
  const value = valueOfNode(node, env);
  if (value === wanted) return 1;
  return MOST_WITHOUT * Math.min(1, Math.max(0, lackingGrade(node, wanted, value, env)));
}

function lackingGrade(node: ExpressionNode, wanted: boolean, value: unknown, env: Environment): number {
  switch (node.kind) {
    case "not":
      return gradeOf(node.operand, !wanted, env);
    case "and":
    case "or": {
      const parts = flatten(node, node.kind).map((part) => gradeOf(part, wanted, env));
      return (node.kind === "and") === wanted ? meanOf(parts) : Math.max(...parts);
    }
    case "choice": {
      const test = valueOfNode(node.test, env);
      return typeof test === "boolean" ? gradeOf(test ? node.then : node.otherwise, wanted, env) : 0;
    }
    case "macro":
      return gradeOfMacro(node, wanted, env);
    case "binary":
      return typeof value === "boolean" ? gradeOfComparison(node, wanted, env) : 0;
    default:
      return 0;
  }
}

function flatten(node: ExpressionNode, kind: "and" | "or"): readonly ExpressionNode[] {
  return node.kind === kind && "left" in node ? [...flatten(node.left, kind), ...flatten(node.right, kind)] : [node];
}

function gradeOfMacro(node: Extract<ExpressionNode, { kind: "macro" }>, wanted: boolean, env: Environment): number {
  if (node.macro !== "all" && node.macro !== "exists") return 0;
  const grades = gradesOverRange(node, wanted, env);
  if (grades.length === 0) return 0;
  return (node.macro === "all") === wanted ? meanOf(grades) : Math.max(...grades);
}

function gradesOverRange(
  node: Extract<ExpressionNode, { kind: "macro" }>,
  wanted: boolean,
  env: Environment,
): readonly number[] {
  const range = valueOfNode(node.range, env);
  if (!Array.isArray(range)) return [];
  return range.map((item: Environment["variables"][string]) =>
    gradeOf(node.body, wanted, { ...env, variables: { ...env.variables, [node.variable]: item } }),
  );
}

/** By the gap between the two sides: half by what it is of the larger of them, half by itself. */
function gradeOfComparison(
  node: Extract<ExpressionNode, { kind: "binary" }>,
  wanted: boolean,
  env: Environment,
): number {
  const { operator } = node;
  const isMoreWanted = (operator === ">" || operator === ">=") === wanted;
  const isEquality = operator === "==" || operator === "!=";
  const left = softNumber(node.left, isEquality ? undefined : isMoreWanted, env);
  const right = softNumber(node.right, isEquality ? undefined : !isMoreWanted, env);
  if (left === undefined || right === undefined) return 0;
  const scale = Math.max(1, Math.abs(left), Math.abs(right));
  const gap = Math.abs(left - right);
  return (scale / (scale + gap) + 1 / (1 + gap)) / 2;
}

/**
 * The number a node stands for. A count over a filter counts the things outside that are nearly in (where more are
 * wanted), or the less for the things inside that are nearly out: a planner then sees the one that is on its way.
 */
function softNumber(node: ExpressionNode, isMoreWanted: boolean | undefined, env: Environment): number | undefined {
  const value = valueOfNode(node, env);
  if (typeof value !== "number") return undefined;
  if (isMoreWanted === undefined || node.kind !== "call" || node.name !== "count") return value;
  const [of] = node.args;
  if (of === undefined || of.kind !== "macro" || of.macro !== "filter") return value;
  const grades = gradesOverRange(of, isMoreWanted, env);
  const near = grades.reduce((sum, grade) => sum + (grade < 1 ? grade : 0), 0) / (grades.length + 1);
  return isMoreWanted ? value + near : value - near;
}

function valueOfNode(node: ExpressionNode, env: Environment): unknown {
  const found = evaluate({ text: node.text, root: node, type: { kind: "null" } }, env);
  return found.ok ? found.value : undefined;
}

function meanOf(grades: readonly number[]): number {
  return grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
}
