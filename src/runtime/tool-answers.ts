/** What the six tools answer. Every answer is at most 8 KB of JSON. */
import * as z from "zod";
import type { DeductionContextAnswer, DeductionEndAnswer, SubmissionAnswer } from "./deduction/answers.ts";
import { toolErrorSchema } from "./errors.ts";
import { LEVELS, tierSchema } from "./tier.ts";

const ok = z.literal(true);

export const helpAnswerSchema = z.strictObject({
  ok,
  topic: z.string(),
  text: z.string(),
  topics: z.array(z.string()).describe("Every topic there is"),
});

export type HelpAnswer = z.infer<typeof helpAnswerSchema>;

/** An instalment of the story, or a part of one. */
export const instalmentSchema = z.strictObject({
  round: z.int().min(1),
  text: z.string(),
  note: z.string().optional().describe("That the text is cut, and how to read on"),
  cursor: z.string().optional().describe("For get_context, to read on"),
});
export type Instalment = z.infer<typeof instalmentSchema>;

const budget = z.strictObject({ allowed: z.int(), used: z.int(), left: z.int() });

export const contextAnswerSchema = z.strictObject({
  ok,
  case: z.string(),
  tier: tierSchema,
  round: z.int().min(1),
  step: z.int().min(0).describe("Accepted steps so far"),
  rejected: z.int().min(0).describe("Refused steps so far"),
  clock: z.int(),
  unit: z.string().describe("What one tick of the clock is"),
  budgets: z.strictObject({
    roundSteps: budget.describe("Steps of this round, refused ones counted"),
    roundCalls: budget.describe("Calls of this round"),
    runCalls: budget.describe("Calls of the run; each round that opens adds to it"),
  }),
  earlierRounds: z
    .strictObject({ first: z.int(), last: z.int() })
    .nullable()
    .describe("Rounds whose instalments get_context gives again by `round`"),
  narrative: instalmentSchema,
});
export type ContextAnswer = z.infer<typeof contextAnswerSchema>;

export const readAnswerSchema = z.strictObject({
  ok,
  from: z.string(),
  entries: z.array(z.record(z.string(), z.json())),
  cursor: z.string().optional().describe("There is more: the same query with this cursor"),
});
export type ReadAnswer = z.infer<typeof readAnswerSchema>;

export const constructAnswerSchema = z.strictObject({
  ok,
  construction: z.int().min(1),
  op: z.enum(["create", "update", "delete"]),
  level: z.enum(LEVELS),
  id: z.string(),
  version: z.int().min(1).optional().describe("Of a capability: the version that triggers use from now on"),
});
export type ConstructAnswer = z.infer<typeof constructAnswerSchema>;

const shownValue = z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(z.string())]);

/** A changed path with its values, or an entity that was created or destroyed. */
export const changeSchema = z.strictObject({
  trigger: z.string(),
  path: z.string(),
  before: shownValue.optional(),
  after: shownValue.optional(),
  by: z.number().optional().describe("What this trigger added"),
  created: z.string().optional().describe("The type of the entity that came into being"),
  destroyed: z.string().optional().describe("The type of the entity that is gone"),
});
export type Change = z.infer<typeof changeSchema>;

export const stepAnswerSchema = z.strictObject({
  ok,
  step: z.int().min(1),
  start: z.int(),
  clock: z.int().describe("The clock after the step"),
  triggers: z.array(z.strictObject({ id: z.string(), capability: z.string(), start: z.int(), end: z.int() })),
  changes: z.array(changeSchema),
  note: z.string().optional().describe("What is not shown here, and how to read it"),
});
export type StepAnswer = z.infer<typeof stepAnswerSchema>;

export const endRoundAnswerSchema = z.strictObject({
  ok,
  round: z.int().min(1).describe("The round that is closed"),
  steps: z.int().min(0).describe("Its accepted steps"),
  rejected: z.int().min(0).describe("Its refused steps"),
  clock: z.int(),
  finished: z.boolean().describe("Whether the case is finished"),
  next: instalmentSchema.optional().describe("The next instalment"),
});
export type EndRoundAnswer = z.infer<typeof endRoundAnswerSchema>;

export const errorAnswerSchema = z.strictObject({ ok: z.literal(false), error: toolErrorSchema });

export type ToolAnswer =
  | z.infer<typeof helpAnswerSchema>
  | ContextAnswer
  | ReadAnswer
  | ConstructAnswer
  | StepAnswer
  | EndRoundAnswer
  | DeductionContextAnswer
  | SubmissionAnswer
  | DeductionEndAnswer
  | z.infer<typeof errorAnswerSchema>;
