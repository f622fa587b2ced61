/**
 * The conversation of a run as a fold over the lines of its log. A request follows from the lines before it and from
 * settings alone, byte for byte, so that a run that was taken up again asks what it would have asked.
 */
import {
  estimateTokens,
  messageToSend,
  promptTokensFell,
  readCalls,
  toolMessage,
  type JsonObject,
  type ModelSettings,
  type PromptSize,
  type ToolDefinition,
  type WireCall,
} from "../../endpoint/index.ts";
import type { AnswerBody, CallBody, FoldBody, LogBody, MessageBody, Tolerated } from "../../records/index.ts";
import { canonicalJson, sha256, type Json } from "../../runtime/index.ts";
import type { LoopSettings } from "./defaults.ts";
import { foldLine } from "./fold-line.ts";
import type { StandingAnswer } from "./folding.ts";
import { tooManyCalls } from "./system-prompt.ts";

/** What a conversation depends on beside the log. */
export interface ConversationSetup {
  readonly model: ModelSettings;
  readonly loop: LoopSettings;
  readonly tools: readonly ToolDefinition[];
}

/** A line that changes the conversation. Of a call only the answer counts: what was asked stands in the model's answer. */
export type ConversationLine = MessageBody | AnswerBody | FoldBody | Pick<CallBody, "kind" | "answer">;

interface Standing extends StandingAnswer {
  /** Its place among the messages. */
  readonly at: number;
  readonly line: string;
}

export class Conversation {
  readonly #setup: ConversationSetup;
  readonly #messages: JsonObject[] = [];
  readonly #standing: Standing[] = [];
  #open: WireCall[] = [];
  #beyond: readonly WireCall[] = [];
  #calls = 0;
  #tokens: number;
  #estimated: number;
  /** The last size that was told and believed, since the last fold. */
  #told: PromptSize | undefined;

  constructor(setup: ConversationSetup) {
    this.#setup = setup;
    this.#tokens = estimateTokens(setup.tools as unknown as Json);
    this.#estimated = this.#tokens;
  }

  /** The messages of the next request, as the wire has them. */
  get messages(): readonly JsonObject[] {
    return [...this.#messages];
  }

  /** Calls of the last answer that are to be made and are not answered yet, in order. */
  get open(): readonly WireCall[] {
    return [...this.#open];
  }

  /** Calls that were answered so far. */
  get calls(): number {
    return this.#calls;
  }

  /** Tokens of the next request: what was reported last and an estimate of what came since. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Answers of tools that are not folded, the oldest first. */
  get standing(): readonly StandingAnswer[] {
    return this.#standing;
  }

  /** Why what an endpoint tells of the prompt that it has just answered is not believed; undefined where it is. */
  doubt(told: number): Tolerated | undefined {
    return this.#told === undefined ? undefined : promptTokensFell(this.#told, { told, estimated: this.#estimated });
  }

  /** Takes the next line of the log. */
  take(line: ConversationLine): void {
    switch (line.kind) {
      case "message":
        this.#push({ role: line.role, content: line.text });
        return;
      case "answer":
        this.#takeAnswer(line);
        return;
      case "call":
        this.#takeCall(line.answer);
        return;
      case "fold":
        this.#takeFold(line);
    }
  }

  #takeAnswer(line: AnswerBody): void {
    const told = promptTokensOf(line);
    if (told !== undefined && this.doubt(told) === undefined) {
      this.#tokens = told;
      this.#told = { told, estimated: this.#estimated };
    }
    const calls = callsOf(line, this.#setup.model);
    this.#push(sentBack(line, this.#setup.model).message);
    this.#open = calls.slice(0, this.#setup.loop.callsPerAnswer);
    this.#beyond = calls.slice(this.#setup.loop.callsPerAnswer);
  }

  #takeCall(answer: Json): void {
    const call = this.#open.shift();
    if (call === undefined) throw new Error("Conversation.take: a call that no answer of the model holds");
    this.#calls += 1;
    const message = toolMessage(call.id, canonicalJson(answer));
    const line = foldLine(call.name, call.input.ok ? call.input.value : undefined, answer);
    const frees = estimateTokens(message) - estimateTokens(toolMessage(call.id, line));
    this.#standing.push({ number: this.#calls, at: this.#messages.length, line, frees, story: storyIn(call, answer) });
    this.#push(message);
    if (this.#open.length === 0) this.#refuseBeyond();
  }

  /** Every call of a message must have an answer, or the next request is refused by good servers. */
  #refuseBeyond(): void {
    const text = tooManyCalls(this.#setup.loop.callsPerAnswer);
    for (const call of this.#beyond) this.#push(toolMessage(call.id, text));
    this.#beyond = [];
  }

  #takeFold({ calls }: FoldBody): void {
    const folded = new Set(calls);
    for (const one of this.#standing) if (folded.has(one.number)) this.#fold(one);
    const rest = this.#standing.filter(({ number }) => !folded.has(number));
    this.#standing.splice(0, this.#standing.length, ...rest);
    this.#told = undefined;
  }

  #fold({ at, line, frees }: Standing): void {
    this.#messages[at] = { ...this.#messages[at], content: line };
    this.#tokens -= frees;
    this.#estimated -= frees;
  }

  #push(message: JsonObject): void {
    this.#messages.push(message);
    const tokens = estimateTokens(message);
    this.#tokens += tokens;
    this.#estimated += tokens;
  }
}

/** The conversation after these lines of a log; lines of other kinds say nothing to a model and are passed over. */
export function messagesOf(lines: Iterable<LogBody>, setup: ConversationSetup): readonly JsonObject[] {
  const conversation = new Conversation(setup);
  for (const line of lines) {
    if (line.kind === "message" || line.kind === "answer" || line.kind === "call" || line.kind === "fold")
      conversation.take(line);
  }
  return conversation.messages;
}

/**
 * What goes back of an answer, and what of it goes out otherwise than it came. Its keys are sorted, as they are in the
 * log: an answer that was just heard and the same answer read from disk must make the same request.
 */
export function sentBack(
  { message, request }: Pick<AnswerBody, "message" | "request">,
  { textCalls, emptyContent }: ModelSettings,
): ReturnType<typeof messageToSend> {
  const sent = messageToSend(message, { request, textCalls, emptyContent });
  return { ...sent, message: JSON.parse(canonicalJson(sent.message)) as JsonObject };
}

/** Names the part of the story, or of a deduction case's introduction, that an answer holds; undefined where it holds none. */
function storyIn({ name }: WireCall, answer: Json): string | undefined {
  const introduction = name === "get_context" ? memberOf(memberOf(answer, "intro"), "text") : undefined;
  if (typeof introduction === "string") return `intro ${sha256(introduction)}`;
  const told =
    name === "get_context"
      ? memberOf(answer, "narrative")
      : name === "end_round"
        ? memberOf(answer, "next")
        : undefined;
  const text = memberOf(told, "text");
  return typeof text === "string" ? `${JSON.stringify(memberOf(told, "round"))} ${sha256(text)}` : undefined;
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined;
}

/** Prompt tokens as the endpoint reported them, or undefined. */
export function promptTokensOf({ usage }: Pick<AnswerBody, "usage">): number | undefined {
  return usage === null ? undefined : usage.input + usage.cachedInput;
}

/** The calls of an answer that was kept. */
export function callsOf({ message, request }: AnswerBody, { textCalls }: ModelSettings): readonly WireCall[] {
  return readCalls(message, { request, textCalls }).calls;
}

/** Whether an answer holds words for somebody to read. */
export function hasWords({ message }: Pick<AnswerBody, "message">): boolean {
  const { content } = message;
  if (typeof content === "string") return content.trim() !== "";
  return Array.isArray(content) && content.length > 0;
}
