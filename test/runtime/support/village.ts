/** A small village in which every kind of field and every kind of place occurs, and hands to act in it. */
import { applyConstruction } from "../../../src/runtime/apply-record.ts";
import { buildWorld, type WorldParts } from "../../../src/runtime/build-world.ts";
import { capabilitySchema, triggerSchema, type Capability } from "../../../src/runtime/capability.ts";
import { compileCapability } from "../../../src/runtime/compile-capability.ts";
import type { Result, ToolError } from "../../../src/runtime/errors.ts";
import {
  compileExpression,
  evaluate,
  type CompiledExpression,
  type Evaluation,
  type StaticType,
} from "../../../src/runtime/expression/index.ts";
import { getEntity, valueOf } from "../../../src/runtime/state/index.ts";
import type { FieldValue } from "../../../src/runtime/field.ts";
import type { AcceptedStep, AcceptedTrigger, Write } from "../../../src/runtime/record.ts";
import { commitStep } from "../../../src/runtime/step.ts";
import { entityDraftSchema, invariantSchema, mapSchema, typeSchema, type World } from "../../../src/runtime/world.ts";

type Loose = Readonly<Record<string, unknown>>;

/** World parts as an author writes them: ids are the keys, what has a default may be left out. */
export interface LooseParts {
  readonly clock?: number;
  readonly map?: Loose;
  readonly types?: Readonly<Record<string, Loose>>;
  readonly entities?: Readonly<Record<string, Loose>>;
  readonly capabilities?: Readonly<Record<string, Loose>>;
  readonly invariants?: readonly Loose[];
}

/** From mill to inn it is 5 over the ford and 9 straight; back only 9. No way leads to the isle. */
const MAP = {
  places: { mill: "a mill", ford: "a ford", inn: "an inn", isle: "an isle" },
  links: [
    { from: "mill", to: "ford", bothWays: true, ticks: 2 },
    { from: "ford", to: "inn", ticks: 3 },
    { from: "mill", to: "inn", bothWays: true, ticks: 9 },
  ],
};

const TYPES = {
  person: {
    fields: {
      coins: { kind: "int", min: 0, max: 100 },
      mood: { kind: "enum", values: ["calm", "glad", "cross"] },
      friend: { kind: "ref", of: "person" },
      awake: { kind: "bool", default: true },
    },
  },
  jug: {
    fields: {
      litres: { kind: "number", digits: 2, min: 0, max: 10 },
      label: { kind: "text" },
      home: { kind: "place", default: "mill" },
      owner: { kind: "ref", of: "person" },
    },
  },
  guild: { fields: { members: { kind: "refs", of: "person" }, pot: { kind: "number", digits: 0 } } },
  crate: { fields: { weight: { kind: "number", digits: 1, min: 0 } } },
};

const ENTITIES = {
  ann: { type: "person", name: "Ann", at: "mill", fields: { coins: 10, friend: "bob" } },
  bob: { type: "person", name: "Bob", at: "mill", fields: { coins: 5, mood: "glad" } },
  cat: { type: "person", name: "Cat", at: "ford" },
  jug: { type: "jug", at: "ann", fields: { litres: 1.5, label: "milk", owner: "ann" } },
  cup: { type: "jug", at: "mill" },
  weavers: { type: "guild", fields: { members: ["ann", "bob"] } },
  box: { type: "crate", at: "mill", fields: { weight: 2 } },
  bag: { type: "crate", at: "box", fields: { weight: 0.5 } },
};

function mapKeys<T>(record: Readonly<Record<string, Loose>>, make: (draft: Loose) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([id, rest]) => [id, make({ id, ...rest })]));
}

/** The village with other parts. */
export function partsWith(parts: LooseParts = {}): WorldParts {
  return {
    clock: parts.clock ?? 0,
    map: mapSchema.parse(parts.map ?? MAP),
    types: mapKeys(parts.types ?? TYPES, (draft) => typeSchema.parse(draft)),
    entities: mapKeys(parts.entities ?? ENTITIES, (draft) => entityDraftSchema.parse(draft)),
    capabilities: mapKeys(parts.capabilities ?? {}, (draft) => capabilitySchema.parse(draft)),
    invariants: (parts.invariants ?? []).map((one) => invariantSchema.parse(one)),
  };
}

export function village(parts: LooseParts = {}): World {
  const built = buildWorld(partsWith(parts));
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  return built.value;
}

/** A village of the same types with `entities` added to the usual ones. */
export function villageWith(entities: Readonly<Record<string, Loose>>, parts: LooseParts = {}): World {
  return village({ ...parts, entities: { ...ENTITIES, ...entities } });
}

/** A village of the same entities with `types` added to the usual ones. */
export function villageOf(
  types: Readonly<Record<string, Loose>>,
  entities: Readonly<Record<string, Loose>> = {},
): World {
  return village({ types: { ...TYPES, ...types }, entities: { ...ENTITIES, ...entities } });
}

export function capability(draft: Loose): Capability {
  return { ...capabilitySchema.parse({ id: "act", ...draft }), version: 1 };
}

/** The world with capabilities, each checked as `construct` checks it. */
export function having(world: World, drafts: Readonly<Record<string, Loose>>): World {
  return Object.entries(drafts).reduce((now, [id, draft]) => {
    const made = capability({ id, ...draft });
    const compiled = compileCapability(now, made);
    if (!compiled.ok) throw new Error(`${id}: ${JSON.stringify(compiled.error)}`);
    return applyConstruction(now, { item: { level: "capability", id, now: made } });
  }, world);
}

export interface LooseTrigger {
  readonly capability: string;
  readonly args?: Readonly<Record<string, boolean | number | string>>;
  readonly note?: string;
}

export type StepResult = ReturnType<typeof commitStep>;

export function submit(
  world: World,
  triggers: readonly LooseTrigger[],
  more: { readonly until?: "first"; readonly advance?: number; readonly step?: number } = {},
): StepResult {
  const { advance = 0, step = 1, ...rest } = more;
  return commitStep(
    world,
    { triggers: triggers.map((one) => triggerSchema.parse(one)), advance, ...rest },
    { step, round: 1 },
  );
}

/** Gives the world one capability `act` and triggers it once. */
export function act(world: World, draft: Loose, args: LooseTrigger["args"] = {}): StepResult {
  return submit(having(world, { act: draft }), [{ capability: "act", args }]);
}

export function accepted(result: StepResult): { readonly world: World; readonly record: AcceptedStep } {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

export function refused(result: StepResult): ToolError {
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value.record)}`);
  return result.error;
}

/** The one trigger of an accepted step. */
export function soleTrigger(result: StepResult): AcceptedTrigger {
  const [trigger, ...others] = accepted(result).record.triggers;
  if (trigger === undefined || others.length > 0) throw new Error("not one trigger");
  return trigger;
}

export function writesOfSole(result: StepResult): readonly Write[] {
  return soleTrigger(result).writes;
}

/** The value at `entity.field` of a world. */
export function at(world: World, path: string): FieldValue | undefined {
  const [id = "", field = ""] = path.split(".");
  const entity = getEntity(world.entities, id);
  return entity && valueOf(entity, field);
}

export const PERSON: StaticType = { kind: "entity", type: "person", nullable: false };

/** An expression of a capability of this world, with `who`, `jug_` … as the variables given. */
export function compile(
  world: World,
  text: string,
  variables: Readonly<Record<string, StaticType>> = {},
): Result<CompiledExpression> {
  return compileExpression(text, { world, variables, mayReadClock: true, mayReadStep: true });
}

export function evaluation(
  world: World,
  text: string,
  variables: Readonly<Record<string, { readonly type: StaticType; readonly value: FieldValue }>> = {},
): Evaluation {
  const types = Object.fromEntries(Object.entries(variables).map(([name, { type }]) => [name, type]));
  const compiled = compile(world, text, types);
  if (!compiled.ok) throw new Error(`${text}: ${JSON.stringify(compiled.error)}`);
  const values = Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
  return evaluate(compiled.value, { world, variables: values });
}

/** The value of an expression that must have one. */
export function valueIn(world: World, text: string): unknown {
  const found = evaluation(world, text);
  if (!found.ok) throw new Error(`${text}: ${found.reason}`);
  return found.value;
}

/** Why an expression that must be refused is refused. */
export function faultIn(world: World, text: string, variables: Readonly<Record<string, StaticType>> = {}): ToolError {
  const compiled = compile(world, text, variables);
  if (compiled.ok) throw new Error(`${text} is accepted`);
  return compiled.error;
}
