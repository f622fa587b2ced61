/** What is kept of an exchange with an endpoint: one request, its failed attempts, the answer or the fault it ended in. */
import * as z from "zod";
import { jsonObjectSchema } from "./json.ts";

const count = z.int().min(0);

/**
 * Tokens of one answer, in disjoint buckets: `total` = input + cachedInput + output + reasoning, checked against what
 * the provider says.
 */
export const usageSchema = z.strictObject({
  input: count.describe("Prompt tokens that were not read from a cache"),
  cachedInput: count.describe("Prompt tokens that were"),
  output: count.describe("Answer tokens without the thinking"),
  reasoning: count.describe("Thinking tokens"),
  total: count.describe("As the provider says it; the sum where it does not"),
});
export type Usage = z.infer<typeof usageSchema>;

/** Why an attempt brought no answer. Closed. */
export const FAULT_KINDS = [
  "rate_limited",
  "quota",
  "auth",
  "unknown_model",
  "not_an_api",
  "bad_request",
  "context_overflow",
  "blocked",
  "server_error",
  "timeout",
  "connection",
  "cut_stream",
  "bad_answer",
] as const;
export const faultKindSchema = z.enum(FAULT_KINDS);
export type FaultKind = z.infer<typeof faultKindSchema>;

/** A fault of an endpoint, in its words as far as they may be kept. */
export const endpointFaultSchema = z.strictObject({
  kind: faultKindSchema,
  status: z.int().nullable().describe("The HTTP status; null where there was none"),
  code: z.string().nullable().describe("The code inside the answer; null where there was none"),
  message: z.string().max(2000).describe("Without secrets, cut to 2,000 characters"),
  tokens: count
    .optional()
    .describe(
      "Of an answer that came and could not be taken: as told with it, or an estimate where `usage` is missing",
    ),
  usage: usageSchema.optional().describe("The same in buckets, as it was told"),
});
export type EndpointFault = z.infer<typeof endpointFaultSchema>;

/** An attempt that failed and was made again. */
export const attemptSchema = z.strictObject({
  fault: endpointFaultSchema,
  waitMs: z.int().min(0).describe("How long was waited before the next attempt"),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What an endpoint did that it should not have, and that was put up with. Each is a line of docs/endpoints.md. */
export const QUIRKS = [
  "empty_arguments",
  "repaired_arguments",
  "unreadable_arguments",
  "shared_stream_index",
  "finish_reason_mismatch",
  "unparsed_call",
  "text_call_taken",
  "made_call_id",
  "placeholder_sent",
  "empty_answer",
  "missing_usage",
  "usage_mismatch",
  "prompt_tokens_fell",
  "unknown_fields_kept",
  "adapted_parameter",
] as const;
export const toleratedSchema = z.strictObject({ quirk: z.enum(QUIRKS), says: z.string().max(2000) });
export type Quirk = (typeof QUIRKS)[number];
export type Tolerated = z.infer<typeof toleratedSchema>;

/** A parameter that an endpoint refuses: left out, or sent under another name. */
export const adaptationSchema = z.strictObject({ parameter: z.string(), sentAs: z.string().nullable() });
export type Adaptation = z.infer<typeof adaptationSchema>;

/** One answer of a model with everything needed to go on from it. */
export const answerBodySchema = z.strictObject({
  kind: z.literal("answer"),
  request: z.int().min(1).describe("1, 2, …: the requests of a run"),
  message: jsonObjectSchema.describe("The assistant message as it came, unknown fields included"),
  finish: z.string().nullable(),
  model: z.string().nullable().describe("The model as the endpoint names it"),
  usage: usageSchema.nullable().describe("null where the endpoint tells none"),
  estimatedTokens: count.optional().describe("In place of a usage that was not told: an estimate of the total"),
  tolerated: z.array(toleratedSchema),
  attempts: z.array(attemptSchema).describe("Attempts that failed before"),
  adapted: z.array(adaptationSchema).describe("Parameters left out or renamed from here on"),
});
export type AnswerBody = z.infer<typeof answerBodySchema>;

/** A request that brought no answer. */
export const faultBodySchema = z.strictObject({
  kind: z.literal("fault"),
  request: z.int().min(1),
  fault: endpointFaultSchema,
  attempts: z.array(attemptSchema),
});
export type FaultBody = z.infer<typeof faultBodySchema>;

/** What the harness says to the model. */
export const messageBodySchema = z.strictObject({
  kind: z.literal("message"),
  role: z.enum(["system", "user"]),
  text: z.string(),
});
export type MessageBody = z.infer<typeof messageBodySchema>;

/** Answers of tools that later requests carry as one line each, so that the conversation fits the window. */
export const foldBodySchema = z.strictObject({
  kind: z.literal("fold"),
  calls: z.array(z.int().min(1)).min(1).describe("Numbers of the calls whose answers are folded, from 1 in the run"),
  why: z.enum(["window", "overflow"]).describe("The window nears its end, or the endpoint said it is passed"),
});
export type FoldBody = z.infer<typeof foldBodySchema>;
