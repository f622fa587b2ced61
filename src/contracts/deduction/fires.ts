/** Which processes fired in a span: precision and recall apart, never inside F1. */
import * as z from "zod";
import { matchChanges, precisionOf, recallOf } from "./f1.ts";
import { meanOfAll, meanSchema } from "./mean.ts";

const count = z.int().min(0);

export const firesSchema = z.strictObject({
  planned: count.describe("Spans there were"),
  answered: count,
  unanswered: count.describe("Each counts recall 0 where something fired"),
  precision: meanSchema.describe("Over the spans in which something fired and something was predicted"),
  recall: meanSchema.describe("Over the spans in which something fired"),
  silent: count.describe("Spans in which something fired and nothing was predicted: left out of precision"),
  quiet: count.describe("Spans in which nothing fired: left out of both"),
});
export type Fires = Readonly<z.infer<typeof firesSchema>>;

/** What was predicted to fire in a span, and what did. null where nothing was said. */
export interface FiresAnswer {
  readonly predicted: readonly string[] | null;
  readonly truth: readonly string[];
}

/** The firing figures of a run. An id that stands twice counts once. */
export function firesOf(spans: readonly FiresAnswer[]): Fires {
  const loud = spans
    .map(({ predicted, truth }) => matchChanges(asSet(predicted ?? []), asSet(truth)))
    .filter(({ truth }) => truth > 0);
  const answered = spans.filter(({ predicted }) => predicted !== null).length;
  return {
    planned: spans.length,
    answered,
    unanswered: spans.length - answered,
    precision: meanOfAll(loud.map(precisionOf)),
    recall: meanOfAll(loud.map(recallOf)),
    silent: loud.filter(({ predicted }) => predicted === 0).length,
    quiet: spans.length - loud.length,
  };
}

function asSet(ids: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(ids.map((id) => [id, true]));
}
