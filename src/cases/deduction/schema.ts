/** The shape of a deduction case's case.yaml, as an author writes it. */
import * as z from "zod";
import {
  capabilitySchema,
  createdPatternSchema,
  entrySchema,
  fieldSchema,
  idOf,
  LIMITS,
  mapSchema,
  nameOf,
  placeVisibilitySchema,
  processSchema,
  textOf,
  visibilitySchema,
  type Field,
  type Visibility,
} from "../../runtime/index.ts";
import { caseFileSchema } from "../schema.ts";

const { id, title, version, canary, licence, changelog, clock, entities } = caseFileSchema.shape;

const seen = { visibility: visibilitySchema.describe("Who sees its value: public, local, hidden, sealed") };
const [bool, int, number, text, words, place, ref, refs] = fieldSchema.options;
/** A field with who sees it. */
const seenFieldSchema = z.discriminatedUnion("kind", [
  bool.extend(seen),
  int.extend(seen),
  number.extend(seen),
  text.extend(seen),
  words.extend(seen),
  place.extend(seen),
  ref.extend(seen),
  refs.extend(seen),
]);

const seenTypeSchema = z.strictObject({
  says: textOf.default("").describe("One sentence: what such a thing is"),
  at: placeVisibilitySchema.default("public").describe("Who sees where such an entity is"),
  fields: z.record(idOf, seenFieldSchema).default({}),
});

const actionSchema = capabilitySchema.omit({ id: true }).extend({
  says: textOf.min(1).describe("What it does, in words without its numbers"),
  tells: textOf.min(1).describe("What it does with every number"),
});

const scalar = z.union([z.boolean(), z.number(), z.string(), z.null()]);
/** The values one path may have at the beginning. */
const choiceSchema = z.union([
  z.strictObject({
    from: z.number(),
    to: z.number(),
    step: z
      .number()
      .refine((step) => step > 0, "must be more than 0")
      .default(1),
  }),
  z.strictObject({ among: z.array(scalar).min(2).max(100) }),
]);
export type Choice = z.infer<typeof choiceSchema>;

const ticks = z.int().min(1).max(LIMITS.caseTicks);

export const deductionFileSchema = z.strictObject({
  id,
  track: z.literal("deduction"),
  title,
  family: idOf.describe("ashspring, orbit or manor"),
  variant: z.enum(["base", "alternate"]),
  version,
  canary,
  licence,
  changelog,
  clock,
  ticks: ticks.describe("The length of the case; a multiple of segment and decision"),
  segment: ticks.describe("Ticks of a segment (M1)"),
  decision: ticks.describe("Ticks from one decision point to the next (M2)"),
  character: nameOf.describe("The entity that the agent acts as"),
  intro: z.string().min(1).max(20_000).describe("Told in both conditions"),
  goal: z.strictObject({
    says: textOf.min(1).describe("In words"),
    expr: z.string().min(1).describe("Over the true world at the last tick"),
  }),
  map: mapSchema,
  types: z.record(idOf, seenTypeSchema),
  entities,
  processes: z.record(idOf, processSchema.omit({ id: true })),
  schedule: z.record(idOf, entrySchema.omit({ id: true })).default({}),
  actions: z.record(idOf, actionSchema).default({}),
  creates: z.array(createdPatternSchema).max(20).default([]),
  folds: z.strictObject({
    seed: textOf.min(1).describe("With fold and path it decides which value is drawn"),
    vary: z.record(z.string(), choiceSchema).describe("By path: entity.field, entity.at"),
  }),
}) satisfies z.ZodType;
export type DeductionFile = z.infer<typeof deductionFileSchema>;

/** A field as the runtime wants it, and who sees it. */
export function splitField(field: z.infer<typeof seenFieldSchema>): {
  readonly field: Field;
  readonly visibility: Visibility;
} {
  const { visibility, ...rest } = field;
  return { field: rest, visibility };
}
