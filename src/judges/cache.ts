/**
 * Answers by everything that was sent for them and the number of the vote: what was asked before is not paid for again,
 * and a second vote is never the first one's echo. Only answers that could be taken are kept.
 */
import { dirname, join } from "node:path";
import * as z from "zod";
import { makeFolders, readIfThere, RecordError, replaceFile, type JudgeAnswer } from "../records/index.ts";
import { canonicalJson, digestOf, type Json } from "../runtime/index.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "./answer-schema.ts";

const cachedSchema = z.strictObject({
  v: z.literal(1),
  prompt: z.string().describe("The digest of everything that was sent"),
  vote: z.int().min(1),
  raw: z.string(),
  finish: z.string().nullable(),
  model: z.string().nullable(),
});
type Cached = z.infer<typeof cachedSchema>;

const knownFormatSchema = z.strictObject({
  v: z.literal(1),
  trial: z.string().describe("The digest of what was tried: endpoint, model, settings, words"),
  format: z.enum(ANSWER_FORMATS),
});

/** What is kept of an answer. */
export type CachedAnswer = Pick<JudgeAnswer, "finish" | "model"> & { readonly raw: string };

export interface AnswerCache {
  /** Undefined where there is none, or one that cannot be read: then it is asked for again. */
  readonly find: (prompt: string, vote: number) => CachedAnswer | undefined;
  readonly keep: (prompt: string, vote: number, answer: CachedAnswer) => void;
  /** How JSON is asked for where a trial has shown it. */
  readonly findFormat: (trial: string) => AnswerFormat | undefined;
  readonly keepFormat: (trial: string, format: AnswerFormat) => void;
}

/** No cache: everything is asked. */
export const NO_CACHE: AnswerCache = {
  find: () => undefined,
  keep: () => {},
  findFormat: () => undefined,
  keepFormat: () => {},
};

/** The cache of a set, in its folder `judge-cache`. */
export function openCache(setFolder: string): AnswerCache {
  const pathOf = (what: Json): string => {
    const key = digestOf(what);
    return join(setFolder, "judge-cache", key.slice(0, 2), `${key}.json`);
  };
  return {
    find: (prompt, vote) => {
      const found = readFileOf(pathOf({ prompt, vote }), cachedSchema);
      return found?.prompt === prompt && found.vote === vote ? found : undefined;
    },
    keep: (prompt, vote, { raw, finish, model }) =>
      writeFileOf(pathOf({ prompt, vote }), { v: 1, prompt, vote, raw, finish, model } satisfies Cached),
    findFormat: (trial) => {
      const found = readFileOf(pathOf({ trial }), knownFormatSchema);
      return found?.trial === trial ? found.format : undefined;
    },
    keepFormat: (trial, format) => writeFileOf(pathOf({ trial }), { v: 1, trial, format }),
  };
}

function writeFileOf(path: string, content: Json): void {
  makeFolders(dirname(path));
  replaceFile(path, `${canonicalJson(content)}\n`);
}

/** Undefined where there is no such file, or none that can be read: then it is asked for again. */
function readFileOf<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof RecordError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
