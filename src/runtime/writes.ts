import { sameJson } from "./canonical.ts";
import type { Operation } from "./effects.ts";
import type { FieldValue } from "./field.ts";
import type { Applied } from "./merged-state.ts";
import type { Write } from "./record.ts";
import { getEntity, valueOf } from "./state/index.ts";
import type { Entity, World } from "./world.ts";

/**
 * The writes of one trigger, in the order of their paths: what each field held before the step and holds after it,
 * and this trigger's own part (`by`, `member`). A claim writes nothing.
 */
export function writesOf(world: World, operations: readonly Operation[], applied: Applied): Write[] {
  const writes = operations.flatMap((operation): Write[] => {
    if (operation.kind === "claim") return [];
    if (operation.kind === "create")
      return [{ kind: "create", path: operation.id, entity: record(applied.created.get(operation.id) as Entity) }];
    if (operation.kind === "destroy")
      return [
        { kind: "destroy", path: operation.id, entity: record(getEntity(world.entities, operation.id) as Entity) },
      ];
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
        return [
          {
            kind: operation.kind,
            path,
            before: [...(before as string[])],
            after: [...(after as string[])],
            member: operation.member,
            ...same,
          },
        ];
    }
  });
  return dedupe(writes).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** What one trigger asks for twice is one write; its `add`s to one field stay apart, each with its own part. */
function dedupe(writes: readonly Write[]): Write[] {
  const seen = new Set<string>();
  return writes.filter((write) => {
    if (write.kind === "add") return true;
    const key = `${write.kind} ${write.path} ${"member" in write ? write.member : ""}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Characters of a text that are kept at the cost of one id. */
const CHARACTERS_PER_ID = 64;

/**
 * How much the writes of a step would keep: the ids of every set before and after, once for each write of it, and long
 * texts. A set to which a thousand members come one by one is kept a thousand times.
 */
export function sizeOfWrites(world: World, byTrigger: readonly (readonly Operation[])[]): number {
  const members = new Map<string, number>();
  let size = 0;
  for (const operation of byTrigger.flat()) {
    if (!("field" in operation) || operation.kind === "claim" || operation.kind === "add") continue;
    const path = `${operation.id}.${operation.field}`;
    if (operation.kind === "set")
      size +=
        sizeOf(valueOf(getEntity(world.entities, operation.id) as Entity, operation.field)) + sizeOf(operation.value);
    else members.set(path, (members.get(path) ?? 0) + 1);
  }
  for (const [path, count] of members) {
    const [id = "", field = ""] = path.split(".");
    size += count * (2 * sizeOf(valueOf(getEntity(world.entities, id) as Entity, field)) + count);
  }
  return size;
}

function sizeOf(value: FieldValue | undefined): number {
  if (typeof value === "string") return Math.floor(value.length / CHARACTERS_PER_ID);
  return typeof value === "object" && value !== null ? value.length : 0;
}

function plain(value: FieldValue): null | boolean | number | string | string[] {
  return typeof value === "object" && value !== null ? [...value] : value;
}

function record(entity: Entity): Extract<Write, { entity: unknown }>["entity"] {
  return {
    ...entity,
    fields: Object.fromEntries(Object.entries(entity.fields).map(([key, value]) => [key, plain(value)])),
  };
}
