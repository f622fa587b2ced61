/**
 * `fetch` for the client library, over node:http. The built-in one gives up after five minutes without a header, whatever
 * deadline is stated, and a model that thinks takes longer. Redirects are not followed, proxies of the environment not
 * asked, bodies not unpacked: what goes out and what comes in is what stands here.
 */
import http from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import { MAX_BODY_BYTES, MAX_ERROR_BYTES, MAX_EVENT_BYTES, MAX_STREAM_BYTES } from "./limits.ts";
import { isAnswerHeader, isRequestHeader } from "./redact.ts";

/** A body above its bound. */
export class BodyTooLarge extends Error {}

/** How long an idle connection is kept, in ms: shorter than any server does, so that none is used as it closes. */
const IDLE_MS = 2000;

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export interface Transport {
  readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** Connections to an address, kept for the next request. Idle ones keep no process alive. */
export function openTransport(): Transport {
  const agents = {
    "http:": new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    "https:": new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };
  return {
    fetch: async (target, init = {}) => {
      const url = new URL(target instanceof Request ? target.url : target);
      const isSecure = url.protocol === "https:";
      const answer = await send(
        url,
        init,
        isSecure ? https.request : http.request,
        agents[isSecure ? "https:" : "http:"],
      );
      return responseOf(answer, url);
    },
  };
}

function send(
  url: URL,
  init: RequestInit,
  request: typeof http.request,
  agent: http.Agent,
): Promise<http.IncomingMessage> {
  const { body, signal } = init;
  if (body !== undefined && body !== null && typeof body !== "string") {
    return Promise.reject(new TypeError("only a text can be sent"));
  }
  const bytes = Buffer.from(body ?? "");
  const headers = Object.fromEntries([...new Headers(init.headers)].filter(([name]) => isRequestHeader(name)));
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: init.method ?? "GET",
        agent,
        headers: { ...headers, "accept-encoding": "identity", "content-length": bytes.length },
        ...(signal === undefined || signal === null ? {} : { signal }),
      },
      resolve,
    );
    sent.once("error", reject);
    sent.end(bytes);
  });
}

async function responseOf(answer: http.IncomingMessage, asked: URL): Promise<Response> {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && isAnswerHeader(name)) headers.set(name, Array.isArray(value) ? (value[0] ?? "") : value);
  }
  // Response knows no others
  const known = status >= 200 && status < 600 ? status : 502;
  if (known >= 300) {
    const body = BODILESS.has(known) ? "" : await readBounded(answer, MAX_ERROR_BYTES);
    const text = redirectIn(answer, asked) ?? body;
    // The library keeps of an error only its member `error`, and loses what servers say that have none: so all is put in one.
    return Response.json(
      { error: { text } },
      { status: known === 304 ? 502 : known, headers: without(headers, "content-type") },
    );
  }
  if (BODILESS.has(known)) {
    answer.resume();
    return new Response(null, { status: known, headers });
  }
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const body = Readable.from(isStream ? boundedEvents(answer) : bounded(answer, MAX_BODY_BYTES), { objectMode: false });
  return new Response(Readable.toWeb(body), { status: known, headers });
}

/** Paths that the client library asks for, behind the base URL. */
const ASKED = /\/(?:chat\/completions|models)\/?$/;

/** What is said of a redirect: where to, as a base URL; nothing else of an address that may hold a ticket for logging in. */
function redirectIn({ statusCode = 0, headers }: http.IncomingMessage, asked: URL): string | undefined {
  const { location } = headers;
  if (statusCode < 300 || statusCode >= 400 || location === undefined || !URL.canParse(location, asked.href))
    return undefined;
  const { protocol, host, pathname } = new URL(location, asked.href);
  const base = ASKED.test(pathname) ? pathname.replace(ASKED, "").slice(0, 200) : "";
  return `redirects to ${protocol}//${host}${base}, which is not followed: if that is the API, give it as base URL`;
}

function without(headers: Headers, name: string): Headers {
  const rest = new Headers(headers);
  rest.delete(name);
  return rest;
}

/** The beginning of a body, as text; what is above the bound is not waited for. */
async function readBounded(answer: http.IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let held = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    held += part.length;
    if (held >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most).toString("utf8");
}

async function* bounded(answer: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer, void, undefined> {
  let seen = 0;
  for await (const part of answer) {
    seen += part.length;
    if (seen > most) throw new BodyTooLarge(`a body of more than ${most} bytes`);
    yield part;
  }
}

const NEWLINE = 0x0a;

/** As `bounded`; beside it, no line of a stream may be longer than MAX_EVENT_BYTES: the library holds it whole. */
async function* boundedEvents(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let line = 0;
  for await (const part of bounded(answer, MAX_STREAM_BYTES)) {
    const last = part.lastIndexOf(NEWLINE);
    line = last === -1 ? line + part.length : part.length - last - 1;
    if (line > MAX_EVENT_BYTES) throw new BodyTooLarge(`a line of more than ${MAX_EVENT_BYTES} bytes in a stream`);
    yield part;
  }
}
