import {
  compileBool,
  evaluate,
  mentionsOfExpressions,
  type CompiledExpression,
  type Mentions,
  type Value,
} from "./expression/index.ts";
import { refuse, succeed, type Result } from "./errors.ts";
import { show } from "./value-check.ts";
import type { Invariant, World } from "./world.ts";

export interface CompiledInvariant {
  readonly invariant: Invariant;
  readonly expression: CompiledExpression;
  readonly mentions: Mentions;
}

const compiledOf = new WeakMap<Invariant, CompiledInvariant>();

export function compileInvariant(world: World, invariant: Invariant): Result<CompiledInvariant> {
  const known = compiledOf.get(invariant);
  if (known !== undefined) return succeed(known);
  const expression = compileBool(invariant.expr, { world, variables: {}, mayReadClock: false, mayReadStep: false });
  if (!expression.ok) return expression;
  const compiled = { invariant, expression: expression.value, mentions: mentionsOfExpressions([expression.value]) };
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
