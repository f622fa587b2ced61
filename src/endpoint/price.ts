/** What tokens cost: a file of prices, in USD for a million tokens. */
import { readFileSync, statSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { Usage } from "../records/index.ts";
import { suggest, succeed, type Result } from "../runtime/index.ts";

/** Bytes of a price file. */
const MAX_PRICE_BYTES = 1024 * 1024;

/** Most that is believed of a price; above it the unit is mistaken. */
const MAX_PRICE_USD = 100_000;

const price = z.number().min(0).max(MAX_PRICE_USD);

const modelPriceSchema = z.strictObject({
  input: price.describe("USD for a million prompt tokens"),
  cachedInput: price.optional().describe("USD for a million that are read from a cache; as input where left out"),
  output: price.describe("USD for a million answer tokens, thinking included"),
});

export const priceSchema = z.strictObject({
  v: z.literal(1),
  models: z.record(z.string().min(1).max(256), modelPriceSchema).describe("By the name that is asked for"),
});
export type Prices = z.infer<typeof priceSchema>;

/**
 * Reads a price file, YAML or JSON. What is wrong with it comes back as one line: the file, where in it, what was seen
 * and what would be right.
 */
export function readPrices(path: string): Result<Prices, string> {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return fail(path, "is no file");
    if (found.size > MAX_PRICE_BYTES) return fail(path, `has ${found.size} bytes, allowed are ${MAX_PRICE_BYTES}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return fail(path, code === "ENOENT" ? "does not exist" : `could not be read (${code})`);
  }
  return parsePrices(text, path);
}

/** Reads the text of a price file; `where` is what its faults call it. */
export function parsePrices(text: string, where: string): Result<Prices, string> {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    const [first = "no YAML"] = (error instanceof Error ? error.message : String(error)).split("\n");
    return fail(where, `is no YAML: ${first}`);
  }
  const parsed = priceSchema.safeParse(value);
  if (parsed.success) return succeed(parsed.data);
  // a key with a typo is also a missing key, and the typo is what helps
  const unknownFirst = [...parsed.error.issues].sort((a, b) => rankOf(a) - rankOf(b));
  return fail(where, unknownFirst.slice(0, 3).map(describe).join("; "));
}

/**
 * What an answer cost, in USD. null where the price or the usage is not known: unknown is not free. A name is looked up as
 * it stands, since a dated version may cost another price.
 */
export function costOf(usage: Usage | null, model: string, prices: Prices): number | null {
  const known = Object.hasOwn(prices.models, model) ? prices.models[model] : undefined;
  if (usage === null || known === undefined) return null;
  const { input, cachedInput = input, output } = known;
  const answer = usage.output + usage.reasoning;
  return (usage.input * input + usage.cachedInput * cachedInput + answer * output) / 1e6;
}

function rankOf(issue: z.core.$ZodIssue): number {
  return issue.code === "unrecognized_keys" ? 0 : 1;
}

function describe(issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code !== "unrecognized_keys") {
    const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return `${at}${isMissing ? "is missing" : issue.message}`;
  }
  const known = Object.keys(issue.path.length === 0 ? priceSchema.shape : modelPriceSchema.shape);
  return issue.keys.map((key) => `${at}unknown key "${key}", ${suggest(key, known) ?? ""}`).join("; ");
}

function fail(where: string, what: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `${where}: ${what}` };
}
