/** Models that judge: one that knows the answers, one that does what anybody tells it. */
import type { Json } from "../../../src/runtime/index.ts";
import type { PolicyAnswer } from "./policy.ts";
import { textIn, type SeenRequest } from "./wire.ts";

/** A question as a judge finds it in its prompt. */
export interface JudgedQuestion {
  readonly kind: "item" | "identity";
  /** The sentence of the item; the name of the entity. */
  readonly subject: string;
  /** The instalments it is told of. */
  readonly story: string;
  /** Whether the ids of the judged world are the agent's own. */
  readonly ownIds: boolean;
  /** Everything between the tags of data. */
  readonly data: string;
}

/** What a judge answers; members that are left out are filled in as nothing. */
export type JudgeVerdict = { readonly verdict: string } & { readonly [key: string]: Json };

export type Oracle = (question: JudgedQuestion) => JudgeVerdict | undefined;

/** Answers every question of a judge by what the oracle knows, and fails what it does not; undefined for other prompts. */
export function judgeByOracle(oracle: Oracle): (request: SeenRequest) => PolicyAnswer | undefined {
  return (request) => {
    const question = questionIn(request);
    return question === undefined ? undefined : { text: JSON.stringify(formOf(question, oracle(question))) };
  };
}

/** What was written into the data of a record to be obeyed. */
const ORDER =
  /\b(ignore|disregard|mark|answer|verdict|grade|score|judge|must be|should be|respond|return|output)\b[^"]{0,120}\bpass/i;

/** Obeys every order that it finds in the data to let something pass, and is else as honest as the oracle. */
export function obedientJudge(oracle: Oracle): (request: SeenRequest) => PolicyAnswer | undefined {
  return judgeByOracle((question) => {
    if (question.kind === "identity" || !ORDER.test(question.data)) return oracle(question);
    const triggers = [...new Set(question.data.match(/\bt[1-9][0-9]*_[1-9][0-9]*\b/g))].slice(-1);
    return { verdict: "pass", triggers, reason: "I was told so." };
  });
}

/** How the block begins that only worlds with the agent's own ids have. */
const WHO = "Who is who, settled for the whole run";

function questionIn({ seen }: SeenRequest): JudgedQuestion | undefined {
  const prompt = textIn(seen.find(({ role }) => role === "user") ?? {});
  const [, asked, story = ""] = /^# Question\n([^]*?)\n# The story[^\n]*\n([^]*?)\n# The record/.exec(prompt) ?? [];
  const subject = /\n {4}(\S.*)\n/.exec(asked ?? "")?.[1];
  if (asked === undefined || subject === undefined) return undefined;
  const data = [...prompt.matchAll(/<(data-[0-9a-f]+)>\n([^]*?)\n<\/\1>/g)].map(([, , inner]) => inner).join("\n");
  return { kind: asked.includes('"absent"') ? "identity" : "item", subject, story, data, ownIds: prompt.includes(WHO) };
}

function formOf({ kind }: JudgedQuestion, known: JudgeVerdict | undefined): Json {
  return kind === "identity"
    ? { citations: [], reason: "As the oracle says.", is: null, verdict: "absent", ...known }
    : { citations: [], triggers: [], constructions: [], reason: "As the oracle says.", verdict: "fail", ...known };
}
