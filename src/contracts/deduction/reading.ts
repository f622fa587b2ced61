/** A reading: how well one kind of question was answered over the spans of a run. */
import * as z from "zod";
import type { Changes, Visibility } from "../../runtime/index.ts";
import { f1Of, matchChanges, precisionOf, recallOf, type Matches } from "./f1.ts";
import { meanOfAll, meanSchema, quietSchema, type Mean, type Quiet } from "./mean.ts";
import { QUESTION_KINDS, type Question } from "./question.ts";

/** Strata by the number of fields that changed in truth: a mean over easy spans hides the fall over hard ones. */
export const SIZES = ["1-2", "3-6", "7-12", "more"] as const;
export type Size = (typeof SIZES)[number];

/** The visibilities that are scored: what is sealed is part of no truth. */
export const SCORED_VISIBILITIES = ["public", "local", "hidden"] as const;
export type ScoredVisibility = (typeof SCORED_VISIBILITIES)[number];

const count = z.int().min(0);
const unit = z.number().min(0).max(1);

const byVisibilitySchema = z.strictObject({
  matched: count,
  predicted: count.describe("Over all spans, quiet ones too"),
  truth: count,
  f1: meanSchema.describe("Over the spans in which such a field changed"),
});

const spanSchema = z.strictObject({
  kind: z.enum(QUESTION_KINDS),
  round: z.int().min(1),
  from: count,
  to: count,
  answered: z.boolean(),
  matched: count,
  predicted: count,
  changed: count.describe("Fields that changed in truth"),
  f1: unit.nullable().describe("null where the span is quiet"),
});

export const readingSchema = z.strictObject({
  planned: count.describe("Questions there were"),
  answered: count,
  unanswered: count.describe("Each counts F1 0, or quiet 0"),
  f1: meanSchema.describe("Over the spans in which something changed"),
  precision: meanSchema.describe("Over those of them for which something was predicted"),
  recall: meanSchema.describe("Over the spans in which something changed"),
  quiet: quietSchema.describe("Over the spans in which nothing changed: the share for which nothing was predicted"),
  bySize: z.strictObject({ "1-2": meanSchema, "3-6": meanSchema, "7-12": meanSchema, more: meanSchema }),
  byVisibility: z.strictObject({ public: byVisibilitySchema, local: byVisibilitySchema, hidden: byVisibilitySchema }),
  bySpan: z.array(spanSchema),
});
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** What of a reading is kept for a baseline. */
export const meansSchema = readingSchema.pick({ f1: true, precision: true, recall: true, quiet: true });
export type Means = Readonly<z.infer<typeof meansSchema>>;

/** The stratum of a span in which `changed` fields changed (at least 1). */
export function sizeOf(changed: number): Size {
  return changed <= 2 ? "1-2" : changed <= 6 ? "3-6" : changed <= 12 ? "7-12" : "more";
}

/**
 * The reading of `questions`. Truth alone decides what is averaged: a span in which something changed counts towards
 * F1 whatever was predicted, one in which nothing changed towards `quiet`. An unanswered question counts 0 in both:
 * to say that nothing changes takes an answer, and silence is none.
 */
export function readingOf(questions: readonly Question[], visibilityOf: (path: string) => Visibility): Reading {
  const judged = questions.map((question) => ({ question, matches: matchesOf(question) }));
  const answered = questions.filter(({ submitted }) => submitted !== null).length;
  return {
    planned: questions.length,
    answered,
    unanswered: questions.length - answered,
    ...meansOf(questions),
    bySize: bySize(judged.map(({ matches }) => matches)),
    byVisibility: byVisibility(questions, visibilityOf),
    bySpan: judged.map(({ question: { kind, round, from, to, submitted }, matches }) => ({
      kind,
      round,
      from,
      to,
      answered: submitted !== null,
      matched: matches.matched,
      predicted: matches.predicted,
      changed: matches.truth,
      f1: f1Of(matches),
    })),
  };
}

/** The means of `questions` alone. */
export function meansOf(questions: readonly Question[]): Means {
  const loud = questions.map(matchesOf).filter(({ truth }) => truth > 0);
  return {
    f1: meanOfAll(loud.map(f1Of)),
    precision: meanOfAll(loud.map(precisionOf)),
    recall: meanOfAll(loud.map(recallOf)),
    quiet: quietOf(questions.filter(({ truth }) => Object.keys(truth).length === 0)),
  };
}

function matchesOf({ submitted, truth }: Question): Matches {
  return matchChanges(submitted ?? {}, truth);
}

function quietOf(quiet: readonly Question[]): Quiet {
  const { mean: rate, n } = meanOfAll(
    quiet.map(({ submitted }) => (submitted !== null && Object.keys(submitted).length === 0 ? 1 : 0)),
  );
  return { rate, n };
}

function bySize(all: readonly Matches[]): Record<Size, Mean> {
  const over = (size: Size) =>
    meanOfAll(all.filter(({ truth }) => truth > 0 && sizeOf(truth) === size).map((matches) => f1Of(matches)));
  return { "1-2": over("1-2"), "3-6": over("3-6"), "7-12": over("7-12"), more: over("more") };
}

function byVisibility(
  questions: readonly Question[],
  visibilityOf: (path: string) => Visibility,
): Reading["byVisibility"] {
  const over = (visibility: ScoredVisibility) => {
    const only = (changes: Changes): Changes =>
      Object.fromEntries(Object.entries(changes).filter(([path]) => visibilityOf(path) === visibility));
    const all = questions.map(({ submitted, truth }) => matchChanges(only(submitted ?? {}), only(truth)));
    const sum = (key: keyof Matches) => all.reduce((total, matches) => total + matches[key], 0);
    return {
      matched: sum("matched"),
      predicted: sum("predicted"),
      truth: sum("truth"),
      f1: meanOfAll(all.map(f1Of)),
    };
  };
  return { public: over("public"), local: over("local"), hidden: over("hidden") };
}
