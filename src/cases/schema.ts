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
const budget = z
  .strictObject({
    stepsPerRound: positive.optional().describe("Steps of each round"),
    callsPerRound: positive.optional().describe("Calls of each round"),
  })
  .describe("Instead of what the formula gives");

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
    type: entityDraftSchema.shape.type.describe("One of the types of this file"),
    name: entityDraftSchema.shape.name,
    at: entityDraftSchema.shape.at,
  })
  .catchall(literalSchema)
  .describe("An entity; its fields stand beside type, name and at");

const record = <T extends z.ZodType>(key: typeof idOf, value: T) => z.record(key, value);

export const caseFileSchema = z.strictObject({
  id: idOf.describe("The name of the folder"),
  track: z.literal("maintenance").optional().describe("May be left out: a case that says none is of maintenance"),
  title: textOf.min(1).describe("As people call it; players never see it"),
  family: idOf.describe("ark, myth or li"),
  stratum: z.enum(STRATA).describe("By scored items over the three tiers: 450–700, 1,000–1,350, more"),
  version: positive.describe("A change of content is a new version, with a line in the changelog"),
  canary: z
    .string()
    .regex(/^worldagent-canary-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a canary is worldagent-canary- and a UUID")
    .describe("worldagent-canary- and a UUID of this case's own: a text to find it by in training data"),
  licence: textOf.min(1).optional().describe("Such as CC-BY-4.0"),
  changelog: z
    .array(
      z.strictObject({
        version: positive.describe("The version"),
        says: textOf.min(1).describe("What it changed, in one sentence"),
      }),
    )
    .optional()
    .describe("One line a version"),
  clock: z
    .strictObject({
      unit: textOf.min(1).describe("What one tick is: minute, hour, day"),
      start: z.int().min(0).default(0).describe("Where the clock stands at first"),
    })
    .describe("The time of the world, in ticks"),
  map: mapSchema.describe("Places and the ways between them: all that is given in extreme"),
  types: record(idOf, typeSchema.omit({ id: true })).describe("Kinds of things, by id; given in easy and hard"),
  entities: record(nameOf, caseEntitySchema).describe("Who and what there is at the beginning, by id"),
  invariants: z.array(invariantSchema).default([]).describe("What no step may ever break; given in easy and hard"),
  capabilities: record(idOf, capabilitySchema.omit({ id: true })).describe(
    "What can be done, by id; given in easy, and the reference's own in every tier",
  ),
  unused: z
    .record(z.string(), textOf.min(1))
    .default({})
    .describe("Types, entities, capabilities, places and type.field that nothing uses, each with why it is there"),
  budgets: budgetsSchema.optional().describe("Only where the published formula does not fit"),
});
export type CaseFile = z.infer<typeof caseFileSchema>;

const referenceTriggerSchema = z.strictObject({
  ...triggerSchema.shape,
  realises: z.array(eventSchema.shape.id).default([]).describe("The events of this round that it brings about"),
});

export const referenceStepSchema = z.strictObject({
  triggers: z
    .array(referenceTriggerSchema)
    .max(LIMITS.triggersPerStep)
    .default([])
    .describe("Doings that begin at once; none at all is a wait"),
  until: z
    .literal("first")
    .optional()
    .describe("first: the clock stops where the first of them ends, the others go on"),
  advance: z.int().min(0).max(LIMITS.ticks).optional().describe("Ticks that pass when the step is over"),
});
/** One step of the reference solution; a wait has no triggers. */
export type ReferenceStep = z.infer<typeof referenceStepSchema>;
export type ReferenceTrigger = z.infer<typeof referenceTriggerSchema>;

export const roundFileSchema = z.strictObject({
  round: positive.describe("Its number, which the file's name says as well"),
  narrative: z.string().min(1).describe("The instalment of the story: all that a player sees of this file"),
  events: z.array(eventSchema).describe("E: what somebody does, and what follows"),
  structures: z
    .array(structureSchema)
    .default([])
    .describe("A: what a player must build well, judged by what it refuses"),
  probes: z.array(probeSchema).default([]).describe("P: what is forbidden, or left undone"),
  relations: z
    .array(relationSchema)
    .default([])
    .describe("CA, TM, CC: each one of causal, precedes, chain or concurrent, with the words that carry it"),
  reference: z.array(referenceStepSchema).describe("One way to act the round out, step by step"),
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
