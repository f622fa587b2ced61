import { compareText } from "./canonical.ts";
import type { CompiledEffect, Source, Target } from "./compile-effect.ts";
import { refuse, succeed, type Result } from "./errors.ts";
import { evaluate, type Environment, type Value } from "./expression/index.ts";
import type { Field, FieldValue } from "./field.ts";
import { faultOfName, lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { roundTo } from "./number.ts";
import { entityIdsOfType, getEntity } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { EntityDraft, World } from "./world.ts";

/** One elementary change that one effect asks for, computed against the state before the step. */
export type Operation =
  | { readonly kind: "set"; readonly id: string; readonly field: string; readonly value: FieldValue }
  | { readonly kind: "add"; readonly id: string; readonly field: string; readonly by: number }
  | { readonly kind: "insert" | "remove"; readonly id: string; readonly field: string; readonly member: string }
  | { readonly kind: "create"; readonly id: string; readonly draft: EntityDraft }
  | { readonly kind: "destroy"; readonly id: string }
  | { readonly kind: "claim"; readonly id: string; readonly field: string };

/** Carries the first fault of an effect to the edge of this file. */
class EffectFault extends Error {
  readonly result: ReturnType<typeof refuse>;
  constructor(result: ReturnType<typeof refuse>) {
    super(result.error.message);
    this.result = result;
  }
}

function fail(code: Parameters<typeof refuse>[0], message: string, hint?: string): never {
  throw new EffectFault(refuse(code, message, { hint }));
}

/** The operations of a trigger's effects. `env` holds its arguments; what is looked at is added to `env.reads`. */
export function operationsOf(effects: readonly CompiledEffect[], env: Environment): Result<readonly Operation[]> {
  try {
    return succeed(effects.flatMap((effect) => operationsOfEffect(effect, env)));
  } catch (error) {
    if (error instanceof EffectFault) return error.result;
    throw error;
  }
}

function operationsOfEffect(effect: CompiledEffect, env: Environment): readonly Operation[] {
  if (effect.for === undefined) return [operationOf(effect, env)];
  const { each, where } = effect.for;
  env.reads?.add(`${each}.*`);
  const operations: Operation[] = [];
  for (const it of entityIdsOfType(env.world.entities, each)) {
    const inner = { ...env, variables: { ...env.variables, it } };
    if (where !== undefined) {
      const matches = evaluate(where, inner);
      if (!matches.ok) fail("effect_failed", `where ${where.text} cannot be evaluated for ${it}: ${matches.reason}`);
      if (matches.value !== true) continue;
    }
    if (operations.length >= LIMITS.matchesPerFor)
      fail("too_many_matches", `more than ${LIMITS.matchesPerFor} entities of type ${each} match`);
    operations.push(operationOf(effect, inner));
  }
  return operations;
}

function operationOf(effect: CompiledEffect, env: Environment): Operation {
  switch (effect.verb) {
    case "set": {
      const { id, field, spec } = locate(effect.target, env);
      return { kind: "set", id, field, value: tidy(spec, valueOfSource(effect.source, env)) };
    }
    case "add": {
      const { id, field, spec } = locate(effect.target, env);
      if (spec?.kind !== "int" && spec?.kind !== "number") fail("effect_failed", `${id}.${field} is no number`);
      env.reads?.add(`${id}.${field}`);
      const by = valueOfSource(effect.by, env);
      if (typeof by !== "number") fail("effect_failed", `${effect.target.text} cannot be raised by ${show(by)}`);
      return { kind: "add", id, field, by: spec.kind === "int" ? by : roundTo(by, spec.digits) };
    }
    case "insert":
    case "remove": {
      const { id, field } = locate(effect.target, env);
      const member = valueOfSource(effect.source, env);
      if (typeof member !== "string") fail("effect_failed", `${show(member)} is no member of ${id}.${field}`);
      return { kind: effect.verb, id, field, member };
    }
    case "claim": {
      const { id, field } = locate(effect.target, env);
      return { kind: "claim", id, field };
    }
    case "destroy":
      return { kind: "destroy", id: baseOf(effect.base, env) };
    case "create": {
      const id = valueOfSource(effect.id, env);
      const fault = typeof id === "string" ? faultOfName(id) : `${show(id)} is no id`;
      if (typeof id !== "string" || fault !== undefined) fail("forbidden_id", `the new entity: ${fault}`);
      const at = valueOfSource(effect.at, env) as string | null;
      const fields = Object.fromEntries(
        Object.entries(effect.fields).map(([name, source]) => [
          name,
          valueOfSource(source, env) as EntityDraft["fields"][string],
        ]),
      );
      return { kind: "create", id, draft: { id, type: effect.type, name: effect.name, at, fields } };
    }
  }
}

/** A value as its field would keep it, so that equal values look equal when effects are merged. */
function tidy(spec: Field | undefined, value: FieldValue): FieldValue {
  if (spec?.kind === "refs" && Array.isArray(value)) return asSet(value as readonly string[]);
  if (typeof value !== "number") return value;
  return spec?.kind === "number" ? roundTo(value, spec.digits) : value + 0;
}

/** A list as a sorted set; one that is sorted already is not copied. */
function asSet(list: readonly string[]): readonly string[] {
  const isSet = list.every((member, i) => i === 0 || compareText(list[i - 1] as string, member) < 0);
  return isSet ? list : [...new Set(list)].sort(compareText);
}

function locate(target: Target, env: Environment): { id: string; field: string; spec: Field | undefined } {
  const id = baseOf(target.base, env);
  const entity = getEntity(env.world.entities, id);
  if (entity === undefined) fail("effect_failed", `${target.text}: there is no entity ${id}`);
  if (target.field === "at") return { id, field: "at", spec: undefined };
  const spec = fieldOf(env.world, entity.type, target.field);
  if (spec === undefined)
    fail("effect_failed", `${target.text}: ${id} is of type ${entity.type}, which has no field "${target.field}"`);
  return { id, field: target.field, spec };
}

export function fieldOf(world: World, type: string, field: string): Field | undefined {
  return lookUp(lookUp(world.types, type)?.fields ?? {}, field);
}

function baseOf(base: Target["base"], env: Environment): string {
  if (base.kind === "entity") return base.name;
  const id = env.variables[base.name];
  if (typeof id !== "string") fail("effect_failed", `${base.name} is no entity`);
  return id;
}

function valueOfSource(source: Source, env: Environment): FieldValue {
  if (source.kind === "literal") return source.value;
  const evaluation = evaluate(source.expr, env);
  if (!evaluation.ok) fail("effect_failed", `${source.expr.text} cannot be evaluated: ${evaluation.reason}`);
  return evaluation.value as FieldValue & Value;
}
