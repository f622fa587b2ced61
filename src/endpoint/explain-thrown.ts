/** Says as a fault what the client library throws: a status that is no good one, a lost connection, a body above its bound. */
import type { APIError } from "openai";
import type { Client } from "./client.ts";
import { readErrorBody } from "./error-facts.ts";
import { aboveBound, ownFault } from "./fault.ts";
import type { HeardError, HeardNothing } from "./heard.ts";
import { member, textOf } from "./json.ts";
import { retryAfterOf } from "./retry.ts";
import { BodyTooLarge } from "./transport.ts";

/** Causes of causes that are looked at. */
const MAX_CAUSES = 8;

export function explainThrown(client: Client, error: unknown, nowMs: number): HeardError | HeardNothing {
  if (isThrownByEndpoint(client, error) && error.status !== undefined) return explainStatus(error, error.status, nowMs);
  const causes = causesOf(error);
  const tooLarge = causes.find((cause) => cause instanceof BodyTooLarge);
  if (tooLarge !== undefined) return aboveBound(tooLarge.message, null);
  if (isAboutContent(error))
    return { kind: "nothing", fault: ownFault("bad_answer", "a piece of a stream is no JSON") };
  return { kind: "nothing", fault: ownFault("connection", wordsOf(causes)) };
}

/** Whether the endpoint stated it, by its status. */
function isThrownByEndpoint(client: Client, error: unknown): error is APIError {
  return error instanceof client.APIError && error.error !== undefined && error.error !== null;
}

/** Whether it is about what a stream or body held, rather than about the connection. */
export function isAboutContent(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof BodyTooLarge || cause instanceof SyntaxError);
}

function explainStatus(error: APIError, status: number, nowMs: number): HeardError {
  // transport.ts puts the whole body there
  const facts = readErrorBody(status, textOf(member(error.error, "text")) ?? "");
  const stated = error.headers === undefined ? undefined : retryAfterOf(error.headers, nowMs);
  return { kind: "error", facts, status, retryAfterMs: stated ?? facts.retryDelayMs };
}

/** The words of a lost connection: the system's, which name host and port. */
function wordsOf(causes: readonly Error[]): string {
  const cause = causes.find((one) => codeOf(one) !== undefined) ?? causes.at(-1);
  // where every address of a name refused, the words are with the parts
  const part: unknown = cause instanceof AggregateError ? cause.errors[0] : undefined;
  const said = textOf(cause?.message) ?? (part instanceof Error ? part.message : "the connection failed");
  const code = codeOf(cause);
  return code === undefined || said.includes(code) ? said : `${code}: ${said}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? textOf(error.code) : undefined;
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) causes.push(cause);
  return causes;
}
