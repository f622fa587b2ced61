/** The key of an endpoint: read from the environment, handed on as a value, and kept nowhere. */
import { succeed, type Result } from "../runtime/index.ts";
import type { EndpointSettings } from "./settings.ts";

/** Characters of a key. The longest in use are tokens of some 4,000. */
const MAX_KEY_CHARACTERS = 16 * 1024;

/** What a header may hold; everything else would break the request, or smuggle a second header into it. */
const PRINTABLE = /^[\x21-\x7e]+$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The key that the settings name: undefined where the endpoint wants none, or one line that says which variable is
 * missing or unusable. The line never holds a part of the key.
 */
export function readKey(
  settings: Pick<EndpointSettings, "apiKeyEnv" | "baseUrl">,
  env: Environment,
): Result<string | undefined, string> {
  const { apiKeyEnv, baseUrl } = settings;
  if (apiKeyEnv === null) return succeed(undefined);
  const key = env[apiKeyEnv]?.trim();
  if (key === undefined || key === "") {
    const seen = env[apiKeyEnv] === undefined ? "is not set" : "is empty";
    return fail(
      `no key for ${baseUrl}: the environment variable ${apiKeyEnv} ${seen}. ` +
        `Set it, name another variable, or say that the server wants no key (apiKeyEnv: null)`,
    );
  }
  if (key.length > MAX_KEY_CHARACTERS) {
    return fail(
      `the key in ${apiKeyEnv} has ${key.length} characters, allowed are ${MAX_KEY_CHARACTERS}: is it a file's content?`,
    );
  }
  if (!PRINTABLE.test(key)) {
    return fail(
      `the key in ${apiKeyEnv} holds a line break, a blank or another character that no header can carry. ` +
        "Set the variable to the key alone",
    );
  }
  return succeed(key);
}

function fail(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
