/** The questions a run was asked, one by one, each with its answer and its truth. */
import { LOOKAHEAD_TICKS, PARTS, type Changes, type Part, type SpanRecord } from "../../runtime/index.ts";

/** What a single question may be about. */
export const QUESTION_KINDS = PARTS;
export type QuestionKind = Part;

/**
 * One question: what differs at tick `to` from tick `from`. Of a counterfactual the two are the last decision point and
 * the one at which it is asked, and what differs is the world as it would be from the world as it is.
 */
export interface Question {
  readonly kind: QuestionKind;
  readonly round: number;
  readonly from: number;
  readonly to: number;
  /** null where there is no answer; no entry at all says that nothing changes, which is one. */
  readonly submitted: Changes | null;
  readonly truth: Changes;
}

/** Every question of `spans`, in their order. A question is one that has a truth, answered or not. */
export function questionsOf(spans: readonly SpanRecord[]): readonly Question[] {
  return spans.flatMap((span, index) => {
    const ends: Record<QuestionKind, readonly [from: number, to: number]> = {
      segment: [span.from, span.to],
      interval: [span.from, span.to],
      lookahead: [span.from, span.from + LOOKAHEAD_TICKS],
      action: [spans[index - 1]?.from ?? span.from, span.from],
      happening: [spans[index - 1]?.from ?? span.from, span.from],
    };
    return QUESTION_KINDS.flatMap((kind): Question[] => {
      const truth = span.truth[kind];
      if (truth === undefined) return [];
      const [from, to] = ends[kind];
      return [{ kind, round: span.round, from, to, submitted: span.submitted[kind] ?? null, truth }];
    });
  });
}
