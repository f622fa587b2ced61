/** From what an endpoint answered to the line that the log keeps of it. */
import { readCalls, type Asked, type ChatReply, type ModelSettings } from "../../endpoint/index.ts";
import type { AnswerBody, FaultBody, Tolerated } from "../../records/index.ts";
import type { Json } from "../../runtime/index.ts";
import { hasWords, promptTokensOf, sentBack, type Conversation } from "./conversation.ts";

/** The line of request number `request`; undefined where the run was stopped before an answer came. */
export function lineOf(
  asked: Asked,
  request: number,
  conversation: Conversation,
  model: ModelSettings,
): AnswerBody | FaultBody | undefined {
  switch (asked.kind) {
    case "answered":
      return answerLine(asked.reply, request, conversation, model);
    case "failed":
      return { kind: "fault", request, fault: asked.fault, attempts: [...asked.attempts] };
    case "stopped":
      return undefined;
  }
}

function answerLine(reply: ChatReply, request: number, conversation: Conversation, model: ModelSettings): AnswerBody {
  const message = keepable(reply.message) as AnswerBody["message"];
  const { calls, tolerated } = readCalls(message, { request, textCalls: model.textCalls });
  const told = promptTokensOf(reply);
  const doubt = told === undefined ? undefined : conversation.doubt(told);
  const empty = calls.length === 0 && !hasWords({ message });
  return {
    kind: "answer",
    request,
    message,
    finish: reply.finish,
    model: reply.model,
    usage: reply.usage,
    ...(reply.estimatedTokens === undefined ? {} : { estimatedTokens: reply.estimatedTokens }),
    tolerated: withoutRepeats([
      ...reply.tolerated,
      ...tolerated,
      ...sentBack({ message, request }, model).tolerated,
      ...(empty ? [emptyAnswer(reply.finish)] : []),
      ...(doubt === undefined ? [] : [doubt]),
    ]),
    attempts: [...reply.attempts],
    adapted: [...reply.adapted],
  };
}

function emptyAnswer(finish: string | null): Tolerated {
  const why = finish === "length" ? ": the limit of an answer was reached before anything was said" : "";
  return { quirk: "empty_answer", says: `neither text nor call, finish reason ${finish ?? "not told"}${why}` };
}

function withoutRepeats(tolerated: readonly Tolerated[]): Tolerated[] {
  return [...new Map(tolerated.map((one) => [`${one.quirk} ${one.says}`, one])).values()];
}

/** JSON that canonical JSON can hold: half a surrogate pair, which is no character, becomes U+FFFD. */
function keepable(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => keepable(one));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [keepable(key), keepable(part)]));
}
