/** What an answer of a tool becomes when it is folded: one line that says what it was and how to see it again. */
import type { JsonObject } from "../../endpoint/index.ts";
import type { Json } from "../../runtime/index.ts";

const SHOWN = 64;

/** The line in place of the answer `answer` to a call of `tool` with `input` (undefined where it could not be read). */
export function foldLine(tool: string, input: Json | undefined, answer: Json): string {
  return `(folded: ${said(tool, objectOf(input), objectOf(answer))})`;
}

function said(tool: string, input: JsonObject, answer: JsonObject): string {
  if (answer["ok"] !== true) return `${word(tool)}, refused: ${word(objectOf(answer["error"])["code"])}`;
  switch (tool) {
    case "help":
      return `help ${word(answer["topic"])}; ask again if needed`;
    case "get_context":
    case "end_round":
      return saidOfRound(tool, answer);
    case "read_data":
      return `read_data ${subjectOf(input)}, ${entriesIn(answer)}; ask again if needed`;
    case "construct":
      return `construct ${word(answer["op"])} ${word(answer["level"])} ${word(answer["id"])}, done`;
    case "commit_step":
      if (answer["step"] === undefined)
        return `commit_step, submitted in round ${word(answer["round"])}; get_context says what stands`;
      return `commit_step, step ${word(answer["step"])} accepted, clock ${word(answer["start"])} to ${word(answer["clock"])}; read_data from log shows it`;
    default:
      return `${word(tool)}; ask again if needed`;
  }
}

/** An answer with a part of the story goes only when that stands in a later one; what deduction asks is no story. */
function saidOfRound(tool: string, answer: JsonObject): string {
  const isDeduction = answer["intro"] !== undefined || objectOf(answer["next"])["asked"] !== undefined;
  if (!isDeduction) return `${tool}; its instalment stands again in a later answer`;
  const round = `round ${word(answer["round"])}`;
  if (tool === "get_context") return `get_context in ${round}; the introduction stands again in a later answer`;
  return `end_round, ${round} closed, clock ${word(answer["clock"])}; read_data from log shows it`;
}

function subjectOf(input: JsonObject): string {
  return [input["from"], input["type"], input["id"]]
    .filter((part) => part !== undefined)
    .map(word)
    .join(" ");
}

function entriesIn(answer: JsonObject): string {
  const entries = answer["entries"];
  const count = Array.isArray(entries) ? entries.length : 0;
  const more = answer["cursor"] === undefined ? "" : " and more";
  return `${count} ${count === 1 && more === "" ? "entry" : "entries"}${more}`;
}

/** A value as part of the line: short, and never two lines. */
function word(value: Json | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
  // A cut may leave half of a surrogate pair.
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
