/** How an endpoint is best asked for JSON: found by trying, once for an endpoint, a model and its settings. */
import type { Endpoint, ModelSettings } from "../endpoint/index.ts";
import type { EndpointFault, JudgeAnswer } from "../records/index.ts";
import { ANSWER_FORMATS, responseFormatFor, type AnswerFormat } from "./answer-schema.ts";
import { digestOf } from "../runtime/index.ts";
import type { AnswerCache } from "./cache.ts";
import { ANSWER_FORMS, SYSTEM_TEXT } from "./prompt-text.ts";
import { lostWith } from "./spending.ts";

/** What one request on the way cost. */
export type TrialAnswer = Pick<JudgeAnswer, "raw" | "usage" | "lost" | "fault">;

export type FoundFormat =
  | {
      readonly kind: "found";
      readonly format: AnswerFormat;
      /** What was asked for it now; none where it was known. */
      readonly answers: readonly TrialAnswer[];
    }
  | { readonly kind: "failed"; readonly fault: EndpointFault; readonly answers: readonly TrialAnswer[] }
  | { readonly kind: "stopped" };

/** What the trial is of, and where its outcome is kept: no later command of the same folder asks again. */
export interface FormatMemory {
  readonly model: ModelSettings;
  readonly cache: AnswerCache;
}

/** Names both words that servers look for before they allow `json_object`. */
const TRIAL = `This is a trial of the form of answers. Answer with this JSON object as it stands, and nothing else:\n\n${ANSWER_FORMS.event}`;

/**
 * Tries structured output, then plain JSON mode, then nothing but words. A server that refuses a format says so, or has
 * the parameter left out; one that ignores it is asked all the same, since every answer is checked.
 */
export async function findFormat(
  endpoint: Endpoint,
  stop: AbortSignal,
  { model, cache }: FormatMemory,
): Promise<FoundFormat> {
  const { host, path } = endpoint;
  const trial = digestOf({ trial: TRIAL, system: SYSTEM_TEXT, host, path, model: JSON.parse(JSON.stringify(model)) });
  const known = cache.findFormat(trial);
  if (known !== undefined) return { kind: "found", format: known, answers: [] };
  const found = await tryFormats(endpoint, stop);
  if (found.kind === "found") cache.keepFormat(trial, found.format);
  return found;
}

async function tryFormats(endpoint: Endpoint, stop: AbortSignal): Promise<FoundFormat> {
  const answers: TrialAnswer[] = [];
  for (const format of ANSWER_FORMATS) {
    const responseFormat = responseFormatFor("event", format);
    const messages = [
      { role: "system", content: SYSTEM_TEXT },
      { role: "user", content: TRIAL },
    ];
    const asked = await endpoint.ask(
      {
        messages,
        adapted: [],
        label: `judge: trying ${format}`,
        ...(responseFormat === undefined ? {} : { responseFormat }),
      },
      stop,
    );
    if (asked.kind === "stopped") return { kind: "stopped" };
    if (asked.kind === "answered") {
      const { usage, attempts } = asked.reply;
      answers.push({ raw: "", usage, fault: null, ...lostWith(attempts) });
      const dropped = asked.reply.adapted.some(({ parameter }) => parameter === "response_format");
      if (!dropped || format === "plain") return { kind: "found", format, answers };
      continue;
    }
    const { fault, attempts } = asked;
    answers.push({ raw: null, usage: null, fault, ...lostWith(attempts) });
    if (fault.kind !== "bad_request" || format === "plain") return { kind: "failed", fault, answers };
  }
  return { kind: "found", format: "plain", answers };
}
