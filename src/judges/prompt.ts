/**
 * From a question and its evidence to the messages a judge is sent. Pure: these two are all it can know. Data stands
 * between tags that bear a digest of the whole prompt; whoever writes into the data cannot know it, since the data is
 * part of what is digested.
 */
import { digestOf } from "../runtime/index.ts";
import { answerJsonSchema } from "./answer-schema.ts";
import { dataLines } from "./data-block.ts";
import {
  ALL_TEXTS,
  ANSWER_FORMS,
  AVAILABLE_TEXT,
  PART_TEXTS,
  PROMPT_VERSION,
  QUESTION_TEXTS,
  RETRY_TEXT,
  SYSTEM_TEXT,
  UNTIL_TEXTS,
} from "./prompt-text.ts";
import type { Evidence, Question } from "./question.ts";
import { shortenText } from "./text.ts";
import { TITLES } from "./titles.ts";

/** Which prompts these are: every fixed word and both answer schemas are in the digest. */
export const PROMPT = {
  v: PROMPT_VERSION,
  digest: digestOf({
    texts: ALL_TEXTS,
    titles: TITLES,
    schemas: [answerJsonSchema("event"), answerJsonSchema("identity")],
  }),
} as const;

/** A message as the wire has it. */
export type PromptMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Digits of a tag. 128 bits cannot be guessed. */
const TAG_DIGITS = 32;

/** The messages that put a question. */
export function promptFor(question: Question, evidence: Evidence): readonly PromptMessage[] {
  const tag = tagOf(question, evidence);
  return [
    { role: "system", content: SYSTEM_TEXT },
    { role: "user", content: partsOf(question, evidence, tag).join("\n\n") },
  ];
}

/** The tag of a prompt's data, from everything the prompt is made of. */
export function tagOf(question: Question, evidence: Evidence): string {
  const digest = digestOf({ prompt: PROMPT, question: { ...question, item: null }, evidence });
  return `data-${digest.slice(0, TAG_DIGITS)}`;
}

function partsOf(question: Question, evidence: Evidence, tag: string): readonly string[] {
  const { narrative, blocks } = evidence;
  const shown = blocks.flatMap(({ title, data }) => [`## ${title}`, between(tag, dataLines(data))]);
  return [
    PART_TEXTS.question,
    sayQuestion(question),
    question.kind === "identity" ? PART_TEXTS.narratives : PART_TEXTS.narrative,
    narrative,
    PART_TEXTS.record,
    ...(shown.length === 0 ? [PART_TEXTS.empty] : shown),
    PART_TEXTS.answer,
    ANSWER_FORMS[question.kind],
  ];
}

function between(tag: string, lines: readonly string[]): string {
  return [`<${tag}>`, ...lines, `</${tag}>`].join("\n");
}

function sayQuestion(question: Question): string {
  switch (question.kind) {
    case "event": {
      const involves = question.involves.map(({ name }) => name).join("; ");
      return fill(QUESTION_TEXTS.event, { says: question.says, involves });
    }
    case "structure": {
      const { says, level, usedBy, availableBefore } = question;
      const before = availableBefore === undefined ? "" : fill(AVAILABLE_TEXT, { availableBefore });
      const words = { capability: "capability", entity: "thing", type: "type of thing" };
      return fill(QUESTION_TEXTS.structure, { says, level: words[level], usedBy, availableBefore: before });
    }
    case "probe": {
      const { says, after, until } = question;
      const closing = until === undefined ? UNTIL_TEXTS.end : fill(UNTIL_TEXTS.event, { until });
      return fill(QUESTION_TEXTS.probe, { says, after, until: closing });
    }
    case "identity":
      return fill(QUESTION_TEXTS.identity, { name: question.name, says: question.says });
  }
}

/** Puts words in place of `{…}`; what they hold is not looked at again. */
function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-zA-Z]+)\}/g, (whole, name: string) => words[name] ?? whole);
}

/** Characters of an answer that a judge is shown again. */
const SHOWN_CHARACTERS = 2_000;

/** What follows an answer that could not be taken: the answer, and what is wrong with it. Many servers refuse an empty one. */
export function retryMessages(raw: string, fault: string): readonly PromptMessage[] {
  return [
    { role: "assistant", content: raw.trim() === "" ? "(no text)" : shortenText(raw, SHOWN_CHARACTERS) },
    { role: "user", content: fill(RETRY_TEXT, { fault }) },
  ];
}
