import { describe, expect, it } from "vitest";
import { adviceFor, adviceForCutPrompt, adviceForParser, type AdviceContext } from "../../src/endpoint/advice.ts";
import { FAULT_KINDS, type EndpointFault, type FaultKind } from "../../src/records/index.ts";

const CONTEXT: AdviceContext = { baseUrl: "http://127.0.0.1:8000/v1", apiKeyEnv: "MY_KEY", model: "m" };

function advice(kind: FaultKind, message = "", context: Partial<AdviceContext> = {}): string {
  const fault: EndpointFault = { kind, status: null, code: null, message };
  return adviceFor(fault, { ...CONTEXT, ...context });
}

describe("advice about a fault of an endpoint", () => {
  it.each<[FaultKind, string, string]>([
    ["bad_answer", "an answer above a bound of this program, not asked for again: x", "limit it with --max-tokens"],
    ["bad_answer", "a call in a shape that this program does not read: x", "answers with tool_calls as OpenAI does"],
    ["bad_answer", "an answer with no choices: {}", "What came is no chat completion"],
    ["not_an_api", "redirects to https://h, which is not followed: x", "Another address answers in its place"],
  ])("%s, %s", (kind, message, says) => {
    expect(advice(kind, message)).toContain(says);
  });

  it.each(FAULT_KINDS)("there is a whole sentence about %s", (kind) => {
    expect(advice(kind)).toMatch(/^[A-Z0-9].*\.$/s);
  });

  it.each([
    ["connect ECONNREFUSED 127.0.0.1:8000", CONTEXT.baseUrl, "Nothing listens at 127.0.0.1:8000"],
    ["connect ECONNREFUSED 10.0.0.1:443", "https://api.example.com/v1", "Nothing listens at api.example.com:443"],
    ["getaddrinfo ENOTFOUND api.exmaple.com", "https://api.exmaple.com/v1", "There is no host api.exmaple.com"],
    [
      "write EPROTO 80D:error:0A00010B:SSL routines:ssl3_get_record:wrong version number",
      "https://127.0.0.1:8000/v1",
      "127.0.0.1:8000 does not speak TLS",
    ],
    [
      "SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in certificate chain",
      "https://gpu.local/v1",
      "The certificate of gpu.local is not trusted",
    ],
    ["socket hang up", CONTEXT.baseUrl, "127.0.0.1:8000 takes connections and drops them"],
    ["connect EHOSTUNREACH 10.1.2.3:80", "http://10.1.2.3/v1", "10.1.2.3 cannot be reached from here"],
    ["something else", "http://10.1.2.3/v1", "10.1.2.3:80 cannot be reached"],
  ])("knows what keeps a connection from being made: %s", (message, baseUrl, said) => {
    expect(advice("connection", message, { baseUrl })).toContain(said);
  });

  it.each([
    ["http://127.0.0.1:8000", "try --base-url http://127.0.0.1:8000/v1."],
    ["https://api.example.com/", "try --base-url https://api.example.com/v1."],
    ["http://127.0.0.1:8000/v1/chat/completions", "try --base-url http://127.0.0.1:8000/v1."],
    ["https://api.example.com/v1/models", "try --base-url https://api.example.com/v1."],
    ["https://example.com/api/v1", "check host and path of --base-url"],
    ["https://example.com/v1beta", "check host and path of --base-url"],
  ])("says how an address that is no API may be mended: %s", (baseUrl, said) => {
    expect(advice("not_an_api", "", { baseUrl })).toContain(said);
  });

  it("names the variable of the key, and whether the key is unknown or may not", () => {
    expect(advice("auth", "Incorrect API key")).toBe(
      "127.0.0.1:8000 refuses the key in MY_KEY: check that it is whole, still valid, and one of this provider.",
    );
    expect(advice("auth", "Your key does not have access to this model")).toContain("check the rights of the key");
    expect(advice("auth", "", { apiKeyEnv: null })).toContain("name that with --api-key-env");
  });

  it("lists names near to an unknown model, some of all where none is, and how Ollama fetches one", () => {
    const models = ["meta-llama/Llama-3.1-8B-Instruct", "qwen3:8b", "a", "b", "c", "d"];
    const unknown = (model: string, more: Partial<AdviceContext> = {}) =>
      advice("unknown_model", "", { model, models, ...more });
    expect(unknown("llama-3.1-8b-instruct")).toBe(
      "There is no model llama-3.1-8b-instruct there; near it: meta-llama/Llama-3.1-8B-Instruct.",
    );
    expect(unknown("qwen3:8bb")).toContain("near it: qwen3:8b.");
    expect(unknown("something-else")).toContain(
      "there are: meta-llama/Llama-3.1-8B-Instruct, qwen3:8b, a, b, c and 1 more.",
    );
    expect(unknown("mistral", { baseUrl: "http://localhost:11434/v1" })).toContain("ollama pull mistral");
    expect(advice("unknown_model", "", { models: [] })).toContain("see the provider's list of models");
  });

  it.each([
    [
      "bad_request",
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      "Start vLLM with",
    ],
    ["server_error", "tools param requires --jinja flag", "--jinja"],
    ["bad_request", "models.example/library/gemma:2b does not support tools", "takes no tools"],
    ["bad_request", "No endpoints found that support tool use.", "takes no tools"],
    ["server_error", "Unsupported param: tools", "takes no tools"],
    ["server_error", "CUDA out of memory", "its own log says why"],
    ["bad_request", "top_k must be positive", "its message says why"],
  ] as const)("knows the words of servers that take no tools: %s %s", (kind, message, said) => {
    expect(advice(kind, message)).toContain(said);
  });
});

it.each([
  ['<tool_call>\n{"name":"help"}\n</tool_call>', "hermes", "qwen"],
  ["<tool_call>\n<function=help>\n</function>\n</tool_call>", "qwen3_coder", "qwen3_coder"],
  ["<tool_call>help\n<arg_key>topic</arg_key></tool_call>", "glm45", "glm"],
  ['[TOOL_CALLS] [{"name":"help"}]', "mistral", "mistral"],
  ['<|python_tag|>{"name":"help"}', "llama3_json", "llama3"],
  ["<｜tool▁calls▁begin｜>", "deepseek_v3", "deepseekv3"],
  ["<|tool_calls_section_begin|>", "kimi_k2", "kimi_k2"],
  ["<|channel|>commentary to=functions.help", "openai", "gpt-oss"],
  ['{"name":"help","arguments":{}}', "PARSER", "PARSER"],
])("a call that came as text tells which parser the server wants: %s", (text, vllm, sglang) => {
  expect(adviceForParser(text)).toContain(`--tool-call-parser ${vllm}; SGLang: --tool-call-parser ${sglang};`);
});

it("a prompt that is cut is a matter of the window, for Ollama by its own names", () => {
  expect(adviceForCutPrompt(CONTEXT)).toContain("llama.cpp: --ctx-size");
  expect(adviceForCutPrompt({ baseUrl: "http://localhost:11434/v1" })).not.toContain("llama.cpp");
});
