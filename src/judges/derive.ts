/**
 * From a judge's answers to judgments: pure, asks nobody. The judge itself, the reading again by a newer parser and the
 * audit all come here.
 */
import type { Case } from "../cases/index.ts";
import { settleIdentities, settleIdentityVotes, whoIs, type Identity, type Judgment } from "../contracts/index.ts";
import { hasOwnIds, isIdle, judgeRunExactly, type JudgeAnswer, type ReadRun } from "../records/index.ts";
import { parseTriggerId, type TriggerId } from "../runtime/index.ts";
import { followVote, type PutQuestion, type Standing, type StrayLine } from "./conversation.ts";
import { evidenceFor, type EvidenceSource, type PromptRoom } from "./evidence.ts";
import type { JudgeSettings } from "./model-judge.ts";
import { REASON_CHARACTERS } from "./parse.ts";
import { promptFor } from "./prompt.ts";
import type { Question } from "./question.ts";
import {
  GIVEN_IDS,
  identityQuestions,
  itemIdOf,
  itemQuestions,
  keyOfQuestion,
  kindOfItem,
  type IdentityOf,
  type IdentityQuestion,
  type ItemQuestion,
} from "./questions.ts";
import { shortenText } from "./text.ts";

/** What answers come to. */
export interface Derived {
  readonly identities: readonly Identity[];
  readonly judgments: readonly Judgment[];
  /** Votes that are neither decided nor given up. */
  readonly open: number;
  /** Answers that are none to what was asked, or that nobody asked for. */
  readonly stray: readonly StrayLine[];
}

/** The answers of a run by question and vote, each in the order of its attempts. */
export type AnswerIndex = (question: Question, vote: number) => readonly JudgeAnswer[];

export function indexAnswers(answers: readonly JudgeAnswer[]): AnswerIndex {
  const byKey = new Map<string, JudgeAnswer[]>();
  for (const answer of [...answers].sort((a, b) => a.attempt - b.attempt)) {
    const key = `${answer.question} ${answer.vote}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [answer]);
    else known.push(answer);
  }
  return (question, vote) => byKey.get(`${keyOfQuestion(question)} ${vote}`) ?? [];
}

/** A question with the messages that put it and what an answer may name. */
export function putQuestion(
  case_: Pick<Case, "narratives">,
  run: EvidenceSource,
  question: Question,
  room: PromptRoom,
): PutQuestion {
  const { evidence, known } = evidenceFor(case_, run, question, room);
  return { question, known, messages: evidence && promptFor(question, evidence) };
}

/** The entities that have to be settled; none where a world has the ids it was given, and where nothing was done. */
export function identitiesToAsk(case_: Case, run: ReadRun): readonly IdentityQuestion[] {
  return hasOwnIds(run) && !isIdle(run) ? identityQuestions(case_, run) : [];
}

/** The items to be asked about, once it is settled who is who. */
export function itemsToAsk(
  case_: Case,
  run: ReadRun,
  name: JudgeSettings["name"],
  identity: IdentityOf,
): readonly ItemQuestion[] {
  if (isIdle(run)) return [];
  const questions = itemQuestions(case_, run, identity);
  if (name === "model") return questions;
  const failed = new Set(
    exactJudgments(case_, run).flatMap(({ item, kind, verdict }) =>
      verdict === "fail" && kind !== "P" ? [item as string] : [],
    ),
  );
  return questions.filter(({ item }) => failed.has(item));
}

const exactOf = new WeakMap<ReadRun, readonly Judgment[]>();

/** What the exact judge says of a run, found once. */
function exactJudgments(case_: Case, run: ReadRun): readonly Judgment[] {
  const known = exactOf.get(run);
  if (known !== undefined) return known;
  const { judgments } = judgeRunExactly(case_, run);
  exactOf.set(run, judgments);
  return judgments;
}

export function votesOf({ votes }: Pick<JudgeSettings, "votes">): readonly number[] {
  return Array.from({ length: votes }, (_, i) => i + 1);
}

/** Who is who, by judgments on it: what the questions about items then say. */
export function identityFrom(case_: Case, run: ReadRun, identities: readonly Identity[]): IdentityOf {
  if (!hasOwnIds(run)) return GIVEN_IDS;
  const settled = settleIdentities(case_.contract, settleIdentityVotes(identities), run.trace);
  return (entity) => {
    const who = whoIs(settled, entity);
    return who.kind === "is" ? who.id : who.kind === "nobody" ? null : undefined;
  };
}

/** Every judgment that the answers of a run come to, in the order of the contract, vote by vote. */
export function deriveJudgments(
  case_: Case,
  run: ReadRun,
  settings: JudgeSettings,
  answers: readonly JudgeAnswer[],
): Derived {
  const reader = new AnswerReader(case_, run, settings, answers);
  const identities = identityJudgments(case_, run, settings, reader);
  const judgments = itemJudgments(case_, run, settings, reader, identityFrom(case_, run, identities));
  return { identities, judgments, open: reader.open, stray: reader.stray };
}

/** Who is who, as the answers of a run say it, vote by vote. */
export function deriveIdentities(
  case_: Case,
  run: ReadRun,
  settings: JudgeSettings,
  answers: readonly JudgeAnswer[],
): readonly Identity[] {
  return identityJudgments(case_, run, settings, new AnswerReader(case_, run, settings, answers));
}

function identityJudgments(
  case_: Case,
  run: ReadRun,
  settings: JudgeSettings,
  reader: AnswerReader,
): readonly Identity[] {
  return identitiesToAsk(case_, run).flatMap((question) =>
    votesOf(settings).map((vote) => identityJudgment(question, vote, reader.standing(question, vote))),
  );
}

function itemJudgments(
  case_: Case,
  run: ReadRun,
  settings: JudgeSettings,
  reader: AnswerReader,
  identity: IdentityOf,
): readonly Judgment[] {
  const asked = new Map(
    itemsToAsk(case_, run, settings.name, identity).map((question) => [
      question.item,
      votesOf(settings).map((vote) => itemJudgment(question, vote, reader.standing(question, vote))),
    ]),
  );
  if (settings.name === "exact+model") return besideExact(case_, run, asked);
  return itemQuestions(case_, run, identity).flatMap(
    (question) => asked.get(question.item) ?? [failedUnasked(question)],
  );
}

/** Reads the answers of a run, and keeps account of what does not fit. */
class AnswerReader {
  readonly #case: Case;
  readonly #run: ReadRun;
  readonly #settings: JudgeSettings;
  readonly #index: AnswerIndex;
  readonly #unread: Set<JudgeAnswer>;
  readonly #stray: StrayLine[] = [];
  /** A question is put once for all its votes; no more than the last is kept. */
  #last: PutQuestion | undefined;
  #open = 0;

  constructor(case_: Case, run: ReadRun, settings: JudgeSettings, answers: readonly JudgeAnswer[]) {
    this.#case = case_;
    this.#run = run;
    this.#settings = settings;
    this.#index = indexAnswers(answers);
    this.#unread = new Set(answers);
  }

  get open(): number {
    return this.#open;
  }

  get stray(): readonly StrayLine[] {
    return [...this.#stray, ...[...this.#unread].map((line) => ({ line, expected: undefined }))];
  }

  standing(question: Question, vote: number): Standing {
    if (this.#last?.question !== question)
      this.#last = putQuestion(this.#case, this.#run, question, this.#settings.prompt);
    const { parser } = this.#settings;
    const lines = this.#index(question, vote);
    const followed = followVote(this.#last, this.#settings, lines, parser.v !== parser.asked);
    for (const line of lines) this.#unread.delete(line);
    this.#stray.push(...followed.stray);
    if (followed.standing.kind === "open") this.#open += 1;
    return followed.standing;
  }
}

/** The exact judge's judgments, but that those it failed and the model looked at again are the model's. */
function besideExact(case_: Case, run: ReadRun, asked: ReadonlyMap<string, readonly Judgment[]>): readonly Judgment[] {
  return exactJudgments(case_, run).flatMap(
    (exact) => asked.get(exact.item)?.map((one): Judgment => ({ ...one, by: "model" })) ?? [{ ...exact, by: "exact" }],
  );
}

function identityJudgment({ entity }: IdentityQuestion, vote: number, standing: Standing): Identity {
  const base = { v: 1, kind: "identity", entity, vote } as const;
  if (standing.kind === "too_long") return { ...base, verdict: "undecided", is: null, reason: TOO_LONG_IN_ALL };
  if (standing.kind !== "decided") return { ...base, verdict: "undecided", is: null, ...whyUndecided(standing) };
  const { reading } = standing;
  if (reading.kind !== "identity") throw new Error(`identityJudgment: ${entity} was read as an item`);
  return { ...base, verdict: reading.verdict, is: reading.is, reason: reading.reason };
}

function itemJudgment(question: ItemQuestion, vote: number, standing: Standing): Judgment {
  const base = { ...baseOf(question), vote };
  if (standing.kind !== "decided")
    return { ...base, verdict: "undecided", triggers: [], constructions: [], ...whyUndecided(standing) };
  const { reading } = standing;
  if (reading.kind !== "item") throw new Error(`itemJudgment: ${question.item} was read as an identity`);
  const { verdict, triggers, constructions, reason } = reading;
  return { ...base, verdict, triggers: triggers.filter(isTriggerId), constructions: [...constructions], reason };
}

function failedUnasked(question: ItemQuestion): Judgment {
  const reason = "nothing was ever done in this run";
  return { ...baseOf(question), vote: 1, verdict: "fail", triggers: [], constructions: [], reason };
}

function baseOf(question: ItemQuestion): Pick<Judgment, "v" | "item" | "kind" | "round"> {
  return { v: 1, item: itemIdOf(question), kind: kindOfItem(question.kind), round: question.round };
}

/** Undecided, and no fault of the judge or of its endpoint. */
const TOO_LONG = "nobody was asked: the record of this round is longer than a judge can be shown";
const TOO_LONG_IN_ALL = "nobody was asked: the record of this run is longer than a judge can be shown";

function whyUndecided(standing: Exclude<Standing, { kind: "decided" }>): { reason: string; noAnswer?: true } {
  switch (standing.kind) {
    case "unreadable":
      return { reason: `no answer could be read: ${standing.fault}` };
    case "too_long":
      return { reason: TOO_LONG };
    case "refused":
      return {
        reason: shortenText(
          `the judge's endpoint gave no answer (${standing.fault.kind}): ${standing.fault.message}`,
          REASON_CHARACTERS,
        ),
        noAnswer: true,
      };
    case "open":
      return { reason: "it was not answered", noAnswer: true };
  }
}

function isTriggerId(id: string): id is TriggerId {
  return parseTriggerId(id) !== undefined;
}
