/**
 * Effects of one moment of a rollout, merged by the rules of a step; but what runs over a field's bounds stops at them:
 * nature is not refused.
 */
import { freeze } from "immer";
import { compareText, sameJson } from "../canonical.ts";
import { fieldOf, type Operation } from "../effects.ts";
import type { Result } from "../errors.ts";
import type { FieldValue } from "../field.ts";
import { lookUp } from "../ids.ts";
import { mergeOperations, type MergedField, type MergeFault } from "../merge.ts";
import { applyMerged } from "../merged-state.ts";
import { getEntity } from "../state/index.ts";
import type { EntityDraft, World } from "../world.ts";
import type { DynamicsFault } from "./dynamics.ts";

/** A path that was written, and by which rules. */
export interface NaturalWrite {
  readonly path: string;
  readonly before: FieldValue;
  readonly after: FieldValue;
  /** Ids, sorted. */
  readonly by: readonly string[];
}

export interface NaturallyMerged {
  readonly world: World;
  /** Paths whose value changed, sorted. */
  readonly writes: readonly NaturalWrite[];
}

/** `by[i]` is the id of the rule that `operations[i]` are of. */
export function mergeNaturally(
  world: World,
  operations: readonly (readonly Operation[])[],
  by: readonly string[],
): Result<NaturallyMerged, DynamicsFault> {
  const { merged, faults } = mergeOperations(world, operations);
  if (faults.length > 0) return faultOf("conflict", world, faults, by);
  const fields = merged.fields
    .map((one) => saturated(world, one))
    .filter(({ before, after }) => before !== after && !sameJson(before, after));
  if (fields.length + merged.creates.length + merged.destroys.length === 0)
    return { ok: true, value: { world, writes: [] } };
  const creates = merged.creates.map((one) => ({ ...one, draft: saturatedDraft(world, one.draft) }));
  const applied = applyMerged(world, { fields, creates, destroys: merged.destroys });
  if (!applied.ok) return faultOf("state", world, applied.error, by);
  return {
    ok: true,
    value: {
      world: freeze(applied.value.world),
      writes: fields.map(({ id, field, before, after, by: positions }) => ({
        path: `${id}.${field}`,
        before,
        after,
        by: namesOf(positions, by),
      })),
    },
  };
}

function saturated(world: World, one: MergedField): MergedField {
  if (typeof one.after !== "number") return one;
  const type = getEntity(world.entities, one.id)?.type;
  const after = clampTo(world, type, one.field, one.after);
  return after === one.after ? one : { ...one, after };
}

function saturatedDraft(world: World, draft: EntityDraft): EntityDraft {
  const fields = Object.fromEntries(
    Object.entries(draft.fields).map(([field, value]) => [
      field,
      typeof value === "number" ? clampTo(world, draft.type, field, value) : value,
    ]),
  );
  return { ...draft, fields };
}

function clampTo(world: World, type: string | undefined, field: string, value: number): number {
  const spec = type === undefined ? undefined : fieldOf(world, type, field);
  if (spec?.kind !== "int" && spec?.kind !== "number") return value;
  return Math.min(Math.max(value, spec.min ?? -Infinity), spec.max ?? Infinity);
}

function faultOf(
  kind: DynamicsFault["kind"],
  world: World,
  faults: readonly MergeFault[],
  by: readonly string[],
): { readonly ok: false; readonly error: DynamicsFault } {
  const [first] = faults;
  if (first === undefined) throw new Error("faultOf: no fault");
  const rules = namesOf(first.triggers, by);
  const message = `at tick ${world.clock}, ${rules.join(" and ")}: ${first.error.message}`;
  return { ok: false, error: { kind, tick: world.clock, by: rules, message } };
}

function namesOf(positions: readonly number[], by: readonly string[]): readonly string[] {
  return [...new Set(positions.map((position) => by[position] ?? "?"))].sort(compareText);
}

/** The name of a changed path's entity and field; `field` is empty for an entity itself. */
export function splitPath(path: string): { readonly id: string; readonly field: string } {
  const dot = path.indexOf(".");
  return dot < 0 ? { id: path, field: "" } : { id: path.slice(0, dot), field: path.slice(dot + 1) };
}

/** The value at a path, undefined where there is none. */
export function valueAtPath(world: World, path: string): FieldValue | undefined {
  const { id, field } = splitPath(path);
  const entity = getEntity(world.entities, id);
  if (entity === undefined) return undefined;
  return field === "at" ? entity.at : lookUp(entity.fields, field);
}
