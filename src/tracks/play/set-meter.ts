/** What a set has spent, and whether one of its budgets is reached. */
import {
  addAnswer,
  addLost,
  addSpending,
  NOTHING_SPENT,
  spendingOfSet,
  tokensOf,
  type AnswerBody,
  type Attempt,
  type CostOf,
  type FaultBody,
  type RunId,
  type Spending,
} from "../../records/index.ts";
import type { Agent } from "../agent.ts";
import type { BudgetStop, SetStop } from "./set-stop.ts";

/** Limits of a whole set. What earlier commands spent on it counts towards tokens and cost; the wall time is this command's. */
export interface SetBudgets {
  /** Of all answers; estimated where the endpoint tells none. */
  readonly tokens?: number;
  /** Of the answers whose cost is known. */
  readonly costUsd?: number;
  readonly wallMs?: number;
}

/** One answer as it is counted. */
export interface CountedAnswer {
  /** null where neither a usage nor an estimate is there. */
  readonly tokens: number | null;
  readonly estimated: boolean;
  /** null where the price or the usage is not known. */
  readonly costUsd: number | null;
}

/** The budget of tokens or cost that these sums have reached. */
export function reachedBudget({ tokens, costUsd }: SetBudgets, sums: Spending): BudgetStop | undefined {
  if (tokens !== undefined && sums.tokens >= tokens)
    return { kind: "budget", which: "set_tokens", setting: tokens, measured: sums.tokens };
  if (costUsd !== undefined && sums.costUsd >= costUsd)
    return { kind: "budget", which: "set_cost", setting: costUsd, measured: sums.costUsd };
  return undefined;
}

/** The sums of a set while it is played. */
export class SetMeter {
  /** What the logs of the set held when it began; undefined where no budget asked for it. */
  readonly before: Spending | undefined;
  readonly #budgets: SetBudgets;
  readonly #costOf: CostOf;
  /** By run, what attempts of a request under way told so far: its line will count them. */
  readonly #held = new Map<RunId, Spending>();
  #spent: Spending = NOTHING_SPENT;

  /** Use openMeter. */
  constructor(budgets: SetBudgets, costOf: CostOf, before: Spending | undefined) {
    this.#budgets = budgets;
    this.#costOf = costOf;
    this.before = before;
  }

  /** By the answers that were new in this command. */
  get spent(): Spending {
    return this.#spent;
  }

  /** Counts an answer; one that is given again was counted when it came. */
  take(answer: AnswerBody, { name, settings }: Agent, replayed: boolean): CountedAnswer {
    const costUsd = this.#costOf(answer, { name, settings });
    if (!replayed) {
      this.#spent = addAnswer(this.#spent, answer, costUsd);
      this.#takeLost(answer, { name, settings });
    }
    return { ...tokensOf(answer), costUsd };
  }

  /** Counts what was told with a request that ended in a fault of the endpoint. */
  takeFault(fault: FaultBody, { name, settings }: Agent): void {
    this.#takeLost(fault, { name, settings });
  }

  /** Counts what failed attempts of a request under way told, until its line is there or nothing comes of it. */
  hold(run: RunId, attempts: readonly Attempt[], { name, settings }: Agent): void {
    this.#held.set(
      run,
      addLost(NOTHING_SPENT, { attempts }, (one) => this.#costOf(one, { name, settings })),
    );
  }

  release(run: RunId): void {
    this.#held.delete(run);
  }

  #takeLost(line: AnswerBody | FaultBody, agent: Pick<Agent, "name" | "settings">): void {
    this.#spent = addLost(this.#spent, line, (one) => this.#costOf(one, agent));
  }

  /** The budget that is reached, where one is. */
  get reached(): SetStop | undefined {
    const sums = [...this.#held.values(), this.#spent].reduce(addSpending, this.before ?? NOTHING_SPENT);
    return reachedBudget(this.#budgets, sums);
  }
}

/** Opens the meter of a set; its logs are read only where a budget counts what was spent before. Throws RecordError. */
export async function openMeter(
  setFolder: string,
  budgets: SetBudgets,
  costOf: CostOf = () => null,
): Promise<SetMeter> {
  const counts = budgets.tokens !== undefined || budgets.costUsd !== undefined;
  return new SetMeter(budgets, costOf, counts ? await spendingOfSet(setFolder, costOf) : undefined);
}
