import { sameJson } from "../canonical.ts";
import type { FieldValue } from "../field.ts";
import { LIMITS } from "../limits.ts";
import { countEntities, entityIdsOfType, getEntity, valueOf } from "../state/index.ts";
import { isLinked, travelTicks } from "../travel.ts";
import type { World } from "../world.ts";
import type { BinaryOperator, Node } from "./node.ts";

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

/**
 * Why an expression has no value, such as a null on the way. Thrown inside this folder only, and no Error: a query may
 * come upon it for each of thousands of entities, and the stack of an Error costs more than all the rest.
 */
export class Unevaluable {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A node that is ready to be evaluated: what can be decided once is decided. */
type Run = (env: Environment) => Value;

const prepared = new WeakMap<Node, Run>();

/** The value of `node`. Throws `Unevaluable` where it has none. */
export function evaluateNode(node: Node, env: Environment): Value {
  let run = prepared.get(node);
  if (run === undefined) prepared.set(node, (run = prepare(node)));
  return run(env);
}

function prepare(node: Node): Run {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "entity": {
      const { id } = node;
      return (env) => {
        if (getEntity(env.world.entities, id) === undefined) throw new Unevaluable(`there is no entity ${id}`);
        return id;
      };
    }
    case "variable": {
      const { name } = node;
      return (env) => {
        const value = env.variables[name];
        if (value === undefined) throw new Unevaluable(`${name} has no value`);
        return value;
      };
    }
    case "clock":
      return (env) => {
        env.reads?.add("clock");
        env.observed?.set("clock", env.world.clock);
        return env.world.clock;
      };
    case "field":
      return prepareField(node);
    case "member": {
      const of = prepare(node.of);
      return (env) => {
        const value = (of(env) as { readonly [member: string]: Value })[node.member];
        if (value === undefined) throw new Unevaluable(`${node.text} is not there`);
        return value;
      };
    }
    case "list": {
      const items = node.items.map(prepare);
      return (env) => items.map((item) => item(env));
    }
    case "not": {
      const operand = prepare(node.operand);
      return (env) => !operand(env);
    }
    case "negate": {
      const operand = prepare(node.operand);
      return (env) => 0 - (operand(env) as number);
    }
    case "and":
    case "or":
      return prepareLogic(node.kind === "or", prepare(node.left), prepare(node.right));
    case "choice": {
      const [test, then, otherwise] = [prepare(node.test), prepare(node.then), prepare(node.otherwise)];
      return (env) => (test(env) ? then(env) : otherwise(env));
    }
    case "binary":
      return prepareBinary(node);
    case "extent": {
      const { type } = node;
      const read = `${type}.*`;
      return (env) => {
        env.reads?.add(read);
        return entityIdsOfType(env.world.entities, type);
      };
    }
    case "macro":
      return prepareMacro(node);
    case "call": {
      const args = node.args.map(prepare);
      return (env) =>
        observe(
          node,
          evaluateCall(
            node,
            args.map((arg) => arg(env)),
            env,
          ),
          env,
        );
    }
    case "alongside":
      return (env) => observe(node, env.alongside?.[node.capability] ?? 0, env);
  }
}

/** Keeps a part's value for the words of a refusal. */
function observe(node: Node, value: Value, env: Environment): Value {
  env.observed?.set(node.text, value);
  return value;
}

function prepareField(node: Extract<Node, { kind: "field" }>): Run {
  const { field, ranged, text } = node;
  const of = prepare(node.of);
  const read = ranged === undefined ? undefined : `${ranged}.*.${field}`;
  return (env) => {
    const id = of(env);
    if (typeof id !== "string") throw new Unevaluable(`${node.of.text} is null`);
    const entity = getEntity(env.world.entities, id);
    if (entity === undefined) throw new Unevaluable(`${node.of.text} is ${id}, which is no entity`);
    if (field === "type") return entity.type;
    if (field === "name") return entity.name;
    env.reads?.add(read ?? `${id}.${field}`);
    const value = valueOf(entity, field);
    if (value === undefined) throw new Unevaluable(`${id} has no field ${field}`);
    env.observed?.set(text, value);
    return value;
  };
}

/** CEL's `||` and `&&`: a side that decides stands, even where the other has no value. */
function prepareLogic(deciding: boolean, left: Run, right: Run): Run {
  return (env) => {
    let fault: Unevaluable | undefined;
    for (const side of [left, right]) {
      try {
        if (side(env) === deciding) return deciding;
      } catch (error) {
        if (!(error instanceof Unevaluable)) throw error;
        fault ??= error;
      }
    }
    if (fault) throw fault;
    return !deciding;
  };
}

function prepareBinary(node: Extract<Node, { kind: "binary" }>): Run {
  const { operator } = node;
  const [left, right] = [prepare(node.left), prepare(node.right)];
  switch (operator) {
    case "==":
      return (env) => isSame(left(env), right(env));
    case "!=":
      return (env) => !isSame(left(env), right(env));
    case "in":
      return (env) => {
        const item = left(env);
        return (right(env) as readonly Value[]).some((one) => isSame(one, item));
      };
    default: {
      const compute = numeric(operator, node.text);
      return (env) => {
        const [a, b] = [left(env), right(env)];
        if (operator === "+" && (typeof a === "string" || typeof b === "string")) return joined(node, a, b);
        if (typeof a !== "number" || typeof b !== "number") throw notNumbers(node, a, b);
        return compute(a, b);
      };
    }
  }
}

/** Texts one after the other. */
function joined(node: Extract<Node, { kind: "binary" }>, a: Value, b: Value): string {
  if (a === null || b === null)
    throw new Unevaluable(`${node.text}: ${(a === null ? node.left : node.right).text} is null`);
  const text = `${a as string | number}${b as string | number}`;
  if (text.length > LIMITS.textCharacters)
    throw new Unevaluable(`${node.text} is longer than ${LIMITS.textCharacters} characters`);
  return text;
}

function notNumbers(node: Extract<Node, { kind: "binary" }>, a: Value, b: Value): Unevaluable {
  const [value, side] = typeof a === "number" ? [b, node.right] : [a, node.left];
  return new Unevaluable(`${node.text}: ${side.text} is ${JSON.stringify(value)}, no number`);
}

function isSame(a: Value, b: Value): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && sameJson(a, b));
}

type NumericOperator = Exclude<BinaryOperator, "==" | "!=" | "in">;

function numeric(operator: NumericOperator, text: string): (a: number, b: number) => number | boolean {
  switch (operator) {
    case "+":
      return (a, b) => finite(a + b, text);
    case "-":
      return (a, b) => finite(a - b, text);
    case "*":
      return (a, b) => finite(a * b, text);
    case "/":
      return (a, b) => finite(a / nonZero(b, text), text);
    case "%":
      return (a, b) => finite(a % nonZero(b, text), text);
    case "<":
      return (a, b) => a < b;
    case "<=":
      return (a, b) => a <= b;
    case ">":
      return (a, b) => a > b;
    case ">=":
      return (a, b) => a >= b;
  }
}

function nonZero(value: number, text: string): number {
  if (value === 0) throw new Unevaluable(`${text} divides by 0`);
  return value;
}

function finite(value: number, text: string): number {
  if (!Number.isFinite(value)) throw new Unevaluable(`${text} is too large`);
  return value === 0 ? 0 : value;
}

/** List macros as CEL defines them: `exists` is an `||` over the list, `all` an `&&`. */
function prepareMacro(node: Extract<Node, { kind: "macro" }>): Run {
  const [range, body] = [prepare(node.range), prepare(node.body)];
  const { macro, variable } = node;
  return (env) => {
    const items = range(env) as readonly Value[];
    // One scope for all items: its value is read before the next item takes its place.
    const variables: Record<string, Value> = { ...env.variables };
    const inner: Environment = { ...env, variables };
    const evaluateFor = (item: Value): Value => {
      variables[variable] = item;
      return body(inner);
    };
    switch (macro) {
      case "map":
        return items.map(evaluateFor);
      case "filter":
        return items.filter(evaluateFor);
      case "exists_one":
        return items.filter(evaluateFor).length === 1;
      case "exists":
      case "all": {
        const deciding = macro === "exists";
        let fault: Unevaluable | undefined;
        for (const item of items) {
          try {
            if (evaluateFor(item) !== deciding) continue;
            if (!deciding) env.observed?.set(variable, item);
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
  };
}

function evaluateCall(node: Extract<Node, { kind: "call" }>, args: readonly Value[], env: Environment): Value {
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
    if ((holders += 1) > countEntities(env.world.entities))
      throw new Unevaluable(`${node.text}: ${x} is inside itself`);
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
