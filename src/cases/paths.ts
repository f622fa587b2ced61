import { entityIds, getEntity, lookUp, suggest, type Field, type Param, type World } from "../runtime/index.ts";
import { checkAt, checkFieldValue, compileCondition, describeField, sameJson, LIMITS } from "../runtime/index.ts";
import { quote } from "./fault.ts";

/** What is wrong with something a case file says about its world. */
export interface Trouble {
  readonly message: string;
  readonly hint?: string;
}

function trouble(message: string, hint?: string): Trouble {
  return { message, ...(hint === undefined ? {} : { hint }) };
}

/** Why `id` is no entity of the world. */
export function troubleOfEntity(world: World, id: string): Trouble | undefined {
  return getEntity(world.entities, id)
    ? undefined
    : trouble(`there is no entity ${quote(id)}`, suggest(id, entityIds(world.entities)));
}

/** Why `path` (entity.field) is not there, or why it cannot hold `value`, where one is given. */
export function troubleOfPath(world: World, path: string, value?: unknown): Trouble | undefined {
  const [id = "", field = ""] = path.split(".");
  const entity = getEntity(world.entities, id);
  if (!entity) return troubleOfEntity(world, id);
  return (
    troubleOfField(world, entity.type, field) ??
    (value === undefined ? undefined : troubleOfValue(world, entity.type, field, value))
  );
}

/** Why `*.field`, `type.*.field` or `entity.field` is no pattern of paths, or why none of them can hold `value`. */
export function troubleOfPattern(world: World, pattern: string, value?: unknown): Trouble | undefined {
  const segments = pattern.split(".");
  const field = segments.at(-1) ?? "";
  if (segments.length === 2 && segments[0] !== "*") return troubleOfPath(world, pattern, value);
  if (segments.length === 3) {
    const type = segments[0] ?? "";
    if (!lookUp(world.types, type))
      return trouble(`there is no type ${quote(type)}`, suggest(type, Object.keys(world.types)));
    return (
      troubleOfField(world, type, field) ??
      (value === undefined ? undefined : troubleOfValue(world, type, field, value))
    );
  }
  const types = Object.keys(world.types).filter((type) => troubleOfField(world, type, field) === undefined);
  if (types.length === 0) {
    const fields = Object.values(world.types).flatMap((type) => Object.keys(type.fields));
    return trouble(`no type has a field ${quote(field)}`, suggest(field, ["at", ...new Set(fields)]));
  }
  if (value === undefined) return undefined;
  const troubles = types.map((type) => troubleOfValue(world, type, field, value));
  return troubles.includes(undefined) ? undefined : troubles[0];
}

function troubleOfField(world: World, type: string, field: string): Trouble | undefined {
  const fields = lookUp(world.types, type)?.fields ?? {};
  if (field === "at" || Object.hasOwn(fields, field)) return undefined;
  return trouble(`type ${quote(type)} has no field ${quote(field)}`, suggest(field, ["at", ...Object.keys(fields)]));
}

function troubleOfValue(world: World, type: string, field: string, value: unknown): Trouble | undefined {
  const found = lookUp(lookUp(world.types, type)?.fields ?? {}, field);
  const checked = field === "at" || !found ? checkAt(world, value) : checkFieldValue(world, found, value);
  if (!checked.ok) return trouble(checked.error.message, checked.error.hint);
  if (found?.kind === "number" && !sameJson(checked.value, value)) {
    return trouble(`${quote(value)} has more digits than the field keeps`, `the field is ${describeField(found)}`);
  }
  return undefined;
}

/** Why an argument does not fit its parameter. */
export function troubleOfArgument(world: World, param: Param, value: unknown): Trouble | undefined {
  if (param.kind === undefined && param.type === undefined) {
    return typeof value === "string" ? troubleOfEntity(world, value) : trouble(`${quote(value)} is no entity`);
  }
  const checked = checkFieldValue(world, fieldLike(param), value);
  if (checked.ok) return undefined;
  const { code, message, hint } = checked.error;
  if (code === "wrong_entity_type") return trouble(message, `the parameter is of type ${param.type ?? ""}`);
  return trouble(message, hint?.replace("the field is", "the parameter is"));
}

/** The field that holds what a parameter accepts. */
function fieldLike(param: Param): Field {
  switch (param.kind) {
    case undefined:
      return { kind: "ref", of: param.type ?? "", default: null };
    case "int":
      return { kind: "int" };
    case "number":
      return { kind: "number", digits: LIMITS.decimalDigits };
    case "text":
      return { kind: "text", default: "" };
    case "bool":
      return { kind: "bool", default: false };
    case "place":
      return { kind: "place", default: "" };
    case "enum":
      return { kind: "enum", values: param.values ?? [] };
  }
}

/** Why a condition cannot be compiled. */
export function troubleOfCondition(world: World, text: string): Trouble | undefined {
  const compiled = compileCondition(world, text);
  return compiled.ok ? undefined : trouble(compiled.error.message, compiled.error.hint);
}
