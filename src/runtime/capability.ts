import * as z from "zod";
import { literalSchema, textOf, type FieldValue } from "./field.ts";
import { idOf, nameOf } from "./ids.ts";
import { LIMITS } from "./limits.ts";

const expression = z.string().min(1).describe("An expression (CEL), at most 500 characters");
const target = z.string().min(1).describe("parameter.field, it.field or entity_id.field; the field may be `at`");

/** A parameter is an entity (of `type`, or of any type where it is left out) or a value of a kind. */
export const paramSchema = z.strictObject({
  type: idOf.optional().describe("For an entity: its type; leave `type` and `kind` out for an entity of any type"),
  kind: z.enum(["int", "number", "text", "bool", "enum", "place"]).optional().describe("For a value: its kind"),
  values: z.array(textOf.min(1)).min(1).max(LIMITS.enumValues).optional().describe("For kind enum: its words"),
  says: textOf.optional(),
});
export type Param = z.infer<typeof paramSchema>;

export const requirementSchema = z.strictObject({
  expr: expression.describe("Must be true, or the trigger is refused"),
  says: textOf.optional().describe("The rule in words"),
});
export type Requirement = z.infer<typeof requirementSchema>;

const forSchema = z.strictObject({
  each: idOf.describe("A type: the effect applies to every entity of it, called `it`"),
  where: expression.optional().describe("Only those for which this is true"),
});

const value = literalSchema.optional().describe('A literal: true, 3, "open", "mill", null');
const expr = expression.optional().describe("An expression, instead of `value`");

/**
 * One effect: exactly one of `set`, `add`, `insert`, `remove`, `create`, `destroy`, `claim`.
 * One flat object rather than a union, so that the JSON Schema a model sees stays an object.
 */
export const effectSchema = z.strictObject({
  set: target.optional().describe("Set this field, to `value` or `expr`"),
  add: target.optional().describe("Add `by` to this int or number"),
  insert: target.optional().describe("Put the entity `value` or `expr` into this refs field"),
  remove: target.optional().describe("Take the entity `value` or `expr` out of this refs field"),
  create: idOf.optional().describe("Create an entity of this type, with `id`, `name`, `at`, `fields`"),
  destroy: z.string().min(1).optional().describe("Destroy this entity: a parameter, `it` or an entity id"),
  claim: target.optional().describe("No other trigger of the step may write or claim this field"),
  value,
  expr,
  by: z.union([z.number(), expression]).optional().describe("For add: a number, or an expression in quotes"),
  id: z
    .union([nameOf, z.strictObject({ expr: expression })])
    .optional()
    .describe("For create: the new id, or { expr } for one"),
  name: textOf.optional().describe("For create: the name"),
  at: z
    .union([z.null(), expression])
    .optional()
    .describe("For create: where it is, an expression for a place or an entity, or null"),
  fields: z
    .record(idOf, z.union([literalSchema, z.strictObject({ expr: expression })]))
    .optional()
    .describe("For create: fields that differ from their defaults, a literal or { expr }"),
  for: forSchema.optional(),
});
export type Effect = z.infer<typeof effectSchema>;

export const EFFECT_VERBS = ["set", "add", "insert", "remove", "create", "destroy", "claim"] as const;
export type EffectVerb = (typeof EFFECT_VERBS)[number];

/** A capability as an author or an agent writes it. */
export const capabilitySchema = z.strictObject({
  id: idOf,
  says: textOf.default("").describe("One sentence: who does what"),
  params: z.record(nameOf, paramSchema).default({}),
  requires: z.array(requirementSchema).max(LIMITS.requirementsPerCapability).default([]),
  effects: z.array(effectSchema).max(LIMITS.effectsPerCapability).default([]),
  duration: z
    .union([z.int().min(1).max(LIMITS.ticks), expression])
    .default(1)
    .describe("Ticks: a whole number of at least 1, or an expression"),
});
export type CapabilityDraft = z.infer<typeof capabilitySchema>;

/** A parameterised state transition as the world holds it: a draft with its version (1, 2, …). */
export interface Capability extends CapabilityDraft {
  readonly version: number;
}

/** An argument as it is submitted: an entity id, a place id, a number, a text, an enum word or a bool. */
export const argSchema = z.union([z.boolean(), z.number(), z.string()]);
export type Arg = z.infer<typeof argSchema>;
export type Args = Readonly<Record<string, Arg>>;

/** One use of a capability with arguments. */
export const triggerSchema = z.strictObject({
  capability: z.string().describe("The id of a capability"),
  args: z
    .record(z.string(), argSchema)
    .default({})
    .describe("Its arguments: entity ids, place ids or values, by parameter name"),
  note: textOf.optional().describe("A remark, kept in the log"),
});
export type Trigger = z.infer<typeof triggerSchema>;

/** What a capability's literals, arguments and fields have in common. */
export type Value = FieldValue;
