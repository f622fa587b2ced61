/** The six tools as deduction has them: the same names, other words, and another form of `commit_step`. */
import * as z from "zod";
import { argSchema } from "../capability.ts";
import { literalSchema } from "../field.ts";
import { idOf } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { constructAnswerSchema, helpAnswerSchema, readAnswerSchema } from "../tool-answers.ts";
import { constructInputSchema, endRoundInputSchema, readInputSchema, type Tool, type ToolName } from "../tools.ts";
import { deductionContextAnswerSchema, deductionEndAnswerSchema, submissionAnswerSchema } from "./answers.ts";

export const deductionHelpInputSchema = z.strictObject({
  topic: z
    .string()
    .optional()
    .describe("A topic of the answer's list, such as example, predictions, time; the overview where left out"),
});

export const deductionContextInputSchema = z.strictObject({
  cursor: z.string().optional().describe("The cursor of an intro that was cut, to read on"),
});

export const DEDUCTION_SOURCES = ["map", "types", "entities", "capabilities", "processes", "schedule", "log"] as const;
export type DeductionSource = (typeof DEDUCTION_SOURCES)[number];

export const deductionReadInputSchema = z.strictObject({
  ...readInputSchema.shape,
  from: z.enum(DEDUCTION_SOURCES).describe("What to read; capabilities are the actions"),
  id: z.string().optional().describe("One entry by its id; in the log a closed round"),
  type: idOf.optional().describe("Entities of this type only"),
});
export type DeductionReadInput = z.infer<typeof deductionReadInputSchema>;

const predictionSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(200)
    .describe("entity_id.field (or entity_id.at); entity_id alone for what comes into being or is gone"),
  value: literalSchema.describe(
    "The value at the end; for what comes into being its type, for what is gone the word destroyed",
  ),
});
export type Prediction = z.infer<typeof predictionSchema>;

const listOf = (what: string) => z.array(predictionSchema).max(LIMITS.predictionEntries).optional().describe(what);

export const submissionInputSchema = z.strictObject({
  action: z
    .strictObject({
      action: z.string().describe("wait, or the id of an action"),
      args: z.record(z.string(), argSchema).default({}).describe("Its arguments by parameter name"),
    })
    .optional()
    .describe("M2: what to do now; to wait where left out"),
  predict: z
    .strictObject({
      segment: listOf("M1: every change of this segment"),
      interval: listOf("M2: every change up to the next decision point, the action's own included"),
      lookahead: listOf("M2: every change over the lookahead, if the action is followed by waiting"),
      counterfactuals: z
        .strictObject({
          action: listOf("Every field whose value now would differ, had the other action been taken"),
          happening: listOf("Every field whose value now would differ, had this not happened"),
        })
        .optional()
        .describe("M2: answers to the questions that get_context asks"),
    })
    .default({})
    .describe("Lists of changes; an empty list says that nothing changes"),
  fires: z
    .array(z.string())
    .max(LIMITS.predictionEntries)
    .optional()
    .describe("Ids of the processes that fire at least once in the segment or interval"),
});
export type SubmissionInput = z.infer<typeof submissionInputSchema>;

export const DEDUCTION_TOOLS: Readonly<Record<ToolName, Tool>> = {
  help: {
    name: "help",
    description:
      "The protocol of this world: what is asked, what counts as a change, how time and rules work, how to submit, a worked example. Start here. Without `topic` it gives the overview and the list of topics. Reading changes nothing but the count of calls.",
    input: deductionHelpInputSchema,
    answer: helpAnswerSchema,
    examples: [{ topic: "example" }],
  },
  get_context: {
    name: "get_context",
    description:
      "The introduction and the goal, where you are (round, clock), what this round asks, what stands submitted, what is left of each budget; where you act also the actions that are possible now and what was seen to change. An introduction that is cut names a `cursor` to read on. Reading changes nothing but the count of calls.",
    input: deductionContextInputSchema,
    answer: deductionContextAnswerSchema,
    examples: [{}],
  },
  read_data: {
    name: "read_data",
    description:
      "Reads what you may see: `from` map, types, entities, capabilities (the actions), processes, schedule or log (closed rounds). Narrow it with `id`, `type` (entities only), `where` (an expression over `it`, such as `it.at == kitchen && it.hot`; a value that is not seen never matches) and `fields`. Answers come in pages in a fixed order; where an answer has a `cursor`, the same query with that cursor gives the next page. Reading changes nothing but the count of calls.",
    input: deductionReadInputSchema,
    answer: readAnswerSchema,
    examples: [{ from: "entities", type: "person", where: "it.at == kitchen", fields: ["name", "at"], limit: 20 }],
  },
  construct: {
    name: "construct",
    description: "Not available here: the world is complete, and nothing is constructed. Every call is refused.",
    input: constructInputSchema,
    answer: constructAnswerSchema,
    examples: [{ op: "delete", level: "capability", id: "heat" }],
  },
  commit_step: {
    name: "commit_step",
    description:
      "Submits the answers of this round, and where you act the action: `predict` holds a list of changes for each thing asked (get_context, `asked`), each `{path, value}` with the value at the end of the span. It may be sent again: the last one before end_round counts, whole. A path or value that cannot be refuses the whole call, and nothing is dropped silently. It changes nothing in the world until end_round.",
    input: submissionInputSchema,
    answer: submissionAnswerSchema,
    examples: [
      { predict: { segment: [{ path: "kettle.heat", value: 60 }] }, fires: ["heating"] },
      {
        action: { action: "go", args: { to: "kitchen" } },
        predict: {
          interval: [{ path: "ana.at", value: "kitchen" }],
          lookahead: [{ path: "ana.at", value: "kitchen" }],
          counterfactuals: { action: [], happening: [] },
        },
        fires: ["heating"],
      },
    ],
  },
  end_round: {
    name: "end_round",
    description:
      "Closes the round with what was last submitted; the world goes on. It cannot be reopened. The answer is what the next round asks, or that the case is finished.",
    input: endRoundInputSchema,
    answer: deductionEndAnswerSchema,
    examples: [{}],
  },
};
