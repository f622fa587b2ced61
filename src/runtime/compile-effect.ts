import { EFFECT_VERBS, type Effect, type EffectVerb } from "./capability.ts";
import { compareText } from "./canonical.ts";
import { expectType, fault, orFault } from "./compile-fault.ts";
import { succeed, suggest, type Result } from "./errors.ts";
import {
  compileBool,
  compileExpression,
  describeType,
  HOLDER,
  NUMBER,
  TEXT,
  typeOfEntityField,
  type CompiledExpression,
  type Scope,
  type StaticType,
} from "./expression/index.ts";
import type { FieldValue } from "./field.ts";
import { lookUp } from "./ids.ts";
import { entityIds, getEntity } from "./state/index.ts";
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

/** Keeps every expression of a capability: their costs bound a trigger's. */
export type Keep = (expression: CompiledExpression) => CompiledExpression;

const PARTS: Readonly<Record<EffectVerb, readonly string[]>> = {
  set: ["value", "expr"],
  add: ["by"],
  insert: ["value", "expr"],
  remove: ["value", "expr"],
  create: ["id", "name", "at", "fields"],
  destroy: [],
  claim: [],
};

/** Compiles one effect; `path` says where it stands. Throws CompileFault. */
export function compileEffect(effect: Effect, outer: Scope, path: string, keep: Keep): CompiledEffect {
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
    suggest(text, [...Object.keys(scope.variables), ...entityIds(scope.world.entities)]),
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
