import type { ASTNode } from "@marcbachmann/cel-js";
import { refuse, succeed, type Result } from "../errors.ts";
import type { World } from "../world.ts";
import { checkNode } from "./check.ts";
import { evaluateNode, Unevaluable, type Environment, type Value } from "./evaluate.ts";
import { ExpressionFault } from "./fault.ts";
import { walk, type Node } from "./node.ts";
import { parseExpression } from "./parse.ts";
import type { Scope } from "./scope.ts";
import { BOOL, describeType, NUMBER, TEXT, type StaticType } from "./static-type.ts";

export { costBeyond, costOf, type Containment } from "./cost.ts";
export type { Environment, Value } from "./evaluate.ts";
export { walk, type Node } from "./node.ts";
export { splitConjuncts } from "./parse.ts";
export type { Scope } from "./scope.ts";
export { typeOfEntityField } from "./scope.ts";
export { BOOL, describeType, faultOfEquality, HOLDER, NUMBER, PLACE, TEXT, type StaticType } from "./static-type.ts";

/** An expression that was parsed, typed and found lawful. */
export interface CompiledExpression {
  readonly text: string;
  readonly root: Node;
  readonly type: StaticType;
}

/** A value, or in words why there is none. */
export type Evaluation = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

/** Parses, types and lints an expression. Never throws for anything the text may say. */
export function compileExpression(text: string, scope: Scope): Result<CompiledExpression> {
  const parsed = parseExpression(text);
  if (!parsed.ok) return parsed;
  return compileTree(parsed.value, text, scope);
}

function compileTree(ast: ASTNode, text: string, scope: Scope): Result<CompiledExpression> {
  try {
    const { node, type } = checkNode(ast, scope);
    return succeed({ text, root: node, type });
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return refuse(error.code, error.message, { hint: error.hint });
  }
}

/** Like `compileExpression`, for something that must be true or false. */
export function compileBool(text: string, scope: Scope): Result<CompiledExpression> {
  const compiled = compileExpression(text, scope);
  if (!compiled.ok || compiled.value.type.kind === BOOL.kind) return compiled;
  return refuse("expression_type", `${text} is ${describeType(compiled.value.type)}, not true or false`);
}

/** Evaluates a compiled expression. A null on the way, a missing entity, a division by 0 give a reason, not a value. */
export function evaluate(expression: CompiledExpression, env: Environment): Evaluation {
  try {
    return { ok: true, value: evaluateNode(expression.root, env) };
  } catch (error) {
    if (error instanceof Unevaluable) return { ok: false, reason: error.message };
    throw error;
  }
}

/** The parts that `&&` joins in an expression; of any other the expression itself. */
export function conjunctsOf(expression: CompiledExpression): readonly CompiledExpression[] {
  const { root, type } = expression;
  if (root.kind !== "and") return [expression];
  return [root.left, root.right].flatMap((part) => conjunctsOf({ text: part.text, root: part, type }));
}

/** Whether an expression turns on nothing: its value is the same in every state. */
export function isConstant({ root }: CompiledExpression): boolean {
  let constant = true;
  walk(root, ({ kind }) => {
    if (["variable", "entity", "clock", "field", "member", "extent", "alongside"].includes(kind)) constant = false;
  });
  return constant;
}

/** A condition over a world alone, as contracts state it: `odile.at == boiler_room`. */
export function compileCondition(world: World, text: string): Result<CompiledExpression> {
  return compileBool(text, { world, variables: {}, mayReadClock: true, mayReadStep: false });
}

/** Whether a condition over a world is true there; one that cannot be evaluated is not. */
export function isTrue(condition: CompiledExpression, world: World): boolean {
  const evaluation = evaluate(condition, { world, variables: {} });
  return evaluation.ok && evaluation.value === true;
}

/** What `it` is in the `where` of a query. */
export type ItShape =
  | { readonly kind: "entity"; readonly type?: string }
  | { readonly kind: "record"; readonly members: Readonly<Record<string, "number" | "text" | "bool" | "texts">> };

const MEMBER_TYPES = { number: NUMBER, text: TEXT, bool: BOOL, texts: { kind: "list", of: TEXT } } as const;

/** Compiles the `where` of a query over `it`. */
export function compileWhere(world: World, shape: ItShape, text: string): Result<CompiledExpression> {
  const it: StaticType =
    shape.kind === "entity"
      ? { kind: "entity", type: shape.type, nullable: false }
      : {
          kind: "record",
          members: Object.fromEntries(Object.entries(shape.members).map(([key, kind]) => [key, MEMBER_TYPES[kind]])),
        };
  return compileBool(text, { world, variables: { it }, mayReadClock: true, mayReadStep: false });
}

/** Whether a query's `where` is true of `it` (an entity's id, or a record); where it cannot be evaluated it is not. */
export function evaluateWhere(world: World, condition: CompiledExpression, it: unknown): boolean {
  const evaluation = evaluate(condition, { world, variables: { it: it as Value } });
  return evaluation.ok && evaluation.value === true;
}

/** What an expression mentions: the types it ranges over, the entities it names, the fields it reads. */
export interface Mentions {
  readonly types: ReadonlySet<string>;
  /** Of these types every entity is looked at. */
  readonly ranges: ReadonlySet<string>;
  readonly entities: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

export function mentionsOfExpressions(expressions: readonly CompiledExpression[]): Mentions {
  const types = new Set<string>();
  const ranges = new Set<string>();
  const entities = new Set<string>();
  const fields = new Set<string>();
  for (const { root } of expressions) {
    walk(root, (node) => {
      if (node.kind === "extent") ranges.add(node.type);
      if (node.kind === "extent") types.add(node.type);
      if (node.kind === "entity") entities.add(node.id);
      if (node.kind === "field") fields.add(node.field);
      if (node.kind === "call" && node.name === "inside") fields.add("at");
    });
  }
  return { types, ranges, entities, fields };
}
