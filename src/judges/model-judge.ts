/** The model judge as records name it: everything that can change what it says. */
import type { ModelSettings } from "../endpoint/index.ts";
import { digestOf, type Json } from "../runtime/index.ts";
import * as z from "zod";
import { ANSWER_FORMATS, type AnswerFormat } from "./answer-schema.ts";
import { PROMPT_ROOM, type PromptRoom } from "./evidence.ts";
import { PARSER_VERSION } from "./parse.ts";
import { PROMPT } from "./prompt.ts";

export const MODEL_JUDGES = ["model", "exact+model"] as const;
export type ModelJudgeName = (typeof MODEL_JUDGES)[number];

/** Times a question is asked until an answer can be taken. */
export const ATTEMPTS = 3;

/** The `judge` of a header, as the model judge writes it. */
export const judgeSettingsSchema = z.strictObject({
  name: z.enum(MODEL_JUDGES),
  v: z.literal(1),
  model: z.string(),
  host: z.string().describe("Of the endpoint, with its port"),
  path: z.string().describe("Of its base URL: one host may have several APIs"),
  prompt: z.strictObject({
    v: z.int().min(1),
    digest: z.string(),
    size: z.int().min(1).describe("Tokens, estimated, to which it is cut as far as it may be"),
    most: z.int().min(1).describe("Tokens it may have where the facts are so many; with more nobody is asked"),
  }),
  parser: z.strictObject({
    v: z.int().min(1),
    asked: z.int().min(1).describe("The parser by which it was asked again where an answer could not be taken"),
  }),
  format: z.enum(ANSWER_FORMATS).describe("How JSON was asked for"),
  votes: z.int().min(1),
  attempts: z.int().min(1).describe("Answers to one question at most"),
  request: z
    .custom<{ readonly [key: string]: Json }>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    )
    .describe("What every request states of the model"),
});
export type JudgeSettings = z.infer<typeof judgeSettingsSchema>;

/** A judge that is a model, before it is known where it is asked and how it is best asked for JSON. */
export interface ModelJudge {
  readonly name: ModelJudgeName;
  readonly model: ModelSettings;
  readonly votes: number;
}

export function judgeSettings(
  parts: ModelJudge & { readonly host: string; readonly path: string; readonly format: AnswerFormat },
): JudgeSettings {
  const { model, ...request } = parts.model;
  return {
    name: parts.name,
    v: 1,
    model,
    host: parts.host,
    path: parts.path,
    prompt: { ...PROMPT, ...promptRoomFor(parts.model) },
    parser: { v: PARSER_VERSION, asked: PARSER_VERSION },
    format: parts.format,
    votes: parts.votes,
    attempts: ATTEMPTS,
    request: JSON.parse(JSON.stringify(request)) as { readonly [key: string]: Json },
  };
}

/** Tokens of a prompt: fewer where the model's window is stated and small. */
export function promptRoomFor({ contextTokens }: { readonly contextTokens?: number | undefined }): PromptRoom {
  const window = Math.floor((contextTokens ?? Infinity) * WINDOW_SHARE);
  return { size: Math.min(PROMPT_ROOM.size, window), most: Math.min(PROMPT_ROOM.most, window) };
}
/** The rest is the answer's, and the error's of an estimate. */
const WINDOW_SHARE = 0.75;

/** Why answers that were asked for with these settings cannot be read by this version; undefined where they can. */
export function faultOfVersion({ prompt, parser }: JudgeSettings): string | undefined {
  if (prompt.v !== PROMPT.v || prompt.digest !== PROMPT.digest)
    return `they were asked for with prompt ${prompt.v} (${prompt.digest.slice(0, 12)}…), and this version has prompt ${PROMPT.v} (${PROMPT.digest.slice(0, 12)}…)`;
  if (parser.v !== PARSER_VERSION)
    return `they were read by parser ${parser.v}, and this version has parser ${PARSER_VERSION}`;
  return undefined;
}

/** The digest of everything that a request sends: by it answers name their prompt, and the cache its files. */
export function digestOfRequest(
  { host, path, model, request, format }: Pick<JudgeSettings, "host" | "path" | "model" | "request" | "format">,
  messages: readonly Json[],
  responseFormat: Json | undefined,
): string {
  return digestOf({ host, path, model, request, format, messages, responseFormat: responseFormat ?? null });
}
