/** Where a model is asked, and what every request to it states. Nothing is sent that is not stated here. */
import * as z from "zod";
import { jsonObjectSchema } from "../records/index.ts";

/** An address with neither a password nor a query, so that it can be kept in records. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: "not an http or https address" })
  .refine((url) => isPlain(url), "an address without user, password, query and fragment");

function isPlain(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password, search, hash } = new URL(url);
  return username === "" && password === "" && search === "" && hash === "";
}

export const endpointSettingsSchema = z.strictObject({
  baseUrl: baseUrl.describe("Of an OpenAI-compatible API, such as http://127.0.0.1:8000/v1"),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable")
    .nullable()
    .default("OPENAI_API_KEY")
    .describe("The environment variable that holds the key; null where the server wants none"),
  concurrency: z.int().min(1).max(256).default(4).describe("Requests under way at once"),
  timeoutMs: z.int().min(100).max(3_600_000).default(300_000).describe("Deadline of one attempt, streaming included"),
  attempts: z.int().min(1).max(20).default(6).describe("Attempts at one request, the first included"),
  longestWaitMs: z.int().min(0).max(3_600_000).default(120_000).describe("Longest wait between two attempts"),
});
export type EndpointSettings = z.infer<typeof endpointSettingsSchema>;

/** Members of a request that this program sets, with what to state in their place; undefined where nothing can be. */
const OWN_MEMBERS: ReadonlyMap<string, string | undefined> = new Map([
  ["model", "model (--model)"],
  ["messages", undefined],
  ["tools", undefined],
  ["functions", undefined],
  ["function_call", "toolChoice (--tool-choice)"],
  ["tool_choice", "toolChoice (--tool-choice)"],
  ["parallel_tool_calls", "parallelToolCalls (--parallel-tool-calls)"],
  ["stream", "stream (--stream)"],
  ["stream_options", "stream (--stream)"],
  ["response_format", undefined],
  ["n", undefined],
  ["max_tokens", "maxTokens (--max-tokens)"],
  ["max_completion_tokens", "maxTokens (--max-tokens) and maxTokensAs: max_completion_tokens in the config file"],
  ["temperature", "temperature (--temperature)"],
  ["top_p", "topP (--top-p)"],
  ["seed", "seed (--seed)"],
  ["reasoning_effort", "reasoningEffort (--reasoning-effort)"],
]);

/** Beside what the program sets: else a record would tell of settings that were not sent, or were sent twice. */
const extraSchema = jsonObjectSchema.superRefine((extra, ctx) => {
  for (const name of Object.keys(extra)) {
    if (!OWN_MEMBERS.has(name)) continue;
    const instead = OWN_MEMBERS.get(name);
    const message =
      instead === undefined
        ? `"${name}" is set by this program alone; leave it out`
        : `"${name}" is set by this program; state it as ${instead}`;
    ctx.addIssue({ code: "custom", path: [name], message });
  }
});

export const modelSettingsSchema = z.strictObject({
  model: z.string().min(1).max(256).describe("Its name at the endpoint"),
  stream: z.boolean().default(false).describe("Ask for the answer in pieces"),
  toolChoice: z.enum(["auto", "required", "omit"]).default("auto").describe("omit where the server does not know it"),
  parallelToolCalls: z.boolean().optional().describe("Sent only where stated"),
  emptyContent: z
    .enum(["null", "empty", "omit"])
    .default("null")
    .describe('How an assistant message without text is sent back: null, "" or no content at all'),
  maxTokens: z.int().min(1).optional().describe("Most tokens of one answer"),
  maxTokensAs: z
    .enum(["max_tokens", "max_completion_tokens"])
    .default("max_tokens")
    .describe("The parameter as which maxTokens is sent"),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  reasoningEffort: z.string().min(1).optional(),
  extra: extraSchema.optional().describe("Further members of every request, as they stand"),
  contextTokens: z.int().min(1000).optional().describe("The model's window, prompt and answer together"),
  textCalls: z
    .boolean()
    .default(false)
    .describe("Take <tool_call> in the text for calls, where a server has no parser for the model"),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
