/**
 * How often the judge sees what is known: each item is asked about in a play that satisfies it and in one that breaks it.
 * The exact judge decides which is which, so that the truth rests on the case alone and on no model.
 */
import PQueue from "p-queue";
import type { Case } from "../../cases/index.ts";
import type { EndpointFault, JudgeAnswer } from "../../records/index.ts";
import { stopsEverything } from "../../endpoint/index.ts";
import type { KnownEdit } from "../../tracks/index.ts";
import { askVote, type AskedVote, type Voice } from "../ask.ts";
import { putQuestion } from "../derive.ts";
import type { PromptRoom } from "../evidence.ts";
import type { PutQuestion } from "../conversation.ts";
import { GIVEN_IDS, itemQuestions } from "../questions.ts";
import { agreementOf, majorityOf, selfAgreementOf, type Agreement, type VerdictPair } from "./agreement.ts";
import { JUDGED_KINDS, type JudgedKind } from "./agreement-set.ts";
import { shareOf, type Share } from "./interval.ts";

/** One vote on one item in one play. */
export interface EditVote {
  readonly item: string;
  readonly kind: JudgedKind;
  readonly round: number;
  readonly truth: "pass" | "fail";
  /** What was done to the reference. */
  readonly edit: string;
  readonly vote: number;
  readonly seen: VerdictPair["seen"];
  readonly reason: string;
}

export interface EditFigures {
  readonly agreement: Agreement;
  /** Of the items that are broken, how often it says so. */
  readonly brokenSeen: Share;
  /** Of the items that are satisfied, how often it says so. */
  readonly satisfiedSeen: Share;
  readonly selfAgreement: Share;
}

export interface EditsJudged {
  readonly votes: readonly EditVote[];
  readonly all: EditFigures;
  readonly byKind: Readonly<Record<JudgedKind, EditFigures>>;
  /** Votes that no answer came for; they are in no figure. */
  readonly unanswered: number;
  /** Why it ended before everything was asked. */
  readonly stopped?: "interrupted" | "budget" | EndpointFault | undefined;
}

export interface JudgeEditsOptions {
  readonly votes: number;
  readonly concurrency: number;
  readonly stop: AbortSignal;
  /** Whether a budget still allows a request; asked before each. */
  readonly mayAsk: () => boolean;
  /** Told of each answer as it comes, those from the cache too. */
  readonly onAnswer?: (answer: JudgeAnswer) => void;
  /** Told how many votes are settled. */
  readonly onVote?: (done: number) => void;
}

/** A question about an item in an edited play, as the judge would be asked about a run that went so. */
export function putEdit(case_: Case, edit: KnownEdit, room: PromptRoom): PutQuestion {
  const roundsPlayed = case_.contract.rounds.length;
  const question = itemQuestions(case_, { roundsPlayed, manifest: { tier: edit.tier } }, GIVEN_IDS).find(
    ({ item }) => item === edit.item,
  );
  if (question === undefined) throw new Error(`putEdit: the contract has no item ${edit.item}`);
  return putQuestion(case_, { trace: edit.trace, roundsPlayed }, question, room);
}

/** Asks about each edit as it is made; answers come from the cache where they were given before. */
export async function judgeEdits(
  case_: Case,
  edits: Iterable<KnownEdit>,
  voice: Voice,
  options: JudgeEditsOptions,
): Promise<EditsJudged> {
  const queue = new PQueue({ concurrency: options.concurrency });
  const votes: EditVote[] = [];
  let unanswered = 0;
  let stopped: EditsJudged["stopped"];
  let isOver = false;
  /** A disk that refuses: thrown once everything under way is heard. */
  let broken: { readonly error: unknown } | undefined;
  const take = (edit: KnownEdit, vote: number, asked: AskedVote): void => {
    const heard = heardOf(asked);
    if (heard === undefined) unanswered += 1;
    else {
      const { item, kind, round, truth, says } = edit;
      votes.push({ item, kind, round, truth, edit: says, vote, ...heard });
    }
    if (asked.kind === "stopped") {
      stopped ??= options.stop.aborted ? "interrupted" : "budget";
      isOver = true;
    }
    if (asked.kind === "failed" && stopsEverything(asked.fault)) {
      stopped ??= asked.fault;
      isOver = true;
    }
  };
  for (const edit of edits) {
    if (isOver) break;
    const put = putEdit(case_, edit, voice.settings.prompt);
    for (let vote = 1; vote <= options.votes; vote += 1) {
      const ask = async (): Promise<void> => {
        if (isOver) {
          unanswered += 1;
          return;
        }
        const asked = await askVote({ put, vote, lines: [], label: `${edit.item} ${edit.truth}` }, voice, {
          stop: options.stop,
          mayAsk: options.mayAsk,
          // The cache keeps the answers; nothing else is needed to go on.
          keep: (answer) => options.onAnswer?.(answer),
        });
        take(edit, vote, asked);
        options.onVote?.(votes.length + unanswered);
      };
      queue.add(ask).catch((error: unknown) => {
        broken ??= { error };
        isOver = true;
      });
    }
    // Edits are made no faster than they are asked about: each holds a whole play.
    await queue.onSizeLessThan(options.concurrency);
  }
  await queue.onIdle();
  if (broken !== undefined) throw broken.error;
  return summarizeEdits(votes.sort(compareVotes), unanswered, stopped);
}

/** The figures of votes; of none, where it was stopped before the first. */
export function summarizeEdits(
  votes: readonly EditVote[],
  unanswered: number,
  stopped: EditsJudged["stopped"],
): EditsJudged {
  const of = (kind: JudgedKind) => figuresOf(votes.filter((one) => one.kind === kind));
  return {
    votes,
    all: figuresOf(votes),
    byKind: { E: of("E"), A: of("A"), P: of("P") },
    unanswered,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function heardOf(asked: AskedVote): Pick<EditVote, "seen" | "reason"> | undefined {
  switch (asked.kind) {
    case "decided":
      return asked.reading.kind === "item" ? { seen: asked.reading.verdict, reason: asked.reading.reason } : undefined;
    case "too_long":
      return { seen: "undecided", reason: "the record is longer than a judge can be shown" };
    case "unreadable":
      return { seen: "undecided", reason: `no answer could be read: ${asked.fault}` };
    default:
      return undefined;
  }
}

/** Over items in plays, each once however many votes it had: votes on one play are not independent. */
function figuresOf(votes: readonly EditVote[]): EditFigures {
  const byPlay = new Map<string, { readonly truth: EditVote["truth"]; readonly said: EditVote["seen"][] }>();
  for (const { item, truth, seen } of votes) {
    const key = `${item} ${truth}`;
    const play = byPlay.get(key) ?? { truth, said: [] };
    play.said.push(seen);
    byPlay.set(key, play);
  }
  const plays = [...byPlay.values()];
  const agreement = agreementOf(plays.map(({ truth, said }) => ({ truth, seen: majorityOf(said) })));
  return {
    agreement,
    brokenSeen: shareOf(agreement.trueFail, agreement.trueFail + agreement.falsePass),
    satisfiedSeen: shareOf(agreement.truePass, agreement.truePass + agreement.falseFail),
    selfAgreement: selfAgreementOf(plays.map(({ said }) => said)),
  };
}

function compareVotes(a: EditVote, b: EditVote): number {
  return (
    JUDGED_KINDS.indexOf(a.kind) - JUDGED_KINDS.indexOf(b.kind) ||
    a.round - b.round ||
    (a.item < b.item ? -1 : a.item > b.item ? 1 : 0) ||
    (a.truth === b.truth ? 0 : a.truth === "pass" ? -1 : 1) ||
    a.vote - b.vote
  );
}
