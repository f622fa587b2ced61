/**
 * What a judge's text says, or why it says nothing that can be taken. Pure: the same text, question and record give the
 * same reading, so that answers can be read again without asking anyone.
 */
import { shortenText } from "./text.ts";
import { identityAnswerSchema, itemAnswerSchema, type IdentityAnswer, type ItemAnswer } from "./answer-schema.ts";
import type { Known } from "./evidence.ts";
import { findJsonObject, MAX_ANSWER_CHARACTERS } from "./find-json.ts";
import type { Question } from "./question.ts";
import type * as z from "zod";

/** Raised whenever a text can be read otherwise than before. */
export const PARSER_VERSION = 1;

/** Characters of a reason that are kept. */
export const REASON_CHARACTERS = 400;
/** Entries of any list of an answer. */
const MOST_ENTRIES = 64;

/** An answer that can be taken. */
export type Reading =
  | {
      readonly kind: "item";
      readonly verdict: "pass" | "fail";
      readonly triggers: readonly string[];
      readonly constructions: readonly number[];
      readonly reason: string;
    }
  | {
      readonly kind: "identity";
      readonly verdict: "found" | "absent";
      readonly is: string | null;
      readonly reason: string;
    };

/** `fault` says to the judge what is wrong and what would be right. */
export type Parsed = { readonly ok: true; readonly reading: Reading } | { readonly ok: false; readonly fault: string };

/** Reads an answer. `known` is what the record has where the question looks. */
export function parseAnswer(raw: string, question: Question, known: Known): Parsed {
  if (raw.length >= MAX_ANSWER_CHARACTERS)
    return fault(`the answer has ${MAX_ANSWER_CHARACTERS} characters or more; one short JSON object is wanted`);
  const found = findJsonObject(raw);
  if (!found.ok) return fault(`the answer holds ${found.fault}; answer with exactly one JSON object and nothing else`);
  if (question.kind === "identity") {
    const answer = identityAnswerSchema.safeParse(found.value);
    return answer.success ? readIdentity(answer.data, known) : faultOfSchema(answer.error);
  }
  const answer = itemAnswerSchema.safeParse(found.value);
  return answer.success ? readItem(answer.data, question, known) : faultOfSchema(answer.error);
}

function readItem(answer: ItemAnswer, question: Exclude<Question, { kind: "identity" }>, known: Known): Parsed {
  const problem = faultOfLists(answer) ?? faultOfIds(answer, known) ?? faultOfVerdict(answer, question.kind);
  if (problem !== undefined) return fault(problem);
  const { verdict } = answer;
  // What a passed probe names is not a violation: the judge says that there was none.
  const names = question.kind !== "probe" || verdict === "fail";
  return {
    ok: true,
    reading: {
      kind: "item",
      verdict,
      triggers: names ? [...new Set(answer.triggers)] : [],
      constructions: names && question.kind !== "event" ? [...new Set(answer.constructions)] : [],
      reason: readReason(answer.reason),
    },
  };
}

function readIdentity(answer: IdentityAnswer, known: Known): Parsed {
  const { verdict, is } = answer;
  if (answer.citations.length > MOST_ENTRIES) return fault(`more than ${MOST_ENTRIES} citations`);
  if (verdict === "absent" && is !== null) return fault('"verdict" is "absent", so "is" must be null');
  if (verdict === "found" && is === null)
    return fault('"verdict" is "found", so "is" must be the id of a thing in the record');
  if (is !== null && !known.entities.has(is))
    return fault(`"is" names ${show(is)}, and the record has no such thing; give an id as the record spells it`);
  return { ok: true, reading: { kind: "identity", verdict, is, reason: readReason(answer.reason) } };
}

function faultOfLists({ citations, triggers, constructions }: ItemAnswer): string | undefined {
  const long = Object.entries({ citations, triggers, constructions }).find(([, list]) => list.length > MOST_ENTRIES);
  return long === undefined ? undefined : `"${long[0]}" has more than ${MOST_ENTRIES} entries`;
}

/** Everything an answer names must be there, where the question looks. Quotes are the judge's own words. */
function faultOfIds({ citations, triggers, constructions }: ItemAnswer, known: Known): string | undefined {
  const cited = citations.flatMap(({ trigger }) => trigger ?? []);
  const stray = [...triggers, ...cited].find((id) => !known.triggers.has(id));
  if (stray !== undefined) {
    const some = [...known.triggers].slice(0, 3);
    const hint = some.length === 0 ? "there is none in this round" : `ids look like ${some.join(", ")}`;
    return `${show(stray)} is no accepted trigger of this round: ${hint}`;
  }
  const built = citations.flatMap(({ construction }) => construction ?? []);
  const unknown = [...constructions, ...built].find((number) => !known.constructions.has(number));
  if (unknown === undefined) return undefined;
  return known.constructions.size === 0
    ? `no construction is part of this question, and ${unknown} is named`
    : `there is no construction ${unknown} in the record shown`;
}

function faultOfVerdict({ verdict, triggers, constructions }: ItemAnswer, kind: Question["kind"]): string | undefined {
  if (kind === "probe")
    return verdict === "fail" && triggers.length + constructions.length === 0
      ? 'a "fail" must name in "triggers" or "constructions" what did the forbidden thing'
      : undefined;
  if (verdict === "fail" || triggers.length > 0) return undefined;
  return kind === "event"
    ? 'a "pass" must name in "triggers" the triggers that realised the event'
    : 'a "pass" must name in "triggers" the triggers that used the structure';
}

/** In words of our own: what is said to a judge is part of what is digested, and must not change with a library. */
function faultOfSchema({ issues }: z.ZodError): Parsed {
  const first = issues.slice(0, 3).map((issue) => {
    const where = issue.path.length === 0 ? "the object" : `"${shortenText(issue.path.join("."), 60)}"`;
    return `${where} ${sayIssue(issue)}`;
  });
  return fault(`the JSON object does not have the form that is asked for: ${first.join("; ")}`);
}

function sayIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `has the unknown key ${show(issue.keys[0] ?? "")}`;
    case "invalid_type":
      return `must be there and be of type ${issue.expected === "int" ? "integer" : issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    default:
      return "is not what is asked for";
  }
}

function readReason(reason: string): string {
  const text = shortenText(reason.replaceAll(/\s+/g, " ").trim(), REASON_CHARACTERS);
  return text === "" ? "no reason was given" : text;
}

function show(text: string): string {
  return JSON.stringify(shortenText(text, 60));
}

function fault(text: string): Parsed {
  return { ok: false, fault: text };
}
