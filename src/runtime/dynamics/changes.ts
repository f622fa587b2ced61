import { compareText, sameJson } from "../canonical.ts";
import type { FieldValue } from "../field.ts";
import { entityIds, getEntity } from "../state/index.ts";
import type { Entity, World } from "../world.ts";
import type { Dynamics } from "./dynamics.ts";
import { visibilityOf } from "./observe.ts";

/**
 * Changed fields by path, each with its value at the end: `mara.energy`, `mara.at`; what came into being by its id, with
 * its type; what is gone by its id, with `destroyed`. Keys are sorted.
 */
export type Changes = Readonly<Record<string, FieldValue>>;

export const DESTROYED = "destroyed";

/** The changes with their keys in order. */
export function sortChanges(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).sort(([a], [b]) => compareText(a, b)));
}

/**
 * In what `after` differs from `before`, sealed fields left out. What came into being counts by itself: its fields have
 * no value before, and do not count.
 */
export function changesBetween(dynamics: Dynamics, before: World, after: World): Changes {
  const changes: [string, FieldValue][] = [];
  for (const id of entityIds(before.entities)) {
    const was = getEntity(before.entities, id) as Entity;
    const is = getEntity(after.entities, id);
    if (is === was) continue;
    if (is === undefined) {
      changes.push([id, DESTROYED]);
      continue;
    }
    if (is.at !== was.at) changes.push([`${id}.at`, is.at]);
    for (const [field, value] of Object.entries(is.fields)) {
      const old = was.fields[field];
      if (value === old || (old !== undefined && sameJson(value, old))) continue;
      if (visibilityOf(dynamics, is.type, field) !== "sealed") changes.push([`${id}.${field}`, value]);
    }
  }
  if (after.entities !== before.entities) {
    for (const id of entityIds(after.entities)) {
      if (getEntity(before.entities, id) === undefined)
        changes.push([id, (getEntity(after.entities, id) as Entity).type]);
    }
  }
  return Object.fromEntries(changes.sort(([a], [b]) => compareText(a, b)));
}
