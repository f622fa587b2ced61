/** The six tools as a run offers them, a question for a call, and what is shared by the probes that use them. */
import { toolJsonSchemas, type Json } from "../../runtime/index.ts";
import type { EndpointFault } from "../../records/index.ts";
import { readCalls } from "../calls.ts";
import type { ChatReply, JsonObject, ToolDefinition, WireCall } from "../chat.ts";
import { toolMessage, type HistoryForm } from "../history.ts";
import type { ModelSettings } from "../settings.ts";
import type { Asker } from "./asker.ts";
import { user } from "./probe-answers.ts";

export const TOOLS: readonly ToolDefinition[] = toolJsonSchemas().map(({ name, description, inputSchema }) => ({
  name,
  description,
  parameters: inputSchema as JsonObject,
}));

export const CODE = "heron-4082";
export const ASK_CALL = user(
  "This is a test of tool calls. Call the tool get_context now, without arguments. When its answer comes, tell me the code that stands in it.",
);
const ANSWER: Json = { ok: true, code: CODE };

/** A call that came, with what a conversation goes on from. */
export interface CallHeard {
  readonly reply: ChatReply;
  readonly calls: readonly WireCall[];
}

/** What a tool answers to each of `calls`. */
export function answersTo(calls: readonly WireCall[]): readonly JsonObject[] {
  return calls.map(({ id }) => toolMessage(id, JSON.stringify(ANSWER)));
}

/** Faults that a request of another shape may not meet. */
export function isRefusal({ kind }: EndpointFault): boolean {
  return kind === "bad_request" || kind === "server_error" || kind === "bad_answer";
}

export function formOf(
  { model }: Asker,
  emptyContent: ModelSettings["emptyContent"] = model.emptyContent,
): HistoryForm {
  return { request: 1, textCalls: model.textCalls, emptyContent };
}

export function callsOf({ message }: ChatReply, { textCalls }: ModelSettings): ReturnType<typeof readCalls> {
  return readCalls(message, { request: 1, textCalls });
}
