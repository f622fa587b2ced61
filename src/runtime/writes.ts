import { sameJson } from "./canonical.ts";
import type { Operation } from "./effects.ts";
import type { FieldValue } from "./field.ts";
import type { Applied } from "./merged-state.ts";
import type { Write } from "./record.ts";
import { getEntity, valueOf } from "./state.ts";
import type { Entity, World } from "./world.ts";

/**
 * The writes of one trigger, in the order of their paths: what each field held before the step and holds after it,
 * and this trigger's own part (`by`, `member`). A claim writes nothing.
 */
export function writesOf(world: World, operations: readonly Operation[], applied: Applied): Write[] {
  const writes = operations.flatMap((operation): Write[] => {
    if (operation.kind === "claim") return [];
    if (operation.kind === "create") return [{ kind: "create", path: operation.id, entity: record(applied.created.get(operation.id) as Entity) }];
    if (operation.kind === "destroy") return [{ kind: "destroy", path: operation.id, entity: record(getEntity(world.entities, operation.id) as Entity) }];
    const path = `${operation.id}.${operation.field}`;
    const before = valueOf(getEntity(world.entities, operation.id) as Entity, operation.field) as FieldValue;
    const after = applied.after.get(path) as FieldValue;
    const same = sameJson(before, after) ? { same: true as const } : {};
    switch (operation.kind) {
      case "set":
        return [{ kind: "set", path, before: plain(before), after: plain(after), ...same }];
      case "add":
        return [{ kind: "add", path, before: before as number, after: after as number, by: operation.by, ...same }];
      default:
        return [{ kind: operation.kind, path, before: [...(before as string[])], after: [...(after as string[])], member: operation.member, ...same }];
    }
  });
  return dedupe(writes).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Two equal `set`s of one trigger are one write; its `add`s to one field stay apart, each with its own part. */
function dedupe(writes: readonly Write[]): Write[] {
  const sets = new Set<string>();
  return writes.filter((write) => {
    if (write.kind !== "set") return true;
    if (sets.has(write.path)) return false;
    sets.add(write.path);
    return true;
  });
}

function plain(value: FieldValue): null | boolean | number | string | string[] {
  return typeof value === "object" && value !== null ? [...value] : value;
}

function record(entity: Entity): Extract<Write, { entity: unknown }>["entity"] {
  return { ...entity, fields: Object.fromEntries(Object.entries(entity.fields).map(([key, value]) => [key, plain(value)])) };
}
