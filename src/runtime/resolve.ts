import type { Arg, Capability, Param, Trigger } from "./capability.ts";
import { compiledCapability, type CompiledCapability } from "./compile-capability.ts";
import { refuse, succeed, suggest, type Result } from "./errors.ts";
import { lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { entityIds, entityIdsOfType, getEntity } from "./state/index.ts";
import { show } from "./value-check.ts";
import type { World } from "./world.ts";

/** A trigger whose capability and arguments are known to be what they must be. */
export interface ResolvedTrigger {
  readonly trigger: Trigger;
  readonly capability: Capability;
  readonly compiled: CompiledCapability;
  /** Arguments by parameter name; entities and places are their ids. */
  readonly args: Readonly<Record<string, Arg>>;
}

/** Finds the capability of a trigger and checks its arguments. `path` of an error points into the trigger. */
export function resolveTrigger(world: World, trigger: Trigger): Result<ResolvedTrigger> {
  const capability = lookUp(world.capabilities, trigger.capability);
  if (capability === undefined) {
    const known = Object.keys(world.capabilities);
    return refuse("unknown_capability", `there is no capability ${show(trigger.capability)}`, {
      path: "capability",
      hint: suggest(trigger.capability, known) ?? "there are no capabilities yet: construct one first",
    });
  }
  const names = Object.keys(capability.params).sort();
  const unknown = Object.keys(trigger.args)
    .sort()
    .find((name) => !Object.hasOwn(capability.params, name));
  if (unknown !== undefined) {
    return refuse("unknown_parameter", `${capability.id} has no parameter ${show(unknown)}`, {
      path: `args.${unknown}`,
      hint: suggest(unknown, names) ?? `${capability.id} takes no arguments`,
    });
  }
  const args: Record<string, Arg> = {};
  for (const name of names) {
    const given = lookUp(trigger.args, name);
    const param = capability.params[name] as Param;
    if (given === undefined) {
      return refuse("missing_key", `${capability.id} needs the argument "${name}"`, {
        path: `args.${name}`,
        hint: describeParam(param),
      });
    }
    const checked = checkArg(world, param, given);
    if (!checked.ok) return { ok: false, error: { ...checked.error, path: `args.${name}` } };
    args[name] = checked.value;
  }
  const compiled = compiledCapability(world, capability);
  if (!compiled.ok) return { ok: false, error: { ...compiled.error, path: "capability" } };
  return succeed({ trigger, capability, compiled: compiled.value, args });
}

/** A parameter in words: `an entity of type person`. */
export function describeParam(param: Param): string {
  switch (param.kind) {
    case undefined:
      return param.type === undefined ? "an entity" : `an entity of type ${param.type}`;
    case "int":
      return "a whole number";
    case "number":
      return "a number";
    case "text":
      return "a text";
    case "bool":
      return "true or false";
    case "place":
      return "a place of the map";
    case "enum":
      return `one of ${(param.values ?? []).map((value) => JSON.stringify(value)).join(", ")}`;
  }
}

function checkArg(world: World, param: Param, given: Arg): Result<Arg> {
  const wrong = () =>
    refuse("wrong_type", `expected ${describeParam(param)}, received ${show(given)}`, {
      hint: hintOfArg(param, given),
    });
  switch (param.kind) {
    case undefined:
      return typeof given === "string" ? checkEntityArg(world, param, given) : wrong();
    case "int":
      return typeof given === "number" && Number.isSafeInteger(given) ? succeed(given + 0) : wrong();
    case "number":
      return typeof given === "number" && Number.isFinite(given) ? succeed(given + 0) : wrong();
    case "bool":
      return typeof given === "boolean" ? succeed(given) : wrong();
    case "text":
      if (typeof given !== "string") return wrong();
      if (given.length <= LIMITS.textCharacters) return succeed(given);
      return refuse("text_too_long", `a text of ${given.length} characters`, {
        hint: `at most ${LIMITS.textCharacters}`,
      });
    case "enum":
      if (typeof given === "string" && param.values?.includes(given)) return succeed(given);
      return refuse("invalid_value", `expected ${describeParam(param)}, received ${show(given)}`, {
        hint: typeof given === "string" ? suggest(given, param.values ?? []) : undefined,
      });
    case "place":
      if (typeof given !== "string") return wrong();
      if (Object.hasOwn(world.map.places, given)) return succeed(given);
      return refuse("unknown_place", `there is no place ${show(given)}`, {
        hint: suggest(given, Object.keys(world.map.places)),
      });
  }
}

function checkEntityArg(world: World, param: Param, given: string): Result<Arg> {
  const entity = getEntity(world.entities, given);
  if (entity !== undefined && (param.type === undefined || entity.type === param.type)) return succeed(given);
  const fitting = param.type === undefined ? entityIds(world.entities) : entityIdsOfType(world.entities, param.type);
  const hint = suggest(given, fitting) ?? `there is no entity of type ${param.type ?? "any"} yet`;
  return entity === undefined
    ? refuse("unknown_entity", `there is no entity ${show(given)}`, { hint })
    : refuse("wrong_entity_type", `${given} is of type ${entity.type}; expected ${describeParam(param)}`, { hint });
}

function hintOfArg(param: Param, given: Arg): string | undefined {
  if (
    (param.kind === "int" || param.kind === "number") &&
    typeof given === "string" &&
    given.trim() !== "" &&
    Number.isFinite(Number(given))
  ) {
    return `numbers stand without quotes: ${Number(given)}`;
  }
  if (param.kind === "bool" && (given === "true" || given === "false")) return `without quotes: ${given}`;
  return undefined;
}
