/** One vote on one question: asked until it is decided or given up, each answer kept before anything is made of it. */
import { estimateTokens, type ChatReply, type Endpoint, type JsonObject } from "../endpoint/index.ts";
import type { Adaptation, Attempt, EndpointFault, JudgeAnswer } from "../records/index.ts";
import type { Json } from "../runtime/index.ts";
import type { AnswerCache } from "./cache.ts";
import { isFinal, standingOf, type NextRequest, type PutQuestion, type Standing } from "./conversation.ts";
import { MAX_ANSWER_CHARACTERS } from "./find-json.ts";
import type { JudgeSettings } from "./model-judge.ts";
import { parseAnswer } from "./parse.ts";
import { keyOfQuestion } from "./questions.ts";
import { lostWith } from "./spending.ts";
import { wellFormed } from "./text.ts";

/** Who is asked. */
export interface Voice {
  readonly settings: JudgeSettings;
  readonly endpoint: Endpoint;
  readonly cache: AnswerCache;
  /** Parameters this endpoint is known to refuse; grows as it is found out. */
  adapted: readonly Adaptation[];
  /** Requests under way, by what is sent and the vote: whoever would send the same waits and finds it in the cache. */
  readonly underWay: Map<string, Promise<unknown>>;
}

/** What one vote is asked with. */
export interface Vote {
  readonly put: PutQuestion;
  readonly vote: number;
  /** Its answers so far, in the order of their attempts. */
  readonly lines: readonly JudgeAnswer[];
  /** Who asks, for the display of what is under way. */
  readonly label: string;
}

/** How the asking of one vote ended. */
export type AskedVote =
  | Exclude<Standing, { kind: "open" }>
  /** The endpoint brought no answer, and may the next time. */
  | { readonly kind: "failed"; readonly fault: EndpointFault }
  | { readonly kind: "stopped" };

export interface AskOptions {
  readonly stop: AbortSignal;
  /** Whether a new request may still be begun. */
  readonly mayAsk: () => boolean;
  /** Asked before another attempt at the request of `who`, with those that failed; false gives it up. */
  readonly mayRetry?: (who: object, failed: readonly Attempt[]) => boolean;
  /** The request of `who` is counted, or nothing came of it. */
  readonly release?: (who: object) => void;
  /** Makes an answer durable. */
  readonly keep: (answer: JudgeAnswer) => void;
}

/** Asks for one vote. Never throws for what the endpoint does; throws where `keep` or the cache cannot write. */
export async function askVote(vote: Vote, voice: Voice, options: AskOptions): Promise<AskedVote> {
  const lines = [...vote.lines];
  for (;;) {
    const standing = standingOf(vote.put, voice.settings, lines);
    if (standing.kind !== "open") return standing;
    const who = {};
    const line = await nextLine(vote, standing.next, voice, { ...options, who });
    if (line !== undefined) options.keep(line);
    options.release?.(who);
    if (line === undefined) return { kind: "stopped" };
    lines.push(line);
    if (line.fault !== null && !isFinal(line.fault)) return { kind: "failed", fault: line.fault };
  }
}

/** The next line of a vote: from the cache, or asked for. Undefined where it was stopped before. */
async function nextLine(
  vote: Vote,
  next: NextRequest,
  voice: Voice,
  options: AskOptions & { readonly who: object },
): Promise<JudgeAnswer | undefined> {
  const key = `${next.digest} ${vote.vote}`;
  await freeTurn(key, voice);
  const base = {
    v: 1,
    question: keyOfQuestion(vote.put.question),
    vote: vote.vote,
    attempt: next.attempt,
    prompt: next.digest,
  } as const;
  const cached = voice.cache.find(next.digest, vote.vote);
  if (cached !== undefined && isTaken(cached.raw, vote.put)) {
    const { raw, finish, model } = cached;
    return { ...base, raw, finish, model, usage: FREE, cached: true, fault: null };
  }
  if (options.stop.aborted || !options.mayAsk()) return undefined;
  const asking = askFor(next, vote, voice, options);
  voice.underWay.set(key, asking);
  try {
    const answered = await asking;
    return answered && { ...base, ...answered };
  } finally {
    if (voice.underWay.get(key) === asking) voice.underWay.delete(key);
  }
}

/** Waits until nobody else asks for the same. What brings nothing that can be taken leaves the turn to the next. */
async function freeTurn(key: string, { underWay }: Voice): Promise<void> {
  for (let asking = underWay.get(key); asking !== undefined; asking = underWay.get(key)) await asking.catch(() => {});
}

/** Only what can be taken is served again: else an endpoint's hiccup would last, and an attempt would be its own echo. */
function isTaken(raw: string, { question, known }: PutQuestion): boolean {
  return parseAnswer(raw, question, known).ok;
}

const FREE = { input: 0, cachedInput: 0, output: 0, reasoning: 0, total: 0 } as const;

type Answered = Pick<
  JudgeAnswer,
  "raw" | "finish" | "model" | "usage" | "estimatedTokens" | "lost" | "cached" | "fault"
>;

/** Asks for one answer; one that can be taken is in the cache when this returns. */
async function askFor(
  next: NextRequest,
  { vote, label, put }: Vote,
  voice: Voice,
  { stop, who, mayRetry }: AskOptions & { readonly who: object },
): Promise<Answered | undefined> {
  const { messages, responseFormat } = next;
  const format = responseFormat === undefined ? {} : { responseFormat };
  const asked = await voice.endpoint.ask(
    {
      messages,
      adapted: voice.adapted,
      label,
      mayRetry: (failed) => mayRetry?.(who, failed) ?? true,
      ...format,
    },
    stop,
  );
  if (asked.kind === "stopped") return undefined;
  if (asked.kind === "failed") return { ...NOTHING_CAME, fault: asked.fault, ...lostWith(asked.attempts) };
  const { reply } = asked;
  voice.adapted = reply.adapted;
  const { finish, model, usage } = reply;
  const told = { finish, model, usage, cached: false, ...estimateFor(next, reply), ...lostWith(reply.attempts) };
  const blocked = blockOf(reply);
  if (blocked !== undefined) return { ...told, raw: null, fault: blocked };
  const raw = textOf(reply.message);
  if (isTaken(raw, put)) voice.cache.keep(next.digest, vote, { raw, finish, model });
  return { ...told, raw, fault: null };
}

const NOTHING_CAME = { raw: null, finish: null, model: null, usage: null, cached: false } as const;

function estimateFor(next: NextRequest, { usage, estimatedTokens, message }: ChatReply): { estimatedTokens?: number } {
  if (usage !== null) return {};
  return { estimatedTokens: estimatedTokens ?? estimateTokens([...next.messages, message]) };
}

/** A filter or a refusal in an answer is no answer: the judge will not judge this. */
function blockOf({ finish, message }: ChatReply): EndpointFault | undefined {
  const { refusal } = message;
  const refused = typeof refusal === "string" && refusal !== "" ? wellFormed(refusal) : undefined;
  if (finish !== "content_filter" && refused === undefined) return undefined;
  return {
    kind: "blocked",
    status: null,
    code: finish === "content_filter" ? "content_filter" : "refusal",
    message: (refused ?? "the answer was filtered").slice(0, 2000),
  };
}

/** The text of an answer, whether it came whole or in parts; cut where no answer is so long. */
export function textOf({ content }: JsonObject): string {
  const text = typeof content === "string" ? content : isList(content) ? content.map(textOfPart).join("") : "";
  return wellFormed(text.slice(0, MAX_ANSWER_CHARACTERS));
}

function textOfPart(part: Json): string {
  if (typeof part !== "object" || part === null || isList(part)) return "";
  const { text } = part;
  return typeof text === "string" ? text : "";
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
