/** What a judge has spent, in the sums that runs are counted in. */
import type { ModelSettings } from "../endpoint/index.ts";
import { NOTHING_SPENT, type JudgeAnswer, type Spending, type Usage } from "../records/index.ts";

/** What a usage of the judge's model costs in USD; null where its price or the usage is not known. */
export type JudgeCostOf = (usage: Usage | null, model: ModelSettings["model"]) => number | null;

/** The sums with one more answer. What the cache brought was free, and a fault without usage brought nothing. */
export function addJudgeAnswer(sums: Spending, answer: JudgeAnswer, costUsd: number | null): Spending {
  const { cached, usage, estimatedTokens, raw } = answer;
  if (cached || (raw === null && usage === null && estimatedTokens === undefined)) return sums;
  return {
    answers: sums.answers + 1,
    tokens: sums.tokens + (usage?.total ?? estimatedTokens ?? 0),
    estimated: sums.estimated + (usage === null && estimatedTokens !== undefined ? 1 : 0),
    untold: sums.untold + (usage === null && estimatedTokens === undefined ? 1 : 0),
    costUsd: sums.costUsd + (costUsd ?? 0),
    unpriced: sums.unpriced + (costUsd === null ? 1 : 0),
  };
}

/** What these answers sum up to. */
export function spendingOfAnswers(answers: readonly JudgeAnswer[], model: string, cost: JudgeCostOf): Spending {
  return answers.reduce((sums, answer) => addJudgeAnswer(sums, answer, cost(answer.usage, model)), NOTHING_SPENT);
}
