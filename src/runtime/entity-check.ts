import { refuse, succeed, suggest, type Result } from "./errors.ts";
import { defaultOf, type FieldValue } from "./field.ts";
import { lookUp } from "./ids.ts";
import { checkAt, checkFieldValue } from "./value-check.ts";
import type { Entity, EntityDraft, World } from "./world.ts";

/**
 * An entity as the world holds it, from a draft: defaults filled in, every value checked, references to what is there.
 * `path` of an error points into the draft (`fields.doses`).
 */
export function makeEntity(world: World, draft: EntityDraft): Result<Entity> {
  const type = lookUp(world.types, draft.type);
  if (type === undefined) {
    return refuse("unknown_type", `there is no type "${draft.type}"`, {
      path: "type",
      hint: suggest(draft.type, Object.keys(world.types)),
    });
  }
  if (Object.hasOwn(world.map.places, draft.id)) {
    return refuse("already_exists", `"${draft.id}" is a place`, {
      path: "id",
      hint: "an entity needs an id of its own",
    });
  }
  const unknown = Object.keys(draft.fields)
    .sort()
    .find((field) => !Object.hasOwn(type.fields, field));
  if (unknown !== undefined) {
    return refuse("unknown_field", `type ${type.id} has no field "${unknown}"`, {
      path: `fields.${unknown}`,
      hint: suggest(unknown, Object.keys(type.fields)) ?? `type ${type.id} has no fields`,
    });
  }
  const fields: Record<string, FieldValue> = {};
  for (const id of Object.keys(type.fields).sort()) {
    const field = type.fields[id];
    if (field === undefined) continue;
    const given = lookUp(draft.fields, id);
    const checked = checkFieldValue(world, field, given === undefined ? defaultOf(field) : given);
    if (!checked.ok) return { ok: false, error: { ...checked.error, path: `fields.${id}` } };
    fields[id] = checked.value;
  }
  const at = checkAt(world, draft.at);
  if (!at.ok) return { ok: false, error: { ...at.error, path: "at" } };
  return succeed({
    id: draft.id,
    type: type.id,
    name: draft.name === "" ? draft.id : draft.name,
    at: at.value,
    fields,
  });
}
