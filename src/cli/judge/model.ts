/** `judge --judge model` and `exact+model`: a dry run, reading answers again, or asking. */
import { setImmediate } from "node:timers/promises";
import { costOf, readPrices, type Prices } from "../../endpoint/index.ts";
import {
  estimateRun,
  judgeSet,
  reparseRun,
  type JudgeCostOf,
  type ModelJudge,
  type ModelJudgeName,
  type ReparsedRun,
  type RunToJudge,
} from "../../judges/index.ts";
import { escapeText } from "../../report/index.ts";
import { systemClock, type CasesById, type SetBudgets, type SetOnDisk } from "../../tracks/index.ts";
import { countOf } from "../choose.ts";
import { makeCut } from "../cut.ts";
import { openEndpointFrom, type ModelFlags } from "../endpoints.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { refuseKeyInFlags } from "../given-key.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { JudgeDisplay } from "./display.ts";
import {
  codeOfJudged,
  estimateJson,
  estimateLines,
  judgedJson,
  judgedLines,
  reparsedJson,
  reparsedLines,
  stopOfJudged,
} from "./text.ts";
import { openSet } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { requireJudgeable } from "./judgeable.ts";
import { UserError } from "../user-error.ts";

export interface ModelJudgeFlags extends ModelFlags {
  readonly set: string;
  readonly as?: string | undefined;
  readonly votes?: number | undefined;
  readonly prices?: string | undefined;
  readonly budgetTokens?: number | undefined;
  readonly budgetCost?: number | undefined;
  readonly budgetMinutes?: number | undefined;
  readonly noCache: boolean;
  readonly dryRun: boolean;
  readonly reparse: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

const DEFAULT_CONCURRENCY = 4;
const MOST_VOTES = 99;

/** The name of a model's judgments where none is given: the unnamed set stays the exact judge's. */
export function defaultName(judge: ModelJudgeName): string {
  return judge === "model" ? "model" : "exact-model";
}

/** Judges the finished runs of a set by a model. */
export async function judgeByModel(name: ModelJudgeName, flags: ModelJudgeFlags): Promise<ExitCode> {
  refuseKeyInFlags(flags, process.env);
  const as = flags.as ?? defaultName(name);
  if (as === "exact" || /-p[0-9]+$/.test(as))
    throw new UserError(`--as ${as} is a name that the program keeps for itself`, "choose another");
  if (flags.dryRun && flags.reparse)
    throw new UserError("--dry-run and --reparse are both given", "keep one of the two");
  if (flags.reparse) return await readAgain(as, flags);
  const votes = countOf("votes", flags.votes ?? 1, MOST_VOTES);
  const cut = makeCut();
  const opened = openEndpointFrom(
    { concurrency: DEFAULT_CONCURRENCY, ...withoutUndefined(flags) },
    { keyless: flags.dryRun, cut: cut.signal },
  );
  const judge: ModelJudge = { name, model: opened.model, votes };
  const budgets = budgetsOf(flags);
  const cost = costBy(pricesOf(flags, judge.model.model));
  const { set, cases } = await openSet(flags.set, flags.casesDir);
  requireJudgeable(set.records, flags.set);
  const runs = runsOf(set, cases);
  if (flags.dryRun)
    return await estimateAll(
      runs,
      { judge, host: opened.endpoint.host, path: opened.endpoint.path, as, costOf: cost },
      flags,
    );
  const interrupt = listenForInterrupt(() =>
    note("Stopping: answers under way are heard, since they are paid for; Ctrl-C again stops at once."),
  );
  const display = new JudgeDisplay(runs.length, note);
  cut.start(budgets.wallMs);
  try {
    const judged = await judgeSet(runs, {
      judge,
      endpoint: opened.endpoint,
      as,
      concurrency: opened.settings.concurrency,
      clock: systemClock,
      budgets,
      costOf: cost,
      useCache: !flags.noCache,
      stop: interrupt.signal,
      onEvent: (event) => display.take(event),
    });
    for (const { result } of judged.runs) if (result.kind === "fault") debug(result.cause);
    const about = { judge, host: opened.endpoint.host, as, set: flags.set, casesDir: flags.casesDir };
    if (flags.json) printJson(judgedJson(judged, about));
    else print(judgedLines(judged, about).map(escapeText));
    const stop = stopOfJudged(judged, about);
    if (stop !== undefined) note(escapeText(stop));
    return codeOfJudged(judged);
  } finally {
    cut.release();
    interrupt.release();
  }
}

/** Runs with the cases they are of; a run whose case is not here is said so and left out. */
function runsOf(set: SetOnDisk, cases: CasesById): readonly RunToJudge[] {
  return set.records.flatMap((record): readonly RunToJudge[] => {
    const case_ = cases.get(record.manifest.case);
    if (case_?.track === "maintenance") return [{ case: case_, record }];
    const why =
      case_ === undefined ? `there is no case ${record.manifest.case} here` : "a run of deduction needs no judge";
    note(escapeText(`${record.id} is left out: ${why}`));
    return [];
  });
}

async function estimateAll(
  runs: readonly RunToJudge[],
  options: Parameters<typeof estimateRun>[1],
  flags: ModelJudgeFlags,
): Promise<ExitCode> {
  const estimates: { run: string; estimate: Awaited<ReturnType<typeof estimateRun>> }[] = [];
  for (const run of runs) {
    estimates.push({ run: run.record.id, estimate: await estimateRun(run, options) });
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
  }
  if (flags.json) printJson(estimateJson(estimates, options));
  else print(estimateLines(estimates, options).map(escapeText));
  return estimates.some(({ estimate }) => estimate.kind === "fault") ? EXIT.failed : EXIT.done;
}

async function readAgain(as: string, flags: ModelJudgeFlags): Promise<ExitCode> {
  const { set, cases } = await openSet(flags.set, flags.casesDir);
  const read: { run: string; result: ReparsedRun }[] = [];
  for (const run of runsOf(set, cases)) {
    read.push({ run: run.record.id, result: await reparseRun(run, as) });
    await setImmediate();
  }
  if (flags.json) printJson(reparsedJson(read, as));
  else print(reparsedLines(read, as, flags).map(escapeText));
  const has = (kind: ReparsedRun["kind"]): boolean => read.some(({ result }) => result.kind === kind);
  return has("fault") || !has("judged") ? EXIT.failed : EXIT.done;
}

function withoutUndefined(flags: ModelJudgeFlags): ModelFlags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

function budgetsOf({ budgetTokens, budgetCost, budgetMinutes, prices }: ModelJudgeFlags): SetBudgets {
  const tokens = limitOf("budget-tokens", budgetTokens);
  const costUsd = limitOf("budget-cost", budgetCost);
  const minutes = limitOf("budget-minutes", budgetMinutes);
  if (costUsd !== undefined && prices === undefined)
    throw new UserError("--budget-cost needs the price of the model", "name a price file with --prices FILE");
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(minutes === undefined ? {} : { wallMs: Math.max(1, Math.round(minutes * 60_000)) }),
  };
}

function limitOf(option: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return value;
  throw new UserError(`--${option} takes a number above 0`, "leave it away for no limit");
}

function pricesOf({ prices: path, budgetCost }: ModelJudgeFlags, model: string): Prices | undefined {
  if (path === undefined) return undefined;
  const read = readPrices(path);
  if (!read.ok) throw new UserError(read.error);
  if (budgetCost !== undefined && !Object.hasOwn(read.value.models, model))
    throw new UserError(`--budget-cost needs the price of ${model}`, `add it to ${path}`);
  return read.value;
}

function costBy(prices: Prices | undefined): JudgeCostOf {
  return (usage, model) => (prices === undefined ? null : costOf(usage, model, prices));
}
