import { freeze } from "immer";
import { compareText } from "../canonical.ts";
import { compileEffect, type CompiledEffect } from "../compile-effect.ts";
import { CompileFault, orFault } from "../compile-fault.ts";
import type { Effect } from "../capability.ts";
import { suggest, type ToolError } from "../errors.ts";
import { compileBool, mentionsOfExpressions, type CompiledExpression, type Scope } from "../expression/index.ts";
import { faultOfName, lookUp } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { entityIds, getEntity } from "../state/index.ts";
import { costOfRule } from "../trigger.ts";
import type { EntityType, World } from "../world.ts";
import type { WorldFault } from "../build-world.ts";
import { argumentsCount, combinationsOf, sayCount } from "./combinations.ts";
import type { CreatedPattern } from "./created-ids.ts";
import { WAIT_ID, type Dynamics } from "./dynamics.ts";
import type { CompiledEntry, CompiledProcess, EntryDraft, ProcessDraft } from "./process.ts";
import type { Visibility } from "./visibility.ts";

/** The rules of a case as its file states them. */
export interface DynamicsParts {
  readonly character: string;
  readonly processes: Readonly<Record<string, ProcessDraft>>;
  readonly schedule: Readonly<Record<string, EntryDraft>>;
  readonly visibility: Readonly<Record<string, Readonly<Record<string, Visibility>>>>;
  readonly creates: readonly CreatedPattern[];
  /** Those left out are told as they are named. */
  readonly actionTells?: Readonly<Record<string, string>>;
  readonly decision: number;
  readonly segment: number;
  readonly ticks: number;
}

export type CompiledDynamics =
  | { readonly ok: true; readonly value: Dynamics }
  | { readonly ok: false; readonly error: readonly WorldFault[] };

/**
 * Compiles the rules of a case against its world, whose capabilities are the actions; or lists all that is wrong. What
 * is sealed has no way into anything else: a rule that writes what is not sealed reads nothing sealed.
 */
export function compileDynamics(world: World, parts: DynamicsParts): CompiledDynamics {
  const faults: WorldFault[] = [];
  const report: Report = (path, error) =>
    faults.push({
      path: [...path, ...pathOf(error.path)],
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  const sealed = sealedFields(parts.visibility, report);
  checkCharacter(world, parts.character, report);
  checkActions(world, sealed, report);
  parts.creates.forEach(({ type }, i) => {
    if (lookUp(world.types, type) === undefined)
      report(["creates", i, "type"], {
        message: `there is no type "${type}"`,
        hint: suggest(type, Object.keys(world.types)),
      });
  });
  const processes = Object.values(parts.processes).flatMap((draft): CompiledProcess[] => {
    const compiled = compileProcess(world, draft, sealed, (error) => report(["processes", draft.id], error));
    return compiled === undefined ? [] : [compiled];
  });
  checkTickInstances(world, processes, report);
  const schedule = Object.values(parts.schedule).flatMap((draft): CompiledEntry[] => {
    const compiled = compileEntry(world, draft, sealed, (error) => report(["schedule", draft.id], error));
    return compiled === undefined ? [] : [compiled];
  });
  if (faults.length > 0) return { ok: false, error: faults };
  const { character, visibility, creates, actionTells = {}, decision, segment, ticks } = parts;
  return {
    ok: true,
    value: freeze({
      character,
      processes: processes.sort((a, b) => a.draft.priority - b.draft.priority || compareText(a.id, b.id)),
      schedule: schedule.sort((a, b) => compareText(a.id, b.id)),
      visibility: freeze(visibility, true),
      types: typesWithout(world.types, sealed),
      creates: freeze(creates, true),
      actionTells: freeze({ ...actionTells }),
      decision,
      segment,
      ticks,
    }),
  };
}

type Message = Pick<ToolError, "message" | "hint" | "path">;
type Report = (path: readonly (string | number)[], error: Message) => void;

function pathOf(path: string | undefined): readonly (string | number)[] {
  if (path === undefined) return [];
  return [...path.matchAll(/[^.[\]]+/g)].map(([part]) => (/^[0-9]+$/.test(part) ? Number(part) : part));
}

/** The names of sealed fields. One name is sealed in every type that has it, so that a name alone tells. */
function sealedFields(visibility: DynamicsParts["visibility"], report: Report): ReadonlySet<string> {
  const all = Object.entries(visibility).flatMap(([type, fields]) =>
    Object.entries(fields).map(([field, seen]) => ({ type, field, sealed: seen === "sealed" })),
  );
  const sealed = new Set(all.filter((one) => one.sealed).map(({ field }) => field));
  for (const { type, field, sealed: isSealed } of all) {
    if (isSealed || !sealed.has(field)) continue;
    report(["types", type, "fields", field], {
      message: `"${field}" is a sealed field of another type`,
      hint: "give one of the two another name",
    });
  }
  return sealed;
}

function checkCharacter(world: World, character: string, report: Report): void {
  if (getEntity(world.entities, character) !== undefined) return;
  report(["character"], {
    message: `there is no entity "${character}"`,
    hint: suggest(character, entityIds(world.entities)),
  });
}

function checkActions(world: World, sealed: ReadonlySet<string>, report: Report): void {
  for (const capability of Object.values(world.capabilities)) {
    const { id, params } = capability;
    if (id === WAIT_ID) report(["actions", id], { message: `"${WAIT_ID}" is always there and does nothing` });
    for (const [name, { kind }] of Object.entries(params)) {
      if (kind !== "int" && kind !== "number" && kind !== "text") continue;
      report(["actions", id, "params", name], {
        message: `an action takes no ${kind}: what is possible could not be counted`,
        hint: "an entity of a type, or kind place, enum or bool",
      });
    }
    const many = argumentsCount(world, capability);
    if (many > LIMITS.actionArguments)
      report(["actions", id, "params"], {
        message: `${sayCount(many)} combinations of arguments are possible, allowed are at most ${LIMITS.actionArguments}`,
        hint: "fewer parameters, or ones of smaller types",
      });
    const parts = partsOfRule(world, capability.effects, paramTypes(capability.params));
    if (!parts.ok) continue; // the world's builder has said so
    const requires = capability.requires.flatMap(({ expr }) => compiledIn(expr, parts.scope));
    faultOfSeal({ ...parts, expressions: [...parts.expressions, ...requires] }, sealed, (error) =>
      report(["actions", id], error),
    );
  }
}

/** The processes of one tick may look at so much together; reported where the process with the most is. */
function checkTickInstances(world: World, processes: readonly CompiledProcess[], report: Report): void {
  const counted = processes.map(({ id, bindings }) => ({ id, many: combinationsOf(world, bindings) }));
  const all = counted.reduce((sum, { many }) => sum + many, 0);
  const [most] = counted.toSorted((a, b) => b.many - a.many);
  if (most === undefined || all <= LIMITS.tickInstances) return;
  report(["processes", most.id, "for"], {
    message: `the processes together have ${sayCount(all)} combinations of entities, this one ${sayCount(most.many)}; allowed are at most ${LIMITS.tickInstances}`,
    hint: "bind fewer variables, or let them range over smaller types",
  });
}

/** A process does its work once for each combination: together no more than a step may cost. */
function faultOfWork(world: World, bindings: CompiledProcess["bindings"], rule: Rule): readonly Message[] {
  const many = combinationsOf(world, bindings);
  const cost = many * costOfRule(world, rule);
  if (cost <= LIMITS.stepCost) return [];
  return [
    {
      path: bindings.length > 0 ? "for" : "effects",
      message: `${sayCount(many)} combinations of entities cost ${sayCount(cost)}, allowed is at most ${LIMITS.stepCost}`,
      hint: "bind fewer variables, or let them and the lists of its expressions range over smaller types",
    },
  ];
}

type ParamTypes = Scope["variables"];

function paramTypes(params: World["capabilities"][string]["params"]): ParamTypes {
  return Object.fromEntries(
    Object.entries(params).map(([name, { type, kind, values }]): [string, ParamTypes[string]] => {
      if (kind === "place") return [name, { kind: "place" }];
      if (kind === "bool") return [name, { kind: "bool" }];
      if (kind === "enum") return [name, { kind: "enum", values: values ?? [] }];
      return [name, { kind: "entity", type, nullable: false }];
    }),
  );
}

function compiledIn(text: string, scope: Scope): readonly CompiledExpression[] {
  const compiled = compileBool(text, scope);
  return compiled.ok ? [compiled.value] : [];
}

interface Rule {
  readonly effects: readonly CompiledEffect[];
  readonly expressions: readonly CompiledExpression[];
  readonly scope: Scope;
}

function partsOfRule(
  world: World,
  effects: readonly Effect[],
  variables: ParamTypes,
): ({ readonly ok: true } & Rule) | { readonly ok: false; readonly error: ToolError } {
  const scope: Scope = { world, variables, mayReadClock: true, mayReadStep: false };
  const expressions: CompiledExpression[] = [];
  const keep = (expression: CompiledExpression): CompiledExpression => {
    expressions.push(expression);
    return expression;
  };
  try {
    const compiled = effects.map((effect, i) => compileEffect(effect, scope, `effects[${i}]`, keep));
    return { ok: true, effects: compiled, expressions, scope };
  } catch (error) {
    if (error instanceof CompileFault) return { ok: false, error: error.error };
    throw error;
  }
}

function compileProcess(
  world: World,
  draft: ProcessDraft,
  sealed: ReadonlySet<string>,
  report: (error: Message) => void,
): CompiledProcess | undefined {
  const names = Object.keys(draft.for).sort(compareText);
  const bindings = names.map((name) => ({ name, type: draft.for[name] as string }));
  if (names.length > LIMITS.paramsPerCapability) {
    report({ path: "for", message: `${names.length} entries, allowed are at most ${LIMITS.paramsPerCapability}` });
    return undefined;
  }
  const wrong = bindings.flatMap(({ name, type }) => faultOfBinding(world, name, type));
  wrong.forEach(report);
  if (wrong.length > 0) return undefined;
  const variables: ParamTypes = Object.fromEntries(
    bindings.map(({ name, type }) => [name, { kind: "entity", type, nullable: false } as const]),
  );
  const parts = partsOfRule(world, draft.effects, variables);
  if (!parts.ok) {
    report(parts.error);
    return undefined;
  }
  const conditions: { where?: CompiledExpression; when?: CompiledExpression } = {};
  for (const key of ["where", "when"] as const) {
    const text = draft[key];
    if (text === undefined) continue;
    try {
      conditions[key] = orFault(compileBool(text, parts.scope), key);
    } catch (error) {
      if (!(error instanceof CompileFault)) throw error;
      report(error.error);
      return undefined;
    }
  }
  const rule = { ...parts, expressions: [...parts.expressions, ...Object.values(conditions)] };
  const work = faultOfWork(world, bindings, rule);
  work.forEach(report);
  if (work.length > 0) return undefined;
  return {
    id: draft.id,
    draft: freeze(draft, true),
    bindings,
    where: conditions.where,
    when: conditions.when,
    effects: parts.effects,
    sealed: faultOfSeal(rule, sealed, report),
  };
}

function faultOfBinding(world: World, name: string, type: string): readonly Message[] {
  const named = faultOfName(name);
  if (named !== undefined) return [{ message: named, path: `for.${name}` }];
  if (getEntity(world.entities, name) !== undefined || Object.hasOwn(world.map.places, name))
    return [
      { message: `"${name}" is the id of an entity or a place`, path: `for.${name}`, hint: "give it another name" },
    ];
  if (lookUp(world.types, type) !== undefined) return [];
  return [
    { message: `there is no type "${type}"`, path: `for.${name}`, hint: suggest(type, Object.keys(world.types)) },
  ];
}

function compileEntry(
  world: World,
  draft: EntryDraft,
  sealed: ReadonlySet<string>,
  report: (error: Message) => void,
): CompiledEntry | undefined {
  const parts = partsOfRule(world, draft.effects, {});
  if (!parts.ok) {
    report(parts.error);
    return undefined;
  }
  draft.at.forEach((at, i) => {
    if (draft.at.indexOf(at) < i)
      report({ path: `at[${i}]`, message: `tick ${at} stands twice`, hint: "name each tick once" });
  });
  const { effects } = parts;
  return {
    id: draft.id,
    draft: freeze(draft, true),
    at: new Set(draft.at),
    effects,
    sealed: faultOfSeal(parts, sealed, report),
  };
}

/** Whether a rule writes sealed fields alone; reported where it writes others and reads a sealed one. */
function faultOfSeal(rule: Rule, sealed: ReadonlySet<string>, report: (error: Message) => void): boolean {
  if (sealed.size === 0) return false;
  const writes = rule.effects.flatMap((effect): readonly string[] => {
    if (effect.verb === "create" || effect.verb === "destroy") return ["id"];
    return effect.verb === "claim" ? [] : [effect.target.field];
  });
  if (writes.length > 0 && writes.every((field) => sealed.has(field))) return true;
  const read = [...mentionsOfExpressions(rule.expressions).fields]
    .filter((field) => sealed.has(field))
    .sort(compareText);
  if (read.length > 0)
    report({
      message: `it reads the sealed ${read.join(", ")} and writes what is not sealed`,
      hint: "what is sealed may have no effect on anything else",
    });
  return false;
}

function typesWithout(types: World["types"], sealed: ReadonlySet<string>): World["types"] {
  return freeze(
    Object.fromEntries(
      Object.entries(types).map(([id, type]): [string, EntityType] => [
        id,
        { ...type, fields: Object.fromEntries(Object.entries(type.fields).filter(([field]) => !sealed.has(field))) },
      ]),
    ),
    true,
  );
}
