/** What the log keeps of every accepted and refused doing: plain data, from which a run can be rebuilt. */
import * as z from "zod";
import { argSchema, capabilitySchema } from "./capability.ts";
import { spanSchema, submissionSchema } from "./deduction/record.ts";
import { toolErrorSchema } from "./errors.ts";
import type { TriggerId } from "./ids.ts";
import { entityDraftSchema, typeSchema } from "./world.ts";

const value = z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(z.string())]);
const triggerIdOf = z.custom<TriggerId>((id) => typeof id === "string" && /^t[1-9][0-9]*_[1-9][0-9]*$/.test(id));

/** An entity as the world holds it, in a record. */
export const entityRecordSchema = z.strictObject({
  ...entityDraftSchema.shape,
  name: z.string(),
  at: z.string().nullable(),
  fields: z.record(z.string(), value),
});

const same = z.literal(true).optional().describe("The write left the value as it was");
const path = z.string().describe("entity_id.field");

/** One write of one trigger. `before` and `after` are the values of the whole step; an `add` keeps its own part in `by`. */
export const writeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("set"), path, before: value, after: value, same }),
  z.strictObject({ kind: z.literal("add"), path, before: z.number(), after: z.number(), by: z.number(), same }),
  z.strictObject({
    kind: z.enum(["insert", "remove"]),
    path,
    before: z.array(z.string()),
    after: z.array(z.string()),
    member: z.string(),
    same,
  }),
  z.strictObject({
    kind: z.enum(["create", "destroy"]),
    path: z.string().describe("entity_id"),
    entity: entityRecordSchema,
  }),
]);
export type Write = z.infer<typeof writeSchema>;

/** One accepted trigger. Its interval is [start, end). */
export const acceptedTriggerSchema = z.strictObject({
  id: triggerIdOf,
  capability: z.string(),
  version: z.int().min(1).describe("The version of the capability it used"),
  args: z.record(z.string(), argSchema),
  note: z.string().optional(),
  start: z.int(),
  end: z.int(),
  reads: z
    .array(z.string())
    .describe(
      "Every path its requirements, effects and duration looked at, sorted: entity.field, type.*, type.*.field",
    ),
  writes: z.array(writeSchema),
});
export type AcceptedTrigger = z.infer<typeof acceptedTriggerSchema>;

/** One accepted step. A step without triggers is a wait. */
export const acceptedStepSchema = z.strictObject({
  kind: z.literal("accepted"),
  step: z.int().min(1).describe("Accepted steps are numbered 1, 2, …"),
  round: z.int().min(1),
  start: z.int().describe("The clock before"),
  clock: z.int().describe("The clock after"),
  until: z.literal("first").optional(),
  advance: z.int(),
  triggers: z.array(acceptedTriggerSchema),
  digest: z.string().describe("Of the world after the step"),
});
export type AcceptedStep = z.infer<typeof acceptedStepSchema>;

/** One refused step: the world is as it was. */
export const rejectedStepSchema = z.strictObject({
  kind: z.literal("rejected"),
  step: z.string().describe("Rejected steps are numbered r1, r2, …"),
  round: z.int().min(1),
  start: z.int(),
  triggers: z.array(z.strictObject({ capability: z.string(), args: z.record(z.string(), argSchema) })),
  error: toolErrorSchema,
});
export type RejectedStep = z.infer<typeof rejectedStepSchema>;

const versionedCapability = z.strictObject({ ...capabilitySchema.shape, version: z.int().min(1) });

/** One accepted construction: what the item is now, or that it is gone. */
export const constructionSchema = z.strictObject({
  kind: z.literal("construction"),
  construction: z.int().min(1).describe("Accepted constructions are numbered 1, 2, …"),
  round: z.int().min(1),
  afterStep: z.int().min(0).describe("The number of accepted steps before it"),
  op: z.enum(["create", "update", "delete"]),
  item: z.discriminatedUnion("level", [
    z.strictObject({ level: z.literal("type"), id: z.string(), now: typeSchema.nullable() }),
    z.strictObject({ level: z.literal("entity"), id: z.string(), now: entityRecordSchema.nullable() }),
    z.strictObject({ level: z.literal("capability"), id: z.string(), now: versionedCapability.nullable() }),
  ]),
  digest: z.string().describe("Of the world after it"),
});
export type Construction = z.infer<typeof constructionSchema>;

/** The end of a round: its snapshot is frozen. */
export const roundEndSchema = z.strictObject({
  kind: z.literal("round_end"),
  round: z.int().min(1),
  steps: z.int().min(0).describe("Accepted steps of the round"),
  rejected: z.int().min(0),
  clock: z.int(),
  digest: z.string().describe("Of the world at the end of the round"),
});
export type RoundEnd = z.infer<typeof roundEndSchema>;

/** What one tool call did to the world or the log of steps; calls that only read have none. */
export const effectRecordSchema = z.discriminatedUnion("kind", [
  acceptedStepSchema,
  rejectedStepSchema,
  constructionSchema,
  roundEndSchema,
  submissionSchema,
  spanSchema,
]);
export type EffectRecord = z.infer<typeof effectRecordSchema>;
