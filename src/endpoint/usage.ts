/**
 * Tokens in disjoint buckets, from the shapes in which providers tell them: details inside the counts (OpenAI), counts beside
 * them (Anthropic, xAI), hits and misses (DeepSeek), counts spread over the pieces of a stream. Nothing is counted twice:
 * where the shape leaves it open whether one count holds another, the provider's own total decides.
 */
import type { Tolerated, Usage } from "../records/index.ts";
import { isObject, member } from "./json.ts";

/** Above this a count is no count. */
const MAX_TOKENS = 2 ** 40;

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
  /** What is told as a count and is none, or none as it stands: `completion_tokens: 2.5`. */
  readonly odd: readonly string[];
}

/** Reads what an answer, or the pieces of a stream in their order, tell of usage. */
export function readUsage(told: readonly unknown[]): ReadUsage {
  const counts = merge(told.filter(isObject).map(countsOf));
  const whole = counts === undefined ? undefined : fillIn(counts);
  const odd = counts?.odd ?? [];
  if (whole === undefined) return { usage: null, tolerated: [missing(odd)] };
  const { usage, tolerated } = split(whole);
  return { usage, tolerated: [...(odd.length === 0 ? [] : [noteOn(odd)]), ...tolerated] };
}

const CACHED_PATHS: readonly (readonly string[])[] = [
  ["prompt_tokens_details", "cached_tokens"],
  ["input_tokens_details", "cached_tokens"],
  ["prompt_cache_hit_tokens"],
  ["cache_read_input_tokens"],
  ["cached_tokens"],
];

const REASONING_PATHS: readonly (readonly string[])[] = [
  ["completion_tokens_details", "reasoning_tokens"],
  ["output_tokens_details", "reasoning_tokens"],
  ["reasoning_tokens"],
];

function countsOf(told: unknown): Counts {
  const odd: string[] = [];
  const first = (...paths: readonly (readonly string[])[]): number | undefined =>
    paths.map((path) => countAt(told, path, odd)).find((count) => count !== undefined);
  const counts = {
    prompt: first(["prompt_tokens"], ["input_tokens"]),
    cached: first(...CACHED_PATHS) ?? 0,
    written: first(["cache_creation_input_tokens"]) ?? 0,
    answer: first(["completion_tokens"], ["output_tokens"]),
    reasoning: first(...REASONING_PATHS) ?? 0,
    total: first(["total_tokens"]),
  };
  const cacheBeside =
    member(told, "prompt_tokens") === undefined && countAt(told, ["cache_read_input_tokens"], []) !== undefined;
  return { ...counts, cacheBeside, odd };
}

/** A count, also where it is told as text; what is told and is no count is added to `odd`, as is a text. */
function countAt(told: unknown, path: readonly string[], odd: string[]): number | undefined {
  const seen = member(told, ...path);
  if (seen === undefined || seen === null) return undefined;
  const count = typeof seen === "string" && /^[0-9]{1,13}$/.test(seen) ? Number(seen) : seen;
  const isCount = typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS;
  if (!isCount || count !== seen) odd.push(`${path.join(".")} is ${describe(seen)}`);
  return isCount ? count : undefined;
}

function describe(seen: unknown): string {
  if (typeof seen === "number") return String(seen);
  return typeof seen === "string" && /^[0-9.+-]{1,24}$/.test(seen) ? `the text "${seen}"` : `a ${typeof seen}`;
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
    odd: [...new Set(pieces.flatMap(({ odd }) => odd))],
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
  const cache = agreed?.cache ?? (counts.cacheBeside ? "beside" : "inside");
  const thought = agreed?.thought ?? (reasoning > answer ? "beside" : "inside");
  // more read from a cache than was sent cannot be, and is not believed: it would make the prompt cheaper
  const isTooMuch = cache === "inside" && cached > prompt;
  const cachedInput = isTooMuch ? 0 : cached;
  // thinking that is told as larger than the whole answer is taken for the whole
  const thoughts = thought === "inside" ? Math.min(reasoning, answer) : reasoning;
  const buckets = {
    input: cache === "inside" ? prompt - cachedInput : prompt + written,
    cachedInput,
    output: thought === "inside" ? answer - thoughts : answer,
    reasoning: thoughts,
  };
  const sum = buckets.input + buckets.cachedInput + buckets.output + buckets.reasoning;
  const { usage, tolerated } =
    total === undefined || total === sum
      ? { usage: { ...buckets, total: sum }, tolerated: [] }
      : mismatch(buckets, sum, total);
  if (!isTooMuch) return { usage, tolerated };
  const says = `${cached} prompt tokens are told as read from a cache, and ${prompt} in all: none is counted as cached`;
  return { usage, tolerated: [{ quirk: "usage_mismatch", says }, ...tolerated] };
}

/** What a total has above its parts is thinking that is charged and not told apart; what it lacks is only said. */
function mismatch(buckets: Omit<Usage, "total">, sum: number, total: number): ReadUsage {
  const says = `the total is told as ${total}, the parts sum to ${sum}`;
  if (total < sum) return { usage: { ...buckets, total }, tolerated: [{ quirk: "usage_mismatch", says }] };
  const usage = { ...buckets, reasoning: buckets.reasoning + total - sum, total };
  return { usage, tolerated: [{ quirk: "usage_mismatch", says: `${says}; the rest is counted as thinking` }] };
}

/** Odd counts that are named. */
const TOLD = 4;

function missing(odd: readonly string[]): Tolerated {
  const what =
    odd.length === 0 ? "the endpoint tells no tokens" : `the endpoint tells no count of tokens (${list(odd)})`;
  return { quirk: "missing_usage", says: `${what}; they are estimated` };
}

function noteOn(odd: readonly string[]): Tolerated {
  return { quirk: "usage_mismatch", says: `not told as whole numbers: ${list(odd)}` };
}

function list(odd: readonly string[]): string {
  return `${odd.slice(0, TOLD).join(", ")}${odd.length > TOLD ? ` and ${odd.length - TOLD} more` : ""}`;
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
