/** Probes that need no tools: a plain answer, one in pieces, a long prompt with a marker at its start. */
import type { JsonObject } from "../chat.ts";
import { adviceForCutPrompt } from "../advice.ts";
import type { Usage } from "../../records/index.ts";
import { quote, sayTolerated, textOf, type Asker, type Heard } from "./asker.ts";
import { cut, probe, type Probe, type ProbeName } from "./findings.ts";

const ASK_READY = "This is a test of the connection. Answer with the one word: ready";

/** Is there a model that answers? Without a stream, whatever the settings say. */
export async function probeAnswer(asker: Asker): Promise<Probe> {
  return judgeAnswer("answer", asker, await asker.ask({ messages: [user(ASK_READY)] }, { stream: false }));
}

/**
 * Does it answer in pieces, where the settings ask for that? Where not, later probes go on without, unless there is no
 * other answer either.
 */
export async function probeStream(asker: Asker, plain: Probe): Promise<Probe> {
  if (!asker.model.stream) return probe("stream", "skipped", "the settings ask for whole answers");
  const found = judgeAnswer("stream", asker, await asker.ask({ messages: [user(ASK_READY)] }));
  if (found.status !== "fail" || plain.status === "fail") return found;
  asker.goOnWith({ stream: false });
  return { ...found, advice: "Whole answers come: run without --stream." };
}

function judgeAnswer(name: ProbeName, asker: Asker, heard: Heard): Probe {
  if (heard.kind !== "answered") return asker.without(name, heard);
  const { reply } = heard;
  const text = textOf(reply);
  const put = sayTolerated(reply.tolerated);
  const by = sayModel(reply.model, asker.model.model);
  if (text.trim() !== "" || Array.isArray(reply.message["tool_calls"]))
    return probe(name, "ok", `an answer${by}${put}`);
  const finish = reply.finish === null ? "" : ` (finish ${quote(reply.finish)})`;
  return probe(name, "warn", `an answer${by} without a word${finish}${put}`, {
    advice:
      reply.finish === "length"
        ? "Thinking takes all the tokens of an answer: raise --max-tokens, or leave it out."
        : "The model thinks and says nothing: its turns in a run may be as empty.",
  });
}

/** Who answered, where it is another than was asked for: results are published under the name that was asked for. */
function sayModel(answered: string | null, asked: string): string {
  return answered === null || answered === asked ? "" : `, by ${cut(answered, 100)}`;
}

/** Tokens that a run's conversation soon has. */
const LONG_TOKENS = 16_000;
/** Of the window, where it is known: an answer has to fit in as well. */
const SHARE = 0.6;
/** Characters of the filler that a tokenizer makes one token of, near enough. */
const CHARACTERS_A_TOKEN = 4;
const MARKER = "osprey-7316";

/** Twice the prompt costs about twice the tokens. From here on up the whole was read; well below, something is missing. */
const GROWS = 1.6;

/**
 * Is all of a long conversation read? Asked with half the length first: where the tokens that the endpoint reports do
 * not grow with what is sent, it cuts, whatever the model says.
 */
export async function probeLongPrompt(asker: Asker, contextTokens: number | undefined): Promise<Probe> {
  const most = Math.min(LONG_TOKENS, Math.floor((contextTokens ?? Number.POSITIVE_INFINITY) * SHARE));
  const half = await asker.ask({ messages: longConversation(Math.floor(most / 2)) });
  if (half.kind !== "answered") return withoutLong(asker, half, Math.floor(most / 2));
  const whole = await asker.ask({ messages: longConversation(most) });
  if (whole.kind !== "answered") return withoutLong(asker, whole, most);
  const repeats = textOf(whole.reply).includes(MARKER);
  return judgeLength(asker, {
    repeats,
    half: promptOf(half.reply.usage),
    whole: promptOf(whole.reply.usage),
    put: sayTolerated(whole.reply.tolerated),
  });
}

interface Lengths {
  readonly repeats: boolean;
  /** Prompt tokens as the endpoint tells them. */
  readonly half: number | undefined;
  readonly whole: number | undefined;
  readonly put: string;
}

function judgeLength(asker: Asker, { repeats, half, whole, put }: Lengths): Probe {
  const name = "long_prompt";
  const marker = repeats ? "the word at its start comes back" : "the word at its start does not come back";
  if (half === undefined || whole === undefined) {
    return repeats
      ? probe(name, "ok", `${marker}${put}`)
      : probe(name, "warn", `${marker}, and no usage tells whether all of it was read${put}`, {
          advice: adviceForCutPrompt(asker.parts.advice),
        });
  }
  const tokens = `${whole} prompt tokens, ${half} for half of it`;
  if (whole >= half * GROWS) {
    if (repeats) return probe(name, "ok", `${marker}; ${tokens}${put}`);
    return probe(name, "warn", `${marker}, but all of it was counted: ${tokens}${put}`, {
      advice: "The model may have overlooked it, or the server cuts what it has counted: look at its log.",
    });
  }
  return repeats
    ? probe(name, "warn", `${marker}, but the count of tokens stands still: ${tokens}${put}`, {
        advice: "The usage this endpoint tells cannot be relied on: budgets in tokens may be passed.",
      })
    : probe(name, "fail", `${marker}, and the count of tokens stands still: ${tokens}${put}`, {
        advice: adviceForCutPrompt(asker.parts.advice),
      });
}

function withoutLong(asker: Asker, heard: Exclude<Heard, { readonly kind: "answered" }>, tokens: number): Probe {
  const found = asker.without("long_prompt", heard);
  // Not silent: runs fold old answers when they meet it, and end where that is not enough.
  return heard.kind === "failed" && heard.fault.kind === "context_overflow"
    ? { ...found, status: "warn", seen: `about ${tokens} tokens are refused: ${found.seen}` }
    : found;
}

function promptOf(usage: Usage | null): number | undefined {
  return usage === null ? undefined : usage.input + usage.cachedInput;
}

/**
 * The marker stands alone in the first message and the filler in several after it: some servers drop the oldest
 * messages, and some the front of what is left.
 */
function longConversation(tokens: number): readonly JsonObject[] {
  const page = fillerOf(Math.floor((tokens * CHARACTERS_A_TOKEN) / 2));
  return [
    // The two lengths differ from the first word on: some servers count only what they have not read before.
    user(
      `A text of ${tokens} tokens. Remember this word: ${MARKER}. I shall now read you two long pages, and ask for the word at the end.`,
    ),
    assistant("I remember it."),
    user(`Page one. ${page}`),
    assistant("I have read it."),
    user(`Page two. ${page}\n\nNow answer with the word that you were to remember, and nothing else.`),
  ];
}

const SENTENCE = "The lamp on the upper landing was lit at dusk and the keeper wrote the hour in the book. ";

function fillerOf(characters: number): string {
  return SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters);
}

export function user(content: string): JsonObject {
  return { role: "user", content };
}

function assistant(content: string): JsonObject {
  return { role: "assistant", content };
}
