/**
 * Tokens in disjoint buckets, from the shapes in which providers tell them: details inside the counts (OpenAI), counts beside
 * them (Anthropic, xAI), hits and misses (DeepSeek), counts spread over the pieces of a stream. Nothing is counted twice:
 * where the shape leaves it open whether one count holds another, the provider's own total decides.
 */
import type { Tolerated, Usage } from "../records/index.ts";
import { isObject, member } from "./json.ts";

/** Above this a count is no count. */
const MAX_TOKENS = 1e12;

export interface ReadUsage {
  readonly usage: Usage | null;
  readonly tolerated: readonly Tolerated[];
}

interface Counts {
  readonly prompt: number | undefined;
  readonly cached: number;
  readonly written: number;
  readonly answer: number | undefined;
  readonly reasoning: number;
  readonly total: number | undefined;
  /** The shape in which the prompt never holds what was read from the cache. */
  readonly cacheBeside: boolean;
}

/** Reads what an answer, or the pieces of a stream in their order, tell of usage. */
export function readUsage(told: readonly unknown[]): ReadUsage {
  const counts = merge(told.filter(isObject).map(countsOf));
  const whole = counts === undefined ? undefined : fillIn(counts);
  if (whole === undefined) return { usage: null, tolerated: [missing()] };
  return split(whole);
}

function countsOf(told: unknown): Counts {
  const first = (...paths: readonly (readonly string[])[]): number | undefined =>
    paths.map((path) => countAt(told, path)).find((count) => count !== undefined);
  return {
    prompt: first(["prompt_tokens"], ["input_tokens"]),
    cached:
      first(
        ["prompt_tokens_details", "cached_tokens"],
        ["input_tokens_details", "cached_tokens"],
        ["prompt_cache_hit_tokens"],
        ["cache_read_input_tokens"],
        ["cached_tokens"],
      ) ?? 0,
    written: first(["cache_creation_input_tokens"]) ?? 0,
    answer: first(["completion_tokens"], ["output_tokens"]),
    reasoning:
      first(
        ["completion_tokens_details", "reasoning_tokens"],
        ["output_tokens_details", "reasoning_tokens"],
        ["reasoning_tokens"],
      ) ?? 0,
    total: first(["total_tokens"]),
    cacheBeside:
      countAt(told, ["prompt_tokens"]) === undefined && countAt(told, ["cache_read_input_tokens"]) !== undefined,
  };
}

function countAt(told: unknown, path: readonly string[]): number | undefined {
  const count = member(told, ...path);
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS ? count : undefined;
}

/** Pieces tell running counts, or each its part: the largest of each count is right either way. */
function merge(pieces: readonly Counts[]): Counts | undefined {
  const [only] = pieces;
  if (only === undefined || pieces.length === 1) return only;
  const most = (pick: (counts: Counts) => number | undefined): number | undefined => {
    const seen = pieces.map(pick).filter((count) => count !== undefined);
    return seen.length === 0 ? undefined : Math.max(...seen);
  };
  const prompt = most((counts) => counts.prompt);
  const answer = most((counts) => counts.answer);
  const total = most((counts) => counts.total);
  // a total of one piece is the total of that piece: no piece that holds both counts states it
  const isOfPart = !pieces.some(
    (one) => one.total === total && (one.prompt ?? 0) >= (prompt ?? 0) && (one.answer ?? 0) >= (answer ?? 0),
  );
  return {
    prompt,
    answer,
    total: isOfPart ? undefined : total,
    cached: most((counts) => counts.cached) ?? 0,
    written: most((counts) => counts.written) ?? 0,
    reasoning: most((counts) => counts.reasoning) ?? 0,
    cacheBeside: pieces.some((one) => one.cacheBeside),
  };
}

type Whole = Counts & { readonly prompt: number; readonly answer: number };

/** One of prompt and answer may be left out where the total is told. */
function fillIn(counts: Counts): Whole | undefined {
  const { prompt, answer, total } = counts;
  if (prompt !== undefined && answer !== undefined) return { ...counts, prompt, answer };
  if (total === undefined) return undefined;
  if (prompt !== undefined && total >= prompt) return { ...counts, prompt, answer: total - prompt };
  if (answer !== undefined && total >= answer) return { ...counts, prompt: total - answer, answer };
  return undefined;
}

function split(counts: Whole): ReadUsage {
  const { prompt, cached, written, answer, reasoning, total } = counts;
  const sums = (["inside", "beside"] as const).flatMap((cache) =>
    (["inside", "beside"] as const).map((thought) => ({
      cache,
      thought,
      sum: prompt + answer + (cache === "beside" ? cached + written : 0) + (thought === "beside" ? reasoning : 0),
    })),
  );
  const agreed = sums.find(({ sum }) => sum === total);
  const cache = agreed?.cache ?? (counts.cacheBeside || cached > prompt ? "beside" : "inside");
  const thought = agreed?.thought ?? (reasoning > answer ? "beside" : "inside");
  // a part that is told as larger than its whole is taken for the whole
  const cachedInput = cache === "inside" ? Math.min(cached, prompt) : cached;
  const thoughts = thought === "inside" ? Math.min(reasoning, answer) : reasoning;
  const buckets = {
    input: cache === "inside" ? prompt - cachedInput : prompt + written,
    cachedInput,
    output: thought === "inside" ? answer - thoughts : answer,
    reasoning: thoughts,
  };
  const sum = buckets.input + buckets.cachedInput + buckets.output + buckets.reasoning;
  if (total === undefined || total === sum) return { usage: { ...buckets, total: sum }, tolerated: [] };
  return mismatch(buckets, sum, total);
}

/** What a total has above its parts is thinking that is charged and not told apart; what it lacks is only said. */
function mismatch(buckets: Omit<Usage, "total">, sum: number, total: number): ReadUsage {
  const says = `the total is told as ${total}, the parts sum to ${sum}`;
  if (total < sum) return { usage: { ...buckets, total }, tolerated: [{ quirk: "usage_mismatch", says }] };
  const usage = { ...buckets, reasoning: buckets.reasoning + total - sum, total };
  return { usage, tolerated: [{ quirk: "usage_mismatch", says: `${says}; the rest is counted as thinking` }] };
}

function missing(): Tolerated {
  return { quirk: "missing_usage", says: "the endpoint tells no tokens; they are estimated" };
}

/** How large a prompt was: as the endpoint tells it, and by our own estimate of what was sent. */
export interface PromptSize {
  readonly told: number;
  readonly estimated: number;
}

/** Tokens by which a request must have grown before the told count has to follow. */
const GROWTH = 64;

/** Says so where told prompt tokens fall or stand still while more is sent: the server cuts the front of the prompt. */
export function promptTokensFell(before: PromptSize, now: PromptSize): Tolerated | undefined {
  if (now.estimated < before.estimated + GROWTH || now.told > before.told) return undefined;
  const says = `${before.told} prompt tokens, then ${now.told} although more was sent: the server may cut the front of long prompts`;
  return { quirk: "prompt_tokens_fell", says };
}
