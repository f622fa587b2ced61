/** What is made of one attempt: an answer without secrets and of a size that can be kept, or the fault in its place. */
import type { EndpointFault } from "../records/index.ts";
import type { JsonObject } from "./chat.ts";
import { BYTES_PER_TOKEN, estimateTokens } from "./estimate.ts";
import { aboveBound, oddCall, ownFault, statedFault } from "./fault.ts";
import type { Heard, HeardAnswer, HeardNothing } from "./heard.ts";
import { isObject, member, textOf } from "./json.ts";
import { MAX_ANSWER_DEPTH, MAX_CALLS, MAX_MESSAGE_BYTES } from "./limits.ts";
import type { Redactor } from "./redact.ts";
import { readUsage } from "./usage.ts";

export type TakenAnswer = Omit<HeardAnswer, "message"> & { readonly message: JsonObject };

export type Taken =
  | TakenAnswer
  /** `isFinal`: the same would come again, and be paid for again. */
  | { readonly fault: EndpointFault; readonly isFinal: boolean };

/** `body` is the request as it was sent. */
export function takeAnswer(heard: Heard, redactor: Redactor, body: JsonObject): Taken {
  switch (heard.kind) {
    case "error": {
      const fault = statedFault(heard.facts, heard.status, redactor.text);
      return { fault: { ...fault, ...toldWith(heard.usage) }, isFinal: false };
    }
    case "nothing":
      return notTaken(heard, redactor, body);
    case "answer": {
      const said = (): string => JSON.stringify(body);
      const message = redactor.value(heard.message, said);
      const fault = isObject(message) ? faultOfMessage(message) : aboveBound(TOO_DEEP, 200);
      if (fault !== undefined) return notTaken({ ...fault, usage: heard.usage }, redactor, body);
      const wordOf = (text: string | null): string | null => (text === null ? null : redactor.word(text, said));
      return {
        ...heard,
        message: message as JsonObject,
        finish: wordOf(heard.finish)?.slice(0, 200) ?? null,
        model: wordOf(heard.model)?.slice(0, 256) ?? null,
      };
    }
  }
}

const TOO_DEEP = `a message that is nested more than ${MAX_ANSWER_DEPTH} deep`;

/** An answer that cannot be taken may be paid for all the same: what it cost is estimated where it is not told. */
function notTaken(
  { fault, usage, characters = 0, ...heard }: HeardNothing,
  redactor: Redactor,
  body: JsonObject,
): Taken {
  const cut = { ...fault, message: redactor.text(fault.message) };
  const told = toldWith(usage);
  const isFinal = heard.isFinal === true;
  if (!isFinal || told.tokens !== undefined) return { fault: { ...cut, ...told }, isFinal };
  const tokens = estimateTokens(body) + Math.ceil(characters / BYTES_PER_TOKEN);
  return { fault: { ...cut, tokens }, isFinal };
}

/** What was told of usage with something that is no answer. */
function toldWith(told: readonly unknown[] = []): Pick<EndpointFault, "tokens" | "usage"> {
  const { usage } = readUsage(told);
  return usage === null ? {} : { tokens: usage.total, usage };
}

/** Why a message cannot be kept in a log, or played. */
function faultOfMessage(message: JsonObject): HeardNothing | undefined {
  const odd = oddCallIn(message);
  if (odd !== undefined) return oddCall(odd, 200);
  const { tool_calls: calls } = message;
  if (Array.isArray(calls) && calls.length > MAX_CALLS)
    return aboveBound(`a message of ${calls.length} calls; at most ${MAX_CALLS} are taken`, 200);
  const bytes = Buffer.byteLength(JSON.stringify(message));
  if (bytes > MAX_MESSAGE_BYTES)
    return aboveBound(`a message of ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are taken`, 200, bytes);
  // JSON of 1e999 is read as a number that no JSON can hold
  if (!holdsInfinity(message)) return undefined;
  return {
    kind: "nothing",
    fault: ownFault("bad_answer", "a message with a number that is not finite", 200),
    isFinal: true,
  };
}

/** What is odd about a call that is none of those that are read; undefined where there is no such. */
function oddCallIn({ tool_calls: calls, function_call: old }: JsonObject): string | undefined {
  if (Array.isArray(calls) && calls.length > 0)
    return (calls as readonly unknown[]).every(isFunctionCall)
      ? undefined
      : "an entry of tool_calls without `function`";
  if (isObject(calls) ? Object.keys(calls).length > 0 : textOf(calls) !== undefined) return "tool_calls is no list";
  return isObject(old) && Object.keys(old).length > 0 ? "the old form function_call" : undefined;
}

/** A name may be missing in it, which is the model's failing; it must not stand elsewhere, which is the server's. */
function isFunctionCall(call: unknown): boolean {
  if (!isObject(member(call, "function"))) return false;
  const isNamed = textOf(member(call, "function", "name")) !== undefined;
  return isNamed || (textOf(member(call, "name")) === undefined && member(call, "custom") === undefined);
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInfinity);
}
