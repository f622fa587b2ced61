/** A server on loopback that answers as a test says, request by request. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { openEndpoint, type EndpointSurroundings, type Gate } from "../../src/endpoint/index.ts";
import {
  endpointSettingsSchema,
  modelSettingsSchema,
  type ChatRequest,
  type Endpoint,
} from "../../src/endpoint/index.ts";

export const KEY = "sk-tiny-0123456789/abc+def";

export interface Seen {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How one request is answered: by what is said here, or by hand. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | ((response: http.ServerResponse, seen: Seen) => void);

const open = new Set<http.Server>();

afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  open.clear();
});

export interface TinyServer {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
}

/** Answers the first request with the first answer, and so on; the last answer is given to all that follow. */
export async function serve(...answers: readonly Answer[]): Promise<TinyServer> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const one: Seen = {
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push(one);
      if (typeof answer === "function") return answer(response, one);
      const isJson = answer?.text === undefined;
      response.writeHead(answer?.status ?? 200, {
        "content-type": isJson ? "application/json" : "text/html",
        ...answer?.headers,
      });
      response.end(isJson ? JSON.stringify(answer?.json) : answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.add(server);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

/** A completion as servers give it. */
export function completion(message: unknown, more: Readonly<Record<string, unknown>> = {}): Answer {
  const { finish = "stop", ...rest } = more;
  return {
    json: {
      id: "chatcmpl-1",
      object: "chat.completion",
      model: "tiny-1",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      ...rest,
    },
  };
}

/** A stream of pieces; with `cut` the connection breaks off behind them. */
export function stream(pieces: readonly unknown[], { cut = false, done = true } = {}): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(`data: ${JSON.stringify(piece)}\n\n`);
    if (cut) return void setImmediate(() => response.destroy());
    response.end(done ? "data: [DONE]\n\n" : "");
  };
}

/** A piece of a stream with a delta. */
export function piece(delta: unknown, finish: string | null = null): unknown {
  return { object: "chat.completion.chunk", model: "tiny-1", choices: [{ index: 0, delta, finish_reason: finish }] };
}

export const QUESTION: ChatRequest = { messages: [{ role: "user", content: "hello" }], adapted: [], label: "test" };

export const NEVER = new AbortController().signal;

/** An endpoint that waits for nothing, and what it would have waited. */
export function endpointAt(
  baseUrl: string,
  { settings = {}, model = {}, surroundings = {}, gate }: EndpointParts = {},
): { readonly endpoint: Endpoint; readonly waits: readonly number[] } {
  const waits: number[] = [];
  let nowMs = 0;
  const endpoint = openEndpoint(
    endpointSettingsSchema.parse({ baseUrl, timeoutMs: 20_000, ...settings }),
    modelSettingsSchema.parse({ model: "tiny", ...model }),
    {
      key: KEY,
      nowMs: () => nowMs,
      sleep: async (ms) => {
        waits.push(ms);
        nowMs += ms;
      },
      random: () => 0.5,
      ...surroundings,
    },
    gate,
  );
  return { endpoint, waits };
}

interface EndpointParts {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly model?: Readonly<Record<string, unknown>>;
  readonly surroundings?: Partial<EndpointSurroundings>;
  readonly gate?: Gate;
}
