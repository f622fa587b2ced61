/** What the log keeps of deduction: what was submitted, and each closed round with its truth. */
import * as z from "zod";
import { argSchema } from "../capability.ts";
import type { Changes } from "../dynamics/changes.ts";
import type { ActionUse } from "../dynamics/dynamics.ts";
import { literalSchema } from "../field.ts";
import { LIMITS } from "../limits.ts";
import { MODES } from "./scenario.ts";

function mapOf<T extends z.ZodType>(value: T, most: number, what: string) {
  return z.record(z.string(), value).refine((record) => Object.keys(record).length <= most, `at most ${most} ${what}`);
}

/** Changed paths with their values at the end. */
const submitted: z.ZodType<Changes> = mapOf(literalSchema, LIMITS.predictionEntries, "predicted changes").describe(
  "entity_id.field (or entity_id.at): its value; entity_id: the type it comes into being with, or destroyed",
);
const changes: z.ZodType<Changes> = mapOf(literalSchema, LIMITS.changedPaths, "changes");
const ids = z.array(z.string()).max(LIMITS.predictionEntries);

export const actionUseSchema: z.ZodType<ActionUse> = z.strictObject({
  action: z.string().describe("wait, or the id of an action"),
  args: mapOf(argSchema, LIMITS.paramsPerCapability, "arguments"),
});

/** The lists of predictions by what they answer; those that were not given are missing. */
const predictionsSchema = z.strictObject({
  segment: submitted.optional().describe("M1: the changes of this segment"),
  interval: submitted.optional().describe("M2: the changes up to the next decision point"),
  lookahead: submitted.optional().describe("M2: the changes of the lookahead"),
  action: submitted.optional().describe("M2: the fields that would differ, had another action been taken"),
  happening: submitted.optional().describe("M2: the fields that would differ, had something not happened"),
});
export type Predictions = z.infer<typeof predictionsSchema>;
/** One kind of question. */
export type Part = keyof Predictions;
export const PARTS = ["segment", "interval", "lookahead", "action", "happening"] as const satisfies readonly Part[];

/** One accepted `commit_step`. The last one of a round is what counts. */
export const submissionSchema = z.strictObject({
  kind: z.literal("submission"),
  round: z.int().min(1),
  action: actionUseSchema.optional().describe("M2: what is done; wait where none was given"),
  predict: predictionsSchema,
  fires: ids.optional().describe("Processes said to fire in the segment or interval, sorted"),
});
export type Submission = z.infer<typeof submissionSchema>;

const answered = submitted.nullable().optional();
const truth = changes.optional();

const happeningSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("entry"), id: z.string() }),
  z.strictObject({ kind: z.literal("process"), id: z.string(), entity: z.string().nullable() }),
]);

/** One closed round: what was asked, what was answered, what is true. A part that was not asked is missing. */
export const spanSchema = z.strictObject({
  kind: z.literal("span"),
  round: z.int().min(1),
  mode: z.enum(MODES),
  from: z.int().describe("The tick after which it begins"),
  to: z.int().describe("Its last tick"),
  action: actionUseSchema.optional().describe("M2: what was done at its beginning"),
  counterfactuals: z
    .strictObject({ action: actionUseSchema.optional(), happening: happeningSchema.optional() })
    .optional()
    .describe("M2: the action that was asked about instead of the last one, and what had not happened"),
  submitted: z
    .strictObject({
      segment: answered,
      interval: answered,
      lookahead: answered,
      action: answered,
      happening: answered,
    })
    .describe("Null: asked and not answered"),
  truth: z.strictObject({ segment: truth, interval: truth, lookahead: truth, action: truth, happening: truth }),
  fires: z.strictObject({ predicted: ids.nullable(), truth: ids }),
  legal: z.int().min(1).describe("How many actions were possible; 1 where nobody acts"),
  goal: z.boolean().optional().describe("Whether the goal is reached; on the last span of M2"),
  digest: z.string().describe("Of the true world at its end"),
});
export type SpanRecord = z.infer<typeof spanSchema>;
