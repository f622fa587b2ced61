/** How an endpoint is best asked for JSON: found by trying, once for a set. */
import type { Endpoint } from "../endpoint/index.ts";
import type { EndpointFault, JudgeAnswer } from "../records/index.ts";
import { ANSWER_FORMATS, responseFormatFor, type AnswerFormat } from "./answer-schema.ts";
import { ANSWER_FORMS, SYSTEM_TEXT } from "./prompt-text.ts";

export type FoundFormat =
  | {
      readonly kind: "found";
      readonly format: AnswerFormat;
      /** What each answer on the way cost, by its usage. */
      readonly usages: readonly JudgeAnswer["usage"][];
    }
  | { readonly kind: "failed"; readonly fault: EndpointFault }
  | { readonly kind: "stopped" };

/** Names both words that servers look for before they allow `json_object`. */
const TRIAL = `This is a trial of the form of answers. Answer with this JSON object as it stands, and nothing else:\n\n${ANSWER_FORMS.event}`;

/**
 * Tries structured output, then plain JSON mode, then nothing but words. A server that refuses a format says so, or has
 * the parameter left out; one that ignores it is asked all the same, since every answer is checked.
 */
export async function findFormat(endpoint: Endpoint, stop: AbortSignal): Promise<FoundFormat> {
  const usages: JudgeAnswer["usage"][] = [];
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
      usages.push(asked.reply.usage);
      const dropped = asked.reply.adapted.some(({ parameter }) => parameter === "response_format");
      if (!dropped || format === "plain") return { kind: "found", format, usages };
    } else if (asked.fault.kind !== "bad_request" || format === "plain") return { kind: "failed", fault: asked.fault };
  }
  return { kind: "found", format: "plain", usages };
}
