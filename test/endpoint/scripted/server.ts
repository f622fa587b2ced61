/** The scripted endpoint: real HTTP on loopback, chat completions plain and streaming, a policy in place of a model. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerOf, chunksOf, plainBody } from "./answer.ts";
import { refuseRequest } from "./check-request.ts";
import { FAULTS, faultAt, type FaultName, type FaultPlan, type Transport } from "./faults.ts";
import { OVERFLOWS, type OverflowName } from "./overflow.ts";
import type { Policy } from "./policy.ts";
import { QUIRKS, type Quirk, type QuirkName } from "./quirks.ts";
import { send, type Sent } from "./send.ts";
import {
  countTokens,
  isObject,
  listOf,
  parseJson,
  wireError,
  type JsonObject,
  type SeenRequest,
  type WireAnswer,
  type WireError,
  wordOf,
} from "./wire.ts";

export interface ScriptedOptions {
  readonly policy: Policy;
  readonly quirks?: readonly QuirkName[];
  readonly faults?: FaultPlan;
  /** Requests without it are refused, and told what key they came with. None: every request is taken. */
  readonly key?: string;
  /** Default: "scripted". Requests for others are refused. */
  readonly models?: readonly string[];
  /** A prompt of more tokens is refused, in these words. */
  readonly window?: { readonly tokens: number; readonly wording: OverflowName };
  /** How an echo of the key comes with each answer. */
  readonly echoesKey?: "header" | "text";
  /** Whether `requests` gives what was asked. Default true; false where there are too many to keep. */
  readonly keepsBodies?: boolean;
  readonly port?: number;
  readonly nowMs?: () => number;
  /** Of the faults, and of the serials. Default 1. */
  readonly seed?: number;
}

/** What became of a request for a completion. */
export interface Account {
  readonly number: number;
  readonly body: JsonObject | undefined;
  readonly outcome: "answered" | "refused" | FaultName;
  /** The status that was sent; 0 where none was. */
  readonly status: number;
  /** Of the answer; null where there was none. */
  readonly serial: string | null;
  /** The serial of the last answer in the conversation: which one this request goes on from. null at its beginning. */
  readonly after: string | null;
  /** Whether the answer left here to its last byte while someone was listening. */
  readonly full: boolean;
}

export interface ScriptedEndpoint {
  /** With `/v1`, as a client takes it. */
  readonly url: string;
  /** Every request so far, in the order in which they came. */
  readonly requests: () => readonly Account[];
  readonly stop: () => Promise<void>;
}

const BODY_BYTES = 32 * 1024 * 1024;

export async function startScriptedEndpoint(options: ScriptedOptions): Promise<ScriptedEndpoint> {
  const accounts: Account[] = [];
  const server = createServer((request, response) => {
    void serve(options, accounts, request, response).catch((error: unknown) => {
      // A fault of this server must fail the test, not look like a fault it was told to have.
      process.stderr.write(`the scripted endpoint broke: ${String(error)}\n`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: () => [...accounts],
    stop: async () =>
      await new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  options: ScriptedOptions,
  accounts: Account[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request);
  const path = (request.url ?? "").split("?")[0];
  const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
  const refused = refuseKey(options, given);
  if (path === "/v1/models" && request.method === "GET")
    return void (await send(response, refused ?? { status: 200, body: modelList(options) }));
  if (path !== "/v1/chat/completions" || request.method !== "POST")
    return void (await send(response, wireError(404, `Invalid URL (${request.method} ${path})`)));
  const number = accounts.length + 1;
  const body = parseJson(text);
  const asked = isObject(body) ? body : {};
  const account = {
    number,
    body: options.keepsBodies === false ? undefined : asked,
    after: lastSerial(asked),
    serial: null,
    full: false,
  };
  // Counted when it comes: a request that is never answered was made as well.
  const at = accounts.push({ ...account, outcome: "refused", status: 0 }) - 1;
  const settle = (outcome: Account["outcome"], status: number, serial: string | null, full: boolean): void => {
    accounts[at] = { ...account, outcome, status, serial, full };
  };
  const error = refused ?? refuseBody(options, body);
  if (error !== undefined) {
    settle("refused", error.status, null, false);
    return void (await send(response, error));
  }
  const fault = faultAt(options.faults, options.seed ?? 1, number);
  const made = fault === undefined ? undefined : FAULTS[fault];
  if (fault !== undefined && made?.kind === "refuse") {
    const said = made.with(options.nowMs?.() ?? Date.now());
    settle(fault, said.status, null, false);
    return void (await send(response, said));
  }
  const seen = seenRequest(options, asked, number);
  const answer = echoing(options, given, answerTo(options, seen));
  const sent = replyOf(
    seen,
    answer,
    made?.kind === "transport" ? made.how : undefined,
    options.echoesKey === "header" ? given : undefined,
  );
  settle(fault ?? "answered", 200, fault === undefined ? answer.serial : null, false);
  const full = await send(response, sent);
  settle(fault ?? "answered", 200, fault === undefined ? answer.serial : null, full && fault === undefined);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > BODY_BYTES) throw new Error(`a request of over ${BODY_BYTES} bytes`);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

function modelsOf({ models = ["scripted"] }: ScriptedOptions): readonly string[] {
  return models;
}

function modelList(options: ScriptedOptions): JsonObject {
  const data = modelsOf(options).map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "tests" }));
  return { object: "list", data };
}

/** As some providers do, the refusal repeats the key: a client that keeps the text as it comes leaks it. */
function refuseKey({ key }: ScriptedOptions, given: string | undefined): WireError | undefined {
  if (key === undefined || given === key) return undefined;
  const message =
    given === undefined
      ? "You didn't provide an API key."
      : `Incorrect API key provided: ${given}. You can find your API key in your account (${encodeURIComponent(given)}).`;
  return wireError(401, message, { code: "invalid_api_key" });
}

function quirksOf({ quirks = [] }: ScriptedOptions): readonly Quirk[] {
  return quirks.map((name) => QUIRKS[name]);
}

function refuseBody(options: ScriptedOptions, body: unknown): WireError | undefined {
  const refused = refuseRequest(body);
  if (refused !== undefined) return refused;
  const asked = body as JsonObject;
  const model = wordOf(asked["model"]);
  if (!modelsOf(options).includes(model))
    return wireError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      code: "model_not_found",
    });
  for (const quirk of quirksOf(options)) {
    const error = quirk.refuse?.(asked);
    if (error !== undefined) return error;
  }
  const tokens = countTokens(asked["messages"]);
  if (options.window !== undefined && tokens > options.window.tokens)
    return OVERFLOWS[options.window.wording](tokens, options.window.tokens);
  return undefined;
}

function seenRequest(options: ScriptedOptions, body: JsonObject, number: number): SeenRequest {
  const messages = listOf(body["messages"]) as readonly JsonObject[];
  return {
    number,
    body,
    model: wordOf(body["model"]),
    stream: body["stream"] === true,
    messages,
    seen: quirksOf(options).reduce((left, quirk) => quirk.hide?.(left) ?? left, messages),
    turn: messages.filter(({ role }) => role === "assistant").length,
  };
}

function answerTo(options: ScriptedOptions, request: SeenRequest): WireAnswer {
  const said = options.policy(request);
  const plain = answerOf(said, request, `s${options.seed ?? 1}-${request.number}`);
  return quirksOf(options).reduce((answer, quirk) => quirk.bend?.(answer, request) ?? answer, plain);
}

function echoing({ echoesKey }: ScriptedOptions, key: string | undefined, answer: WireAnswer): WireAnswer {
  if (echoesKey !== "text" || key === undefined) return answer;
  return { ...answer, content: `${answer.content ?? ""}[authorized as ${key}, ${encodeURIComponent(key)}]` };
}

function replyOf(request: SeenRequest, answer: WireAnswer, how: Transport | undefined, echo: string | undefined): Sent {
  const headers = { "x-request-id": answer.serial, ...(echo === undefined ? {} : { "x-api-key": echo }) };
  const { stream_options: options } = request.body;
  const fault = how === undefined ? {} : { fault: how };
  if (!request.stream) return { status: 200, headers, body: plainBody(answer, request.model), ...fault };
  const withUsage = isObject(options) && options["include_usage"] === true;
  return { status: 200, headers, chunks: chunksOf(answer, request.model, withUsage), ...fault };
}

/** The serial of the last answer that a request carries. */
function lastSerial(body: JsonObject): string | null {
  const serials = listOf(body["messages"]).map((message) => (isObject(message) ? message["serial"] : undefined));
  const last = serials.findLast((serial) => serial !== undefined);
  return typeof last === "string" ? last : null;
}
