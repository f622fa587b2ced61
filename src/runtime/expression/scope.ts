import type { Field } from "../field.ts";
import { lookUp } from "../ids.ts";
import { entityIds, getEntity } from "../state/index.ts";
import type { World } from "../world.ts";
import { HOLDER, TEXT, typeOfField, type StaticType } from "./static-type.ts";

/** What the names of an expression may mean. */
export interface Scope {
  readonly world: World;
  /** Parameters, `it`, and whatever else stands for a value given at evaluation. */
  readonly variables: Readonly<Record<string, StaticType>>;
  /** Invariants never mention the clock: only then may they be left alone by steps that write nothing of theirs. */
  readonly mayReadClock: boolean;
  /** `alongside` means something only inside a capability. */
  readonly mayReadStep: boolean;
}

/** The type of `entity.field`, where `type` is the entity's type or undefined for any; undefined where no such field is. */
export function typeOfEntityField(world: World, type: string | undefined, field: string): StaticType | undefined {
  if (field === "at") return HOLDER;
  if (field === "name") return TEXT;
  if (field === "type") return { kind: "enum", values: type === undefined ? Object.keys(world.types).sort() : [type] };
  if (type !== undefined) {
    const found = lookUp(lookUp(world.types, type)?.fields ?? {}, field);
    return found && typeOfField(found);
  }
  const found = Object.keys(world.types)
    .sort()
    .flatMap((id) => {
      const one = lookUp(world.types[id]?.fields ?? {}, field);
      return one ? [one] : [];
    });
  const [first] = found;
  return first && found.every((one) => one.kind === first.kind) ? mergeFields(first, found) : undefined;
}

/** A field that several types share by name: as wide as all of them together. */
function mergeFields(first: Field, all: readonly Field[]): StaticType {
  if (all.length === 1) return typeOfField(first);
  const type = typeOfField(first);
  if (type.kind === "number") return { kind: "number" };
  if (type.kind === "enum") {
    return { kind: "enum", values: [...new Set(all.flatMap((field) => (field.kind === "enum" ? field.values : [])))] };
  }
  if (type.kind === "entity") return { kind: "entity", nullable: true };
  if (type.kind === "list") return { kind: "list", of: { kind: "entity", nullable: false } };
  return type;
}

/** The fields an expression may read of an entity of `type` (of any type where undefined). */
export function fieldNames(world: World, type: string | undefined): readonly string[] {
  const types = type === undefined ? Object.values(world.types) : [lookUp(world.types, type)];
  return [...new Set(["at", "name", "type", ...types.flatMap((one) => Object.keys(one?.fields ?? {}))])].sort();
}

/** Every name the scope knows, for hints. */
export function knownNames(scope: Scope): readonly string[] {
  return [
    ...Object.keys(scope.variables),
    ...entityIds(scope.world.entities),
    ...Object.keys(scope.world.map.places),
    ...(scope.mayReadClock ? ["clock"] : []),
  ];
}

/** What a bare name means: a variable, an entity, a place; undefined where it means nothing. */
export function typeOfName(
  scope: Scope,
  name: string,
): { readonly kind: "variable" | "entity" | "place"; readonly type: StaticType } | undefined {
  const variable = lookUp(scope.variables, name);
  if (variable) return { kind: "variable", type: variable };
  const entity = getEntity(scope.world.entities, name);
  if (entity) return { kind: "entity", type: { kind: "entity", type: entity.type, nullable: false } };
  if (lookUp(scope.world.map.places, name) !== undefined) return { kind: "place", type: { kind: "place" } };
  return undefined;
}
