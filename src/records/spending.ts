/** What a run or a set has spent on answers of models, from its logs alone. */
import { join } from "node:path";
import * as z from "zod";
import { RecordError } from "./error.ts";
import {
  answerBodySchema,
  faultBodySchema,
  type AnswerBody,
  type Attempt,
  type EndpointFault,
  type FaultBody,
} from "./exchange.ts";
import { readLines } from "./lines.ts";
import type { Manifest } from "./manifest.ts";
import { LOG_FILE, readManifest } from "./run-folder.ts";
import { runNamesIn } from "./run-set.ts";

/** Sums over answers, and over what was told with attempts that brought none. What is not known is counted apart: it is never a 0 in a sum. */
export interface Spending {
  readonly answers: number;
  /** Of all answers, and of what came and could not be taken; an estimate where the endpoint told none. */
  readonly tokens: number;
  /** Answers whose tokens are an estimate. */
  readonly estimated: number;
  /** Answers of which not even an estimate is there: they are not in `tokens`. */
  readonly untold: number;
  /** Of the answers whose cost is known. */
  readonly costUsd: number;
  /** Answers, and attempts that told tokens, whose cost is not known: they are not in `costUsd`. */
  readonly unpriced: number;
}

export const NOTHING_SPENT: Spending = {
  answers: 0,
  tokens: 0,
  estimated: 0,
  untold: 0,
  costUsd: 0,
  unpriced: 0,
};

/** What an answer of this agent cost in USD; null where its price or its usage is not known. */
export type CostOf = (answer: AnswerBody, agent: Manifest["agent"]) => number | null;

/** The tokens of an answer; null where neither a usage nor an estimate is there. */
export function tokensOf({ usage, estimatedTokens }: AnswerBody): {
  readonly tokens: number | null;
  readonly estimated: boolean;
} {
  if (usage !== null) return { tokens: usage.total, estimated: false };
  return { tokens: estimatedTokens ?? null, estimated: estimatedTokens !== undefined };
}

/** The sums with one more answer. */
export function addAnswer(sums: Spending, answer: AnswerBody, costUsd: number | null): Spending {
  const { tokens, estimated } = tokensOf(answer);
  return {
    answers: sums.answers + 1,
    tokens: sums.tokens + (tokens ?? 0),
    estimated: sums.estimated + (estimated ? 1 : 0),
    untold: sums.untold + (tokens === null ? 1 : 0),
    costUsd: sums.costUsd + (costUsd ?? 0),
    unpriced: sums.unpriced + (costUsd === null ? 1 : 0),
  };
}

/**
 * The sums with what was told, or estimated, of attempts that brought no answer: those before an answer, or all of a request
 * that ended in a fault. They are paid for as answers are, and are none.
 */
export function addLost(
  sums: Spending,
  line: { readonly attempts: readonly Attempt[]; readonly fault?: EndpointFault },
  cost: (answer: AnswerBody) => number | null,
): Spending {
  const faults = [...line.attempts.map(({ fault }) => fault), ...(line.fault === undefined ? [] : [line.fault])];
  return faults.reduce((sum, { tokens, usage }) => {
    if (tokens === undefined) return sum;
    const costUsd = usage === undefined ? null : cost({ ...NO_ANSWER, usage });
    return {
      ...sum,
      tokens: sum.tokens + tokens,
      costUsd: sum.costUsd + (costUsd ?? 0),
      unpriced: sum.unpriced + (costUsd === null ? 1 : 0),
    };
  }, sums);
}

/** What could not be taken, as an answer that is priced. */
const NO_ANSWER: Omit<AnswerBody, "usage"> = {
  kind: "answer",
  request: 1,
  message: {},
  finish: null,
  model: null,
  tolerated: [],
  attempts: [],
  adapted: [],
};

export function addSpending(a: Spending, b: Spending): Spending {
  return {
    answers: a.answers + b.answers,
    tokens: a.tokens + b.tokens,
    estimated: a.estimated + b.estimated,
    untold: a.untold + b.untold,
    costUsd: a.costUsd + b.costUsd,
    unpriced: a.unpriced + b.unpriced,
  };
}

/**
 * What the answers and faults in a log sum up to, in flat memory. The chain is not checked: what was paid was paid, and a torn or
 * damaged line is passed over. Throws RecordError where the file cannot be read.
 */
export async function spendingOfLog(path: string, cost: (answer: AnswerBody) => number | null): Promise<Spending> {
  let sums = NOTHING_SPENT;
  for await (const { text } of readLines(path)) {
    const line = text === undefined ? undefined : exchangeIn(text);
    if (line?.kind === "answer") sums = addAnswer(sums, line, cost(line));
    if (line !== undefined) sums = addLost(sums, line, cost);
  }
  return sums;
}

/**
 * What all runs of a set sum up to, one log after the other. A folder that cannot be read as a run is passed over; a set
 * that is not there has spent nothing.
 */
export async function spendingOfSet(setFolder: string, costOf: CostOf): Promise<Spending> {
  let sums = NOTHING_SPENT;
  for (const name of runNamesIn(setFolder)) {
    const path = join(setFolder, name);
    try {
      const { agent } = readManifest(path);
      sums = addSpending(sums, await spendingOfLog(join(path, LOG_FILE), (answer) => costOf(answer, agent)));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
    }
  }
  return sums;
}

/** The answer or fault in a line of a log; undefined where it holds none. Most lines are calls, and are not parsed. */
function exchangeIn(text: string): AnswerBody | FaultBody | undefined {
  if (!/"kind":"(?:answer|fault)"/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { seq: _, prev: __, hash: ___, ...body } = value as Readonly<Record<string, unknown>>;
  const parsed = z.union([answerBodySchema, faultBodySchema]).safeParse(body);
  return parsed.success ? parsed.data : undefined;
}
