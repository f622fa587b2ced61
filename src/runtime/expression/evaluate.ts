import { sameJson } from "../canonical.ts";
import type { FieldValue } from "../field.ts";
import { LIMITS } from "../limits.ts";
import { entityIdsOfType, getEntity, valueOf } from "../state.ts";
import { isLinked, travelTicks } from "../travel.ts";
import type { World } from "../world.ts";
import { ARITHMETIC, type Node } from "./node.ts";

/** A value while an expression is evaluated. Entities and places are their ids. */
export type Value = FieldValue | readonly Value[] | { readonly [member: string]: Value };

/** What an expression is evaluated in. */
export interface Environment {
  readonly world: World;
  readonly variables: Readonly<Record<string, Value>>;
  /** How many triggers of the step use each capability, the evaluated one left out. */
  readonly alongside?: Readonly<Record<string, number>>;
  /** Collects every path that is looked at. */
  readonly reads?: Set<string>;
  /** Collects the parts that explain a result: source text and value. */
  readonly observed?: Map<string, Value>;
}

/** Why an expression has no value, such as a null on the way. Thrown inside this folder only. */
export class Unevaluable extends Error {}

/** The value of `node`. Throws `Unevaluable` where it has none. */
export function evaluateNode(node: Node, env: Environment): Value {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "entity":
      if (getEntity(env.world.entities, node.id) === undefined) throw new Unevaluable(`there is no entity ${node.id}`);
      return node.id;
    case "variable": {
      const value = env.variables[node.name];
      if (value === undefined) throw new Unevaluable(`${node.name} has no value`);
      return value;
    }
    case "clock":
      env.reads?.add("clock");
      env.observed?.set("clock", env.world.clock);
      return env.world.clock;
    case "field":
      return evaluateField(node, env);
    case "member": {
      const record = evaluateNode(node.of, env) as { readonly [member: string]: Value };
      const value = record[node.member];
      if (value === undefined) throw new Unevaluable(`${node.text} is not there`);
      return value;
    }
    case "list":
      return node.items.map((item) => evaluateNode(item, env));
    case "not":
      return !evaluateNode(node.operand, env);
    case "negate":
      return 0 - (evaluateNode(node.operand, env) as number);
    case "and":
    case "or":
      return evaluateLogic(node.kind === "or", node.left, node.right, env);
    case "choice":
      return evaluateNode(evaluateNode(node.test, env) ? node.then : node.otherwise, env);
    case "binary":
      return evaluateBinary(node, env);
    case "extent":
      env.reads?.add(`${node.type}.*`);
      return entityIdsOfType(env.world.entities, node.type);
    case "macro":
      return evaluateMacro(node, env);
    case "call":
      return observe(node, evaluateCall(node, env), env);
    case "alongside":
      return observe(node, env.alongside?.[node.capability] ?? 0, env);
  }
}

/** Keeps a part's value for the words of a refusal. */
function observe(node: Node, value: Value, env: Environment): Value {
  env.observed?.set(node.text, value);
  return value;
}

function evaluateField(node: Extract<Node, { kind: "field" }>, env: Environment): Value {
  const of = evaluateNode(node.of, env);
  if (typeof of !== "string") throw new Unevaluable(`${node.of.text} is null`);
  const entity = getEntity(env.world.entities, of);
  if (entity === undefined) throw new Unevaluable(`${node.of.text} is ${of}, which is no entity`);
  if (node.field === "type") return entity.type;
  if (node.field === "name") return entity.name;
  env.reads?.add(node.ranged === undefined ? `${of}.${node.field}` : `${node.ranged}.*.${node.field}`);
  const value = valueOf(entity, node.field);
  if (value === undefined) throw new Unevaluable(`${of} has no field ${node.field}`);
  env.observed?.set(node.text, value);
  return value;
}

/** CEL's `||` and `&&`: a side that decides stands, even where the other has no value. */
function evaluateLogic(deciding: boolean, left: Node, right: Node, env: Environment): boolean {
  let fault: Unevaluable | undefined;
  for (const side of [left, right]) {
    try {
      if (evaluateNode(side, env) === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof Unevaluable)) throw error;
      fault ??= error;
    }
  }
  if (fault) throw fault;
  return !deciding;
}

function evaluateBinary(node: Extract<Node, { kind: "binary" }>, env: Environment): Value {
  const left = evaluateNode(node.left, env);
  const right = evaluateNode(node.right, env);
  const { operator } = node;
  if (operator === "==") return isSame(left, right);
  if (operator === "!=") return !isSame(left, right);
  if (operator === "in") return (right as readonly Value[]).some((item) => isSame(item, left));
  if (operator === "+" && (typeof left === "string" || typeof right === "string")) {
    if (left === null || right === null)
      throw new Unevaluable(`${node.text}: ${(left === null ? node.left : node.right).text} is null`);
    const text = `${left as string | number}${right as string | number}`;
    if (text.length > LIMITS.textCharacters)
      throw new Unevaluable(`${node.text} is longer than ${LIMITS.textCharacters} characters`);
    return text;
  }
  for (const [value, side] of [
    [left, node.left],
    [right, node.right],
  ] as const) {
    if (typeof value !== "number")
      throw new Unevaluable(`${node.text}: ${side.text} is ${JSON.stringify(value)}, no number`);
  }
  const [a, b] = [left as number, right as number];
  if ((ARITHMETIC as readonly string[]).includes(operator)) return arithmetic(operator, a, b, node.text);
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}

function isSame(a: Value, b: Value): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && sameJson(a, b));
}

function arithmetic(operator: string, a: number, b: number, text: string): number {
  if ((operator === "/" || operator === "%") && b === 0) throw new Unevaluable(`${text} divides by 0`);
  const value =
    operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : operator === "/" ? a / b : a % b;
  return finite(value, text);
}

function finite(value: number, text: string): number {
  if (!Number.isFinite(value)) throw new Unevaluable(`${text} is too large`);
  return value === 0 ? 0 : value;
}

/** List macros as CEL defines them: `exists` is an `||` over the list, `all` an `&&`. */
function evaluateMacro(node: Extract<Node, { kind: "macro" }>, env: Environment): Value {
  const range = evaluateNode(node.range, env) as readonly Value[];
  // One scope for all items: its value is read before the next item takes its place.
  const variables: Record<string, Value> = { ...env.variables };
  const inner: Environment = { ...env, variables };
  const evaluateFor = (item: Value): Value => {
    variables[node.variable] = item;
    return evaluateNode(node.body, inner);
  };
  switch (node.macro) {
    case "map":
      return range.map(evaluateFor);
    case "filter":
      return range.filter(evaluateFor);
    case "exists_one":
      return range.filter(evaluateFor).length === 1;
    case "exists":
    case "all": {
      const deciding = node.macro === "exists";
      let fault: Unevaluable | undefined;
      for (const item of range) {
        try {
          if (evaluateFor(item) !== deciding) continue;
          if (!deciding) env.observed?.set(node.variable, item);
          return deciding;
        } catch (error) {
          if (!(error instanceof Unevaluable)) throw error;
          fault ??= error;
        }
      }
      if (fault) throw fault;
      return !deciding;
    }
  }
}

function evaluateCall(node: Extract<Node, { kind: "call" }>, env: Environment): Value {
  const args = node.args.map((arg) => evaluateNode(arg, env));
  const [a, b, c] = args;
  switch (node.name) {
    case "entity":
      if (typeof a !== "string" || getEntity(env.world.entities, a) === undefined) {
        throw new Unevaluable(`${node.text}: there is no entity ${JSON.stringify(a)}`);
      }
      return a;
    case "count":
      return (a as readonly Value[]).length;
    case "linked":
      return isLinked(env.world.map, placeOf(a, node, env), placeOf(b, node, env));
    case "travelTicks": {
      const ticks = travelTicks(env.world.map, placeOf(a, node, env), placeOf(b, node, env));
      if (ticks === undefined)
        throw new Unevaluable(`${node.text}: no way leads from ${a as string} to ${b as string}`);
      return ticks;
    }
    case "inside":
      return isInside(a, b, node, env);
    case "abs":
      return Math.abs(a as number);
    case "clamp":
      return Math.min(Math.max(a as number, b as number), c as number);
    case "min":
    case "max": {
      const numbers = (Array.isArray(a) ? a : args) as readonly number[];
      if (numbers.length === 0) throw new Unevaluable(`${node.text}: the list is empty`);
      return numbers.reduce((x, y) => (node.name === "min" ? Math.min(x, y) : Math.max(x, y)));
    }
  }
}

function placeOf(value: Value | undefined, node: Node, env: Environment): string {
  if (typeof value === "string" && Object.hasOwn(env.world.map.places, value)) return value;
  throw new Unevaluable(`${node.text}: ${value === null ? "null" : JSON.stringify(value)} is no place`);
}

/** Whether `x` is in `y`, directly or through whatever holds it. Reads every `at` on the way up. */
function isInside(x: Value | undefined, y: Value | undefined, node: Node, env: Environment): boolean {
  if (typeof x !== "string" || getEntity(env.world.entities, x) === undefined)
    throw new Unevaluable(`${node.text}: no entity stands inside`);
  if (typeof y !== "string") throw new Unevaluable(`${node.text}: there is nothing to be inside of`);
  let holders = 0;
  for (let entity = getEntity(env.world.entities, x); entity !== undefined;) {
    if ((holders += 1) > env.world.entities.ids.length) throw new Unevaluable(`${node.text}: ${x} is inside itself`);
    env.reads?.add(`${entity.id}.at`);
    const at = valueOf(entity, "at");
    // in a world as somebody sees it, where something is may be missing
    if (at === undefined) throw new Unevaluable(`${node.text}: where ${entity.id} is, is not known`);
    env.observed?.set(`${entity.id}.at`, at);
    if (at === y) return true;
    entity = typeof at === "string" ? getEntity(env.world.entities, at) : undefined;
  }
  return false;
}
