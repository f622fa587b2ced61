import type { CapabilityDraft, Param } from "./capability.ts";
import { compileEffect, type CompiledEffect, type Source } from "./compile-effect.ts";
import { CompileFault, expectType, fault, orFault } from "./compile-fault.ts";
import { succeed, suggest, type Result } from "./errors.ts";
import {
  BOOL,
  compileBool,
  compileExpression,
  evaluate,
  isConstant,
  mentionsOfExpressions,
  NUMBER,
  PLACE,
  TEXT,
  type CompiledExpression,
  type Mentions,
  type Scope,
  type StaticType,
} from "./expression/index.ts";
import { faultOfName, lookUp } from "./ids.ts";
import { DURATION_HINT, isDuration } from "./duration.ts";
import { LIMITS } from "./limits.ts";
import { getEntity } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { World } from "./world.ts";

/** A capability whose expressions are parsed, typed and found lawful, ready to be triggered. */
export interface CompiledCapability {
  readonly requires: readonly CompiledExpression[];
  readonly effects: readonly CompiledEffect[];
  readonly duration: Source;
  /** Every expression in it: their costs bound a trigger's. */
  readonly expressions: readonly CompiledExpression[];
  /** What it names: the types, entities and fields without which it would mean nothing. */
  readonly mentions: Mentions;
}

/** Parses, types and lints a capability against a world. The error's `path` says where: `requires[1].expr`. */
export function compileCapability(world: World, capability: CapabilityDraft): Result<CompiledCapability> {
  try {
    return succeed(compile(world, capability));
  } catch (error) {
    if (error instanceof CompileFault) return { ok: false, error: error.error };
    throw error;
  }
}

const compiledOf = new WeakMap<CapabilityDraft, CompiledCapability>();

/**
 * The compiled form of a capability that the world holds; compiled once, as soon as the world takes it in. A later
 * world may have lost what it names: it is not to be judged again there, or a replay would differ from the run.
 */
export function compiledCapability(world: World, capability: CapabilityDraft): Result<CompiledCapability> {
  const known = compiledOf.get(capability);
  if (known !== undefined) return succeed(known);
  const compiled = compileCapability(world, capability);
  if (compiled.ok) compiledOf.set(capability, compiled.value);
  return compiled;
}

function compile(world: World, capability: CapabilityDraft): CompiledCapability {
  const variables: Record<string, StaticType> = {};
  const names = Object.keys(capability.params);
  if (names.length > LIMITS.paramsPerCapability)
    fault("too_many_parameters", `${names.length} parameters`, "params", `at most ${LIMITS.paramsPerCapability}`);
  for (const name of names.sort()) variables[name] = typeOfParam(world, name, capability.params[name] as Param);
  const scope: Scope = { world, variables, mayReadClock: true, mayReadStep: true };
  const expressions: CompiledExpression[] = [];
  const keep = (expression: CompiledExpression) => {
    expressions.push(expression);
    return expression;
  };
  const requires = capability.requires.map((one, i) => {
    const path = `requires[${i}].expr`;
    return keep(refuseNeverMet(orFault(compileBool(one.expr, scope), path), world, path));
  });
  const effects = capability.effects.map((effect, i) => compileEffect(effect, scope, `effects[${i}]`, keep));
  const duration: Source =
    typeof capability.duration === "number"
      ? { kind: "literal", value: capability.duration }
      : {
          kind: "expr",
          expr: keep(
            expectType(orFault(compileExpression(capability.duration, scope), "duration"), NUMBER, "duration"),
          ),
        };
  if (duration.kind === "expr") refuseNeverLasting(duration.expr, world);
  return { requires, effects, duration, expressions, mentions: mentionsOf(capability, effects, expressions) };
}

/** A requirement that turns on nothing and does not hold never will. */
function refuseNeverMet(expression: CompiledExpression, world: World, path: string): CompiledExpression {
  if (!isConstant(expression)) return expression;
  const value = evaluate(expression, { world, variables: {} });
  if (value.ok && value.value === true) return expression;
  fault("expression_never_true", `${expression.text} is never true${value.ok ? "" : `: ${value.reason}`}`, path);
}

/** A duration that turns on nothing must be one. */
function refuseNeverLasting(expression: CompiledExpression, world: World): void {
  if (!isConstant(expression)) return;
  const ticks = evaluate(expression, { world, variables: {} });
  if (ticks.ok && isDuration(ticks.value)) return;
  fault(
    "bad_duration",
    `${expression.text} is ${ticks.ok ? show(ticks.value) : `no number: ${ticks.reason}`}`,
    "duration",
    DURATION_HINT,
  );
}

function typeOfParam(world: World, name: string, param: Param): StaticType {
  const path = `params.${name}`;
  if (getEntity(world.entities, name) !== undefined)
    fault("forbidden_id", `"${name}" is the id of an entity`, path, "give the parameter another name");
  if (Object.hasOwn(world.map.places, name))
    fault("forbidden_id", `"${name}" is the id of a place`, path, "give the parameter another name");
  const named = faultOfName(name);
  if (named !== undefined) fault("forbidden_id", named, path);
  if (param.kind === undefined) {
    if (param.values !== undefined) fault("invalid_value", `"values" belong to kind: enum`, path);
    if (param.type !== undefined && lookUp(world.types, param.type) === undefined) {
      const places = param.type === "place" || ["int", "number", "text", "bool", "enum"].includes(param.type);
      fault(
        "unknown_type",
        `there is no type "${param.type}"`,
        `${path}.type`,
        places ? `did you mean { "kind": "${param.type}" }?` : suggest(param.type, Object.keys(world.types)),
      );
    }
    return { kind: "entity", type: param.type, nullable: false };
  }
  if (param.type !== undefined)
    fault("invalid_value", "a parameter has a type (an entity) or a kind (a value), not both", path);
  if ((param.kind === "enum") !== (param.values !== undefined))
    fault("invalid_value", `kind: enum and "values" go together`, path);
  switch (param.kind) {
    case "bool":
      return BOOL;
    case "int":
      return { kind: "number", whole: true };
    case "number":
      return NUMBER;
    case "text":
      return TEXT;
    case "place":
      return PLACE;
    case "enum":
      return { kind: "enum", values: param.values as readonly string[] };
  }
}

function mentionsOf(
  capability: CapabilityDraft,
  effects: readonly CompiledEffect[],
  expressions: readonly CompiledExpression[],
): Mentions {
  const mentioned = mentionsOfExpressions(expressions);
  const types = new Set(mentioned.types);
  const ranges = new Set(mentioned.ranges);
  const entities = new Set(mentioned.entities);
  const fields = new Set(mentioned.fields);
  for (const param of Object.values(capability.params)) if (param.type !== undefined) types.add(param.type);
  for (const effect of effects) {
    if (effect.for !== undefined) {
      types.add(effect.for.each);
      ranges.add(effect.for.each);
    }
    if (effect.verb === "create") types.add(effect.type);
    const base = "target" in effect ? effect.target.base : "base" in effect ? effect.base : undefined;
    if (base?.kind === "entity") entities.add(base.name);
    if ("target" in effect) fields.add(effect.target.field);
    const source = "source" in effect ? effect.source : undefined;
    if (source?.kind === "literal" && typeof source.value === "string") entities.add(source.value);
  }
  return { types, ranges, entities, fields };
}
