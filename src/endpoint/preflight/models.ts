/** GET /models: which models there are and how large their windows are. Most servers have it, and none needs it. */
import type { EndpointFault } from "../../records/index.ts";
import type { Result } from "../../runtime/index.ts";
import { attempt } from "../attempt.ts";
import { openClient } from "../client.ts";
import { describePage, ownFault, statedFault } from "../fault.ts";
import type { EndpointSurroundings } from "../gate.ts";
import { isObject, member, parseJson, textOf, type Loose } from "../json.ts";
import { makeRedactor } from "../redact.ts";
import type { EndpointSettings } from "../settings.ts";
import { cut } from "./findings.ts";

export interface ServedModel {
  readonly id: string;
  /** The window, prompt and answer together, where the list tells it. */
  readonly contextTokens?: number;
}

/** Models that are looked at: some addresses list thousands. */
const MOST_MODELS = 10_000;
const MOST_NAME = 256;
/** Windows that a setting may state. */
const LEAST_WINDOW = 1_000;
const LARGEST_WINDOW = 1_000_000_000;

/**
 * Where servers tell the window that they serve: vLLM and SGLang, OpenRouter and Together, Groq, Mistral and LM Studio,
 * llama.cpp. The window a model was trained with (`n_ctx_train`) is not among them: a server may give it less.
 */
const WINDOWS: readonly (readonly string[])[] = [
  ["max_model_len"],
  ["context_length"],
  ["context_window"],
  ["loaded_context_length"],
  ["max_context_length"],
  ["top_provider", "context_length"],
  ["meta", "n_ctx"],
];

/** Asks once, without retries. Nothing of the answer is kept but names and windows. `asked` is the model that is asked for. */
export async function listModels(
  { baseUrl, timeoutMs }: Pick<EndpointSettings, "baseUrl" | "timeoutMs">,
  { key, nowMs }: Pick<EndpointSurroundings, "key" | "nowMs">,
  asked: string,
): Promise<Result<readonly ServedModel[], EndpointFault>> {
  const redactor = makeRedactor(key);
  const redact = redactor.text;
  // the name that is asked for is no secret, also where the key is the same word
  const nameOf = (id: string): string => redactor.word(id, () => asked);
  const client = await openClient(baseUrl, key);
  const heard = await attempt(client, { timeoutMs, nowMs }, async (openai, signal) => {
    const response = await openai.get("/models", { signal }).asResponse();
    return { kind: "body" as const, text: await response.text(), status: response.status };
  });
  if (heard.kind === "error") return { ok: false, error: statedFault(heard.facts, heard.status, redact) };
  if (heard.kind === "nothing") return { ok: false, error: { ...heard.fault, message: redact(heard.fault.message) } };
  return readList(heard.text, heard.status, { redact, nameOf });
}

/** `{ data: [{ id }] }`, a bare list, or Ollama's `data: null` where it holds no model. */
function readList(
  text: string,
  status: number,
  { redact, nameOf }: Readonly<Record<"redact" | "nameOf", (text: string) => string>>,
): Result<readonly ServedModel[], EndpointFault> {
  const body = parseJson(text);
  const data = Array.isArray(body) ? (body as readonly unknown[]) : member(body, "data");
  if (data === null) return { ok: true, value: [] };
  if (!Array.isArray(data)) {
    const seen = /^\s*</.test(text) ? describePage(text) : "the answer is no list";
    return { ok: false, error: ownFault("not_an_api", redact(seen), status) };
  }
  const models = (data as readonly unknown[]).slice(0, MOST_MODELS).filter(isObject);
  return { ok: true, value: models.flatMap((entry) => modelOf(entry, nameOf)) };
}

function modelOf(entry: Loose, nameOf: (text: string) => string): readonly ServedModel[] {
  const id = textOf(entry["id"]);
  if (id === undefined) return [];
  const told = WINDOWS.map((path) => member(entry, ...path)).filter(isWindow);
  return [{ id: cut(nameOf(id), MOST_NAME), ...(told.length === 0 ? {} : { contextTokens: Math.min(...told) }) }];
}

function isWindow(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= LEAST_WINDOW && value <= LARGEST_WINDOW;
}
