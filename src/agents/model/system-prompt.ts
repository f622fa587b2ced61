/**
 * Every word that the chat loop says to a model. It teaches how to act through tools and nothing of how a world works, of
 * how to foretell it, or how a play is judged: the first is the business of `help`, the others of nobody who plays.
 */
import { digestOf, type Track } from "../../runtime/index.ts";

/** Of the words below. A changed word is a new version. */
export const PROMPT_VERSION = 2;

/** What is said to a model in one track. */
export interface ChatWords {
  readonly system: string;
  /** In answer to a message without a call. */
  readonly nudge: string;
}

const MAINTENANCE: ChatWords = {
  system: `You act in a simulated world by calling tools. There are six of them and no other way to do anything: what you write beside a call is read by nobody and changes nothing, and there is nobody to ask.

- Begin with \`help\` and \`get_context\`. \`help\` and its topics hold the rules of this world; look there before you guess.
- You are told a story in instalments, one a round. Read the instalment to its end. Everything that it tells as having happened has to be made to happen in the world, by steps.
- Read each answer before you build on it. A refused call has changed nothing: its error says what was wrong; mend it and send it again.
- When all of the instalment is acted out, call \`end_round\`. Its answer holds the next instalment. What is closed cannot be reopened.
- Go on, with at least one call in every message, until an answer says that the case is finished.

When the conversation grows long, old answers are cut to one line that begins with "(folded:". The story never is. Call the tool again if you need such an answer.`,
  nudge:
    "Your message held no tool call, so nothing has happened. Go on by calling a tool. If all of the instalment is acted out, call end_round; the case goes on until an answer says that it is finished.",
};

const DEDUCTION: ChatWords = {
  system: `You take part in a simulated world by calling tools. There are six of them and no other way to do anything: what you write beside a call is read by nobody and changes nothing, and there is nobody to ask.

- Begin with \`help\` and \`get_context\`. \`help\` and its topics hold the protocol; look there before you guess. \`get_context\` holds the introduction and what this round asks, \`read_data\` what you may see of the world and of its rules.
- You are asked how the world goes on. Answer with \`commit_step\` everything that the round asks, and where you act, say there what you do. An empty list is an answer: it says that nothing changes.
- Read each answer before you build on it. A refused call has changed nothing: its error says what was wrong; mend it and send it again.
- When the round is answered, call \`end_round\`. Its answer holds what the next round asks. What is closed cannot be reopened.
- Go on, with at least one call in every message, until an answer says that the case is finished.

When the conversation grows long, old answers are cut to one line that begins with "(folded:". The introduction never is. Call the tool again if you need such an answer.`,
  nudge:
    "Your message held no tool call, so nothing has happened. Go on by calling a tool. If all that the round asks is submitted, call end_round; the case goes on until an answer says that it is finished.",
};

export const CHAT_WORDS: Readonly<Record<Track, ChatWords>> = { maintenance: MAINTENANCE, deduction: DEDUCTION };

/** The first message of the user. */
export const OPENING = "Your case is open. Begin.";

/** In answer to a message without a call whose text looks like one. */
export const NUDGE_UNPARSED =
  "Your message held what looks like a tool call written as text. Text is not carried out, so nothing has happened. Make the same call through the tool-calling interface.";

/** What a call beyond those of one answer that are carried out is answered with. */
export function tooManyCalls(most: number): string {
  return JSON.stringify({
    ok: false,
    error: {
      code: "too_many_calls",
      message: `not carried out and not counted: it was beyond the first ${most} calls of your message`,
      hint: `send at most ${most} calls in one message`,
    },
  });
}

/** Of every word above, so that a record names what was said. */
export const PROMPT_DIGEST = digestOf({
  maintenance: { ...MAINTENANCE },
  deduction: { ...DEDUCTION },
  opening: OPENING,
  nudgeUnparsed: NUDGE_UNPARSED,
  tooManyCalls: tooManyCalls(0),
});
