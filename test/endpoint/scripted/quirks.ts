/**
 * What real endpoints do that they should not, as switches. Two lines of that list are no switches here, since every
 * server is strict about them: a history whose calls are malformed, and tool names with dots or over 64 characters.
 */
import type { Json } from "../../../src/runtime/index.ts";
import {
  callsIn,
  isObject,
  listOf,
  parseJson,
  wireError,
  type JsonObject,
  type SeenRequest,
  type WireAnswer,
  type WireCall,
  type WireError,
  wordOf,
} from "./wire.ts";

export interface Quirk {
  /** What it refuses of a request that is sound. */
  readonly refuse?: (body: JsonObject) => WireError | undefined;
  /** What the model is left to see. */
  readonly hide?: (messages: readonly JsonObject[]) => readonly JsonObject[];
  /** What becomes of the model's answer. */
  readonly bend?: (answer: WireAnswer, request: SeenRequest) => WireAnswer;
}

/** Quirks that a conversation would not survive on every turn act on the second message of each three. */
const NOW_AND_THEN = 3;
const isTurn = ({ turn }: SeenRequest): boolean => turn % NOW_AND_THEN === 1;

const eachCall = (change: (call: WireCall, i: number) => WireCall): Quirk => ({
  bend: (answer) => ({ ...answer, calls: answer.calls.map(change) }),
});

const isEmpty = (call: WireCall): boolean => call.arguments === "{}";

/** Arguments of calls that have none. */
const emptyAs = (change: (call: WireCall) => WireCall): Quirk =>
  eachCall((call) => (isEmpty(call) ? change(call) : call));

/** Arguments that say the same in a shape they should not have. */
const written = (write: (text: string) => Json): Quirk =>
  eachCall((call) => (isEmpty(call) ? call : { ...call, arguments: write(wordOf(call.arguments)) }));

/** Now and then the first call with arguments is spoilt, and those after it do not come: they would do things out of order. */
const spoilt = (spoil: (text: string) => string, finish: string): Quirk => ({
  bend: (answer, request) => {
    const at = answer.calls.findIndex((call) => !isEmpty(call));
    const call = answer.calls[at];
    if (!isTurn(request) || call === undefined) return answer;
    const bad = { ...call, arguments: spoil(wordOf(call.arguments)) };
    return { ...answer, calls: [...answer.calls.slice(0, at), bad], finish };
  },
});

const refusesParameter = (name: string, message: string, refused: (value: Json) => boolean = () => true): Quirk => ({
  refuse: (body) => {
    const value = body[name];
    if (value === undefined || !refused(value)) return undefined;
    return wireError(400, message, { param: name, code: "unsupported_parameter" });
  },
});

const unsupported = (name: string): string => `Unsupported parameter: '${name}' is not supported with this model.`;

const refusesMessage = (isRefused: (message: JsonObject) => boolean, message: string): Quirk => ({
  refuse: ({ messages }) =>
    listOf(messages).some((one) => isObject(one) && isRefused(one))
      ? wireError(400, message, { param: "messages" })
      : undefined,
});

/** Now and then an answer without what matters. */
const instead = (parts: Partial<WireAnswer>): Quirk => ({
  bend: (answer, request) => (isTurn(request) ? { ...answer, calls: [], ...parts } : answer),
});

/** What the model thought before the answer of that serial. */
const thoughtOf = (serial: string): string => `Let me think… "${serial}"\n\t→ so it is.`;

const LONG_MESSAGE_CHARACTERS = 24_000;

export const QUIRKS = {
  empty_arguments_text: emptyAs((call) => ({ ...call, arguments: "" })),
  empty_arguments_blank: emptyAs((call) => ({ ...call, arguments: " \n" })),
  empty_arguments_null: emptyAs((call) => ({ ...call, arguments: null })),
  empty_arguments_missing: emptyAs(({ id, name }) => ({ id, name })),
  stray_quote: written((text) => `${text}"`),
  fenced_arguments: written((text) => `\`\`\`json\n${text}\n\`\`\``),
  twice_encoded_arguments: written((text) => JSON.stringify(text)),
  arguments_as_object: written((text) => parseJson(text) as Json),
  malformed_arguments: spoilt((text) => text.replaceAll('"', "'"), "tool_calls"),
  cut_arguments: spoilt((text) => text.slice(0, Math.ceil(text.length / 2)), "length"),
  shared_stream_index: { bend: (answer) => ({ ...answer, sharedIndex: true }) },
  finish_stop_with_calls: { bend: (answer) => ({ ...answer, finish: "stop" }) },
  /** A server without a parser for the model. */
  calls_as_text: { bend: asText },
  calls_as_text_now_and_then: { bend: (answer, request) => (isTurn(request) ? asText(answer) : answer) },
  empty_call_ids: eachCall((call) => ({ ...call, id: "" })),
  nine_character_ids: {
    ...eachCall((call) => ({ ...call, id: nineOf(call.id) })),
    ...refusesMessage(
      (message) => callsIn(message).some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id)),
      "Tool call id was given but must be a-z, A-Z, 0-9, with a length of 9.",
    ),
  },
  demands_reasoning: {
    bend: (answer) => ({ ...answer, more: { ...answer.more, reasoning_content: thoughtOf(answer.serial) } }),
    ...refusesMessage(
      ({ serial, reasoning_content: thought }) => serial !== undefined && thought !== thoughtOf(wordOf(serial)),
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
    ),
  },
  empty_answer: instead({ content: null, finish: "length" }),
  refuses_empty_content: refusesMessage(
    ({ role, content }) => role === "assistant" && content === "",
    "messages: text content blocks must be non-empty",
  ),
  refuses_null_content: refusesMessage(
    ({ content }) => content === null,
    "Input should be a valid string: messages.content is null",
  ),
  no_usage: { bend: (answer) => ({ ...answer, usage: null }) },
  split_usage: { bend: (answer) => ({ ...answer, splitUsage: true }) },
  cached_tokens: {
    bend: (answer) => ({
      ...answer,
      usage: answer.usage && { ...answer.usage, cached: Math.floor(answer.usage.prompt / 2) },
    }),
  },
  reasoning_tokens: {
    bend: (answer) => ({
      ...answer,
      usage: answer.usage && { ...answer.usage, completion: answer.usage.completion + 100, reasoning: 100 },
    }),
  },
  refuses_max_tokens: refusesParameter(
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ),
  refuses_temperature: refusesParameter("temperature", unsupported("temperature"), (value) => value !== 1),
  refuses_tool_choice: refusesParameter("tool_choice", unsupported("tool_choice")),
  refuses_forced_tool_choice: refusesParameter(
    "tool_choice",
    "tool_choice: only 'auto' is supported by this server.",
    (value) => value !== "auto",
  ),
  refuses_parallel_tool_calls: refusesParameter("parallel_tool_calls", unsupported("parallel_tool_calls")),
  refuses_stream_options: refusesParameter("stream_options", unsupported("stream_options")),
  refuses_seed: refusesParameter("seed", unsupported("seed")),
  refuses_response_format: refusesParameter("response_format", unsupported("response_format")),
  refuses_json_schema: refusesParameter(
    "response_format",
    "'response_format.type' must be 'text' or 'json_object'.",
    (value) => isObject(value) && value["type"] === "json_schema",
  ),
  /** Local servers with a window that is smaller than thought. */
  cuts_front: { hide: cutFront },
  content_filter: instead({ content: "I was about to say", finish: "content_filter" }),
  refusal: instead({ content: null, more: { refusal: "I'm sorry, but I can't help with that." }, finish: "stop" }),
  ignores_tools: {
    bend: (answer) => ({ ...answer, calls: [], content: answer.content ?? "Let me tell you a story.", finish: "stop" }),
  },
  refuses_tools: refusesParameter("tools", "this model does not support tools"),
  /** One call a message, whatever the model wanted. */
  one_call_a_message: { bend: (answer) => ({ ...answer, calls: answer.calls.slice(0, 1) }) },
} satisfies Readonly<Record<string, Quirk>>;

export type QuirkName = keyof typeof QUIRKS;

function nineOf(id: string): string {
  return id
    .replaceAll(/[^a-zA-Z0-9]/g, "")
    .padStart(9, "0")
    .slice(-9);
}

function asText(answer: WireAnswer): WireAnswer {
  const blocks = answer.calls.map(
    ({ name, arguments: text }) =>
      `<tool_call>\n${JSON.stringify({ name, arguments: parseJson(wordOf(text)) as Json })}\n</tool_call>`,
  );
  return blocks.length === 0
    ? answer
    : { ...answer, calls: [], content: [answer.content, ...blocks].filter(Boolean).join("\n"), finish: "stop" };
}

/** The newest messages that fit; of the oldest of them, its end. */
function cutFront(messages: readonly JsonObject[]): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  let left = LONG_MESSAGE_CHARACTERS;
  for (const message of [...messages].reverse()) {
    const { content } = message;
    const length = JSON.stringify(message).length;
    if (length > left) {
      if (left > 0 && typeof content === "string") kept.push({ ...message, content: content.slice(-left) });
      break;
    }
    kept.push(message);
    left -= length;
  }
  return kept.reverse();
}
