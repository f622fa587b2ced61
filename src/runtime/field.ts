import * as z from "zod";
import { idOf } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { roundTo } from "./number.ts";

/** One sentence or name, in an author's or an agent's words. */
export const textOf = z.string().max(LIMITS.textCharacters);

/** What a field may hold. A `ref` holds an entity id or null, a `refs` a sorted set of entity ids. */
export type FieldValue = null | boolean | number | string | readonly string[];

/** JSON values a field's default, a literal effect or an argument may be written as. */
export const literalSchema = z.union([z.null(), z.boolean(), z.number(), textOf, z.array(z.string()).max(1_000)]);

const says = textOf.optional().describe("One sentence: what it is");
const bound = z.number().optional();

/** The eight kinds of field; `default` is what a new entity has when nothing is stated. */
export const fieldSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("bool"), says, default: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal("int"), says, min: bound, max: bound, default: z.number().optional() }),
  z.strictObject({
    kind: z.literal("number"),
    says,
    digits: z.int().min(0).max(LIMITS.decimalDigits).describe("Decimal digits kept, required"),
    min: bound,
    max: bound,
    default: z.number().optional(),
  }),
  z.strictObject({ kind: z.literal("text"), says, default: textOf.default("") }),
  z.strictObject({
    kind: z.literal("enum"),
    says,
    values: z.array(textOf.min(1)).min(1).max(LIMITS.enumValues).describe("The closed list of words"),
    default: z.string().optional().describe("The first word where left out"),
  }),
  z.strictObject({ kind: z.literal("place"), says, default: z.string().describe("A place of the map") }),
  z.strictObject({
    kind: z.literal("ref"),
    says,
    of: idOf.describe("The type of the entity it refers to"),
    default: z.null().default(null),
  }),
  z.strictObject({
    kind: z.literal("refs"),
    says,
    of: idOf.describe("The type of the entities it refers to"),
    default: z.array(z.string()).max(0).default([]),
  }),
]);

export type Field = z.infer<typeof fieldSchema>;
export type FieldKind = Field["kind"];

/** What the field of a new entity holds when nothing is stated. */
export function defaultOf(field: Field): FieldValue {
  switch (field.kind) {
    case "int":
    case "number": {
      const value = field.default ?? Math.min(Math.max(0, field.min ?? 0), field.max ?? Number.MAX_SAFE_INTEGER);
      return field.kind === "int" ? value + 0 : roundTo(value, field.digits);
    }
    case "enum":
      return field.default ?? (field.values[0] as string);
    default:
      return field.default;
  }
}

/** The field in words, for error messages: `int from 0 to 6`. */
export function describeField(field: Field): string {
  switch (field.kind) {
    case "int":
    case "number": {
      const what = field.kind === "int" ? "whole number" : `number with ${field.digits} decimal digits`;
      const from = field.min === undefined ? "" : ` from ${field.min}`;
      return `${what}${from}${field.max === undefined ? "" : ` to ${field.max}`}`;
    }
    case "enum":
      return `one of ${field.values.map((v) => JSON.stringify(v)).join(", ")}`;
    case "ref":
      return `an entity of type ${field.of}, or null`;
    case "refs":
      return `a list of entities of type ${field.of}`;
    case "bool":
      return "true or false";
    case "text":
      return `text of at most ${LIMITS.textCharacters} characters`;
    case "place":
      return "a place of the map";
  }
}
