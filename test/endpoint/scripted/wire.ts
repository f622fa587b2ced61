/** The wire of chat completions as the scripted endpoint reads and writes it. */
import type { Json } from "../../../src/runtime/index.ts";

export type JsonObject = { readonly [key: string]: Json };

/** An answer that is an error: its status, its body as the wire has it, and headers beside it. */
export interface WireError {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error in the shape that OpenAI gave the world. */
export function wireError(
  status: number,
  message: string,
  more: { readonly type?: string; readonly code?: string | null; readonly param?: string | null } = {},
): WireError {
  const { type = "invalid_request_error", code = null, param = null } = more;
  return { status, body: { error: { message, type, param, code } } };
}

/** A request that passed the border. */
export interface SeenRequest {
  /** 1, 2, …: as the server counts them. */
  readonly number: number;
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  /** As they came. */
  readonly messages: readonly JsonObject[];
  /** What is left of them for the model: all, but for a server that cuts the front. */
  readonly seen: readonly JsonObject[];
  /** Assistant messages among them: how far the conversation is. What a policy or a quirk does, it does by this count. */
  readonly turn: number;
}

/** One tool call as the wire has it. Loose, since quirks bend it. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** Missing where the quirk leaves it out. */
  readonly arguments?: Json;
}

export interface WireUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly reasoning: number;
}

/** An answer before it is put on the wire. */
export interface WireAnswer {
  /** Unlike that of every other answer of this server; travels in the assistant message. */
  readonly serial: string;
  readonly content: string | null;
  readonly calls: readonly WireCall[];
  /** Further members of the assistant message. */
  readonly more: Readonly<Record<string, string>>;
  readonly finish: string;
  /** null where none is told. */
  readonly usage: WireUsage | null;
  /** Every call of a stream has index 0. */
  readonly sharedIndex: boolean;
  /** A stream tells prompt and completion tokens in different chunks. */
  readonly splitUsage: boolean;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text as it is, anything else as JSON. */
export function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The text of a message, whether it came as one or in parts. */
export function textIn({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

/** The tool calls of an assistant message. */
export function callsIn(
  message: JsonObject,
): readonly { readonly id: string; readonly name: string; readonly arguments: string }[] {
  return listOf(message["tool_calls"]).map((call) => {
    const made = isObject(call) && isObject(call["function"]) ? call["function"] : {};
    return {
      id: isObject(call) ? wordOf(call["id"]) : "",
      name: wordOf(made["name"]),
      arguments: wordOf(made["arguments"]),
    };
  });
}

/** The data in a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A stand-in for a tokenizer: four bytes a token. */
export function countTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
}
