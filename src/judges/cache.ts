/**
 * Answers by everything that was sent for them and the number of the vote: what was asked before is not paid for again,
 * and a second vote is never the first one's echo.
 */
import { dirname, join } from "node:path";
import * as z from "zod";
import { makeFolders, readIfThere, RecordError, replaceFile, type JudgeAnswer } from "../records/index.ts";
import { canonicalJson, digestOf } from "../runtime/index.ts";

const cachedSchema = z.strictObject({
  v: z.literal(1),
  prompt: z.string().describe("The digest of everything that was sent"),
  vote: z.int().min(1),
  raw: z.string(),
  finish: z.string().nullable(),
  model: z.string().nullable(),
});
type Cached = z.infer<typeof cachedSchema>;

/** What is kept of an answer. */
export type CachedAnswer = Pick<JudgeAnswer, "finish" | "model"> & { readonly raw: string };

export interface AnswerCache {
  /** Undefined where there is none, or one that cannot be read: then it is asked for again. */
  readonly find: (prompt: string, vote: number) => CachedAnswer | undefined;
  readonly keep: (prompt: string, vote: number, answer: CachedAnswer) => void;
}

/** No cache: everything is asked. */
export const NO_CACHE: AnswerCache = { find: () => undefined, keep: () => {} };

/** The cache of a set, in its folder `judge-cache`. */
export function openCache(setFolder: string): AnswerCache {
  const pathOf = (prompt: string, vote: number): string => {
    const key = digestOf({ prompt, vote });
    return join(setFolder, "judge-cache", key.slice(0, 2), `${key}.json`);
  };
  return {
    find: (prompt, vote) => {
      const found = readCached(pathOf(prompt, vote));
      return found?.prompt === prompt && found.vote === vote ? found : undefined;
    },
    keep: (prompt, vote, { raw, finish, model }) => {
      const path = pathOf(prompt, vote);
      const cached: Cached = { v: 1, prompt, vote, raw, finish, model };
      makeFolders(dirname(path));
      replaceFile(path, `${canonicalJson(cached)}\n`);
    },
  };
}

function readCached(path: string): Cached | undefined {
  let text: string | undefined;
  try {
    text = readIfThere(path);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
  if (text === undefined) return undefined;
  try {
    return cachedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
