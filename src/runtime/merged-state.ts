import { freeze } from "immer";
import { compareText } from "./canonical.ts";
import { fieldOf } from "./effects.ts";
import { makeEntity } from "./entity-check.ts";
import { toolError, type Result, type ToolError } from "./errors.ts";
import type { FieldValue } from "./field.ts";
import { lookUp } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import type { Merged, MergeFault, MergedField } from "./merge.ts";
import {
  type EntityChange,
  type EntityTable,
  changeEntities,
  countEntities,
  getEntity,
  isRetired,
  mayReferTo,
  retire,
} from "./state/index.ts";
import { checkAt, checkFieldValue, circleFrom, show } from "./value-check.ts";
import type { Entity, EntityType, World } from "./world.ts";

/** The world after a step's effects (the clock apart), and what each written field holds now. */
export interface Applied {
  readonly world: World;
  readonly after: ReadonlyMap<string, FieldValue>;
  readonly created: ReadonlyMap<string, Entity>;
}

/** Applies merged effects and checks types, ranges, references and containment on the outcome. */
export function applyMerged(world: World, merged: Merged): Result<Applied, readonly MergeFault[]> {
  const faults: MergeFault[] = [];
  const found = new Map<number, number>();
  const report: Report = (triggers, error) => {
    faults.push({ triggers, error });
    for (const trigger of triggers) found.set(trigger, (found.get(trigger) ?? 0) + 1);
  };
  /** Whether no answer has room for another fault of these triggers. */
  const isEnough = (triggers: readonly number[]) =>
    triggers.every((trigger) => (found.get(trigger) ?? 0) >= LIMITS.failuresShown);
  const created = createAll(world, merged, report);
  if (faults.some(({ error }) => error.code === "too_many_entities")) return { ok: false, error: faults };
  const gone = merged.destroys.map(({ id }) => ({ kind: "delete", id }) as const);
  // Asked of the world before, and before it is changed: what the world after it knows of references follows from that.
  const referrers =
    gone.length === 0
      ? []
      : mayReferTo(
          world.entities,
          gone.map(({ id }) => id),
        );
  /** Who there will be: what the new values may refer to. */
  const population = changeEntities(world.entities, [...putting(created), ...gone]);
  for (const { id, by } of merged.destroys) {
    if (getEntity(world.entities, id) === undefined)
      report(by, toolError("unknown_entity", `there is no entity ${id} to destroy`));
  }
  if (faults.length > 0) return { ok: false, error: faults };
  const checkedCreates = recheckCreated(world, created, merged, population, report);
  const after = new Map<string, FieldValue>();
  const changes: EntityChange[] = [...gone, ...putting(checkedCreates)];
  for (const one of merged.fields) {
    if (faults.length > 0 && isEnough(one.by)) continue;
    const value = checkField(world, population, one, report);
    if (value === undefined) continue;
    after.set(`${one.id}.${one.field}`, value);
    changes.push({ kind: "set", id: one.id, field: one.field, value });
  }
  if (faults.length > 0) return { ok: false, error: faults };
  const entities = changeEntities(world.entities, changes);
  checkCircles(entities, merged, checkedCreates, report);
  if (gone.length > 0) checkDangling(world, entities, merged, referrers, report);
  if (faults.length > 0) return { ok: false, error: faults };
  const retired = retire(
    world.retired,
    merged.destroys.map(({ id }) => id),
  );
  return { ok: true, value: { world: freeze({ ...world, entities, retired }), after, created: checkedCreates } };
}

function putting(entities: ReadonlyMap<string, Entity>): readonly EntityChange[] {
  return [...entities.values()].map((entity) => ({ kind: "put", entity }));
}

type Report = (triggers: readonly number[], error: ToolError) => void;

/** The new entities, as yet without their references checked (they may refer to one another). */
function createAll(world: World, merged: Merged, report: Report): ReadonlyMap<string, Entity> {
  const created = new Map<string, Entity>();
  const params = merged.creates.length === 0 ? new Set<string>() : paramNames(world);
  for (const { draft, by } of merged.creates) {
    if (getEntity(world.entities, draft.id) !== undefined)
      report([by], toolError("already_exists", `there is an entity ${draft.id} already`));
    else if (isRetired(world.retired, draft.id))
      report(
        [by],
        toolError("id_was_used", `the id ${draft.id} belonged to an entity that is gone; ids are never used again`),
      );
    else if (params.has(draft.id))
      report([by], toolError("forbidden_id", `"${draft.id}" is the name of a parameter of a capability`));
    else created.set(draft.id, { id: draft.id, type: draft.type, name: draft.name, at: draft.at, fields: {} });
  }
  if (countEntities(world.entities) + created.size - merged.destroys.length > LIMITS.entities) {
    report(
      [merged.creates[0]?.by ?? 0],
      toolError("too_many_entities", `the world would hold more than ${LIMITS.entities} entities`),
    );
  }
  return created;
}

const paramsOf = new WeakMap<World["capabilities"], ReadonlySet<string>>();

/** The names of all parameters: an entity that bore one could not be told from it. */
function paramNames({ capabilities }: World): ReadonlySet<string> {
  const known = paramsOf.get(capabilities);
  if (known !== undefined) return known;
  const names = new Set(Object.values(capabilities).flatMap(({ params }) => Object.keys(params)));
  paramsOf.set(capabilities, names);
  return names;
}

function recheckCreated(
  world: World,
  created: ReadonlyMap<string, Entity>,
  merged: Merged,
  entities: EntityTable,
  report: Report,
): ReadonlyMap<string, Entity> {
  const checked = new Map<string, Entity>();
  for (const { draft, by } of merged.creates) {
    if (!created.has(draft.id)) continue;
    const made = makeEntity({ ...world, entities }, draft);
    if (made.ok) checked.set(draft.id, made.value);
    else report([by], { ...made.error, message: `creating ${draft.id}: ${made.error.message}` });
  }
  return checked;
}

function checkField(world: World, entities: EntityTable, one: MergedField, report: Report): FieldValue | undefined {
  const entity = getEntity(entities, one.id) as Entity;
  const around = { map: world.map, entities };
  const spec = one.field === "at" ? undefined : fieldOf(world, entity.type, one.field);
  const checked = spec === undefined ? checkAt(around, one.after) : checkFieldValue(around, spec, one.after);
  if (checked.ok) return checked.value;
  report(one.by, {
    ...checked.error,
    message: `${one.id}.${one.field} would be ${show(one.after)}: ${checked.error.message}`,
  });
  return undefined;
}

function checkCircles(
  entities: EntityTable,
  merged: Merged,
  created: ReadonlyMap<string, Entity>,
  report: Report,
): void {
  const moved = [
    ...merged.fields.filter((one) => one.field === "at").map((one) => ({ id: one.id, by: one.by })),
    ...merged.creates.filter(({ draft }) => created.has(draft.id)).map(({ draft, by }) => ({ id: draft.id, by: [by] })),
  ];
  const safe = new Set<string>();
  for (const { id, by } of moved) {
    const circle = circleFrom(entities, id, safe);
    if (circle !== undefined)
      report(by, toolError("containment_circle", `${circle.slice(0, 6).join(" in ")}: nothing is inside itself`));
  }
}

/** After a destruction no reference may lead to what is gone. */
function checkDangling(
  world: World,
  entities: EntityTable,
  merged: Merged,
  referrers: readonly string[],
  report: Report,
): void {
  const gone = new Map(merged.destroys.map(({ id, by }) => [id, by]));
  // Those who referred to it before. New references to it were refused by now.
  for (const id of referrers) {
    const entity = getEntity(entities, id);
    for (const { field, ids } of entity === undefined ? [] : referencesOf(world, entity)) {
      const target = ids.find((one) => gone.has(one));
      if (target !== undefined) {
        report(
          gone.get(target) ?? [],
          toolError("broken_reference", `${target} cannot be destroyed: ${id}.${field} refers to it`),
        );
      }
    }
  }
}

/** The fields of an entity that refer to other entities, with the ids they hold. */
export function referencesOf(
  world: World,
  entity: Entity,
): readonly { readonly field: string; readonly ids: readonly string[] }[] {
  const at = entity.at === null ? [] : [{ field: "at", ids: [entity.at] }];
  const others = referringFields(world, entity.type).flatMap((field) => {
    const value = entity.fields[field];
    if (Array.isArray(value)) return [{ field, ids: value as readonly string[] }];
    return typeof value === "string" ? [{ field, ids: [value] }] : [];
  });
  return [...at, ...others];
}

const referringOf = new WeakMap<EntityType, readonly string[]>();

/** The fields of a type that hold ids of entities, sorted. */
function referringFields(world: World, typeId: string): readonly string[] {
  const type = lookUp(world.types, typeId);
  if (type === undefined) return [];
  const known = referringOf.get(type);
  if (known !== undefined) return known;
  const fields = Object.keys(type.fields)
    .filter((field) => type.fields[field]?.kind === "ref" || type.fields[field]?.kind === "refs")
    .sort(compareText);
  referringOf.set(type, fields);
  return fields;
}
