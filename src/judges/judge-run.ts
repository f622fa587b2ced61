/** Judges one run: who is who first, then every item; every answer is on disk before anything is made of it. */
import type { Case } from "../cases/index.ts";
import {
  differencesOfJson,
  faultOfExact,
  listJudgmentSets,
  openAnswers,
  readJudgments,
  readRun,
  RecordError,
  scoreOf,
  writeJudgments,
  type AnswerFile,
  type AnswerHeader,
  type EndpointFault,
  type JudgeAnswer,
  type JudgmentSet,
  type ReadRun,
  type RunRecord,
} from "../records/index.ts";
import type { Score } from "../contracts/index.ts";
import { sameJson } from "../runtime/index.ts";
import { askVote, type AskedVote, type AskOptions, type Voice } from "./ask.ts";
import { standingOf } from "./conversation.ts";
import {
  deriveIdentities,
  deriveJudgments,
  identitiesToAsk,
  identityFrom,
  indexAnswers,
  itemsToAsk,
  putQuestion,
  votesOf,
  type AnswerIndex,
} from "./derive.ts";
import type { JudgeSettings } from "./model-judge.ts";
import type { Question } from "./question.ts";

/** A run that is to be judged. */
export interface RunToJudge {
  readonly case: Case;
  readonly record: RunRecord;
}

/** What judging a run came to. */
export type JudgedRunByModel =
  /** `asked`: answers of this command, those of the cache apart. */
  | { readonly kind: "judged"; readonly score: Score; readonly asked: number; readonly cached: number }
  /** Not every question was answered; the next command goes on. `fault` is the last that the endpoint brought. */
  | { readonly kind: "open"; readonly fault?: EndpointFault; readonly left: number }
  | { readonly kind: "left"; readonly why: string };

export interface JudgeRunOptions extends Pick<AskOptions, "mayRetry" | "release"> {
  readonly voice: Voice;
  /** The name of the sets of judgments and of answers. */
  readonly as: string;
  readonly stop: AbortSignal;
  readonly mayAsk: () => boolean;
  /** Told of each answer when it is on disk. */
  readonly onAnswer: (answer: JudgeAnswer) => void;
  /** Told of a question to which the endpoint brought no answer. */
  readonly onFault: (fault: EndpointFault) => void;
  /** Runs a task when there is room for it. */
  readonly queue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Whether a line is on disk before it counts. Default true. */
  readonly sync?: boolean;
}

/**
 * Judges a run, or goes on where an earlier command stopped. Throws RecordError where the run's folder refuses it, or
 * holds judgments of that name by another judge.
 */
export async function judgeRun(
  { case: case_, record }: RunToJudge,
  options: JudgeRunOptions,
): Promise<JudgedRunByModel> {
  if (record.state !== "sealed") return { kind: "left", why: whyOpen(record) };
  const { settings } = options.voice;
  const run = await readRun(case_, record);
  const why = settings.name === "exact+model" ? faultOfExact(run) : undefined;
  if (why !== undefined) return { kind: "left", why };
  const saved = await savedJudgments(record, settings, options.as, run);
  if (saved !== undefined) return { kind: "judged", score: scoreOf(case_, run, saved), asked: 0, cached: 0 };
  const file = await openAnswers(record.path, headerOf(case_, run, settings), options.as, syncOption(options));
  try {
    return await judgeWith(file, case_, run, record, options);
  } finally {
    file.close();
  }
}

function syncOption({ sync }: JudgeRunOptions): { readonly sync?: boolean } {
  return sync === undefined ? {} : { sync };
}

/** Why a run whose log bears no seal is not judged. */
export function whyOpen({ outcome }: RunRecord): string {
  return outcome === "endpoint_fault"
    ? "it ended on a fault of its endpoint, and goes on when the set is run again"
    : "it is not finished; resume it first";
}

/** What answers and judgments of a run are of. */
export function headerOf(case_: Case, run: ReadRun, settings: JudgeSettings): AnswerHeader {
  const { id, worldDigest, contractDigest } = case_;
  return { v: 1, kind: "answers", judge: { ...settings }, case: id, worldDigest, contractDigest, log: run.log };
}

/** Judgments that the same judge made of the same log already. Throws `set_exists` where others are there. */
async function savedJudgments(
  record: RunRecord,
  settings: JudgeSettings,
  as: string,
  run: ReadRun,
): Promise<JudgmentSet | undefined> {
  if (!listJudgmentSets(record.path).includes(as)) return undefined;
  const set = await readJudgments(record.path, as);
  if (set === undefined || (sameJson(set.header.judge, settings) && set.header.log === run.log)) return set;
  const planned = { ...settings, log: run.log };
  const other = differencesOfJson(planned, { ...set.header.judge, log: set.header.log }, 3).map(
    ({ path, expected, seen }) => `${path} is ${seen} there and ${expected} now`,
  );
  throw new RecordError("set_exists", {
    where: record.path,
    what: `it has judgments named ${as} of other settings: ${other.join("; ")}`,
    remedy: "Judge into a new set: --as NAME",
  });
}

async function judgeWith(
  file: AnswerFile,
  case_: Case,
  run: ReadRun,
  record: RunRecord,
  options: JudgeRunOptions,
): Promise<JudgedRunByModel> {
  const { settings } = options.voice;
  const answers: JudgeAnswer[] = [...file.answers];
  const before = answers.length;
  const keep = (answer: JudgeAnswer): void => {
    file.append(answer);
    answers.push(answer);
    options.onAnswer(answer);
  };
  const asker = { case: case_, run, record, options, keep };
  const who = await askAll(identitiesToAsk(case_, run), indexAnswers(answers), asker);
  if (who !== undefined) return who;
  const identities = deriveIdentities(case_, run, settings, answers);
  const questions = itemsToAsk(case_, run, settings.name, identityFrom(case_, run, identities));
  const what = await askAll(questions, indexAnswers(answers), asker);
  if (what !== undefined) return what;
  const { set } = setOf(case_, run, settings, answers);
  writeJudgments(record.path, set, options.as);
  const fresh = answers.slice(before);
  const cached = fresh.filter((one) => one.cached).length;
  return { kind: "judged", score: scoreOf(case_, run, set), asked: fresh.length - cached, cached };
}

/** The judgments of a run from its answers, and how many votes are still open. */
export function setOf(
  case_: Case,
  run: ReadRun,
  settings: JudgeSettings,
  answers: readonly JudgeAnswer[],
): { readonly set: JudgmentSet; readonly open: number } {
  const { identities, judgments, open } = deriveJudgments(case_, run, settings, answers);
  const header = { ...headerOf(case_, run, settings), kind: "judgments" } as const;
  return { set: { header, ...(identities.length > 0 && { identities }), judgments }, open };
}

interface Asker {
  readonly case: Case;
  readonly run: ReadRun;
  readonly record: RunRecord;
  readonly options: JudgeRunOptions;
  readonly keep: AskOptions["keep"];
}

/** Asks every vote on these questions that is not settled; undefined where all are afterwards. */
async function askAll(
  questions: readonly Question[],
  index: AnswerIndex,
  asker: Asker,
): Promise<Extract<JudgedRunByModel, { kind: "open" }> | undefined> {
  const { voice, queue } = asker.options;
  const votes = questions.flatMap((question) => votesOf(voice.settings).map((vote) => ({ question, vote })));
  const ended = await Promise.allSettled(
    votes.map(async ({ question, vote }) => queue(async () => askOne(question, vote, index(question, vote), asker))),
  );
  // All are heard to their end before a fault of the disk goes up: what they brought was kept.
  const results = ended.map((one): AskedVote => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  const open = results.filter(({ kind }) => kind === "failed" || kind === "stopped");
  if (open.length === 0) return undefined;
  const fault = open.findLast((one) => one.kind === "failed")?.fault;
  return { kind: "open", left: open.length, ...(fault === undefined ? {} : { fault }) };
}

async function askOne(
  question: Question,
  vote: number,
  lines: readonly JudgeAnswer[],
  { case: case_, run, record, options, keep }: Asker,
): Promise<AskedVote> {
  const { voice, stop, mayAsk, mayRetry, release, onFault } = options;
  if (stop.aborted) return { kind: "stopped" };
  const put = putQuestion(case_, run, question, voice.settings.prompt);
  const standing = standingOf(put, voice.settings, lines);
  if (standing.kind !== "open") return standing;
  const asked = await askVote({ put, vote, lines, label: record.id }, voice, {
    stop,
    mayAsk,
    keep,
    ...(mayRetry === undefined ? {} : { mayRetry }),
    ...(release === undefined ? {} : { release }),
  });
  if (asked.kind === "failed") onFault(asked.fault);
  return asked;
}
