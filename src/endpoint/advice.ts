/** What a person can do about a fault of an endpoint: one sentence or two, in words they can act on. */
import { nearestWord } from "../runtime/index.ts";
import type { EndpointFault } from "../records/index.ts";
import { ABOVE_BOUND, ODD_CALL } from "./fault.ts";

/** How transport.ts says where an address leads. */
const REDIRECT = /^redirects to /;

/** What advice goes by, beside the fault. */
export interface AdviceContext {
  readonly baseUrl: string;
  /** The variable that holds the key; null where none is sent. */
  readonly apiKeyEnv: string | null;
  readonly model: string;
  /** The models that the endpoint lists; undefined where it lists none. */
  readonly models?: readonly string[] | undefined;
}

/** What to do about `fault`. */
export function adviceFor(fault: EndpointFault, context: AdviceContext): string {
  switch (fault.kind) {
    case "connection":
      return adviceForConnection(fault.message, context);
    case "timeout":
      return "No answer within the deadline: the server may still be loading the model, or may be overloaded. Try again, or give it longer with --timeout SECONDS.";
    case "auth":
      return adviceForKey(fault, context);
    case "quota":
      return "The account's quota is used up: raise its limit or its balance, then give the same command again.";
    case "rate_limited":
      return "The endpoint wants fewer requests: wait, or lower --concurrency, then give the same command again.";
    case "unknown_model":
      return adviceForModel(context);
    case "not_an_api":
      return REDIRECT.test(fault.message)
        ? "Another address answers in its place: if the API is there, give that with --base-url; a login page is none."
        : adviceForAddress(context);
    case "context_overflow":
      return "The window is too small: start the server with a larger one, or choose a model that has one.";
    case "blocked":
      return "A content filter refused it: see the provider's settings for filters.";
    case "cut_stream":
      return "The stream ended too early: see the server's log, or run without --stream.";
    case "bad_answer":
      if (ABOVE_BOUND.test(fault.message))
        return "The model goes on without an end, or the server sends what no answer needs: limit it with --max-tokens.";
      if (ODD_CALL.test(fault.message))
        return "The server writes calls in an old form, or in one of its own: use a newer version of it, or a gateway, that answers with tool_calls as OpenAI does.";
      return "What came is no chat completion: check that the server speaks the OpenAI API, and that its version is a present one.";
    case "server_error":
      return adviceForTools(fault.message) ?? "The server failed: its own log says why.";
    case "bad_request":
      if (/\bonly\b.{0,40}\bstream/i.test(fault.message))
        return "This server answers in pieces only: run with --stream.";
      return adviceForTools(fault.message) ?? "The server refuses the request: its message says why.";
  }
}

function adviceForConnection(message: string, { baseUrl }: AdviceContext): string {
  const { host, hostname, protocol } = new URL(baseUrl);
  const address = portOf(baseUrl);
  if (/ECONNREFUSED/i.test(message))
    return `Nothing listens at ${address}: start the server there, or mend --base-url.`;
  if (/ENOTFOUND|EAI_AGAIN/i.test(message))
    return `There is no host ${hostname} that this machine can find: check the spelling of --base-url, and the network.`;
  if (/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/i.test(message))
    return `${hostname} cannot be reached from here: check the network, a proxy, a firewall.`;
  if (protocol === "https:" && /wrong version number|packet length too long|EPROTO/i.test(message))
    return `${host} does not speak TLS: the address probably begins with http://.`;
  if (/certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/i.test(message))
    return `The certificate of ${host} is not trusted here: name its authority's file in NODE_EXTRA_CA_CERTS.`;
  if (/ECONNRESET|EPIPE|socket hang up|other side closed|UND_ERR_SOCKET/i.test(message))
    return `${address} takes connections and drops them: see the server's log; a server that speaks TLS wants https://.`;
  return `${address} cannot be reached: check that the server runs and that --base-url names it.`;
}

function adviceForKey({ message }: EndpointFault, { apiKeyEnv, baseUrl }: AdviceContext): string {
  const { host } = new URL(baseUrl);
  if (apiKeyEnv === null)
    return `${host} wants a key: put it in an environment variable and name that with --api-key-env.`;
  if (/not allowed|permission|not have access|forbidden|region|country/i.test(message))
    return `${host} knows the key in ${apiKeyEnv} and does not let it do this: check the rights of the key and of its account.`;
  return `${host} refuses the key in ${apiKeyEnv}: check that it is whole, still valid, and one of this provider.`;
}

function adviceForModel({ model, models, baseUrl }: AdviceContext): string {
  const pull = isOllama(baseUrl) ? ` Ollama fetches a model with: ollama pull ${model}.` : "";
  if (models === undefined || models.length === 0)
    return `There is no model ${model} there: see the provider's list of models for the name.${pull}`;
  return `There is no model ${model} there; ${sayNear(model, models)}.${pull}`;
}

/** Most names that advice lists. */
const NAMES = 5;

/** `near it: …`, or where nothing is, `there are: …`. */
export function sayNear(model: string, models: readonly string[]): string {
  const near = nearNames(model, models);
  if (near.length > 0) return `near it: ${near.join(", ")}`;
  const more = models.length - NAMES;
  return `there are: ${models.slice(0, NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Listed names that `model` may have meant, the nearest first: misspelt, or a part of each other. */
function nearNames(model: string, models: readonly string[]): readonly string[] {
  const nearest = nearestWord(model, models);
  const wanted = tailOf(model);
  const parts = models.filter((one) => {
    const tail = tailOf(one);
    return wanted.length >= 3 && tail.length >= 3 && (tail.includes(wanted) || wanted.includes(tail));
  });
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...parts])].slice(0, NAMES);
}

/** What is left of a name without its owner, in lower case: `meta-llama/Llama-3.1-8B` is `llama-3.1-8b`. */
function tailOf(name: string): string {
  return (name.split("/").at(-1) ?? name).toLowerCase();
}

/** The address is that of something else: what is commonly too much or missing at its end. */
function adviceForAddress({ baseUrl }: Pick<AdviceContext, "baseUrl">): string {
  const bare = baseUrl.replace(/\/+$/, "");
  const whole = /^(.*?)\/(chat\/completions|completions|models|responses)$/.exec(bare);
  if (whole?.[1] !== undefined)
    return `The base URL is what stands before /${whole[2] ?? ""}: try --base-url ${whole[1]}.`;
  if (/\/v\d+\w*$/.test(bare))
    return `This is no OpenAI-compatible API: check host and path of --base-url, and whether a proxy or a login page answers in its place.`;
  return `This is no API: the base URL usually ends in /v1: try --base-url ${bare}/v1.`;
}

/** Words by which servers say that they were not started for tool calls; undefined where it is something else. */
function adviceForTools(message: string): string | undefined {
  if (/--enable-auto-tool-choice|--tool-call-parser/i.test(message))
    return `Start vLLM with --enable-auto-tool-choice --tool-call-parser PARSER, the parser of the model's family.`;
  if (/--jinja/i.test(message)) return "Start llama.cpp's server with --jinja.";
  if (
    /does(n't| not) support (the use of )?(tools?|function)|no endpoints? found that supports? tool|tools?(_use)? (is|are) not supported|unsupported param: tools/i.test(
      message,
    )
  )
    return "This model, or the way it is served, takes no tools: choose a model that was trained for tool calls, and a server that hands them on.";
  return undefined;
}

/** How a family of models writes its calls, and what vLLM and SGLang call the parser of it. */
const DIALECTS: readonly (readonly [RegExp, string, string])[] = [
  [/<function=|<parameter=/, "qwen3_coder", "qwen3_coder"],
  [/\[TOOL_CALLS\]/, "mistral", "mistral"],
  [/<\|python_tag\|>/, "llama3_json", "llama3"],
  [/<｜tool▁calls▁begin｜>|<\|tool▁calls▁begin\|>/, "deepseek_v3", "deepseekv3"],
  [/<\|tool_calls_section_begin\|>/, "kimi_k2", "kimi_k2"],
  [/<\|channel\|>|<\|start\|>assistant/, "openai", "gpt-oss"],
  [/<arg_key>/, "glm45", "glm"],
  [/<tool_call>/, "hermes", "qwen"],
];

/** A server that returns calls as text has no parser for them: which one it wants, by the look of `text`. */
export function adviceForParser(text: string): string {
  const found = DIALECTS.find(([look]) => look.test(text));
  const [vllm, sglang] = found === undefined ? ["PARSER", "PARSER"] : [found[1], found[2]];
  return [
    "This server returned the call as text: start it with a tool parser for the model",
    `(vLLM: --enable-auto-tool-choice --tool-call-parser ${vllm}; SGLang: --tool-call-parser ${sglang}; llama.cpp: --jinja;`,
    "Ollama: a model whose page says tools), or state --text-calls to take such text for calls.",
  ].join(" ");
}

/** Something cuts the front of long prompts away without a word. */
export function adviceForCutPrompt({ baseUrl }: Pick<AdviceContext, "baseUrl">): string {
  const ollama = "Ollama: start it with OLLAMA_CONTEXT_LENGTH=32768, or give the model a num_ctx in its Modelfile";
  const others = "llama.cpp: --ctx-size, and no --context-shift; LM Studio: the context length of the loaded model";
  return `The front of a long prompt is cut away, so a model forgets the story: give the server a larger window (${
    isOllama(baseUrl) ? ollama : `${ollama}; ${others}`
  }).`;
}

function isOllama(baseUrl: string): boolean {
  return new URL(baseUrl).port === "11434";
}

/** `host:port`, the port also where it is the protocol's own. */
function portOf(baseUrl: string): string {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port !== "" ? port : protocol === "https:" ? "443" : "80"}`;
}
