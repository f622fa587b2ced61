/** One request to a model and what comes of it, whatever the wire looks like. */
import type { Adaptation, Attempt, EndpointFault, Tolerated, Usage } from "../records/index.ts";
import type { Json } from "../runtime/index.ts";

export type JsonObject = { readonly [key: string]: Json };

/** A tool as `tools` of a request states it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export type MayRetry = (failed: readonly Attempt[]) => boolean;

export interface ChatRequest {
  /** As the wire has them. */
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly ToolDefinition[];
  /** In place of what the settings say of `tool_choice`. */
  readonly toolChoice?: Json;
  /** `response_format` as the wire has it. */
  readonly responseFormat?: Json;
  /** Parameters this endpoint is known to refuse: from earlier replies. */
  readonly adapted: readonly Adaptation[];
  /** Asked before another attempt, with those that failed so far: what they told of tokens may have spent a budget. */
  readonly mayRetry?: MayRetry;
  /** Who asks, for the display of what is under way. */
  readonly label: string;
}

/** One tool call of an answer. */
export interface WireCall {
  /** The provider's, verbatim; made in the nine-character shape where it gave none. */
  readonly id: string;
  readonly name: string;
  /** The arguments as they came. */
  readonly raw: Json;
  /** What they are read as: data, or the text that could not be read. */
  readonly input: { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly text: string };
}

/** One answer. */
export interface ChatReply {
  /** The assistant message as it came, without the key. Its `tool_calls` are in the order and the shape they came in. */
  readonly message: JsonObject;
  readonly finish: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** An estimate of the tokens, where the usage is not told. */
  readonly estimatedTokens?: number;
  readonly tolerated: readonly Tolerated[];
  readonly attempts: readonly Attempt[];
  /** Everything that is adapted from here on: what the request said and what this answer taught. */
  readonly adapted: readonly Adaptation[];
}

export type Asked =
  | { readonly kind: "answered"; readonly reply: ChatReply }
  | { readonly kind: "failed"; readonly fault: EndpointFault; readonly attempts: readonly Attempt[] }
  /** `stop` was aborted before an answer came. */
  | { readonly kind: "stopped" };

/** A request under way, for the display. */
export interface InFlight {
  readonly label: string;
  /** By the clock that was given to the endpoint, in ms. */
  readonly sinceMs: number;
}

/** A model at an address. */
export interface Endpoint {
  /** Host and port, as records name it. */
  readonly host: string;
  /** The path of the base URL without a slash at its end: one host may have several APIs. */
  readonly path: string;
  /** Asks once, with retries. Never throws for what the endpoint does. `stop` keeps new attempts from beginning. */
  readonly ask: (request: ChatRequest, stop: AbortSignal) => Promise<Asked>;
  /** Requests that are sent and not answered, the oldest first. */
  readonly inFlight: () => readonly InFlight[];
}

/** Faults that every later request would meet as well: nothing is gained by going on. */
export function stopsEverything({ kind }: Pick<EndpointFault, "kind">): boolean {
  return kind === "auth" || kind === "quota" || kind === "unknown_model" || kind === "not_an_api";
}
