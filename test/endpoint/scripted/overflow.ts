/** How servers say that a prompt is longer than the window: each has its own words, few have a code for it. */
import { wireError, type WireError } from "./wire.ts";

type Wording = (tokens: number, window: number) => WireError;

export const OVERFLOWS = {
  openai: (tokens, window) =>
    wireError(
      400,
      `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      { param: "messages", code: "context_length_exceeded" },
    ),
  openai_input: (tokens, window) =>
    wireError(
      400,
      `Input tokens exceed the configured limit of ${window} tokens. Your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      { param: "messages", code: "context_length_exceeded" },
    ),
  vllm: (tokens, window) => ({
    status: 400,
    body: {
      object: "error",
      message: `This model's maximum context length is ${window} tokens. However, you requested ${tokens + 500} tokens (${tokens} in the messages, 500 in the completion). Please reduce the length of the messages or completion.`,
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  }),
  vllm_decoder: (tokens, window) =>
    wireError(400, `The decoder prompt (length ${tokens}) is longer than the maximum model length of ${window}.`, {
      type: "BadRequestError",
    }),
  sglang: (tokens, window) => ({
    status: 400,
    body: {
      object: "error",
      message: `The input (${tokens} tokens) is longer than the model's context length (${window} tokens).`,
      type: "BadRequest",
      param: null,
      code: 400,
    },
  }),
  llama_cpp: (tokens, window) => ({
    status: 400,
    body: {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: tokens,
        n_ctx: window,
      },
    },
  }),
  tgi: (tokens, window) => ({
    status: 422,
    body: {
      error: `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${window}. Given: ${tokens} \`inputs\` tokens and 512 \`max_new_tokens\``,
      error_type: "validation",
    },
  }),
  mistral: (tokens, window) => ({
    status: 400,
    body: {
      object: "error",
      message: `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
      type: "invalid_request_prompt",
      param: null,
      code: "3051",
    },
  }),
  gemini: (tokens, window) => ({
    status: 400,
    body: {
      error: {
        code: 400,
        message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
        status: "INVALID_ARGUMENT",
      },
    },
  }),
  anthropic: (tokens, window) => ({
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: `prompt is too long: ${tokens} tokens > ${window} maximum` },
    },
  }),
  openrouter: (tokens, window) => ({
    status: 400,
    body: {
      error: {
        message: `This endpoint's maximum context length is ${window} tokens. However, you requested about ${tokens} tokens (${tokens} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
        code: 400,
      },
    },
  }),
  lm_studio: (tokens, window) => ({
    status: 400,
    body: {
      error: `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
    },
  }),
  grok: (tokens, window) => ({
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: `This model's maximum prompt length is ${window} but the request contains ${tokens} tokens.`,
    },
  }),
  bedrock: () => wireError(400, "Input is too long for requested model."),
  dashscope: (_, window) =>
    wireError(400, `<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${window}]`, {
      code: "invalid_parameter_error",
    }),
} satisfies Readonly<Record<string, Wording>>;

export type OverflowName = keyof typeof OVERFLOWS;
