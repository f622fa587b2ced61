/** What one trigger does, taken by itself: its requirements, its duration, the operations of its effects. */
import { operationsOf, type Operation } from "./effects.ts";
import { DURATION_HINT, isDuration } from "./duration.ts";
import { refuse, succeed, type Result, type ToolError } from "./errors.ts";
import {
  conjunctsOf,
  costOf,
  evaluate,
  type CompiledExpression,
  type Containment,
  type Environment,
  type Value,
} from "./expression/index.ts";
import type { CompiledCapability } from "./compile-capability.ts";
import type { CompiledEffect } from "./compile-effect.ts";
import type { ResolvedTrigger } from "./resolve.ts";
import { countOfType } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { World } from "./world.ts";

/** How many other triggers of the step use each capability. */
export type Alongside = Readonly<Record<string, number>>;

export interface TriggerOutcome {
  readonly duration: number;
  readonly operations: readonly Operation[];
  /** Every path that was looked at, sorted. */
  readonly reads: readonly string[];
  /** Requirements that did not hold, by position and part; none unless they were stripped. */
  readonly unmet: readonly string[];
}

export interface TriggerOptions {
  readonly alongside: Alongside;
  /** Requirements are still evaluated for what they read, they only never refuse (mutants of admission). */
  readonly stripped?: boolean;
}

/** What one change takes, from its effect to its line in the log, in nodes of an expression. */
const NODES_PER_CHANGE = 20;

/** An upper bound of the work a trigger may cause, before any of it is done. */
export function costOfTrigger(
  world: World,
  { compiled }: { readonly compiled: Pick<CompiledCapability, "effects" | "expressions"> },
  containment?: Containment,
): number {
  return costOfRule(world, compiled, containment, NODES_PER_CHANGE);
}

/**
 * As costOfTrigger, of anything that has effects; `expressions` are all of the rule's, those of its effects among them.
 * Each change its effects may make counts as `perChange` nodes.
 */
export function costOfRule(
  world: World,
  rule: { readonly effects: readonly CompiledEffect[]; readonly expressions: readonly CompiledExpression[] },
  containment?: Containment,
  perChange = 1,
): number {
  const ranged = new Map<CompiledExpression, number>();
  let effects = 0;
  for (const effect of rule.effects) {
    const size = effect.for === undefined ? 1 : countOfType(world.entities, effect.for.each);
    effects += size * perChange;
    if (effect.for?.where !== undefined) ranged.set(effect.for.where, size);
    const sources =
      "source" in effect
        ? [effect.source]
        : "by" in effect
          ? [effect.by]
          : effect.verb === "create"
            ? [effect.id, effect.at, ...Object.values(effect.fields)]
            : [];
    for (const source of sources) if (source.kind === "expr") ranged.set(source.expr, size);
  }
  return rule.expressions.reduce(
    (sum, expression) => sum + (ranged.get(expression) ?? 1) * costOf(expression.root, world, containment),
    effects,
  );
}

/** Evaluates one resolved trigger against the state before the step. */
export function evaluateTrigger(
  world: World,
  resolved: ResolvedTrigger,
  options: TriggerOptions,
): Result<TriggerOutcome, ToolError & { readonly reads?: readonly string[] }> {
  const reads = new Set<string>();
  const unmet: string[] = [];
  const env: Environment = { world, variables: resolved.args, alongside: options.alongside, reads };
  for (const [i, expression] of resolved.compiled.requires.entries()) {
    const met = evaluate(expression, env);
    if (met.ok && met.value === true) continue;
    if (options.stripped === true) {
      unmet.push(...unmetParts(expression, env).map((part) => `${i}.${part}`));
      continue;
    }
    const error = refusalOf(resolved, i, expression, env, met.ok ? undefined : met.reason);
    return { ok: false, error: { ...error, reads: [...reads].sort() } };
  }
  const duration = durationOf(resolved, env);
  if (!duration.ok) return duration;
  const operations = operationsOf(resolved.compiled.effects, env);
  if (!operations.ok) return operations;
  return succeed({ duration: duration.value, operations: operations.value, reads: [...reads].sort(), unmet });
}

/** The parts of a requirement, joined by &&, that do not hold: `a && b` says the same as two requirements. */
function unmetParts(expression: CompiledExpression, env: Environment): readonly number[] {
  return conjunctsOf(expression).flatMap((part, i) => {
    const met = evaluate(part, env);
    return met.ok && met.value === true ? [] : [i];
  });
}

function refusalOf(
  resolved: ResolvedTrigger,
  index: number,
  expression: CompiledExpression,
  env: Environment,
  reason: string | undefined,
): ToolError {
  const observed = new Map<string, Value>();
  evaluate(expression, { ...env, observed });
  const values = [...observed].slice(0, 6).map(([text, value]) => `${text} = ${show(value)}`);
  const bound = Object.entries(resolved.args).map(([name, value]) => `${name} = ${show(value)}`);
  const says = resolved.capability.requires[index]?.says;
  const rule = says === undefined || says === "" ? "" : ` (${says})`;
  const what = reason === undefined ? "is false" : `cannot be evaluated: ${reason}`;
  const because = [...(bound.length > 0 ? [`with ${bound.join(", ")}`] : []), ...values].join("; ");
  const found = refuse(
    "requirement_not_met",
    `requirement not met: ${expression.text} ${what}${rule}${because === "" ? "" : `; ${because}`}`,
    {
      path: `requires[${index}]`,
    },
  );
  return found.error;
}

function durationOf(resolved: ResolvedTrigger, env: Environment): Result<number> {
  const { duration } = resolved.compiled;
  if (duration.kind === "literal") return succeed(duration.value as number);
  const ticks = evaluate(duration.expr, env);
  if (!ticks.ok)
    return refuse("bad_duration", `the duration ${duration.expr.text} cannot be evaluated: ${ticks.reason}`);
  if (isDuration(ticks.value)) return succeed(ticks.value);
  return refuse("bad_duration", `the duration ${duration.expr.text} is ${show(ticks.value)}`, { hint: DURATION_HINT });
}

/** How many triggers of a step use each capability, the one at `position` left out. */
export function alongsideOf(triggers: readonly { readonly capability: string }[], position: number): Alongside {
  const counts: Record<string, number> = {};
  triggers.forEach((trigger, i) => {
    if (i !== position) counts[trigger.capability] = (counts[trigger.capability] ?? 0) + 1;
  });
  return counts;
}
