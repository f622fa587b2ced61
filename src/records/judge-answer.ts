/**
 * What a model said when it was asked to judge, as it said it: `answers.jsonl`, or `answers.<name>.jsonl` of a named
 * set. Judgments follow from it by program, so that a newer parser can read it again without asking anyone.
 */
import * as z from "zod";
import { endpointFaultSchema, usageSchema } from "./exchange.ts";
import { digestSchema } from "./manifest.ts";

export const judgeAnswerSchema = z.strictObject({
  v: z.literal(1),
  question: z
    .string()
    .regex(/^(item|identity) [a-z][a-z0-9_]*$/)
    .describe('What was asked: "item gate_shut" or "identity odile"'),
  vote: z.int().min(1),
  attempt: z.int().min(1).describe("1, 2, …: an answer that breaks the schema is asked for again, with its fault"),
  prompt: digestSchema.describe("Of everything that was sent"),
  raw: z.string().nullable().describe("The text of the answer as it came; null where a fault came instead"),
  finish: z.string().nullable(),
  model: z.string().nullable().describe("As the endpoint names it"),
  usage: usageSchema.nullable(),
  estimatedTokens: z
    .int()
    .min(0)
    .optional()
    .describe("In place of a usage that was not told: an estimate of the total"),
  lost: z
    .array(usageSchema)
    .min(1)
    .optional()
    .describe("What was told with attempts before that brought no answer: it is paid for"),
  cached: z.boolean().describe("Found in the cache, and free"),
  fault: endpointFaultSchema.nullable(),
});
export type JudgeAnswer = z.infer<typeof judgeAnswerSchema>;
