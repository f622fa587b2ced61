import { describe, expect, it } from "vitest";
import { applyAdaptations } from "../../src/endpoint/adapt.ts";
import { adaptationFor } from "../../src/endpoint/adapt.ts";
import { readErrorBody } from "../../src/endpoint/error-facts.ts";
import { statedFault } from "../../src/endpoint/fault.ts";
import { modelSettingsSchema, type ChatRequest, type JsonObject } from "../../src/endpoint/index.ts";
import { requestBody } from "../../src/endpoint/request.ts";
import type { Adaptation } from "../../src/records/index.ts";

const tools = [{ name: "help", description: "Helps", parameters: { type: "object" } }];
const request: ChatRequest = { messages: [{ role: "user", content: "hello" }], adapted: [], label: "test" };

function bodyOf(settings: Readonly<Record<string, unknown>>, more: Partial<ChatRequest> = {}): JsonObject {
  return requestBody(modelSettingsSchema.parse({ model: "m", ...settings }), { ...request, ...more });
}

describe("the body of a request", () => {
  it("holds only what is stated", () => {
    expect(bodyOf({})).toEqual({ model: "m", messages: request.messages });
  });

  it("holds everything that is stated", () => {
    const settings = {
      stream: true,
      toolChoice: "required",
      parallelToolCalls: false,
      maxTokens: 100,
      maxTokensAs: "max_completion_tokens",
      temperature: 0,
      topP: 0.5,
      seed: 7,
      reasoningEffort: "low",
      extra: { top_k: 40 },
    };
    expect(bodyOf(settings, { tools, responseFormat: { type: "json_object" } })).toEqual({
      top_k: 40,
      model: "m",
      messages: request.messages,
      tools: [{ type: "function", function: { name: "help", description: "Helps", parameters: { type: "object" } } }],
      tool_choice: "required",
      parallel_tool_calls: false,
      max_completion_tokens: 100,
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      reasoning_effort: "low",
      response_format: { type: "json_object" },
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("has tool_choice only beside tools, and the request's in place of the settings'", () => {
    expect(bodyOf({ toolChoice: "required", parallelToolCalls: true })).toEqual({
      model: "m",
      messages: request.messages,
    });
    expect(bodyOf({}, { tools, toolChoice: "none" })["tool_choice"]).toBe("none");
    expect(bodyOf({ toolChoice: "omit" }, { tools })).not.toHaveProperty("tool_choice");
  });

  it("extra members never replace what a request is made of: settings refuse them, and settings of old do not send them", () => {
    const extra = { model: "other", messages: [], temperature: 1 };
    expect(modelSettingsSchema.safeParse({ model: "m", extra }).error?.issues.map(({ path }) => path)).toEqual(
      Object.keys(extra).map((name) => ["extra", name]),
    );
    const settings = { ...modelSettingsSchema.parse({ model: "m", temperature: 0 }), extra };
    const body = requestBody(settings, { ...request });
    expect(body).toMatchObject({ model: "m", messages: request.messages, temperature: 0 });
  });

  it("is the same bytes for the same request", () => {
    const settings = { temperature: 0, extra: { b: 1, a: 2 } };
    expect(JSON.stringify(bodyOf(settings, { tools }))).toBe(JSON.stringify(bodyOf(settings, { tools })));
  });

  it("follows adaptations in their order", () => {
    const adapted: Adaptation[] = [
      { parameter: "max_tokens", sentAs: "max_completion_tokens" },
      { parameter: "temperature", sentAs: null },
      { parameter: "max_completion_tokens", sentAs: null },
    ];
    expect(Object.keys(applyAdaptations({ model: "m", max_tokens: 1, temperature: 0 }, adapted.slice(0, 2)))).toEqual([
      "model",
      "max_completion_tokens",
    ]);
    expect(Object.keys(applyAdaptations({ model: "m", max_tokens: 1, temperature: 0 }, adapted))).toEqual(["model"]);
  });

  it("without a stream has no options of one", () => {
    const body = bodyOf({ stream: true }, { adapted: [{ parameter: "stream", sentAs: null }] });
    expect(Object.keys(body)).toEqual(["model", "messages"]);
  });
});

describe("which parameter is refused", () => {
  const full = bodyOf(
    {
      stream: true,
      maxTokens: 9,
      temperature: 0.16,
      topP: 1,
      seed: 1,
      parallelToolCalls: true,
      reasoningEffort: "low",
    },
    { tools, responseFormat: { type: "json_schema" } },
  );
  const refusedBy = (status: number, error: unknown, body = full): Adaptation | undefined => {
    const facts = readErrorBody(status, JSON.stringify(error));
    return adaptationFor(
      statedFault(facts, status, (said) => said),
      facts,
      body,
      [],
    );
  };

  it.each<[string, number, unknown, Adaptation]>([
    [
      "OpenAI, max_tokens",
      400,
      {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          type: "invalid_request_error",
          param: "max_tokens",
          code: "unsupported_parameter",
        },
      },
      { parameter: "max_tokens", sentAs: "max_completion_tokens" },
    ],
    [
      "a gateway that keeps the words alone",
      400,
      {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          code: "invalid_request_body",
        },
      },
      { parameter: "max_tokens", sentAs: "max_completion_tokens" },
    ],
    [
      "OpenAI, temperature",
      400,
      {
        error: {
          message:
            "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1) value is supported.",
          param: "temperature",
          code: "unsupported_value",
        },
      },
      { parameter: "temperature", sentAs: null },
    ],
    [
      "Anthropic",
      400,
      {
        error: {
          type: "invalid_request_error",
          message: "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
        },
      },
      { parameter: "temperature", sentAs: null },
    ],
    [
      "FastAPI",
      422,
      { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted", input: 1 }] },
      { parameter: "seed", sentAs: null },
    ],
    [
      "parallel calls",
      400,
      { error: { message: "parallel_tool_calls is not supported by this model" } },
      { parameter: "parallel_tool_calls", sentAs: null },
    ],
    [
      "stream options",
      400,
      { error: { message: "Unrecognized request argument supplied: stream_options" } },
      { parameter: "stream_options", sentAs: null },
    ],
    [
      "tool choice by its value",
      400,
      { error: { message: "Invalid tool_choice: only 'auto' and 'none' are taken" } },
      { parameter: "tool_choice", sentAs: null },
    ],
    [
      "DeepSeek, response format",
      400,
      { error: { message: "This response_format type is unavailable now", type: "invalid_request_error" } },
      { parameter: "response_format", sentAs: null },
    ],
    [
      "LM Studio, response format",
      400,
      { error: "'response_format.type' must be 'json_schema' or 'text'" },
      { parameter: "response_format", sentAs: null },
    ],
    [
      "reasoning effort",
      400,
      { error: { message: "Unknown parameter: 'reasoning_effort'." } },
      { parameter: "reasoning_effort", sentAs: null },
    ],
  ])("%s", (_, status, error, expected) => {
    expect(refusedBy(status, error)).toEqual(expected);
  });

  it.each<[string, number, unknown]>([
    ["a value that is too large", 400, { error: { message: "max_tokens must be at most 8192", param: "max_tokens" } }],
    [
      "a parameter that was not sent",
      400,
      { error: { message: "Unsupported parameter: 'logit_bias'", code: "unsupported_parameter" } },
    ],
    ["tools themselves", 400, { error: { message: "tools is not supported by this model" } }],
    ["another fault", 400, { error: { message: "messages: unexpected role" } }],
    [
      "an overflow that names max_tokens",
      400,
      { error: { message: "input length and `max_tokens` exceed context limit: not supported" } },
    ],
    ["a wrong key", 401, { error: { message: "Unknown key; seed not supported" } }],
  ])("%s is no refusal", (_, status, error) => {
    expect(refusedBy(status, error)).toBeUndefined();
  });
});
