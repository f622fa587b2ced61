/** The client library, with everything turned off that we do ourselves or that would read the environment. */
import type { OpenAI } from "openai";
import { openTransport } from "./transport.ts";

export interface Client {
  readonly openai: OpenAI;
  /** The pieces of a stream, as JSON. Throws what the stream states as an error. */
  readonly readStream: (response: Response) => AsyncIterable<unknown>;
  /** What the library throws for whatever an endpoint states as an error. */
  readonly APIError: (typeof OpenAI)["APIError"];
}

/**
 * Opens a client. The library is loaded here and not before: it takes a tenth of a second, and most commands ask
 * nobody anything.
 */
export async function openClient(baseUrl: string, key: string | undefined): Promise<Client> {
  const [{ OpenAI }, { Stream }] = await Promise.all([import("openai"), import("openai/streaming")]);
  const openai = new OpenAI({
    baseURL: baseUrl.replace(/\/+$/, ""),
    // without a key it refuses to be; the header is left out below
    apiKey: key ?? "none",
    ...(key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    // the library's own deadline covers the headers alone; ours covers everything
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    fetch: openTransport().fetch,
  });
  return {
    openai,
    readStream: (response) => Stream.fromSSEResponse<unknown>(response, new AbortController(), openai),
    APIError: OpenAI.APIError,
  };
}
