/** One attempt at one request: sent once, heard to its end or to its deadline. Never throws for what the endpoint does. */
import type { OpenAI } from "openai";
import type { EndpointFault } from "../records/index.ts";
import type { JsonObject } from "./chat.ts";
import type { Client } from "./client.ts";
import { explainThrown, isAboutContent } from "./explain-thrown.ts";
import { ownFault } from "./fault.ts";
import type { Heard, HeardError, HeardNothing } from "./heard.ts";
import { readReply } from "./reply.ts";
import { StreamAssembler } from "./stream.ts";

export interface AttemptSettings {
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  /** Ends the attempt before its deadline. */
  readonly cut?: AbortSignal | undefined;
}

/** Asks for a completion. */
export function attemptChat(client: Client, body: JsonObject, settings: AttemptSettings): Promise<Heard> {
  return attempt(client, settings, async (openai, signal): Promise<Heard> => {
    // The body is ours and may hold members the library does not know.
    const params = body as unknown as OpenAI.ChatCompletionCreateParams;
    const response = await openai.chat.completions.create(params, { signal }).asResponse();
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    return isStream
      ? hearStream(client, response, settings, signal)
      : readReply(await response.text(), response.status);
  });
}

/**
 * Does `ask` under a deadline that is enforced from outside, and says as a fault what it throws. The timer is a real one
 * whatever clock is given: what it ends is a real connection.
 */
export async function attempt<T>(
  client: Client,
  { timeoutMs, nowMs, cut }: AttemptSettings,
  ask: (openai: OpenAI, signal: AbortSignal) => Promise<T>,
): Promise<T | HeardError | HeardNothing> {
  const deadline = new AbortController();
  const end = (): void => deadline.abort();
  const timer = setTimeout(end, timeoutMs);
  if (cut?.aborted === true) end();
  else cut?.addEventListener("abort", end, { once: true });
  try {
    return await ask(client.openai, deadline.signal);
  } catch (error) {
    if (!deadline.signal.aborted) return explainThrown(client, error, nowMs());
    return { kind: "nothing", fault: tooLate(timeoutMs) };
  } finally {
    clearTimeout(timer);
    cut?.removeEventListener("abort", end);
  }
}

function tooLate(timeoutMs: number): EndpointFault {
  return ownFault("timeout", `no whole answer within ${timeoutMs} ms`);
}

async function hearStream(
  client: Client,
  response: Response,
  { timeoutMs, nowMs }: AttemptSettings,
  deadline: AbortSignal,
): Promise<Heard> {
  const { status } = response;
  const assembler = new StreamAssembler();
  try {
    for await (const chunk of client.readStream(response)) {
      assembler.add(chunk);
      if (assembler.isOver) break;
    }
  } catch (error) {
    // what breaks off behind a whole answer does not make it less whole: it is never asked for twice
    if (assembler.isWhole) return assembler.end(status);
    // what a stream held is its own fault; whatever else ends it cuts it
    if (isAboutContent(error)) return { ...explainThrown(client, error, nowMs()), usage: assembler.usage };
  }
  // the library ends a stream that is aborted without a word
  if (!assembler.isWhole && deadline.aborted)
    return { kind: "nothing", fault: tooLate(timeoutMs), usage: assembler.usage };
  return assembler.end(status);
}
