/** What any decent model answers when its connection is tested: it does as it is asked, as far as it can see. */
import type { PolicyAnswer } from "./policy.ts";
import { isObject, parseJson, textIn, type SeenRequest } from "./wire.ts";

/** Answers the questions of a preflight, and a judge's trial; undefined for any other conversation. */
export function obliging({ seen }: SeenRequest): PolicyAnswer | undefined {
  const asked = textIn(seen.findLast(({ role }) => role === "user") ?? {});
  if (asked.includes("the word that you were to remember")) return { text: rememberedIn(seen) };
  const given = /^This is a trial of .* as it stands, and nothing else:\n\n([^]*)$/.exec(asked)?.[1];
  if (given !== undefined) return { text: given };
  if (!asked.startsWith("This is a test of ")) return undefined;
  const word = /Answer with the one word: (\w+)/.exec(asked)?.[1];
  if (word !== undefined) return { text: word };
  const answers = seen.filter(({ role }) => role === "tool").map((message) => parseJson(textIn(message)));
  if (answers.length > 0) return { text: `The code is ${answers.map(codeIn).join(", ")}.` };
  const [, tool, sources] = /Call the tool (\w+)(?:.*?: (from [^.]+))?/.exec(asked) ?? [];
  if (tool === undefined) return undefined;
  const inputs = [...(sources ?? "").matchAll(/from (\w+)/g)].map(([, from]) => ({ from: from ?? "" }));
  return { calls: (inputs.length === 0 ? [{}] : inputs).map((input) => ({ tool, input })) };
}

function rememberedIn(seen: SeenRequest["seen"]): string {
  const word = seen.map((message) => /Remember this word: (\S+?)\. /.exec(textIn(message))?.[1]).find(Boolean);
  return word ?? "I was told no word.";
}

function codeIn(answer: unknown): string {
  return isObject(answer) && typeof answer["code"] === "string" ? answer["code"] : "none";
}
