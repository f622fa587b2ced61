/** Keeps what looks like an API key out of what is saved on purpose (settings, judges). */

const SECRET_KEY = /(apikey|authorization|token|secret|password|passwd|credentials?|cookie|privatekey)$/;
const SECRET_VALUES: readonly RegExp[] = [
  /\b(sk|pk|rk)-[A-Za-z0-9_-]{16,}/,
  /\b(ghp|gho|ghs|hf|gsk|xai)_[A-Za-z0-9]{16,}/,
  /\bAIza[A-Za-z0-9_-]{20,}/,
  /\bAKIA[A-Z0-9]{12,}/,
  /\bBearer\s+\S{8,}/i,
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /[?&](api[-_]?key|key|token|access_token)=[^&\s]+/i,
];

/**
 * The path of the first thing in `value` that looks like a secret, by its key (`apiKey`, `x-api-key`, `authToken`)
 * or by its text (`sk-…`, `Bearer …`, a password in a URL); undefined where there is none.
 * Counts (`max_tokens`) and names of environment variables (`apiKeyEnv`) are no secrets.
 */
export function findSecret(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return SECRET_VALUES.some((pattern) => pattern.test(value)) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    const at = path === "" ? key : `${path}.${key}`;
    const named = SECRET_KEY.test(key.toLowerCase().replaceAll(/[-_\s]/g, ""));
    if (named && (typeof part === "string" ? part !== "" : typeof part === "object" && part !== null)) return at;
    const found = findSecret(part, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
