import { EFFECT_VERBS, type CapabilityDraft, type Effect, type EffectVerb, type Param } from "./capability.ts";
import { compareText } from "./canonical.ts";
import { refuse, succeed, suggest, type Result, type ToolError } from "./errors.ts";
import {
  compileBool,
  compileExpression,
  describeType,
  faultOfEquality,
  HOLDER,
  mentionsOfExpressions,
  NUMBER,
  PLACE,
  TEXT,
  typeOfEntityField,
  BOOL,
  type CompiledExpression,
  type Mentions,
  type Scope,
  type StaticType,
} from "./expression/index.ts";
import type { FieldValue } from "./field.ts";
import { faultOfName, lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { getEntity } from "./state.ts";
import { checkAt, checkFieldValue } from "./value-check.ts";
import type { World } from "./world.ts";

/** What an effect writes to: a field of a parameter, of `it`, or of an entity named by its id. */
export interface Target {
  readonly base: { readonly kind: "param" | "it" | "entity"; readonly name: string };
  readonly field: string;
  readonly text: string;
}

/** A value that is stated or computed. */
export type Source =
  | { readonly kind: "literal"; readonly value: FieldValue }
  | { readonly kind: "expr"; readonly expr: CompiledExpression };

export type CompiledEffect = {
  readonly for?: { readonly each: string; readonly where?: CompiledExpression };
} & (
  | { readonly verb: "set" | "insert" | "remove"; readonly target: Target; readonly source: Source }
  | { readonly verb: "add"; readonly target: Target; readonly by: Source }
  | {
      readonly verb: "create";
      readonly type: string;
      readonly id: Source;
      readonly name: string;
      readonly at: Source;
      readonly fields: Readonly<Record<string, Source>>;
    }
  | { readonly verb: "destroy"; readonly base: Target["base"] }
  | { readonly verb: "claim"; readonly target: Target }
);

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

/** Carries the first fault out of the compiler; caught at its edge. */
class Fault extends Error {
  readonly error: ToolError;
  constructor(error: ToolError, path: string) {
    super(error.message);
    this.error = { ...error, path: error.path === undefined ? path : `${path}.${error.path}` };
  }
}

function orFault<T>(result: Result<T>, path: string): T {
  if (result.ok) return result.value;
  throw new Fault(result.error, path);
}

function fault(code: ToolError["code"], message: string, path: string, hint?: string): never {
  const refused = refuse(code, message, { hint });
  throw new Fault(refused.error, path);
}

/** Parses, types and lints a capability against a world. The error's `path` says where: `requires[1].expr`. */
export function compileCapability(world: World, capability: CapabilityDraft): Result<CompiledCapability> {
  try {
    return succeed(compile(world, capability));
  } catch (error) {
    if (error instanceof Fault) return { ok: false, error: error.error };
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
    fault("invalid_value", `${names.length} parameters`, "params", `at most ${LIMITS.paramsPerCapability}`);
  for (const name of names.sort()) variables[name] = typeOfParam(world, name, capability.params[name] as Param);
  const scope: Scope = { world, variables, mayReadClock: true, mayReadStep: true };
  const expressions: CompiledExpression[] = [];
  const keep = (expression: CompiledExpression) => {
    expressions.push(expression);
    return expression;
  };
  const requires = capability.requires.map((one, i) =>
    keep(orFault(compileBool(one.expr, scope), `requires[${i}].expr`)),
  );
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
  return { requires, effects, duration, expressions, mentions: mentionsOf(capability, effects, expressions) };
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

type Keep = (expression: CompiledExpression) => CompiledExpression;

const PARTS: Readonly<Record<EffectVerb, readonly string[]>> = {
  set: ["value", "expr"],
  add: ["by"],
  insert: ["value", "expr"],
  remove: ["value", "expr"],
  create: ["id", "name", "at", "fields"],
  destroy: [],
  claim: [],
};

function compileEffect(effect: Effect, outer: Scope, path: string, keep: Keep): CompiledEffect {
  const verbs = EFFECT_VERBS.filter((verb) => effect[verb] !== undefined);
  const [verb] = verbs;
  if (verb === undefined || verbs.length > 1) {
    fault(
      "invalid_value",
      `an effect has exactly one of ${EFFECT_VERBS.join(", ")}; this one has ${verbs.length === 0 ? "none" : verbs.join(" and ")}`,
      path,
      '{ "set": "who.at", "expr": "to" }',
    );
  }
  for (const key of Object.keys(effect).sort(compareText)) {
    if (key !== verb && key !== "for" && !PARTS[verb].includes(key)) {
      fault("unknown_key", `${verb} takes no "${key}"`, path, `${verb} takes ${[...PARTS[verb], "for"].join(", ")}`);
    }
  }
  const scope = effect.for === undefined ? outer : scopeOfFor(effect.for.each, outer, path);
  const where = effect.for?.where;
  const compiledFor =
    effect.for === undefined
      ? {}
      : {
          for: {
            each: effect.for.each,
            ...(where === undefined ? {} : { where: keep(orFault(compileBool(where, scope), `${path}.for.where`)) }),
          },
        };
  switch (verb) {
    case "set":
    case "insert":
    case "remove": {
      const { target, type } = compileTarget(effect[verb] as string, scope, `${path}.${verb}`);
      if (verb !== "set" && type.kind !== "list")
        fault("expression_type", `${target.text} is ${describeType(type)}; ${verb} needs a refs field`, path);
      const expected = verb === "set" ? type : ((type as Extract<StaticType, { kind: "list" }>).of as StaticType);
      return { ...compiledFor, verb, target, source: compileSource(effect, expected, scope, path, keep, target) };
    }
    case "add": {
      const { target, type } = compileTarget(effect.add as string, scope, `${path}.add`);
      if (type.kind !== "number")
        fault("expression_type", `${target.text} is ${describeType(type)}; add needs a number`, path);
      if (effect.by === undefined) fault("missing_key", `add needs "by"`, path, '{ "add": "jug.litres", "by": -1 }');
      const by = effect.by;
      return {
        ...compiledFor,
        verb,
        target,
        by:
          typeof by === "number"
            ? { kind: "literal", value: by }
            : {
                kind: "expr",
                expr: keep(expectType(orFault(compileExpression(by, scope), `${path}.by`), NUMBER, `${path}.by`)),
              },
      };
    }
    case "create":
      return { ...compiledFor, ...compileCreate(effect, scope, path, keep) };
    case "destroy":
      return { ...compiledFor, verb, base: compileBase(effect.destroy as string, scope, `${path}.destroy`).base };
    case "claim":
      return { ...compiledFor, verb, target: compileTarget(effect.claim as string, scope, `${path}.claim`).target };
  }
}

function scopeOfFor(each: string, scope: Scope, path: string): Scope {
  if (lookUp(scope.world.types, each) === undefined) {
    fault(
      "unknown_type",
      `there is no type "${each}"`,
      `${path}.for.each`,
      suggest(each, Object.keys(scope.world.types)),
    );
  }
  return {
    ...scope,
    variables: { ...scope.variables, it: { kind: "entity", type: each, nullable: false, ranged: true } },
  };
}

function compileCreate(
  effect: Effect,
  scope: Scope,
  path: string,
  keep: Keep,
): Extract<CompiledEffect, { verb: "create" }> {
  const typeId = effect.create as string;
  const type = lookUp(scope.world.types, typeId);
  if (type === undefined)
    fault(
      "unknown_type",
      `there is no type "${typeId}"`,
      `${path}.create`,
      suggest(typeId, Object.keys(scope.world.types)),
    );
  if (effect.id === undefined)
    fault("missing_key", `create needs "id"`, path, '{ "create": "crate", "id": "crate_2", "at": "who.at" }');
  const id: Source =
    typeof effect.id === "string"
      ? { kind: "literal", value: effect.id }
      : {
          kind: "expr",
          expr: keep(
            expectType(orFault(compileExpression(effect.id.expr, scope), `${path}.id.expr`), TEXT, `${path}.id.expr`),
          ),
        };
  const at: Source =
    effect.at === undefined || effect.at === null
      ? { kind: "literal", value: null }
      : {
          kind: "expr",
          expr: keep(expectType(orFault(compileExpression(effect.at, scope), `${path}.at`), HOLDER, `${path}.at`)),
        };
  const fields: Record<string, Source> = {};
  for (const [name, given] of Object.entries(effect.fields ?? {}).sort(([a], [b]) => compareText(a, b))) {
    const inner = `${path}.fields.${name}`;
    const field = lookUp(type.fields, name);
    if (field === undefined)
      fault("unknown_field", `type ${typeId} has no field "${name}"`, inner, suggest(name, Object.keys(type.fields)));
    if (typeof given === "object" && given !== null && !Array.isArray(given)) {
      const expected = typeOfEntityField(scope.world, typeId, name) as StaticType;
      fields[name] = {
        kind: "expr",
        expr: keep(
          expectType(orFault(compileExpression(given.expr, scope), `${inner}.expr`), expected, `${inner}.expr`),
        ),
      };
    } else {
      fields[name] = { kind: "literal", value: orFault(checkFieldValue(scope.world, field, given), inner) };
    }
  }
  return { verb: "create", type: typeId, id, name: effect.name ?? "", at, fields };
}

function compileBase(text: string, scope: Scope, path: string): { base: Target["base"]; type: string | undefined } {
  const variable = lookUp(scope.variables, text);
  if (variable?.kind === "entity")
    return { base: { kind: text === "it" ? "it" : "param", name: text }, type: variable.type };
  const entity = getEntity(scope.world.entities, text);
  if (entity !== undefined) return { base: { kind: "entity", name: text }, type: entity.type };
  if (text === "it") fault("expression_unknown_name", `"it" means something only with "for"`, path);
  if (variable !== undefined) fault("expression_type", `parameter "${text}" is a value, not an entity`, path);
  fault(
    "expression_unknown_name",
    `"${text}" is no parameter and no entity`,
    path,
    suggest(text, [...Object.keys(scope.variables), ...scope.world.entities.ids]),
  );
}

function compileTarget(text: string, scope: Scope, path: string): { target: Target; type: StaticType } {
  const match = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/.exec(text);
  if (match === null)
    fault("invalid_value", `"${text}" is no target`, path, "parameter.field, it.field or entity_id.field");
  const [, name = "", field = ""] = match;
  const { base, type } = compileBase(name, scope, path);
  if (field === "name" || field === "type" || field === "id")
    fault("unknown_field", `no step changes ${text}`, path, "steps change fields and at");
  const fieldType = typeOfEntityField(scope.world, type, field);
  if (fieldType === undefined) {
    const known =
      type === undefined
        ? Object.values(scope.world.types).flatMap((one) => Object.keys(one.fields))
        : Object.keys(lookUp(scope.world.types, type)?.fields ?? {});
    fault(
      "unknown_field",
      `${type === undefined ? "no type" : `type ${type}`} has no field "${field}"`,
      path,
      suggest(field, ["at", ...known]),
    );
  }
  return { target: { base, field, text }, type: fieldType };
}

function compileSource(
  effect: Effect,
  expected: StaticType,
  scope: Scope,
  path: string,
  keep: Keep,
  target: Target,
): Source {
  if ((effect.value === undefined) === (effect.expr === undefined)) {
    fault(
      "invalid_value",
      `${target.text} needs either "value" (a literal) or "expr" (an expression)`,
      path,
      '{ "set": "gate.open", "value": true } or { "set": "who.at", "expr": "to" }',
    );
  }
  if (effect.expr !== undefined) {
    const compiled = orFault(compileExpression(effect.expr, scope), `${path}.expr`);
    return { kind: "expr", expr: keep(expectType(compiled, expected, `${path}.expr`)) };
  }
  return {
    kind: "literal",
    value: orFault(checkLiteral(scope.world, expected, effect.value as FieldValue, scope, target), `${path}.value`),
  };
}

/** Checks a literal against what the target holds; where the target's type is open, as far as it is known. */
function checkLiteral(
  world: World,
  expected: StaticType,
  value: FieldValue,
  scope: Scope,
  target: Target,
): Result<FieldValue> {
  if (target.field === "at") return literalHint(checkAt(world, value), value, scope);
  const base = lookUp(scope.variables, target.base.name);
  const typeId =
    target.base.kind === "entity"
      ? getEntity(world.entities, target.base.name)?.type
      : base?.kind === "entity"
        ? base.type
        : undefined;
  const field = typeId === undefined ? undefined : lookUp(lookUp(world.types, typeId)?.fields ?? {}, target.field);
  if (field !== undefined && expected.kind === "entity" && field.kind === "refs") {
    return literalHint(checkFieldValue(world, { kind: "ref", of: field.of, default: null }, value), value, scope);
  }
  return field === undefined ? succeed(value) : literalHint(checkFieldValue(world, field, value), value, scope);
}

function literalHint(result: Result<FieldValue>, value: FieldValue, scope: Scope): Result<FieldValue> {
  if (result.ok || typeof value !== "string" || !Object.hasOwn(scope.variables, value)) return result;
  return { ok: false, error: { ...result.error, hint: `"${value}" is a parameter: write "expr": "${value}"` } };
}

/** Refuses an expression whose values the target could never hold. */
function expectType(compiled: CompiledExpression, expected: StaticType, path: string): CompiledExpression {
  const { type } = compiled;
  const never = () =>
    fault(
      "expression_type",
      `${compiled.text} is ${describeType(type)}, but ${describeType(expected)} is needed`,
      path,
      type.kind === "text" && type.literal !== undefined ? "ids stand without quotes" : undefined,
    );
  if (expected.kind === "holder") {
    if (!["place", "entity", "holder", "null"].includes(type.kind)) never();
  } else if (expected.kind === "text") {
    if (type.kind !== "text" && type.kind !== "enum") never();
  } else if (expected.kind === "entity" && type.kind === "null") {
    if (!expected.nullable) never();
  } else if (expected.kind === "place" && type.kind === "null") {
    never();
  } else if (faultOfEquality(type, expected) !== undefined) {
    never();
  }
  return compiled;
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
