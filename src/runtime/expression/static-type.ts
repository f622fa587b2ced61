import type { Field } from "../field.ts";

/**
 * What is known of a value before anything is evaluated. Entities and places are their ids when they are
 * evaluated; only here are they told apart.
 */
export type StaticType =
  | { readonly kind: "bool" }
  | {
      readonly kind: "number";
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly whole?: boolean;
    }
  | { readonly kind: "text"; readonly literal?: string }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "place" }
  | {
      readonly kind: "entity";
      /** Its type; left out where any entity may stand. */
      readonly type?: string | undefined;
      readonly nullable: boolean;
      /** It comes from `all(type)` or `for`: what is read of it is read of the whole type. */
      readonly ranged?: boolean;
    }
  /** Where an entity is: a place, another entity, or null. */
  | { readonly kind: "holder" }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly of: StaticType | undefined }
  | { readonly kind: "record"; readonly members: Readonly<Record<string, StaticType>> };

export const BOOL: StaticType = { kind: "bool" };
export const NUMBER: StaticType = { kind: "number" };
export const TEXT: StaticType = { kind: "text" };
export const PLACE: StaticType = { kind: "place" };
export const HOLDER: StaticType = { kind: "holder" };
export const NULL: StaticType = { kind: "null" };

/** The static type of a field's values. */
export function typeOfField(field: Field): StaticType {
  switch (field.kind) {
    case "bool":
      return BOOL;
    case "int":
      return { kind: "number", min: field.min, max: field.max, whole: true };
    case "number":
      return { kind: "number", min: field.min, max: field.max };
    case "text":
      return TEXT;
    case "enum":
      return { kind: "enum", values: field.values };
    case "place":
      return PLACE;
    case "ref":
      return { kind: "entity", type: field.of, nullable: true };
    case "refs":
      return { kind: "list", of: { kind: "entity", type: field.of, nullable: false } };
  }
}

/** The type in words, for error messages. */
export function describeType(type: StaticType): string {
  switch (type.kind) {
    case "bool":
      return "true or false";
    case "number":
      return "a number";
    case "text":
      return type.literal === undefined ? "a text" : `the text ${JSON.stringify(type.literal)}`;
    case "enum":
      return `one of ${type.values.map((v) => JSON.stringify(v)).join(", ")}`;
    case "place":
      return "a place";
    case "entity":
      return type.type === undefined ? "an entity" : `an entity of type ${type.type}`;
    case "holder":
      return "a place or an entity";
    case "null":
      return "null";
    case "list":
      return type.of === undefined ? "an empty list" : `a list of (${describeType(type.of)})`;
    case "record":
      return `a record of ${Object.keys(type.members).sort().join(", ")}`;
  }
}

/** Why `a == b` could never be true, or undefined where it could. */
export function faultOfEquality(a: StaticType, b: StaticType): string | undefined {
  if (couldBeEqual(a, b) || couldBeEqual(b, a)) return undefined;
  if (a.kind === "number" && b.kind === "number") return `${describeRange(a)} is never ${describeRange(b)}`;
  return `${describeType(a)} is never ${describeType(b)}`;
}

function couldBeEqual(a: StaticType, b: StaticType): boolean {
  switch (a.kind) {
    case "bool":
      return b.kind === "bool";
    case "number":
      return (
        b.kind === "number" && !(lowest(a) > highest(b) || lowest(b) > highest(a)) && wholeFits(a, b) && wholeFits(b, a)
      );
    case "text":
      if (b.kind === "enum") return a.literal === undefined || b.values.includes(a.literal);
      return b.kind === "text" && (a.literal === undefined || b.literal === undefined || a.literal === b.literal);
    case "enum":
      return b.kind === "enum" && a.values.some((word) => b.values.includes(word));
    case "place":
      return b.kind === "place" || b.kind === "holder";
    case "entity":
      if (b.kind === "null") return a.nullable;
      if (b.kind === "holder") return true;
      return b.kind === "entity" && (a.type === undefined || b.type === undefined || a.type === b.type);
    case "holder":
      return b.kind === "holder" || b.kind === "null";
    case "null":
      return b.kind === "null";
    case "list":
      return (
        b.kind === "list" &&
        (a.of === undefined || b.of === undefined || couldBeEqual(a.of, b.of) || couldBeEqual(b.of, a.of))
      );
    case "record":
      return false;
  }
}

type NumberType = Extract<StaticType, { kind: "number" }>;

export function lowest(type: NumberType): number {
  return type.min ?? -Infinity;
}

export function highest(type: NumberType): number {
  return type.max ?? Infinity;
}

/** A number's type with what is known of its range: `a whole number from 0 to 6`, `2.5`. */
export function describeRange(type: NumberType): string {
  if (type.min !== undefined && type.min === type.max) return String(type.min);
  return `${type.whole === true ? "a whole number" : "a number"}${type.min === undefined ? "" : ` from ${type.min}`}${type.max === undefined ? "" : ` to ${type.max}`}`;
}

/** A whole number is never a fixed fraction. */
function wholeFits(a: NumberType, b: NumberType): boolean {
  return !(a.whole === true && b.min !== undefined && b.min === b.max && !Number.isInteger(b.min));
}

/** The type of a value that is one of two, as in `c ? a : b`; undefined where they have nothing in common. */
export function joinTypes(a: StaticType, b: StaticType): StaticType | undefined {
  if (a.kind === "null" && b.kind === "entity") return { ...b, nullable: true };
  if (b.kind === "null" && a.kind === "entity") return { ...a, nullable: true };
  const located = (t: StaticType) =>
    t.kind === "place" || t.kind === "entity" || t.kind === "holder" || t.kind === "null";
  if (a.kind === "entity" && b.kind === "entity") {
    return { kind: "entity", type: a.type === b.type ? a.type : undefined, nullable: a.nullable || b.nullable };
  }
  if (a.kind === "place" && b.kind === "place") return PLACE;
  if (located(a) && located(b)) return a.kind === "null" && b.kind === "null" ? NULL : HOLDER;
  if (a.kind === "number" && b.kind === "number") return NUMBER;
  if ((a.kind === "text" || a.kind === "enum") && (b.kind === "text" || b.kind === "enum")) {
    const words = (t: typeof a) => (t.kind === "enum" ? t.values : t.literal === undefined ? undefined : [t.literal]);
    const [left, right] = [words(a), words(b)];
    return left && right ? { kind: "enum", values: [...new Set([...left, ...right])] } : TEXT;
  }
  if (a.kind === "list" && b.kind === "list") {
    if (a.of === undefined || b.of === undefined) return a.of === undefined ? b : a;
    const of = joinTypes(a.of, b.of);
    return of && { kind: "list", of };
  }
  return a.kind === b.kind && a.kind === "bool" ? a : undefined;
}
