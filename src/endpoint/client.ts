/** The client library, with everything turned off that we do ourselves or that would read the environment. */
import type { OpenAI } from "openai";
import { openTransport } from "./transport.ts";

export interface Client {
  readonly openai: OpenAI;
  /** The pieces of a stream, as JSON, errors that are stated in it among them. Throws SyntaxError where one is no JSON. */
  readonly readStream: (response: Response) => AsyncIterable<unknown>;
  /** What the library throws for whatever an endpoint states as an error. */
  readonly APIError: (typeof OpenAI)["APIError"];
}

/**
 * Opens a client. The library is loaded here and not before: it takes a tenth of a second, and most commands ask
 * nobody anything.
 */
export async function openClient(baseUrl: string, key: string | undefined): Promise<Client> {
  const [{ OpenAI }, { _iterSSEMessages: eventsOf }] = await Promise.all([
    import("openai"),
    import("openai/streaming"),
  ]);
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
    readStream: (response) => piecesIn(eventsOf(response, new AbortController())),
    APIError: OpenAI.APIError,
  };
}

/**
 * Of the library the events alone: its own reading of them writes what is no JSON to the console, key and all, and makes
 * of an error a text, however deep it is, and loses the usage that stands beside it.
 */
async function* piecesIn(events: AsyncIterable<{ readonly data: string }>): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of events) {
    // what follows is heard, so that the connection can be used again
    if (!data.startsWith("[DONE]") && data.trim() !== "") yield JSON.parse(data);
  }
}
