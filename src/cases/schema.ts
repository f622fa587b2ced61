/** The shapes of case.yaml and of a round file, as an author writes them. */
import * as z from "zod";
import { eventSchema, probeSchema, relationSchema, structureSchema } from "../contracts/index.ts";
import {
  capabilitySchema,
  entityDraftSchema,
  idOf,
  invariantSchema,
  LIMITS,
  literalSchema,
  mapSchema,
  nameOf,
  textOf,
  triggerSchema,
  typeSchema,
  type CapabilityDraft,
  type EntityDraft,
  type EntityType,
  type Tier,
} from "../runtime/index.ts";

/** How large a case is over the three tiers, in scored items: 450–700, 1,000–1,350, above. */
export const STRATA = ["small", "medium", "large"] as const;
export type Stratum = (typeof STRATA)[number];

const positive = z.int().min(1);
const budget = z.strictObject({ stepsPerRound: positive.optional(), callsPerRound: positive.optional() });

const budgetsSchema = z.strictObject({
  easy: budget.optional(),
  hard: budget.optional(),
  extreme: budget.optional(),
} satisfies Record<Tier, unknown>);
/** Budgets of a tier where the published formula does not fit. */
export type CaseBudgets = Readonly<z.infer<typeof budgetsSchema>>;

/** In a case file the fields of an entity stand beside `type`, `name` and `at`. */
const caseEntitySchema = z
  .object({
    type: entityDraftSchema.shape.type,
    name: entityDraftSchema.shape.name,
    at: entityDraftSchema.shape.at,
  })
  .catchall(literalSchema);

const record = <T extends z.ZodType>(key: typeof idOf, value: T) => z.record(key, value);

export const caseFileSchema = z.strictObject({
  id: idOf.describe("The name of the folder"),
  title: textOf.min(1),
  family: idOf.describe("ark, myth or li"),
  stratum: z.enum(STRATA),
  version: positive,
  canary: z
    .string()
    .regex(
      /^worldagent-canary-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      "a canary is worldagent-canary- and a UUID",
    ),
  licence: textOf.min(1).optional(),
  changelog: z.array(z.strictObject({ version: positive, says: textOf.min(1) })).optional(),
  clock: z.strictObject({ unit: textOf.min(1), start: z.int().min(0).default(0) }),
  map: mapSchema,
  types: record(idOf, typeSchema.omit({ id: true })),
  entities: record(nameOf, caseEntitySchema),
  invariants: z.array(invariantSchema).default([]),
  capabilities: record(idOf, capabilitySchema.omit({ id: true })),
  unused: z
    .record(z.string(), textOf.min(1))
    .default({})
    .describe("Types, entities, capabilities and type.field that nothing uses, each with why it is there"),
  budgets: budgetsSchema.optional(),
});
export type CaseFile = z.infer<typeof caseFileSchema>;

const referenceTriggerSchema = z.strictObject({
  ...triggerSchema.shape,
  realises: z.array(eventSchema.shape.id).default([]).describe("The events of this round that it brings about"),
});

export const referenceStepSchema = z.strictObject({
  triggers: z.array(referenceTriggerSchema).max(LIMITS.triggersPerStep).default([]),
  until: z.literal("first").optional(),
  advance: z.int().min(0).max(LIMITS.ticks).optional(),
});
/** One step of the reference solution; a wait has no triggers. */
export type ReferenceStep = z.infer<typeof referenceStepSchema>;
export type ReferenceTrigger = z.infer<typeof referenceTriggerSchema>;

export const roundFileSchema = z.strictObject({
  round: positive,
  narrative: z.string().min(1),
  events: z.array(eventSchema),
  structures: z.array(structureSchema).default([]),
  probes: z.array(probeSchema).default([]),
  relations: z.array(relationSchema).default([]),
  reference: z.array(referenceStepSchema),
});
export type RoundFile = z.infer<typeof roundFileSchema>;
export type StructureDraft = RoundFile["structures"][number];
export type RelationDraft = RoundFile["relations"][number];

/** Gives every item of a keyed record the key as its id. */
export function withIds<T>(items: Readonly<Record<string, T>>): Readonly<Record<string, T & { readonly id: string }>> {
  return Object.fromEntries(Object.entries(items).map(([id, item]) => [id, { id, ...item }]));
}

/** The parts of the world as the runtime wants them. */
export function worldPartsOf(file: CaseFile): {
  readonly types: Readonly<Record<string, EntityType>>;
  readonly entities: Readonly<Record<string, EntityDraft>>;
  readonly capabilities: Readonly<Record<string, CapabilityDraft>>;
} {
  const entities = Object.entries(file.entities).map(([id, { type, name, at, ...fields }]): [string, EntityDraft] => [
    id,
    { id, type, name, at, fields },
  ]);
  return {
    types: withIds(file.types),
    entities: Object.fromEntries(entities),
    capabilities: withIds(file.capabilities),
  };
}
