/** Classes what an endpoint answered in place of an answer: by the code it states, then by its words, then by the status. */
import type { EndpointFault, FaultKind } from "../records/index.ts";
import type { ErrorFacts } from "./error-facts.ts";
import type { HeardNothing } from "./heard.ts";
import { MAX_FAULT_CHARACTERS } from "./limits.ts";
import { isOverflow } from "./overflow.ts";

/** Codes and types in lower case, by what they mean. Those of overflow are in overflow.ts. */
const KIND_OF_CODE: Readonly<Record<string, FaultKind>> = {
  content_filter: "blocked",
  content_filter_error: "blocked",
  content_filtered: "blocked",
  content_policy_violation: "blocked",
  responsibleaipolicyviolation: "blocked",
  data_inspection_failed: "blocked",
  datainspectionfailed: "blocked",
  prohibited_content: "blocked",
  moderation_error: "blocked",
  guardrail_intervened: "blocked",
  insufficient_quota: "quota",
  insufficient_balance: "quota",
  insufficient_credits: "quota",
  insufficient_user_quota: "quota",
  billing_hard_limit_reached: "quota",
  billing_not_active: "quota",
  billing_error: "quota",
  exceeded_current_quota_error: "quota",
  credit_balance_too_low: "quota",
  payment_required: "quota",
  arrearage: "quota",
  invalid_api_key: "auth",
  incorrect_api_key: "auth",
  authentication_error: "auth",
  invalid_authentication_error: "auth",
  authenticationerror: "auth",
  invalid_token: "auth",
  unauthenticated: "auth",
  unauthorized: "auth",
  permission_denied: "auth",
  permission_error: "auth",
  permissiondeniederror: "auth",
  access_denied: "auth",
  account_deactivated: "auth",
  model_not_found: "unknown_model",
  unknown_model: "unknown_model",
  invalid_model: "unknown_model",
  deploymentnotfound: "unknown_model",
  rate_limit_exceeded: "rate_limited",
  rate_limit_error: "rate_limited",
  rate_limit_reached_error: "rate_limited",
  rate_limited: "rate_limited",
  ratelimiterror: "rate_limited",
  too_many_requests: "rate_limited",
  throttlingexception: "rate_limited",
  throttling: "rate_limited",
  resource_exhausted: "rate_limited",
  overloaded_error: "server_error",
  engine_overloaded_error: "server_error",
  server_error: "server_error",
  internal_server_error: "server_error",
  internalservererror: "server_error",
  internal_error: "server_error",
  api_error: "server_error",
  service_unavailable: "server_error",
  unavailable: "server_error",
  timeout_error: "server_error",
};

/** Phrases in lower case for errors without a telling code; the first that is found decides. */
const KIND_OF_PHRASE: readonly (readonly [string, FaultKind])[] = [
  ["content management policy", "blocked"], // Azure
  ["content filter", "blocked"],
  ["content policy", "blocked"],
  ["flagged by", "blocked"], // "your input was flagged by our moderation"
  ["safety system", "blocked"],
  ["inappropriate content", "blocked"], // DashScope
  ["content exists risk", "blocked"], // DeepSeek
  ["violating our usage polic", "blocked"], // OpenAI, code invalid_prompt
  ["敏感内容", "blocked"], // Zhipu, code 1301
  ["insufficient balance", "quota"], // DeepSeek
  ["insufficient credits", "quota"],
  ["requires more credits", "quota"], // OpenRouter
  ["credit balance is too low", "quota"], // Anthropic
  ["account is not active", "quota"],
  ["support tool use", "bad_request"], // OpenRouter, as a 404
  ["does not support tools", "bad_request"], // Ollama
  ["api key not valid", "auth"], // Gemini, as a 400
  ["invalid api key", "auth"],
  ["incorrect api key", "auth"],
  ["no api key", "auth"],
  ["no auth credentials", "auth"], // OpenRouter
  ["model not exist", "unknown_model"], // DeepSeek, as a 400
  ["not a valid model", "unknown_model"], // OpenRouter, as a 400
  ["unknown model", "unknown_model"],
  ["no such model", "unknown_model"],
  ["invalid model name", "unknown_model"], // LiteLLM
  ["model is not found", "unknown_model"],
  ["the model is not available", "unknown_model"],
];

/** "model `x` does not exist", "model 'x' not found, try pulling it first". */
const MODEL_MISSING = /\bmodels?\b.{0,200}\b(?:does not exist|not found|is not found|was not found|doesn't exist)\b/i;

/** The kind of an error that an endpoint states. */
export function kindOf(facts: ErrorFacts): FaultKind {
  const { status, codes, message } = facts;
  const coded = codes.map((code) => KIND_OF_CODE[code]).find((kind) => kind !== undefined);
  // A code may be coarser than the words: overflow comes as a server's error, blocked prompts as a bad request.
  if (coded !== undefined && coded !== "server_error" && coded !== "rate_limited") return coded;
  if (coded !== "rate_limited" && status !== 429 && isOverflow(codes, message)) return "context_overflow";
  if (facts.isPage) return kindOfPage(status);
  const said = message.toLowerCase();
  const worded = KIND_OF_PHRASE.find(([phrase]) => said.includes(phrase))?.[1];
  if (worded !== undefined && (status === null || status < 500)) return worded;
  if (MODEL_MISSING.test(message) && (status === null || status < 500)) return "unknown_model";
  // some servers call everything an api_error; a status that blames the request is more to the point
  const isBlamed = status !== null && status >= 400 && status < 500;
  return coded === undefined || (coded === "server_error" && isBlamed) ? kindOfStatus(status, codes) : coded;
}

/** A page where an answer should be: a proxy's word of a fault, or no API at all. */
function kindOfPage(status: number | null): FaultKind {
  const kind = kindOfStatus(status, []);
  return kind === "bad_request" || kind === "bad_answer" ? "not_an_api" : kind;
}

function kindOfStatus(status: number | null, codes: readonly string[]): FaultKind {
  if (status === null || status < 300) return codes.includes("invalid_request_error") ? "bad_request" : "server_error";
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  // what is asked for by a name of its own is the model; without a word of it the path is wrong
  if (status === 404) return codes.includes("not_found_error") ? "unknown_model" : "not_an_api";
  if (status === 405 || (status >= 300 && status < 400)) return "not_an_api";
  if (status === 408) return "timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limited";
  if (status === 409 || status === 425 || status >= 499) return "server_error";
  return "bad_request";
}

/** The fault of an error that an endpoint states; `cut` takes secrets out of its words. */
export function statedFault(
  facts: ErrorFacts,
  httpStatus: number | null,
  cut: (text: string) => string,
): EndpointFault {
  const kind = kindOf(facts);
  const words = facts.isPage ? describePage(facts.message) : facts.message.trim();
  const [code] = facts.codes;
  return {
    kind,
    status: httpStatus,
    code: code === undefined ? null : cut(code),
    message: shorten(cut(words === "" ? `status ${httpStatus ?? "unknown"} without a word` : words)),
  };
}

/** A fault that we state ourselves; `message` holds nothing secret, or was cut before. */
export function ownFault(kind: FaultKind, message: string, status: number | null = null): EndpointFault {
  return { kind, status, code: null, message: shorten(message) };
}

/** An answer that came and is paid for, and passes a bound of ours: the same one would come again, so it is not asked for. */
export function aboveBound(seen: string, status: number | null, characters: number = 0): HeardNothing {
  return finalFault(`an answer above a bound of this program, not asked for again: ${seen}`, status, characters);
}

/** An answer that came and is paid for, with a call written in a way this program does not read. */
export function oddCall(seen: string, status: number | null): HeardNothing {
  return finalFault(`a call in a shape that this program does not read: ${seen}`, status, 0);
}

/** What advice knows such answers by. */
export const ABOVE_BOUND = /^an answer above a bound of this program/;
export const ODD_CALL = /^a call in a shape that this program does not read/;

function finalFault(message: string, status: number | null, characters: number): HeardNothing {
  return { kind: "nothing", fault: ownFault("bad_answer", message, status), isFinal: true, characters };
}

/** A page by its title: its text is nothing a person wants to read. */
export function describePage(page: string): string {
  const title = /<title[^>]{0,100}>([^<]{0,200})/i.exec(page)?.[1]?.replaceAll(/\s+/g, " ").trim();
  return `an HTML page came, not an answer of an API${title === undefined || title === "" ? "" : `: "${title}"`}`;
}

/** In one line of at most `most` UTF-16 units. */
export function shorten(message: string, most: number = MAX_FAULT_CHARACTERS): string {
  // by characters, not by halves of them
  const text = message.replaceAll(/\s+/g, " ");
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
