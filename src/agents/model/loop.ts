/** The chat loop: ask, make the calls that come, answer them, ask again. */
import type { Endpoint, WireCall } from "../../endpoint/index.ts";
import { RecordError, type Adaptation, type AnswerBody, type FaultBody, type FoldBody } from "../../records/index.ts";
import type { Json, ToolAnswer } from "../../runtime/index.ts";
import type { AgentCall, AgentContext, AgentEnd } from "../../tracks/index.ts";
import { lineOf } from "./ask.ts";
import { callsOf, Conversation, type ConversationSetup } from "./conversation.ts";
import { blockedBy, endOfFault, isLast, withoutCalls } from "./ends.ts";
import { foldable, foldsForOverflow, foldsForWindow, roomOf } from "./folding.ts";
import { NUDGE_UNPARSED, OPENING, type ChatWords } from "./system-prompt.ts";

export interface ChatSetup extends ConversationSetup {
  readonly endpoint: Endpoint;
  /** What is said in the track that is played. */
  readonly words: ChatWords;
  /** What is adapted from the first request on. */
  readonly adapted: readonly Adaptation[];
}

type Chat = AsyncGenerator<AgentCall, AgentEnd | undefined, ToolAnswer>;
type Surroundings = Pick<AgentContext, "run" | "journal" | "stop">;

/** Plays a run. What it keeps in the journal is all it depends on beside its settings. */
export async function* playChat(setup: ChatSetup, around: Surroundings): Chat {
  const { loop, model, words } = setup;
  const conversation = new Conversation(setup);
  say(conversation, around, "system", words.system);
  say(conversation, around, "user", OPENING);
  let { adapted } = setup;
  let nudges = 0;
  for (let request = 1; ; request += 1) {
    foldBeforeAsking(setup, conversation, around);
    const line = await ask(setup, conversation, around, request, adapted);
    if (line === undefined) return { outcome: "cancelled" };
    if (line.kind === "fault") {
      if (line.fault.kind === "context_overflow" && foldAfterOverflow(setup, conversation, around)) continue;
      return endOfFault(line);
    }
    adapted = line.adapted;
    conversation.take(line);
    const calls = callsOf(line, model);
    const blocked = blockedBy(line, calls.length);
    if (blocked !== undefined) return blocked;
    if (calls.length === 0) {
      if (nudges >= loop.nudges) return withoutCalls(line, nudges, model);
      nudges += 1;
      say(conversation, around, "user", nudgeFor(line, words));
      continue;
    }
    nudges = 0;
    if (yield* makeCalls(conversation)) return undefined;
  }
}

/** Makes the open calls in order, and says whether the run is over: then the rest is not made. */
async function* makeCalls(conversation: Conversation): AsyncGenerator<AgentCall, boolean, ToolAnswer> {
  for (const call of conversation.open) {
    const answer = yield agentCall(call);
    conversation.take({ kind: "call", answer: answer as Json });
    if (isLast(answer)) return true;
  }
  return false;
}

/** Arguments that could not be read go to the border as they are: it answers the model with what is wrong with them. */
function agentCall({ name, input }: WireCall): AgentCall {
  return input.ok ? { tool: name, input: input.value } : { tool: name, text: input.text };
}

function nudgeFor({ tolerated }: AnswerBody, { nudge }: ChatWords): string {
  return tolerated.some(({ quirk }) => quirk === "unparsed_call") ? NUDGE_UNPARSED : nudge;
}

function say(conversation: Conversation, { journal }: Surroundings, role: "system" | "user", text: string): void {
  const line = { kind: "message", role, text } as const;
  journal.keep(line);
  conversation.take(line);
}

async function ask(
  { endpoint, model, tools }: ChatSetup,
  conversation: Conversation,
  { journal, run, stop }: Surroundings,
  request: number,
  adapted: readonly Adaptation[],
): Promise<AnswerBody | FaultBody | undefined> {
  const line = await journal.fetch(async (mayRetry) => {
    const { messages } = conversation;
    const asked = await endpoint.ask({ messages, tools, adapted, mayRetry, label: run }, stop);
    return lineOf(asked, request, conversation, model);
  });
  if (line === undefined) return undefined;
  if ((line.kind === "answer" || line.kind === "fault") && line.request === request) return line;
  throw new RecordError("log_damaged", {
    where: run,
    what: `where the answer to request ${request} should be, the log holds a line of kind ${line.kind}`,
    remedy: "Resume it with the version of the agent it was begun with, or begin a new set",
  });
}

function foldBeforeAsking(setup: ChatSetup, conversation: Conversation, around: Surroundings): void {
  const room = roomOf(setup.model, setup.loop);
  if (room === undefined || conversation.tokens <= room * setup.loop.foldAbove) return;
  fold(
    conversation,
    around,
    foldsForWindow(conversation.tokens, room, candidates(setup, conversation), setup.loop),
    "window",
  );
}

/** Folds so that a smaller request can be asked, and says whether there was anything to fold. */
function foldAfterOverflow(setup: ChatSetup, conversation: Conversation, around: Surroundings): boolean {
  const calls = foldsForOverflow(candidates(setup, conversation), setup.loop);
  fold(conversation, around, calls, "overflow");
  return calls.length > 0;
}

function candidates({ loop }: ChatSetup, conversation: Conversation): ReturnType<typeof foldable> {
  return foldable(conversation.standing, conversation.calls, loop.keptAnswers);
}

function fold(
  conversation: Conversation,
  { journal }: Surroundings,
  calls: readonly number[],
  why: FoldBody["why"],
): void {
  if (calls.length === 0) return;
  const line: FoldBody = { kind: "fold", calls: [...calls], why };
  journal.keep(line);
  conversation.take(line);
}
