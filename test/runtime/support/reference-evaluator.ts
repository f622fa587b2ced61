/**
 * Expressions evaluated a second time, as plainly as can be: every node is visited, counted, and given its meaning from
 * the language's description. Slow, without memory, with nothing of the engine's evaluator.
 */
import type { Node } from "../../../src/runtime/expression/index.ts";
import { entityIdsOfType, getEntity } from "../../../src/runtime/state/index.ts";
import { isLinked, travelTicks } from "../../../src/runtime/travel.ts";
import type { World } from "../../../src/runtime/world.ts";

export interface Reference {
  /** The value; undefined where there is none. */
  readonly value: unknown;
  /** Nodes visited, holders climbed, and elements of lists that were compared. */
  readonly work: number;
  readonly reads: ReadonlySet<string>;
}

const NONE = Symbol("no value");

export function evaluateSlowly(root: Node, world: World, variables: Readonly<Record<string, unknown>>): Reference {
  const reads = new Set<string>();
  let work = 0;
  const must = (value: unknown): unknown => {
    if (value === NONE) throw NONE;
    return value;
  };
  const attempt = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (error) {
      if (error !== NONE) throw error;
      return NONE;
    }
  };
  const entityOf = (id: unknown) => getEntity(world.entities, must(typeof id === "string" ? id : NONE) as string);
  const same = (a: unknown, b: unknown): boolean => {
    if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
    work += a === b ? 0 : 1;
    return a.length === b.length && a.every((one, i) => same(one, b[i]));
  };
  const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value + 0 : NONE);
  const place = (value: unknown) =>
    must(typeof value === "string" && value in world.map.places ? value : NONE) as string;

  const visit = (node: Node, scope: Readonly<Record<string, unknown>>): unknown => {
    work += 1;
    const go = (inner: Node) => visit(inner, scope);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "entity":
        return must(getEntity(world.entities, node.id) === undefined ? NONE : node.id);
      case "variable":
        return must(node.name in scope ? scope[node.name] : NONE);
      case "clock":
        reads.add("clock");
        return world.clock;
      case "field": {
        const entity = entityOf(go(node.of));
        if (entity === undefined) return must(NONE);
        if (node.field === "type") return entity.type;
        if (node.field === "name") return entity.name;
        reads.add(`${node.ranged === undefined ? entity.id : `${node.ranged}.*`}.${node.field}`);
        return node.field === "at" ? entity.at : must(node.field in entity.fields ? entity.fields[node.field] : NONE);
      }
      case "member":
        throw new Error("no records here");
      case "list":
        return node.items.map(go);
      case "not":
        return go(node.operand) !== true;
      case "negate":
        return number(-(go(node.operand) as number));
      case "and":
      case "or": {
        const sides: unknown[] = [];
        for (const side of [node.left, node.right]) {
          sides.push(attempt(() => go(side)));
          if (sides.at(-1) === (node.kind === "or")) return node.kind === "or";
        }
        sides.forEach(must);
        return node.kind === "and";
      }
      case "choice":
        return go(node.test) === true ? go(node.then) : go(node.otherwise);
      case "binary": {
        const [a, b] = [go(node.left), go(node.right)];
        switch (node.operator) {
          case "==":
            return same(a, b);
          case "!=":
            return !same(a, b);
          case "in":
            return (b as unknown[]).some((one) => same(one, a));
          default:
            return must(computed(node.operator, a, b));
        }
      }
      case "extent":
        reads.add(`${node.type}.*`);
        return entityIdsOfType(world.entities, node.type);
      case "macro": {
        const items = go(node.range) as readonly unknown[];
        const body = (item: unknown) => visit(node.body, { ...scope, [node.variable]: item });
        if (node.macro === "map") return items.map(body);
        if (node.macro === "filter") return items.filter((item) => body(item) === true);
        if (node.macro === "exists_one") return items.filter((item) => body(item) === true).length === 1;
        const found: unknown[] = [];
        for (const item of items) {
          found.push(attempt(() => body(item)));
          if (found.at(-1) === (node.macro === "exists")) return node.macro === "exists";
        }
        found.forEach(must);
        return node.macro === "all";
      }
      case "alongside":
        return 0;
      case "call": {
        const [a, b, c] = node.args.map(go);
        switch (node.name) {
          case "entity":
            return must(entityOf(a) === undefined ? NONE : a);
          case "count":
            return (a as unknown[]).length;
          case "linked":
            return isLinked(world.map, place(a), place(b));
          case "travelTicks":
            return must(travelTicks(world.map, place(a), place(b)) ?? NONE);
          case "inside": {
            let holder = entityOf(a);
            if (holder === undefined || typeof b !== "string") return must(NONE);
            for (; holder !== undefined; holder = getEntity(world.entities, holder.at ?? "")) {
              work += 1;
              reads.add(`${holder.id}.at`);
              if (holder.at === b) return true;
            }
            return false;
          }
          case "abs":
            return Math.abs(a as number);
          case "clamp":
            return Math.min(Math.max(a as number, b as number), c as number);
          default: {
            const of = (
              Array.isArray(a) ? a : node.args.length === 1 ? [a] : node.args.map((arg) => ((work -= 1), go(arg)))
            ) as number[];
            return must(of.length === 0 ? NONE : Math[node.name](...of));
          }
        }
      }
    }
  };
  const computed = (operator: string, a: unknown, b: unknown): unknown => {
    if (operator === "+" && (typeof a === "string" || typeof b === "string"))
      return a === null || b === null ? NONE : joined(`${a as string | number}${b as string | number}`);
    if (typeof a !== "number" || typeof b !== "number") return NONE;
    switch (operator) {
      case "+":
        return number(a + b);
      case "-":
        return number(a - b);
      case "*":
        return number(a * b);
      case "/":
        return b === 0 ? NONE : number(a / b);
      case "%":
        return b === 0 ? NONE : number(a % b);
      case "<":
        return a < b;
      case "<=":
        return a <= b;
      case ">":
        return a > b;
      default:
        return a >= b;
    }
  };
  const joined = (text: string) => (text.length > 1_000 ? NONE : text);
  const value = attempt(() => visit(root, variables));
  return { value: value === NONE ? undefined : value, work, reads };
}
