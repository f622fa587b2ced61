/** What judging a run will take, before anything is sent: questions, requests, tokens, cost. Needs no key and no network. */
import { faultOfExact, readAnswers, readRun, RecordError, type JudgeAnswer, type Usage } from "../records/index.ts";
import { standingOf } from "./conversation.ts";
import { estimatePromptTokens } from "./data-block.ts";
import {
  deriveIdentities,
  identitiesToAsk,
  identityFrom,
  indexAnswers,
  itemsToAsk,
  putQuestion,
  votesOf,
} from "./derive.ts";
import { whyOpen, type RunToJudge } from "./judge-run.ts";
import { judgeSettings, judgeSettingsSchema, type JudgeSettings, type ModelJudge } from "./model-judge.ts";
import type { IdentityOf } from "./questions.ts";
import type { JudgeCostOf } from "./spending.ts";
import { sameJson } from "../runtime/index.ts";

/** Tokens of an answer of the form asked for, thinking apart; a judge that thinks will take more. */
export const ANSWER_TOKENS = 250;

/** What is still to be asked of a run. */
export interface JudgeEstimate {
  readonly kind: "estimate";
  readonly identities: number;
  readonly items: { readonly event: number; readonly structure: number; readonly probe: number };
  /** One a question and vote that is not settled; answers that cannot be taken cost more. */
  readonly requests: number;
  /** Votes that are settled already. */
  readonly settled: number;
  /** Votes on questions whose facts no prompt can hold: nobody is asked, and the items are undecided. */
  readonly tooLong: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** null where the price is not known. */
  readonly costUsd: number | null;
}

export type EstimatedRun = JudgeEstimate | { readonly kind: "left" | "fault"; readonly why: string };

export interface EstimateOptions {
  readonly judge: ModelJudge;
  readonly host: string;
  readonly path: string;
  readonly as: string;
  readonly costOf: JudgeCostOf;
}

/**
 * Estimates a run. In a world with ids of its own the questions on items are put as if nobody were known, until it is
 * settled who is who. What is wrong with the record is a value; throws RecordError `bad_name`.
 */
export async function estimateRun(
  { case: case_, record }: RunToJudge,
  options: EstimateOptions,
): Promise<EstimatedRun> {
  if (record.state !== "sealed") return { kind: "left", why: whyOpen(record) };
  try {
    const run = await readRun(case_, record);
    const why = options.judge.name === "exact+model" ? faultOfExact(run) : undefined;
    if (why !== undefined) return { kind: "left", why };
    const { settings, answers } = await beginningOf(record.path, options);
    const index = indexAnswers(answers);
    const identities = identitiesToAsk(case_, run);
    const known = identities.length === 0 || answers.length > 0;
    const nobody: IdentityOf = () => null;
    const identity = known ? identityFrom(case_, run, deriveIdentities(case_, run, settings, answers)) : nobody;
    const items = itemsToAsk(case_, run, settings.name, identity);
    let requests = 0;
    let tooLong = 0;
    let promptTokens = 0;
    for (const question of [...identities, ...items]) {
      const put = putQuestion(case_, run, question, settings.prompt);
      const open = votesOf(settings).filter(
        (vote) => standingOf(put, settings, index(question, vote)).kind === "open",
      ).length;
      requests += open;
      tooLong += put.messages === undefined ? settings.votes : 0;
      promptTokens += open * estimatePromptTokens((put.messages ?? []).map(({ content }) => content).join("\n"));
    }
    const answerTokens = requests * ANSWER_TOKENS;
    const count = (kind: string): number => items.filter((item) => item.kind === kind).length;
    return {
      kind: "estimate",
      identities: identities.length,
      items: { event: count("event"), structure: count("structure"), probe: count("probe") },
      requests,
      settled: (identities.length + items.length) * settings.votes - requests - tooLong,
      tooLong,
      promptTokens,
      answerTokens,
      costUsd: options.costOf(usageOf(promptTokens, answerTokens), settings.model),
    };
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "bad_name") throw error;
    return { kind: "fault", why: error.message };
  }
}

/** The answers of an earlier command with the same judge; with another there are none to go on from. */
async function beginningOf(
  path: string,
  { judge, host, path: apiPath, as }: EstimateOptions,
): Promise<{ readonly settings: JudgeSettings; readonly answers: readonly JudgeAnswer[] }> {
  const set = await readAnswers(path, as);
  const saved = judgeSettingsSchema.safeParse(set?.header.judge).data;
  const settings = judgeSettings({ ...judge, host, path: apiPath, format: saved?.format ?? "json_schema" });
  return { settings, answers: set !== undefined && sameJson(saved, settings) ? set.answers : [] };
}

function usageOf(input: number, output: number): Usage {
  return { input, cachedInput: 0, output, reasoning: 0, total: input + output };
}
