/** Parameters that an endpoint refuses: each is left out, or sent under its other name, once, and recorded. */
import type { Adaptation, EndpointFault } from "../records/index.ts";
import type { JsonObject } from "./chat.ts";
import type { ErrorFacts } from "./error-facts.ts";

/** What a request does without. Members of `extra` are not among them: whoever states those wants them. */
const ADAPTABLE = [
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "seed",
  "tool_choice",
  "parallel_tool_calls",
  "stream_options",
  "stream",
  "reasoning_effort",
  "response_format",
] as const;

const OTHER_NAME: Readonly<Record<string, string>> = {
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
};

/** Words of a refusal of the parameter itself. A value that is too large is none: the configuration is to be mended. */
const REFUSES =
  /unsupported|not supported|n't supported|not support|unrecognized|unrecognised|unknown|unexpected|not permitted|not allowed|extra inputs|extra fields|only the default|not available|unavailable|not implemented|deprecated|cannot both be|not enabled|invalid parameter|no such (?:parameter|field)/i;

/** Of these the values are ours to choose, so that a value which is not taken is a refusal too. */
const BY_VALUE: ReadonlySet<string> = new Set(["tool_choice", "response_format"]);
const REFUSES_VALUE = /must be|invalid|expected|should be/i;

const REFUSING_CODES: ReadonlySet<string> = new Set([
  "unsupported_parameter",
  "unsupported_value",
  "unknown_parameter",
  "extra_forbidden",
  "unrecognized_parameter",
]);

/**
 * What to change in a request that was refused for one of its parameters; undefined where it was refused for something
 * else, or where nothing is left to change. `body` is the request as it was sent.
 */
export function adaptationFor(
  fault: EndpointFault,
  facts: ErrorFacts,
  body: JsonObject,
  adapted: readonly Adaptation[],
): Adaptation | undefined {
  if (fault.kind !== "bad_request") return undefined;
  const parameter = refusedIn(facts, body);
  if (parameter === undefined || !isRefusal(facts, parameter)) return undefined;
  const other = OTHER_NAME[parameter];
  const wasRenamed = adapted.some((one) => one.parameter === other || one.sentAs === parameter);
  return { parameter, sentAs: other === undefined || wasRenamed ? null : other };
}

function isRefusal({ message, codes }: ErrorFacts, parameter: string): boolean {
  if (REFUSES.test(message) || codes.some((code) => REFUSING_CODES.has(code))) return true;
  return BY_VALUE.has(parameter) && REFUSES_VALUE.test(message);
}

/** The parameter of the request that the error names: as its own member, else first in its words. */
function refusedIn({ param, message }: ErrorFacts, body: JsonObject): string | undefined {
  const sent = ADAPTABLE.filter((name) => Object.hasOwn(body, name));
  const top = param?.split(/[.[]/)[0];
  const named = sent.find((name) => name === top);
  if (named !== undefined) return named;
  const places = sent.map((name) => ({ name, at: wordAt(message, name) })).filter(({ at }) => at !== -1);
  return places.sort((a, b) => a.at - b.at)[0]?.name;
}

function wordAt(text: string, word: string): number {
  const found = new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`).exec(text);
  return found?.index ?? -1;
}

/** The request with its adaptations, applied in their order. */
export function applyAdaptations(body: JsonObject, adapted: readonly Adaptation[]): JsonObject {
  let members = Object.entries(body);
  for (const { parameter, sentAs } of adapted) {
    members = members.flatMap(([name, value]) =>
      name !== parameter
        ? [[name, value] as (typeof members)[number]]
        : sentAs === null
          ? []
          : [[sentAs, value] as (typeof members)[number]],
    );
    // without a stream there is nothing its options belong to, and a server that is strict says so
    if (parameter === "stream") members = members.filter(([name]) => name !== "stream_options");
  }
  return Object.fromEntries(members);
}
