import { hash } from "node:crypto";
import { canonicalJson } from "./canonical.ts";

/** SHA-256 of a text (UTF-8), as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** As `sha256`, in 43 characters of base64: for what is hashed again at once. */
export function shortHash(text: string): string {
  return hash("sha256", text, "base64url");
}

const remembered = new WeakMap<object, string>();

/**
 * SHA-256 of the canonical JSON of `value`. The digest of a frozen object is remembered with the object,
 * so that what a step leaves alone is hashed once.
 */
export function digestOf(value: unknown): string {
  const frozen = typeof value === "object" && value !== null && Object.isFrozen(value) ? value : undefined;
  const known = frozen && remembered.get(frozen);
  if (known !== undefined) return known;
  const digest = sha256(canonicalJson(value));
  if (frozen) remembered.set(frozen, digest);
  return digest;
}
