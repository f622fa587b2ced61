import { describe, expect, it } from "vitest";
import { readErrorBody } from "../../src/endpoint/error-facts.ts";
import { statedFault } from "../../src/endpoint/fault.ts";
import { readReply } from "../../src/endpoint/reply.ts";
import type { EndpointFault, FaultKind } from "../../src/records/index.ts";
import { OVERFLOWS } from "./scripted/overflow.ts";

function faultOf(status: number, body: unknown): EndpointFault {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return statedFault(readErrorBody(status, text), status, (said) => said);
}

function kindOf(status: number, body: unknown): FaultKind {
  return faultOf(status, body).kind;
}

/** As they were reported by users of each server. */
const OVERFLOW_WORDINGS: readonly (readonly [string, number, unknown])[] = [
  [
    "OpenAI",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    "OpenAI, responses",
    400,
    {
      error: {
        message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
        type: "invalid_request_error",
      },
    },
  ],
  ["OpenAI, by its code alone", 400, { error: { message: "no", code: "context_length_exceeded" } }],
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 209353 tokens > 199999 maximum" },
    },
  ],
  [
    "Anthropic, prompt and answer",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 198309 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
  ],
  [
    "Anthropic, size",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  ],
  [
    "vLLM",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion). Please reduce the length of the messages or completion. None",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "vLLM, decoder prompt",
    400,
    {
      error: {
        message:
          "The decoder prompt (length 163840) is longer than the maximum model length of 131072. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
  ],
  [
    "vLLM, output tokens",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
        type: "BadRequestError",
        param: "input_tokens",
        code: 400,
      },
    },
  ],
  [
    "SGLang",
    400,
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "SGLang, allowed length",
    400,
    {
      object: "error",
      message:
        "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
  ],
  [
    "llama.cpp, as a 500",
    500,
    {
      error: {
        code: 500,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
        n_prompt_tokens: 1407,
        n_ctx: 256,
      },
    },
  ],
  [
    "llama.cpp, older, as a 500",
    500,
    { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } },
  ],
  [
    "llama-cpp-python",
    500,
    {
      error: {
        message: "Requested tokens (2285) exceed context window of 2048",
        type: "internal_server_error",
        code: null,
      },
    },
  ],
  [
    "Ollama",
    400,
    { error: { message: "prompt too long; exceeded max context length by 4 tokens", type: "api_error" } },
  ],
  ["Ollama, embedding", 400, { error: "input length exceeds context length" }],
  [
    "LM Studio",
    400,
    {
      error:
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
  ],
  [
    "LM Studio, n_keep",
    400,
    { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
  ],
  [
    "TGI",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  [
    "TGI, inputs",
    422,
    {
      error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 1200",
      error_type: "validation",
    },
  ],
  [
    "Mistral",
    400,
    {
      object: "error",
      message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_error",
      code: null,
    },
  ],
  [
    "Gemini",
    400,
    [
      {
        error: {
          code: 400,
          message: "The input token count (218152) exceeds the maximum number of tokens allowed (65536).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "DeepSeek",
    400,
    {
      error: {
        message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens.",
        type: "invalid_request_error",
        param: null,
        code: "invalid_request_error",
      },
    },
  ],
  [
    "OpenRouter, the provider's words inside",
    400,
    {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: {
          provider_name: "X",
          raw: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum","type":"invalid_request_error"}}',
        },
      },
    },
  ],
  [
    "OpenRouter",
    400,
    {
      error: {
        message:
          "This endpoint's maximum context length is 128000 tokens. However, you requested about 130000 tokens (130000 of text input).",
        code: 400,
      },
    },
  ],
  [
    "Groq",
    400,
    {
      error: {
        message: "Please reduce the length of the messages or completion.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    "xAI",
    400,
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  [
    "Moonshot",
    400,
    {
      error: {
        message: "Invalid request: Your request exceeded model token limit: 131072",
        type: "invalid_request_error",
      },
    },
  ],
  [
    "DashScope",
    400,
    {
      error: {
        message: "Range of input length should be [1, 129024]",
        type: "invalid_request_error",
        code: "invalid_parameter_error",
      },
    },
  ],
  [
    "Cerebras",
    400,
    {
      message: "Please reduce the length of the messages or completion. Current length is 9001 while limit is 8192",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  ],
  [
    "Copilot",
    400,
    {
      error: {
        message: "prompt token count of 137500 exceeds the limit of 128000",
        code: "model_max_prompt_tokens_exceeded",
      },
    },
  ],
  [
    "MiniMax",
    400,
    {
      type: "error",
      error: { type: "bad_request_error", message: "invalid params, context window exceeds limit (2013)" },
    },
  ],
  [
    "LiteLLM",
    400,
    { error: { message: "litellm.ContextWindowExceededError: x", type: null, code: "400", param: null } },
  ],
  ["a proxy's bound on bodies", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>"],
];

describe("a prompt that does not fit", () => {
  it.each(OVERFLOW_WORDINGS)("%s", (_, status, body) => {
    expect(kindOf(status, body)).toBe("context_overflow");
  });

  it.each(Object.entries(OVERFLOWS))("in the words of the scripted endpoint: %s", (_, wording) => {
    const { status, body } = wording(9000, 8000);
    expect(kindOf(status, body)).toBe("context_overflow");
  });

  it("is not seen in words about pace, which speak of tokens too", () => {
    const bedrock = { message: "Too many tokens, please wait before trying again.", code: "ThrottlingException" };
    const tpm =
      "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 15000. The input or output tokens must be reduced";
    expect(kindOf(429, { error: bedrock })).toBe("rate_limited");
    expect(kindOf(400, { error: bedrock })).toBe("rate_limited");
    expect(kindOf(429, { error: { message: tpm, type: "tokens", code: "rate_limit_exceeded" } })).toBe("rate_limited");
    expect(kindOf(429, { error: { message: "reduce the length of the messages or wait" } })).toBe("rate_limited");
  });
});

describe("what an error means", () => {
  it.each<[string, number, unknown, FaultKind]>([
    [
      "OpenAI: no quota",
      429,
      {
        error: {
          message: "You exceeded your current quota, please check your plan and billing details.",
          type: "insufficient_quota",
          param: null,
          code: "insufficient_quota",
        },
      },
      "quota",
    ],
    [
      "Gemini: pace in the words of quota",
      429,
      [
        {
          error: {
            code: 429,
            message: "You exceeded your current quota, please check your plan and billing details.",
            status: "RESOURCE_EXHAUSTED",
          },
        },
      ],
      "rate_limited",
    ],
    [
      "DeepSeek: no balance",
      402,
      { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
      "quota",
    ],
    [
      "Anthropic: no credit, as a 400",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "Your credit balance is too low to access the Anthropic API.",
        },
      },
      "quota",
    ],
    [
      "OpenRouter: no credit",
      402,
      { error: { code: 402, message: "This request requires more credits, or fewer max_tokens." } },
      "quota",
    ],
    [
      "a wrong key",
      401,
      { error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" } },
      "auth",
    ],
    ["a wrong key without words", 401, "", "auth"],
    ["a wrong key as a page", 401, "<html><title>Unauthorized</title></html>", "auth"],
    [
      "Gemini: a wrong key as a 400",
      400,
      [
        {
          error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" },
        },
      ],
      "auth",
    ],
    ["vLLM: a wrong key", 401, { error: "Unauthorized" }, "auth"],
    [
      "a forbidden region",
      403,
      {
        error: { code: "unsupported_country_region_territory", message: "Country, region, or territory not supported" },
      },
      "auth",
    ],
    [
      "OpenAI: unknown model",
      404,
      {
        error: {
          message: "The model `x` does not exist or you do not have access to it.",
          type: "invalid_request_error",
          code: "model_not_found",
        },
      },
      "unknown_model",
    ],
    [
      "vLLM: unknown model",
      404,
      { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", param: null, code: 404 },
      "unknown_model",
    ],
    [
      "Ollama: unknown model",
      404,
      { error: { message: 'model "x" not found, try pulling it first', type: "api_error", param: null, code: null } },
      "unknown_model",
    ],
    [
      "Anthropic: unknown model",
      404,
      { type: "error", error: { type: "not_found_error", message: "model: x" } },
      "unknown_model",
    ],
    [
      "DeepSeek: unknown model",
      400,
      { error: { message: "Model Not Exist", type: "invalid_request_error", code: "invalid_request_error" } },
      "unknown_model",
    ],
    ["OpenRouter: unknown model", 400, { error: { message: "x is not a valid model ID", code: 400 } }, "unknown_model"],
    [
      "Azure: unknown deployment",
      404,
      { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
      "unknown_model",
    ],
    ["a path that is not there", 404, { detail: "Not Found" }, "not_an_api"],
    ["a path that is not there, as text", 404, "404 page not found", "not_an_api"],
    ["a page", 404, "<!DOCTYPE html><html><head><title>Not here</title></head></html>", "not_an_api"],
    ["a wrong method", 405, { detail: "Method Not Allowed" }, "not_an_api"],
    [
      "OpenRouter: no tools",
      404,
      { error: { message: "No endpoints found that support tool use. Try disabling tools.", code: 404 } },
      "bad_request",
    ],
    [
      "Ollama: no tools",
      400,
      { error: { message: "models.example/library/x:latest does not support tools", type: "api_error" } },
      "bad_request",
    ],
    [
      "Azure: filtered",
      400,
      {
        error: {
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          type: null,
          param: "prompt",
          code: "content_filter",
          status: 400,
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
      "blocked",
    ],
    [
      "Azure: by the inner code",
      400,
      { error: { message: "no", code: "BadRequest", innererror: { code: "ResponsibleAIPolicyViolation" } } },
      "blocked",
    ],
    [
      "DashScope: filtered",
      400,
      { error: { code: "data_inspection_failed", message: "Input data may contain inappropriate content." } },
      "blocked",
    ],
    [
      "DeepSeek: filtered",
      400,
      { error: { message: "Content Exists Risk", type: "invalid_request_error", code: "invalid_request_error" } },
      "blocked",
    ],
    ["OpenRouter: moderated", 403, { error: { code: 403, message: "Input was flagged by moderation" } }, "blocked"],
    [
      "Anthropic: filtered",
      400,
      {
        type: "error",
        error: { type: "invalid_request_error", message: "Output blocked by content filtering policy" },
      },
      "blocked",
    ],
    [
      "Anthropic: overloaded",
      529,
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "server_error",
    ],
    ["a proxy's page", 502, "<html><head><title>502 Bad Gateway</title></head></html>", "server_error"],
    ["a slow upstream", 504, "upstream timed out", "server_error"],
    ["a conflict", 409, { error: { message: "locked" } }, "server_error"],
    ["a request that took too long to come", 408, "", "timeout"],
    [
      "FastAPI: a parameter",
      422,
      { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
      "bad_request",
    ],
    ["something else", 400, { error: { message: "messages: roles must alternate" } }, "bad_request"],
  ])("%s", (_, status, body, kind) => {
    expect(kindOf(status, body)).toBe(kind);
  });

  it("code and words are kept, the words in one line and bounded", () => {
    expect(faultOf(500, { error: { message: "a\n  b", code: "Oops" } })).toEqual({
      kind: "server_error",
      status: 500,
      code: "oops",
      message: "a b",
    });
    expect(faultOf(500, { error: { message: "𝄞".repeat(3000) } }).message.length).toBeLessThanOrEqual(2000);
    expect(faultOf(500, "").message).toBe("status 500 without a word");
    expect(faultOf(502, "<html><title>502 \n Bad</title>").message).toBe(
      'an HTML page came, not an answer of an API: "502 Bad"',
    );
  });

  it("a wait that stands in the body is read, as Gemini states it", () => {
    const body = {
      error: {
        code: 429,
        message: "slow",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
      },
    };
    expect(readErrorBody(429, JSON.stringify(body)).retryDelayMs).toBe(34_500);
  });
});

describe("an answer in one piece", () => {
  const kinds = (body: unknown): unknown => {
    const heard = readReply(typeof body === "string" ? body : JSON.stringify(body), 200);
    if (heard.kind === "answer") return "answer";
    return heard.kind === "error" ? statedFault(heard.facts, 200, (said) => said) : heard.fault;
  };

  it.each<[string, unknown, FaultKind]>([
    ["an error object inside", { error: { message: "slow down", code: "rate_limit_exceeded" } }, "rate_limited"],
    ["an error with a status inside", { error: { message: "boom", code: 503 } }, "server_error"],
    [
      "a refusal of the request inside",
      { error: { message: "no such role", type: "invalid_request_error" } },
      "bad_request",
    ],
    ["an error as a text inside", { error: "prompt is too long" }, "context_overflow"],
    [
      "an error inside the choice",
      {
        choices: [
          {
            error: { message: "boom", code: 502 },
            finish_reason: "error",
            message: { role: "assistant", content: "" },
          },
        ],
      },
      "server_error",
    ],
    ["no choices", { choices: [] }, "bad_answer"],
    ["no message", { choices: [{ finish_reason: "stop" }] }, "bad_answer"],
    ["JSON that is cut", '{"choices": [{"mess', "bad_answer"],
    ["nothing", "", "bad_answer"],
    ["text", "Ollama is running", "not_an_api"],
    ["a page", "<!doctype html><html></html>", "not_an_api"],
  ])("%s is a fault and never a turn", (_, body, kind) => {
    expect(kinds(body)).toMatchObject({ kind, status: 200 });
  });

  it("an empty error member beside choices is none", () => {
    const choices = [{ message: { role: "assistant", content: "hello" }, finish_reason: "stop" }];
    expect(kinds({ error: null, choices })).toBe("answer");
    expect(kinds({ error: {}, choices })).toBe("answer");
  });
});
