/**
 * Judges the runs of a set by a model: many questions at once through one gate, within budgets, resumable at any moment.
 * What earlier commands asked for under the same name counts towards the budgets and is not asked again.
 */
import { dirname } from "node:path";
import PQueue from "p-queue";
import { stopsEverything, type Endpoint } from "../endpoint/index.ts";
import {
  addSpending,
  NOTHING_SPENT,
  readAnswers,
  RecordError,
  type Attempt,
  type EndpointFault,
  type JudgeAnswer,
  type RunId,
  type Spending,
} from "../records/index.ts";
import { reachedBudget, type Clock, type SetBudgets } from "../tracks/index.ts";
import type { AnswerFormat } from "./answer-schema.ts";
import type { Voice } from "./ask.ts";
import { NO_CACHE, openCache, type AnswerCache } from "./cache.ts";
import { findFormat, type TrialAnswer } from "./format.ts";
import { judgeRun, type JudgedRunByModel, type JudgeRunOptions, type RunToJudge } from "./judge-run.ts";
import { JudgeSwitch, type JudgeStop } from "./judge-stop.ts";
import { judgeSettings, judgeSettingsSchema, type ModelJudge } from "./model-judge.ts";
import { addJudgeAnswer, lostWith, spendingOfAnswers, type JudgeCostOf } from "./spending.ts";

export type JudgeEvent =
  | { readonly kind: "begun"; readonly run: RunId }
  | {
      readonly kind: "answer";
      readonly run: RunId;
      readonly answer: JudgeAnswer;
      readonly costUsd: number | null;
    }
  | { readonly kind: "done"; readonly run: RunInJudgedSet };

export interface JudgeSetOptions {
  readonly judge: ModelJudge;
  readonly endpoint: Endpoint;
  /** The name of the sets of judgments and of answers. */
  readonly as: string;
  /** Questions under way at once; the endpoint's gate may allow fewer. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly budgets?: SetBudgets;
  /** Default: nobody knows. */
  readonly costOf?: JudgeCostOf;
  readonly useCache?: boolean;
  readonly stop?: AbortSignal;
  readonly onEvent?: (event: JudgeEvent) => void;
  /** Whether each answer is on disk before it counts. Default true. */
  readonly sync?: boolean;
}

/** A run of a judged set. */
export interface RunInJudgedSet {
  readonly run: RunId;
  readonly result:
    | JudgedRunByModel
    /** Its record refused it, or the program broke off (`cause`). */
    | { readonly kind: "fault"; readonly why: string; readonly cause?: unknown };
}

export interface JudgedSet {
  /** Every run, in the order in which they were given. */
  readonly runs: readonly RunInJudgedSet[];
  /** Why it stopped before everything was asked; undefined where it did not. */
  readonly stop: JudgeStop | undefined;
  /** By this command, and by all commands of this name. */
  readonly spent: Spending;
  readonly spentInAll: Spending;
  /** How JSON was asked for; undefined where nothing had to be asked. */
  readonly format: AnswerFormat | undefined;
}

/** Questions in a row without an answer after which the endpoint is taken to be down. */
const FAULTS_IN_A_ROW = 10;
/** Runs that are read into memory at once. */
const RUNS_AT_ONCE = 4;

/**
 * Judges runs. What one run's record refuses does not keep the others from being judged; throws RecordError where the
 * disk fails, and `bad_name` where no set can be called so.
 */
export async function judgeSet(runs: readonly RunToJudge[], options: JudgeSetOptions): Promise<JudgedSet> {
  const past = await pastOf(runs, options);
  const session = new JudgeSession(options, past.spent);
  try {
    const format = past.format ?? (await session.findFormat(runs));
    if (format === undefined) return session.result(runs.map(notReached), undefined);
    return session.result(await session.judgeAll(runs, format), format);
  } finally {
    session.release();
  }
}

function notReached({ record }: RunToJudge): RunInJudgedSet {
  return { run: record.id, result: { kind: "left", why: "it was not reached" } };
}

/** What the answers on disk say: what they cost, and how JSON was asked for. A file that cannot be read is its run's fault later. */
async function pastOf(
  runs: readonly RunToJudge[],
  { as, judge, costOf = () => null }: JudgeSetOptions,
): Promise<{ readonly spent: Spending; readonly format: AnswerFormat | undefined }> {
  let spent = NOTHING_SPENT;
  let format: AnswerFormat | undefined;
  for (const { record } of runs) {
    const set = await readAnswers(record.path, as).catch((error: unknown) => {
      if (error instanceof RecordError && error.code !== "bad_name") return undefined;
      throw error;
    });
    if (set === undefined) continue;
    spent = addSpending(spent, spendingOfAnswers(set.answers, judge.model.model, costOf));
    format ??= judgeSettingsSchema.safeParse(set.header.judge).data?.format;
  }
  return { spent, format };
}

/** One command's work on a set: its sums, its stop, its queue. */
class JudgeSession {
  readonly #options: JudgeSetOptions;
  readonly #before: Spending;
  readonly #switch: JudgeSwitch;
  readonly #queue: PQueue;
  #spent: Spending = NOTHING_SPENT;
  readonly #held = new Map<object, Spending>();
  #faultsInARow = 0;

  constructor(options: JudgeSetOptions, before: Spending) {
    this.#options = options;
    this.#before = before;
    this.#switch = new JudgeSwitch(options.stop);
    this.#queue = new PQueue({ concurrency: options.concurrency });
    const wallMs = options.budgets?.wallMs;
    if (wallMs !== undefined) this.#switch.stopAfter(wallMs, options.clock);
  }

  release(): void {
    this.#switch.release();
  }

  result(runs: readonly RunInJudgedSet[], format: AnswerFormat | undefined): JudgedSet {
    const spentInAll = addSpending(this.#before, this.#spent);
    return { runs, stop: this.#switch.why, spent: this.#spent, spentInAll, format };
  }

  async findFormat(runs: readonly RunToJudge[]): Promise<AnswerFormat | undefined> {
    if (!this.#mayAsk()) return undefined;
    const { endpoint, judge } = this.#options;
    const memory = { model: judge.model, cache: this.#cacheOf(runs) };
    const found = await findFormat(endpoint, this.#switch.signal, memory);
    if (found.kind === "failed") this.#switch.stop({ kind: "fault", fault: found.fault });
    if (found.kind !== "stopped") for (const answer of found.answers) this.#count(answer);
    if (found.kind !== "found") return undefined;
    return found.format;
  }

  async judgeAll(runs: readonly RunToJudge[], format: AnswerFormat): Promise<readonly RunInJudgedSet[]> {
    const { judge, endpoint, onEvent } = this.#options;
    const settings = judgeSettings({ ...judge, host: endpoint.host, path: endpoint.path, format });
    const voice: Voice = { settings, endpoint, cache: this.#cacheOf(runs), adapted: [], underWay: new Map() };
    const results = new Map<number, RunInJudgedSet>();
    const waiting = runs.entries();
    const work = async (): Promise<void> => {
      for (const [i, run] of waiting) {
        const done = this.#switch.signal.aborted ? notReached(run) : await this.#judgeOne(run, voice);
        results.set(i, done);
        onEvent?.({ kind: "done", run: done });
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: Math.min(RUNS_AT_ONCE, runs.length) }, work));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
    return runs.map((_, i) => results.get(i) as RunInJudgedSet);
  }

  #cacheOf([first]: readonly RunToJudge[]): AnswerCache {
    if (first === undefined || this.#options.useCache === false) return NO_CACHE;
    return openCache(dirname(first.record.path));
  }

  async #judgeOne(run: RunToJudge, voice: Voice): Promise<RunInJudgedSet> {
    const { as, onEvent, sync } = this.#options;
    const id = run.record.id;
    onEvent?.({ kind: "begun", run: id });
    const options: JudgeRunOptions = {
      voice,
      as,
      stop: this.#switch.signal,
      mayAsk: () => this.#mayAsk(),
      mayRetry: (who, failed) => {
        this.#hold(who, failed);
        return this.#mayAsk();
      },
      release: (who) => void this.#held.delete(who),
      onAnswer: (answer) => this.#take(id, answer, voice.settings.model),
      onFault: (fault) => this.#fault(fault),
      queue: async (task) => await this.#queue.add(task),
      ...(sync === undefined ? {} : { sync }),
    };
    try {
      return { run: id, result: await judgeRun(run, options) };
    } catch (error) {
      if (!(error instanceof RecordError))
        return { run: id, result: { kind: "fault", why: `internal error: ${messageOf(error)}`, cause: error } };
      if (STOPS_EVERYTHING.has(error.code)) {
        this.#switch.breakOff();
        throw error;
      }
      return { run: id, result: { kind: "fault", why: error.message } };
    }
  }

  #mayAsk(): boolean {
    if (this.#switch.signal.aborted) return false;
    const sums = [...this.#held.values(), this.#spent].reduce(addSpending, this.#before);
    const reached = reachedBudget(this.#options.budgets ?? {}, sums);
    if (reached !== undefined) this.#switch.stop(reached);
    return reached === undefined;
  }

  /** What failed attempts of a request under way told: its line will count it. */
  #hold(who: object, failed: readonly Attempt[]): void {
    const { costOf = () => null, judge } = this.#options;
    const answer = { ...TRIAL_ANSWER, raw: null, ...lostWith(failed) };
    this.#held.set(
      who,
      addJudgeAnswer(NOTHING_SPENT, answer, (usage) => costOf(usage, judge.model.model)),
    );
  }

  #take(run: RunId, answer: JudgeAnswer, model: string): void {
    const costUsd = answer.cached ? 0 : (this.#options.costOf?.(answer.usage, model) ?? null);
    this.#spent = addJudgeAnswer(this.#spent, answer, (usage) => this.#options.costOf?.(usage, model) ?? null);
    if (answer.fault === null) this.#faultsInARow = 0;
    this.#options.onEvent?.({ kind: "answer", run, answer, costUsd });
  }

  /** A trial's answer, which no file keeps. */
  #count(answer: TrialAnswer): void {
    const { costOf = () => null, judge } = this.#options;
    this.#spent = addJudgeAnswer(this.#spent, { ...TRIAL_ANSWER, ...answer }, (usage) =>
      costOf(usage, judge.model.model),
    );
  }

  #fault(fault: EndpointFault): void {
    this.#faultsInARow += 1;
    if (stopsEverything(fault) || this.#faultsInARow >= FAULTS_IN_A_ROW) this.#switch.stop({ kind: "fault", fault });
  }
}

const TRIAL_ANSWER: JudgeAnswer = {
  v: 1,
  question: "item trial",
  vote: 1,
  attempt: 1,
  prompt: "0".repeat(64),
  raw: "",
  finish: null,
  model: null,
  usage: null,
  cached: false,
  fault: null,
};

/** Faults that every later run would meet too: of the disk, and of the name. */
const STOPS_EVERYTHING: ReadonlySet<string> = new Set([
  "disk_full",
  "read_only",
  "no_permission",
  "io_failed",
  "bad_name",
]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
