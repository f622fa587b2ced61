import {
  compileBool,
  conjunctsOf,
  evaluate,
  mentionsOfExpressions,
  type CompiledExpression,
  type Mentions,
  type Value,
} from "./expression/index.ts";
import { refuse, succeed, type Result } from "./errors.ts";
import { pointwiseRuleOf, type PointwiseRule } from "./pointwise.ts";
import { getEntity, type EntityTable } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { Invariant, World } from "./world.ts";

export interface CompiledInvariant {
  readonly invariant: Invariant;
  readonly expression: CompiledExpression;
  readonly mentions: Mentions;
  /** What it asks of each entity by itself, where it asks nothing else. */
  readonly pointwise: readonly PointwiseRule[] | undefined;
}

const compiledOf = new WeakMap<Invariant, CompiledInvariant>();

export function compileInvariant(world: World, invariant: Invariant): Result<CompiledInvariant> {
  const known = compiledOf.get(invariant);
  if (known !== undefined) return succeed(known);
  const expression = compileBool(invariant.expr, { world, variables: {}, mayReadClock: false, mayReadStep: false });
  if (!expression.ok) return expression;
  const rules = conjunctsOf(expression.value).map(pointwiseRuleOf);
  const compiled = {
    invariant,
    expression: expression.value,
    mentions: mentionsOfExpressions([expression.value]),
    pointwise: rules.every((rule) => rule !== undefined) ? rules : undefined,
  };
  compiledOf.set(invariant, compiled);
  return succeed(compiled);
}

/** What a step changed, as far as invariants care. */
export interface Touched {
  readonly fields: ReadonlySet<string>;
  /** Entities came or went. */
  readonly population: boolean;
}

/** The invariants that a step may have broken: those that read a field it wrote. The others hold as they did. */
export function invariantsTouched(world: World, touched: Touched): readonly CompiledInvariant[] {
  return world.invariants.flatMap((invariant) => {
    const compiled = compileInvariant(world, invariant);
    if (!compiled.ok) throw new Error(`invariant ${invariant.expr}: ${compiled.error.message}`);
    const { mentions } = compiled.value;
    const isTouched = touched.population || [...mentions.fields].some((field) => touched.fields.has(field));
    return isTouched ? [compiled.value] : [];
  });
}

/** The invariants that are known to hold of some entities, because they were tried. */
const heldBy = new WeakMap<EntityTable, ReadonlySet<Invariant>>();

const NONE: ReadonlySet<Invariant> = new Set();

/**
 * Whether an invariant holds in `next`, which came of `before` by a step that wrote the entities `written`. One that asks
 * of each entity only what it holds itself, and held before, is asked of what was written; any other of the whole world.
 */
export function holdsAfter(
  before: World,
  next: World,
  { invariant, expression, pointwise }: CompiledInvariant,
  written: ReadonlySet<string>,
): boolean {
  if (pointwise === undefined || heldBy.get(before.entities)?.has(invariant) !== true)
    return isTrueIn(next, expression, {});
  for (const id of written) {
    const type = getEntity(next.entities, id)?.type;
    for (const rule of pointwise)
      if (rule.type === type && !isTrueIn(next, rule.body, { [rule.variable]: id })) return false;
  }
  return true;
}

/** Remembers that `tried` hold in `next`, and that what held before and was not touched holds as it did. */
export function rememberHolding(before: World, next: World, tried: readonly CompiledInvariant[]): void {
  const held = heldBy.get(before.entities) ?? NONE;
  const fresh = tried.filter(({ invariant, pointwise }) => pointwise !== undefined && !held.has(invariant));
  heldBy.set(next.entities, fresh.length === 0 ? held : new Set([...held, ...fresh.map(({ invariant }) => invariant)]));
}

function isTrueIn(world: World, expression: CompiledExpression, variables: Readonly<Record<string, Value>>): boolean {
  const holds = evaluate(expression, { world, variables });
  return holds.ok && holds.value === true;
}

/** The first of `invariants` that does not hold in `world`, as an error. */
export function brokenInvariant(world: World, invariants: readonly CompiledInvariant[]): Result<undefined> {
  for (const { invariant, expression } of invariants) {
    const observed = new Map<string, Value>();
    const holds = evaluate(expression, { world, variables: {}, observed });
    if (holds.ok && holds.value === true) continue;
    const values = [...observed].slice(-6).map(([text, value]) => `; ${text} = ${show(value)}`);
    const rule = invariant.says === "" ? invariant.expr : `${invariant.says} (${invariant.expr})`;
    return refuse(
      "invariant_broken",
      `after this step a rule of the world would not hold: ${rule}${holds.ok ? "" : `; ${holds.reason}`}${values.join("")}`,
    );
  }
  return succeed(undefined);
}
