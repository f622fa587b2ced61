/** What the tools of deduction answer where they answer otherwise than those of maintenance. */
import * as z from "zod";
import { argSchema } from "../capability.ts";
import { literalSchema } from "../field.ts";
import { CONDITIONS, MODES } from "./scenario.ts";

const ok = z.literal(true);
const tick = z.int();
const budget = z.strictObject({ allowed: z.int(), used: z.int(), left: z.int() });
const args = z.record(z.string(), argSchema);
const count = z.int().min(0);

/** An action with its arguments. */
const useSchema = z.strictObject({ action: z.string(), args });
const spanOf = z.strictObject({ from: tick, to: tick }).describe("The ticks (from, to]");

const happeningSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("entry"), id: z.string(), says: z.string() }),
  z.strictObject({ kind: z.literal("process"), id: z.string(), entity: z.string().nullable(), says: z.string() }),
]);

/** What the present round asks. */
export const askedSchema = z.strictObject({
  segment: spanOf.optional().describe("M1: every field whose value at `to` differs from that at `from`"),
  action: ok.optional().describe("M2: an action may be chosen; none is to wait"),
  interval: z
    .strictObject({ from: tick, to: z.string() })
    .optional()
    .describe("M2: the same up to the next decision point, which the chosen action decides"),
  lookahead: spanOf.optional().describe("M2: the same, if the chosen action is followed by waiting"),
  counterfactuals: z
    .strictObject({
      action: z
        .strictObject({ instead: useSchema, says: z.string() })
        .optional()
        .describe("Had this been done at the last decision point"),
      happening: happeningSchema.optional().describe("Had this not happened since the last decision point"),
    })
    .optional()
    .describe("M2: every field whose value now would differ, with the value it would have"),
});
export type Asked = z.infer<typeof askedSchema>;

/** A list of which as much is shown as there is room for. */
function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ count, shown: z.array(item), note: z.string().optional() });
}

export const seenChangeSchema = z.strictObject({ path: z.string(), before: literalSchema, after: literalSchema });
export type SeenChange = z.infer<typeof seenChangeSchema>;

const legalSchema = listOf(
  z.strictObject({ action: z.string(), args, next: tick.describe("The next decision point, if this is chosen") }),
);
const changedSchema = z.strictObject({
  ...listOf(seenChangeSchema).shape,
  came: z.array(z.string()).describe("Entities that came into being"),
  went: z.array(z.string()).describe("Entities that are gone"),
});

/** What is new at the beginning of a round. */
const roundParts = {
  asked: askedSchema,
  legal: legalSchema.optional().describe("M2: the actions that are possible now, by what you see"),
  changed: changedSchema.optional().describe("M2: what was seen to change since the last decision point"),
};
export type Legal = z.infer<typeof legalSchema>;
export type Changed = z.infer<typeof changedSchema>;

/** How many entries each list of predictions has. */
const countsSchema = z.strictObject({
  segment: count.optional(),
  interval: count.optional(),
  lookahead: count.optional(),
  counterfactuals: z.strictObject({ action: count.optional(), happening: count.optional() }).optional(),
});
export type Counts = z.infer<typeof countsSchema>;

const submittedParts = {
  action: useSchema.optional().describe("M2: what will be done"),
  predicted: countsSchema.describe("How many changes each list holds"),
  fires: count.nullable().describe("How many processes are said to fire; null where nothing was said"),
  missing: z.array(z.string()).describe("What is asked and not answered"),
};

export const deductionContextAnswerSchema = z.strictObject({
  ok,
  case: z.string(),
  condition: z.enum(CONDITIONS),
  mode: z.enum(MODES),
  round: z.int().min(1),
  clock: tick,
  unit: z.string().describe("What one tick of the clock is"),
  ends: tick.describe("The last tick of the case"),
  budgets: z.strictObject({
    roundSteps: budget.describe("Submissions (commit_step) of this round, refused ones counted"),
    roundCalls: budget.describe("Calls of this round"),
    runCalls: budget.describe("Calls of the run"),
  }),
  intro: z.strictObject({
    text: z.string(),
    note: z.string().optional().describe("That the text is cut, and how to read on"),
    cursor: z.string().optional().describe("For get_context, to read on"),
  }),
  goal: z.string().describe("What is to be reached, in words"),
  goalExpr: z.string().optional().describe("The same in machine-readable form, where rules are told so"),
  submitted: z.strictObject(submittedParts).nullable().describe("What stands submitted in this round"),
  ...roundParts,
});
export type DeductionContextAnswer = z.infer<typeof deductionContextAnswerSchema>;

export const submissionAnswerSchema = z.strictObject({
  ok,
  round: z.int().min(1),
  ...submittedParts,
  interval: spanOf.optional().describe("M2: the interval, now that the action is chosen"),
  note: z.string(),
});
export type SubmissionAnswer = z.infer<typeof submissionAnswerSchema>;

export const deductionEndAnswerSchema = z.strictObject({
  ok,
  round: z.int().min(1).describe("The round that is closed"),
  clock: tick,
  finished: z.boolean().describe("Whether the case is finished"),
  changed: changedSchema.optional().describe("M2, at the end of the case: what was last seen to change"),
  next: z
    .strictObject({ round: z.int().min(1), ...roundParts })
    .optional()
    .describe("What the next round asks"),
});
export type DeductionEndAnswer = z.infer<typeof deductionEndAnswerSchema>;
