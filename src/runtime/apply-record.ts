import { freeze } from "immer";
import { compiledCapability } from "./compile-capability.ts";
import type { AcceptedStep, Construction, Write } from "./record.ts";
import { defaultOf } from "./field.ts";
import { type EntityChange, changeEntities, entityIdsOfType, getEntity, retire } from "./state/index.ts";
import type { Capability } from "./capability.ts";
import type { Entity, EntityType, World } from "./world.ts";

/**
 * The world after an accepted step, from its record alone: no requirement is evaluated, nothing is decided again.
 */
export function applyStepRecord(world: World, record: Pick<AcceptedStep, "triggers" | "clock">): World {
  const writes = record.triggers.flatMap((trigger) => trigger.writes);
  const entities = writes.length === 0 ? world.entities : changeEntities(world.entities, writes.map(changeOf));
  const destroyed = writes.flatMap((write) => (write.kind === "destroy" ? [write.path] : []));
  return freeze({ ...world, entities, retired: retire(world.retired, destroyed), clock: record.clock });
}

function changeOf(write: Write): EntityChange {
  switch (write.kind) {
    case "create":
      return { kind: "put", entity: freeze(write.entity as Entity, true) };
    case "destroy":
      return { kind: "delete", id: write.path };
    default: {
      const dot = write.path.indexOf(".");
      return { kind: "set", id: write.path.slice(0, dot), field: write.path.slice(dot + 1), value: write.after };
    }
  }
}

/** The world after an accepted construction, from its record alone. */
export function applyConstruction(world: World, { item }: Pick<Construction, "item">): World {
  switch (item.level) {
    case "capability": {
      const capability: Capability | null = item.now;
      if (capability !== null) compiledCapability(world, capability);
      return freeze({ ...world, capabilities: freeze(withEntry(world.capabilities, item.id, capability)) });
    }
    case "entity":
      return applyEntity(world, item.id, item.now);
    case "type": {
      const type: EntityType | null = item.now;
      const types = freeze(withEntry(world.types, item.id, type));
      return freeze({ ...world, types, entities: type === null ? world.entities : withNewFields(world, type) });
    }
  }
}

function applyEntity(world: World, id: string, entity: Entity | null): World {
  const entities = changeEntities(world.entities, [
    entity === null ? { kind: "delete", id } : { kind: "put", entity: freeze(entity, true) },
  ]);
  const retired = entity === null ? retire(world.retired, [id]) : world.retired;
  return freeze({ ...world, entities, retired });
}

function withEntry<T>(record: Readonly<Record<string, T>>, id: string, now: T | null): Readonly<Record<string, T>> {
  const rest = Object.fromEntries(Object.entries(record).filter(([key]) => key !== id));
  return now === null ? rest : { ...rest, [id]: freeze(now, true) };
}

/** A type that gains fields gives every entity of it their defaults. */
function withNewFields(world: World, type: EntityType): World["entities"] {
  const changes = entityIdsOfType(world.entities, type.id).flatMap((id): readonly EntityChange[] => {
    const entity = getEntity(world.entities, id) as Entity;
    const missing = Object.entries(type.fields).filter(([field]) => !Object.hasOwn(entity.fields, field));
    if (missing.length === 0) return [];
    const fields = {
      ...entity.fields,
      ...Object.fromEntries(missing.map(([field, spec]) => [field, defaultOf(spec)])),
    };
    return [{ kind: "put", entity: freeze({ ...entity, fields }, true) }];
  });
  return changes.length === 0 ? world.entities : changeEntities(world.entities, changes);
}
