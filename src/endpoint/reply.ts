/** Reads an answer that came in one piece. */
import { errorIn, factsOf, isHtml } from "./error-facts.ts";
import { describePage, ownFault } from "./fault.ts";
import type { Heard } from "./heard.ts";
import { isObject, member, parseJson, textOf } from "./json.ts";

/** Characters of a strange answer that a fault repeats. */
const SHOWN = 200;

/** Reads the body of an answer with a good status: an answer, an error inside it, or nothing that an API says. */
export function readReply(body: string, status: number): Heard {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null) return readText(body, status);
  const error = errorIn(parsed) ?? errorIn(firstChoice(parsed));
  if (error !== undefined) return { kind: "error", facts: factsOf(status, { error }), status, retryAfterMs: undefined };
  const choice = firstChoice(parsed);
  const message = member(choice, "message");
  if (!isObject(choice) || !isObject(message)) {
    const lacks = choice === undefined ? "no choices" : "a choice without a message";
    return nothing("bad_answer", `an answer with ${lacks}: ${body.slice(0, SHOWN)}`, status);
  }
  const finish = textOf(choice["finish_reason"]) ?? null;
  if (finish === "error") return { kind: "error", facts: factsOf(status, choice), status, retryAfterMs: undefined };
  return {
    kind: "answer",
    message,
    finish,
    model: textOf(member(parsed, "model")) ?? null,
    usage: [member(parsed, "usage")],
    quirks: [],
  };
}

function firstChoice(body: unknown): unknown {
  const choices = member(body, "choices");
  return Array.isArray(choices) ? (choices as readonly unknown[])[0] : undefined;
}

function readText(body: string, status: number): Heard {
  if (isHtml(body)) return nothing("not_an_api", describePage(body), status);
  if (body.trim() === "") return nothing("bad_answer", "an answer without a body", status);
  // what begins like JSON is an answer that was cut; other text is none of an API
  const isCut = /^\s{0,1000}[{[]/.test(body);
  const what = isCut ? "an answer that is no JSON" : "a text came, not an answer of an API";
  return nothing(isCut ? "bad_answer" : "not_an_api", `${what}: ${body.slice(0, SHOWN)}`, status);
}

function nothing(kind: "bad_answer" | "not_an_api", message: string, status: number): Heard {
  return { kind: "nothing", fault: ownFault(kind, message, status) };
}
