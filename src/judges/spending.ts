/** What a judge has spent, in the sums that runs are counted in. */
import type { ModelSettings } from "../endpoint/index.ts";
import { NOTHING_SPENT, type Attempt, type JudgeAnswer, type Spending, type Usage } from "../records/index.ts";

/** What a usage of the judge's model costs in USD; null where its price or the usage is not known. */
export type JudgeCostOf = (usage: Usage | null, model: ModelSettings["model"]) => number | null;

/** What a usage costs, the model being known. */
type PriceOf = (usage: Usage | null) => number | null;

/**
 * The sums with one more answer, and with what was told by attempts that brought none. What the cache brought was free, and
 * a fault without usage brought nothing.
 */
export function addJudgeAnswer(before: Spending, answer: JudgeAnswer, price: PriceOf): Spending {
  const { cached, usage, estimatedTokens, raw } = answer;
  const sums = addLost(before, answer, price);
  if (cached || (raw === null && usage === null && estimatedTokens === undefined)) return sums;
  const costUsd = price(usage);
  return {
    answers: sums.answers + 1,
    tokens: sums.tokens + (usage?.total ?? estimatedTokens ?? 0),
    estimated: sums.estimated + (usage === null && estimatedTokens !== undefined ? 1 : 0),
    untold: sums.untold + (usage === null && estimatedTokens === undefined ? 1 : 0),
    costUsd: sums.costUsd + (costUsd ?? 0),
    unpriced: sums.unpriced + (costUsd === null ? 1 : 0),
  };
}

function addLost(sums: Spending, { lost = [], fault }: JudgeAnswer, price: PriceOf): Spending {
  const told = lost.map((usage) => ({ tokens: usage.total, costUsd: price(usage) }));
  const last =
    fault?.tokens === undefined
      ? []
      : [{ tokens: fault.tokens, costUsd: fault.usage === undefined ? null : price(fault.usage) }];
  return [...told, ...last].reduce<Spending>(
    (sum, { tokens, costUsd }) => ({
      ...sum,
      tokens: sum.tokens + tokens,
      costUsd: sum.costUsd + (costUsd ?? 0),
      unpriced: sum.unpriced + (costUsd === null ? 1 : 0),
    }),
    sums,
  );
}

/** What attempts that brought no answer told of usage, as an answer's line has it. */
export function lostWith(attempts: readonly Attempt[]): Pick<JudgeAnswer, "lost"> {
  const lost = attempts.flatMap(({ fault: { usage } }) => (usage === undefined ? [] : [usage]));
  return lost.length === 0 ? {} : { lost };
}

/** The tokens of one answer with everything that was paid on the way to it. */
export function tokensOfJudgeAnswer(answer: JudgeAnswer): number {
  return addJudgeAnswer(NOTHING_SPENT, answer, () => null).tokens;
}

/** What these answers sum up to. */
export function spendingOfAnswers(answers: readonly JudgeAnswer[], model: string, cost: JudgeCostOf): Spending {
  return answers.reduce((sums, answer) => addJudgeAnswer(sums, answer, (usage) => cost(usage, model)), NOTHING_SPENT);
}
