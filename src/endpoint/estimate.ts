import type { Json } from "../runtime/index.ts";

/** Bytes of UTF-8 JSON to a token, as measured on tool calls and their answers: denser than prose, which has about 4. */
export const BYTES_PER_TOKEN = 3.5;

/**
 * An estimate of the tokens of a text, or of a value as the wire has it: its UTF-8 bytes over 3.5, rounded up. For where an
 * endpoint tells no usage, and always marked as an estimate.
 */
export function estimateTokens(value: Json): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
