/**
 * How far a question has come, from its logged answers alone: decided, given up, or open with the messages to send next.
 * The judge, its resumption, the derivation of judgments and the audit all go by this one function.
 */
import type { EndpointFault, JudgeAnswer } from "../records/index.ts";
import type { Json } from "../runtime/index.ts";
import { responseFormatFor } from "./answer-schema.ts";
import type { Known } from "./evidence.ts";
import { digestOfRequest, type JudgeSettings } from "./model-judge.ts";
import { parseAnswer, type Reading } from "./parse.ts";
import { retryMessages, type PromptMessage } from "./prompt.ts";
import type { Question } from "./question.ts";

/** A question as it is put to the judge. */
export interface PutQuestion {
  readonly question: Question;
  readonly known: Known;
  /** Undefined where the facts do not fit a prompt: then nobody is asked. */
  readonly messages: readonly PromptMessage[] | undefined;
}

/** What is to be sent next, and as which attempt it is to be kept. */
export interface NextRequest {
  readonly attempt: number;
  readonly messages: readonly PromptMessage[];
  readonly responseFormat: Json | undefined;
  readonly digest: string;
}

export type Standing =
  | { readonly kind: "decided"; readonly reading: Reading }
  /** No answer in the form asked for, after all attempts. */
  | { readonly kind: "unreadable"; readonly fault: string }
  /** The endpoint will not answer this question. */
  | { readonly kind: "refused"; readonly fault: EndpointFault }
  /** What a judge must be shown is more than a prompt can hold: nobody is asked. */
  | { readonly kind: "too_long" }
  | { readonly kind: "open"; readonly next: NextRequest };

/** A line that is no answer to what would have been sent there. */
export interface StrayLine {
  readonly line: JudgeAnswer;
  /** The digest of what would have been sent; undefined where nothing more would have been. */
  readonly expected: string | undefined;
}

/**
 * Follows one vote on a question through its answers, in the order of their attempts. A line with another prompt than the
 * one that would be sent there is no answer to this question and is passed over, as is a fault that may have passed
 * since. `reparsing`: what a later parser says to a judge may differ, so only the first prompt is compared.
 */
export function followVote(
  put: PutQuestion,
  settings: JudgeSettings,
  lines: readonly JudgeAnswer[],
  reparsing: boolean = false,
): { readonly standing: Standing; readonly stray: readonly StrayLine[] } {
  if (put.messages === undefined)
    return { standing: { kind: "too_long" }, stray: lines.map((line) => ({ line, expected: undefined })) };
  const responseFormat = responseFormatFor(put.question.kind, settings.format);
  const asked = put.messages;
  let messages = asked;
  let digest = digestOfRequest(settings, messages, responseFormat);
  let heard = 0;
  let fault = "";
  let done: Standing | undefined;
  const stray: StrayLine[] = [];
  for (const line of lines) {
    if (done !== undefined) stray.push({ line, expected: undefined });
    else if (line.prompt !== digest && !(reparsing && heard > 0)) stray.push({ line, expected: digest });
    else if (line.fault !== null) {
      if (isFinal(line.fault)) done = { kind: "refused", fault: line.fault };
    } else {
      heard += 1;
      const raw = line.raw ?? "";
      const parsed = parseAnswer(raw, put.question, put.known);
      if (parsed.ok) done = { kind: "decided", reading: parsed.reading };
      else {
        ({ fault } = parsed);
        if (heard >= settings.attempts) done = { kind: "unreadable", fault };
        messages = [...asked, ...retryMessages(raw, fault)];
        digest = digestOfRequest(settings, messages, responseFormat);
      }
    }
  }
  const attempt = 1 + Math.max(0, ...lines.map((line) => line.attempt));
  const open: Standing = { kind: "open", next: { attempt, messages, responseFormat, digest } };
  // A newer parser may refuse what an older one took: then there is nobody to ask again.
  return { standing: done ?? (reparsing && heard > 0 ? { kind: "unreadable", fault } : open), stray };
}

/** Where one vote stands by its answers. */
export function standingOf(
  put: PutQuestion,
  settings: JudgeSettings,
  lines: readonly JudgeAnswer[],
  reparsing: boolean = false,
): Standing {
  return followVote(put, settings, lines, reparsing).standing;
}

/** Faults that the same question would meet again; any other may have passed by the next command. */
export function isFinal({ kind }: EndpointFault): boolean {
  return kind === "blocked" || kind === "context_overflow";
}
