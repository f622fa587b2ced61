/** Reads an answer that came in one piece. */
import { MAX_DEPTH } from "./depth.ts";
import { errorIn, factsOf, isHtml } from "./error-facts.ts";
import { aboveBound, describePage, ownFault } from "./fault.ts";
import type { Heard, HeardNothing } from "./heard.ts";
import { isObject, member, parseAny, textOf } from "./json.ts";

/** Characters of a strange answer that a fault repeats. */
const SHOWN = 200;

/** Reads the body of an answer with a good status: an answer, an error inside it, or nothing that an API says. */
export function readReply(body: string, status: number): Heard {
  const parsed = parseAny(body);
  if (parsed.kind === "too_deep") return aboveBound(`nested more than ${MAX_DEPTH} deep`, status, body.length);
  if (parsed.kind === "no_json" || typeof parsed.value !== "object" || parsed.value === null)
    return readText(body, status);
  return readData(parsed.value, body, status);
}

function readData(data: object, body: string, status: number): Heard {
  const choice = choiceOf(data);
  const usage = [member(data, "usage")];
  const asError = (facts: unknown): Heard => ({
    kind: "error",
    facts: factsOf(status, facts),
    status,
    retryAfterMs: undefined,
    usage,
  });
  const error = errorIn(data) ?? errorIn(choice);
  if (error !== undefined) return asError({ error });
  const message = member(choice, "message");
  if (!isObject(choice) || !isObject(message)) {
    const lacks = choice === undefined ? "no choices" : "a choice without a message";
    return { ...nothing("bad_answer", `an answer with ${lacks}: ${body.slice(0, SHOWN)}`, status), usage };
  }
  const finish = textOf(choice["finish_reason"]) ?? null;
  if (finish === "error") return asError(choice);
  return { kind: "answer", message, finish, model: textOf(member(data, "model")) ?? null, usage, quirks: [] };
}

/** One answer was asked for: the choice with index 0; where none says so, the first that has no index; else the first. */
function choiceOf(body: unknown): unknown {
  const choices = member(body, "choices");
  if (!Array.isArray(choices)) return undefined;
  const listed = choices as readonly unknown[];
  return (
    listed.find((one) => member(one, "index") === 0) ??
    listed.find((one) => typeof member(one, "index") !== "number") ??
    listed[0]
  );
}

function readText(body: string, status: number): Heard {
  if (isHtml(body)) return nothing("not_an_api", describePage(body), status);
  if (body.trim() === "") return nothing("bad_answer", "an answer without a body", status);
  // what begins like JSON is an answer that was cut; other text is none of an API
  const isCut = /^\s{0,1000}[{[]/.test(body);
  const what = isCut ? "an answer that is no JSON" : "a text came, not an answer of an API";
  return nothing(isCut ? "bad_answer" : "not_an_api", `${what}: ${body.slice(0, SHOWN)}`, status);
}

function nothing(kind: "bad_answer" | "not_an_api", message: string, status: number): HeardNothing {
  return { kind: "nothing", fault: ownFault(kind, message, status) };
}
