/** An answer put on the wire: whole, or in the chunks of a stream. */
import type { Json } from "../../../src/runtime/index.ts";
import type { PolicyAnswer } from "./policy.ts";
import { countTokens, type JsonObject, type SeenRequest, type WireAnswer, type WireCall } from "./wire.ts";

/** What a model said, as the wire would have it without any quirk. */
export function answerOf(said: PolicyAnswer, request: SeenRequest, serial: string): WireAnswer {
  const calls = (said.calls ?? []).map(({ tool, input }, i): WireCall => ({
    id: `call_${serial.replaceAll(/\W/g, "x")}y${i}`,
    name: tool,
    arguments: JSON.stringify(input),
  }));
  const content = said.text ?? null;
  return {
    serial,
    content,
    calls,
    more: {},
    finish: said.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: { prompt: countTokens(request.seen), completion: countTokens({ content, calls }), cached: 0, reasoning: 0 },
    sharedIndex: false,
    splitUsage: false,
  };
}

export function plainBody(answer: WireAnswer, model: string): JsonObject {
  const calls = answer.calls.map((call): Json => ({ id: call.id, type: "function", function: named(call) }));
  const message = {
    role: "assistant",
    content: answer.content,
    ...answer.more,
    serial: answer.serial,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...headOf(answer, model, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finish }],
    ...(answer.usage === null ? {} : { usage: usageOf(answer) }),
  };
}

/** The chunks of a stream, in order. Usage comes only where it was asked for. */
export function chunksOf(answer: WireAnswer, model: string, withUsage: boolean): readonly JsonObject[] {
  const chunk = (delta: Json, finish: string | null, usage?: Json): JsonObject => ({
    ...headOf(answer, model, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
  });
  const told = withUsage && answer.usage !== null;
  const { prompt_tokens: prompt, completion_tokens: completion, ...rest } = usageOf(answer);
  const early = { prompt_tokens: prompt ?? 0, completion_tokens: 0, total_tokens: prompt ?? 0 };
  const late = answer.splitUsage ? { completion_tokens: completion ?? 0 } : usageOf(answer);
  const deltas: readonly Json[] = [
    ...Object.entries(answer.more).flatMap(([key, text]) => pieces(text).map((piece) => ({ [key]: piece }))),
    ...pieces(answer.content ?? "").map((content) => ({ content })),
    ...answer.calls.flatMap((call, i) => callDeltas(call, answer.sharedIndex ? 0 : i)),
  ];
  return [
    chunk(
      { role: "assistant", content: answer.content === null ? null : "", serial: answer.serial },
      null,
      told && answer.splitUsage ? early : undefined,
    ),
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, answer.finish),
    ...(told
      ? [
          {
            ...headOf(answer, model, "chat.completion.chunk"),
            choices: [],
            usage: answer.splitUsage ? { ...rest, ...late } : late,
          },
        ]
      : []),
  ];
}

function headOf({ serial }: WireAnswer, model: string, object: string): JsonObject {
  return { id: `chatcmpl-${serial}`, object, created: 1_700_000_000, model, system_fingerprint: `fp_${serial}` };
}

/** The function of a call; arguments that are missing stay so. */
function named({ name, arguments: text }: WireCall): JsonObject {
  return { name, ...(text === undefined ? {} : { arguments: text }) };
}

function usageOf({ usage }: WireAnswer): JsonObject {
  if (usage === null) return {};
  const { prompt, completion, cached, reasoning } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached === 0 ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === 0 ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

function callDeltas(call: WireCall, index: number): readonly Json[] {
  const { arguments: text } = call;
  const head = (first: Json | undefined): Json => ({
    tool_calls: [
      {
        index,
        id: call.id,
        type: "function",
        function: named(first === undefined ? { id: call.id, name: call.name } : { ...call, arguments: first }),
      },
    ],
  });
  if (typeof text !== "string") return [head(text)];
  return [head(""), ...pieces(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }))];
}

/** A text in pieces of uneven length that may fall anywhere but inside a character. */
function pieces(text: string): readonly string[] {
  const characters = Array.from(text);
  const length = Math.max(7, Math.ceil(characters.length / 12));
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, i) =>
    characters.slice(i * length, (i + 1) * length).join(""),
  );
}
