import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import type { ChatReply, Asked } from "../../src/endpoint/index.ts";
import type { EndpointFault } from "../../src/records/index.ts";
import { completion, endpointAt, KEY, NEVER, piece, QUESTION, serve, stream, type Answer } from "./tiny-server.ts";

function replyOf(asked: Asked): ChatReply {
  if (asked.kind !== "answered") throw new Error(`no answer: ${JSON.stringify(asked)}`);
  return asked.reply;
}

function faultOf(asked: Asked): EndpointFault {
  if (asked.kind !== "failed") throw new Error(`no fault: ${JSON.stringify(asked)}`);
  return asked.fault;
}

const hello = completion({ role: "assistant", content: "hello" });

function error(status: number, inner: Readonly<Record<string, unknown>>, headers: Record<string, string> = {}): Answer {
  return { status, headers, json: { error: inner } };
}

describe("asking once", () => {
  it("an answer comes back as it came, with its tokens in disjoint buckets", async () => {
    const { baseUrl, seen } = await serve(hello);
    const reply = replyOf(await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER));
    expect(reply).toEqual({
      message: { role: "assistant", content: "hello" },
      finish: "stop",
      model: "tiny-1",
      usage: { input: 10, cachedInput: 0, output: 5, reasoning: 0, total: 15 },
      tolerated: [],
      attempts: [],
      adapted: [],
    });
    expect(seen.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
    expect(seen[0]?.body).toEqual({ model: "tiny", messages: [{ role: "user", content: "hello" }] });
  });

  it("sends the headers that are needed and nothing of the environment", async () => {
    vi.stubEnv("OPENAI_ORG_ID", "org-of-the-environment");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-of-the-environment");
    vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-of-the-environment");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-custom: of-the-environment");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9/of-the-environment");
    const { baseUrl, seen } = await serve(hello);
    await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER);
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ]);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("sends no key where the server wants none, whatever the environment holds", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-of-the-environment-0123456789");
    const { baseUrl, seen } = await serve(hello);
    await endpointAt(baseUrl, { surroundings: { key: undefined } }).endpoint.ask(QUESTION, NEVER);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  it("an answer without usage is null tokens and a marked estimate", async () => {
    const { baseUrl } = await serve(completion({ role: "assistant", content: "hello" }, { usage: undefined }));
    const reply = replyOf(await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER));
    expect(reply.usage).toBeNull();
    expect(reply.estimatedTokens).toBeGreaterThan(20);
    expect(reply.tolerated.map(({ quirk }) => quirk)).toEqual(["missing_usage"]);
  });

  it("tells what is under way and since when, the oldest first, and forgets it afterwards", async () => {
    const held: (() => void)[] = [];
    const { baseUrl, seen } = await serve((response) => {
      held.push(() => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify((hello as { json: unknown }).json));
      });
    });
    let now = 100;
    const { endpoint } = endpointAt(baseUrl, { surroundings: { nowMs: () => now } });
    const first = endpoint.ask({ ...QUESTION, label: "first" }, NEVER);
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    now = 200;
    const second = endpoint.ask({ ...QUESTION, label: "second" }, NEVER);
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    expect(endpoint.inFlight()).toEqual([
      { label: "first", sinceMs: 100 },
      { label: "second", sinceMs: 200 },
    ]);
    for (const answer of held) answer();
    await Promise.all([first, second]);
    expect(endpoint.inFlight()).toEqual([]);
  });

  it("no listener stays on the stop signal", async () => {
    const { baseUrl } = await serve(hello);
    const stop = new AbortController();
    const { endpoint } = endpointAt(baseUrl);
    for (let i = 0; i < 3; i += 1) await endpoint.ask(QUESTION, stop.signal);
    await vi.waitFor(() => expect(getEventListeners(stop.signal, "abort")).toHaveLength(0));
  });
});

describe("streams", () => {
  const usage = {
    object: "chat.completion.chunk",
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  };

  it("pieces make the message that would have come whole", async () => {
    const { baseUrl, seen } = await serve(
      stream([
        piece({ role: "assistant", content: "" }),
        piece({ reasoning_content: "I " }),
        piece({ reasoning_content: "see" }),
        piece({ content: "hel" }),
        piece({ content: "lo" }),
        piece({}, "stop"),
        usage,
      ]),
    );
    const reply = replyOf(await endpointAt(baseUrl, { model: { stream: true } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.message).toEqual({ role: "assistant", content: "hello", reasoning_content: "I see" });
    expect(reply.usage?.total).toBe(10);
    expect(seen[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("a stream that is cut is asked for again, and no half of it is kept", async () => {
    const { baseUrl, seen } = await serve(
      stream([piece({ content: "hal" })], { cut: true }),
      stream([piece({ content: "hel" })]),
      hello,
    );
    const reply = replyOf(await endpointAt(baseUrl, { model: { stream: true } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.message["content"]).toBe("hello");
    expect(reply.attempts.map(({ fault }) => fault.kind)).toEqual(["cut_stream", "cut_stream"]);
    expect(seen).toHaveLength(3);
  });

  it("what breaks off behind the reason to finish is an answer, and is not asked for again", async () => {
    const { baseUrl, seen } = await serve(stream([piece({ content: "hello" }), piece({}, "stop")], { cut: true }));
    const reply = replyOf(await endpointAt(baseUrl, { model: { stream: true } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.message["content"]).toBe("hello");
    expect(reply.usage).toBeNull();
    expect(seen).toHaveLength(1);
  });

  it("AG45 an error inside a stream is a fault by its inner code", async () => {
    const inner = { message: "too many", type: "server_error", code: "rate_limit_exceeded" };
    const { baseUrl } = await serve(stream([piece({ content: "hal" }), { error: inner }]), hello);
    const reply = replyOf(await endpointAt(baseUrl, { model: { stream: true } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.attempts.map(({ fault }) => fault)).toEqual([
      { kind: "rate_limited", status: 200, code: "rate_limit_exceeded", message: "too many" },
    ]);
  });

  it("a server that answers a stream in one piece is heard", async () => {
    const { baseUrl } = await serve(hello);
    const reply = replyOf(await endpointAt(baseUrl, { model: { stream: true } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.message["content"]).toBe("hello");
  });

  it("a piece that is no JSON is a bad answer", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"choices": [\n\n');
    });
    const { endpoint } = endpointAt(baseUrl, { model: { stream: true }, settings: { attempts: 1 } });
    expect(faultOf(await endpoint.ask(QUESTION, NEVER)).kind).toBe("bad_answer");
  });
});

describe("faults", () => {
  it.each<[string, Answer, EndpointFault["kind"], number]>([
    ["a wrong key", error(401, { message: "Incorrect API key provided", code: "invalid_api_key" }), "auth", 1],
    [
      "a used-up quota",
      error(429, { message: "You exceeded your current quota", code: "insufficient_quota" }),
      "quota",
      1,
    ],
    [
      "an unknown model",
      error(404, { message: "The model `tiny` does not exist", code: "model_not_found" }),
      "unknown_model",
      1,
    ],
    ["a path that is not there", { status: 404, json: { detail: "Not Found" } }, "not_an_api", 1],
    ["a web page", { text: "<!doctype html><title>Welcome</title>" }, "not_an_api", 1],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:9/" }, text: "" }, "not_an_api", 1],
    [
      "a prompt that does not fit",
      error(400, { message: "prompt is too long: 9 tokens > 8 maximum" }),
      "context_overflow",
      1,
    ],
    ["a filter", error(400, { message: "filtered", code: "content_filter" }), "blocked", 1],
    ["an error inside a 200", { json: { error: { message: "boom", code: 500 } } }, "server_error", 3],
    ["no choices", { json: { object: "chat.completion", choices: [] } }, "bad_answer", 3],
    ["a proxy's page", { status: 502, text: "<html><title>502 Bad Gateway</title></html>" }, "server_error", 3],
  ])("%s: classed, and asked again only where that may help", async (_, answer, kind, requests) => {
    const { baseUrl, seen } = await serve(answer);
    const { endpoint } = endpointAt(baseUrl, { settings: { attempts: 3 } });
    const asked = await endpoint.ask(QUESTION, NEVER);
    expect(faultOf(asked).kind).toBe(kind);
    expect(seen).toHaveLength(requests);
    expect(asked.kind === "failed" && asked.attempts.length).toBe(requests - 1);
  });

  it("keeps the words of an error that is no `error` member, as SGLang states it", async () => {
    const { baseUrl } = await serve({
      status: 400,
      json: {
        object: "error",
        message: "The input (9 tokens) is longer than the model's context length (8 tokens).",
        type: "BadRequestError",
        code: 400,
      },
    });
    expect(faultOf(await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER))).toEqual({
      kind: "context_overflow",
      status: 400,
      code: "badrequesterror",
      message: "The input (9 tokens) is longer than the model's context length (8 tokens).",
    });
  });

  it("nobody at the address: a connection fault that names it", async () => {
    const { baseUrl } = await serve(hello);
    const dead = baseUrl.replace(/:\d+/, ":9");
    const fault = faultOf(await endpointAt(dead, { settings: { attempts: 2 } }).endpoint.ask(QUESTION, NEVER));
    expect(fault).toMatchObject({ kind: "connection", status: null });
    expect(fault.message).toMatch(/ECONNREFUSED.*127\.0\.0\.1:9/);
  });

  it("a server that never answers is given up at the deadline", async () => {
    const { baseUrl } = await serve(() => undefined, hello);
    const reply = replyOf(await endpointAt(baseUrl, { settings: { timeoutMs: 150 } }).endpoint.ask(QUESTION, NEVER));
    expect(reply.attempts.map(({ fault }) => fault.kind)).toEqual(["timeout"]);
  });

  it("a server that drips its body is given up at the deadline, in a stream and without", async () => {
    const drip =
      (type: string): Answer =>
      (response) => {
        response.writeHead(200, { "content-type": type });
        const timer = setInterval(() => response.write(": \n\n"), 20);
        response.on("close", () => clearInterval(timer));
      };
    for (const type of ["application/json", "text/event-stream"]) {
      const { baseUrl } = await serve(drip(type), hello);
      const reply = replyOf(await endpointAt(baseUrl, { settings: { timeoutMs: 200 } }).endpoint.ask(QUESTION, NEVER));
      expect(reply.attempts.map(({ fault }) => fault.kind)).toEqual(["timeout"]);
    }
  });

  it("a body without end is given up at its bound", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const push = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", push);
      push();
    });
    const fault = faultOf(await endpointAt(baseUrl, { settings: { attempts: 1 } }).endpoint.ask(QUESTION, NEVER));
    expect(fault).toMatchObject({ kind: "bad_answer" });
    expect(fault.message).toContain("8388608 bytes");
  });

  it("a message that no log line can hold is a bad answer", async () => {
    for (const message of [
      { role: "assistant", content: "x".repeat(2 * 1024 * 1024) },
      { role: "assistant", content: null, deep: JSON.parse("[".repeat(300) + "]".repeat(300)) as unknown },
    ]) {
      const { baseUrl } = await serve(completion(message));
      expect(faultOf(await endpointAt(baseUrl, { settings: { attempts: 1 } }).endpoint.ask(QUESTION, NEVER)).kind).toBe(
        "bad_answer",
      );
    }
  });
});

describe("waiting", () => {
  it("what the endpoint asks to wait is waited, in seconds, as a date and in ms", async () => {
    const date = new Date(70_000).toUTCString();
    const { baseUrl } = await serve(
      error(429, { message: "slow" }, { "retry-after": "20" }),
      error(429, { message: "slow" }, { "retry-after": date }),
      error(503, { message: "slow" }, { "retry-after-ms": "1500" }),
      hello,
    );
    const { endpoint, waits } = endpointAt(baseUrl);
    const reply = replyOf(await endpoint.ask(QUESTION, NEVER));
    // 0.5 of the spread: 250 ms, then half a second
    expect(reply.attempts.map(({ waitMs }) => waitMs)).toEqual([20_250, 50_250, 2000]);
    expect(waits).toEqual([20_250, 50_250, 2000]);
  });

  it("a wait above the longest is not made: the fault stands", async () => {
    const { baseUrl, seen } = await serve(error(429, { message: "slow" }, { "retry-after": "3600" }));
    const asked = await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER);
    expect(faultOf(asked).kind).toBe("rate_limited");
    expect(seen).toHaveLength(1);
  });

  it("an attempt and what it waited are kept with the answer", async () => {
    const { baseUrl } = await serve(error(500, { message: "boom" }), error(500, { message: "boom" }), hello);
    const reply = replyOf(await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER));
    const fault = { kind: "server_error", status: 500, code: null, message: "boom" };
    expect(reply.attempts).toEqual([
      { fault, waitMs: 250 },
      { fault, waitMs: 500 },
    ]);
  });
});

describe("stopping", () => {
  it("before anything is sent, nothing is", async () => {
    const { baseUrl, seen } = await serve(hello);
    const asked = await endpointAt(baseUrl).endpoint.ask(QUESTION, AbortSignal.abort());
    expect(asked).toEqual({ kind: "stopped" });
    expect(seen).toHaveLength(0);
  });

  it("an answer under way is heard to its end", async () => {
    const stop = new AbortController();
    const { baseUrl } = await serve((response) => {
      stop.abort();
      setImmediate(() => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify((hello as { json: unknown }).json));
      });
    });
    expect((await endpointAt(baseUrl).endpoint.ask(QUESTION, stop.signal)).kind).toBe("answered");
  });

  it("after a failed attempt no other is begun", async () => {
    const stop = new AbortController();
    const { baseUrl, seen } = await serve((response) => {
      stop.abort();
      response.writeHead(500).end();
    });
    expect(await endpointAt(baseUrl).endpoint.ask(QUESTION, stop.signal)).toEqual({ kind: "stopped" });
    expect(seen).toHaveLength(1);
  });

  it("a wait is broken off", async () => {
    const stop = new AbortController();
    const { baseUrl, seen } = await serve(error(500, { message: "boom" }));
    const { endpoint } = endpointAt(baseUrl, {
      surroundings: {
        sleep: (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(), { once: true });
            stop.abort();
          }),
      },
    });
    expect(await endpoint.ask(QUESTION, stop.signal)).toEqual({ kind: "stopped" });
    expect(seen).toHaveLength(1);
  });
});

describe("parameters that are refused", () => {
  const refuse = (parameter: string, more = ""): Answer =>
    error(400, {
      message: `Unsupported parameter: '${parameter}' is not supported with this model.${more}`,
      code: "unsupported_parameter",
      param: parameter,
    });

  it("are renamed or left out once, recorded, and asked with no longer", async () => {
    const { baseUrl, seen } = await serve(
      refuse("max_tokens", " Use 'max_completion_tokens' instead."),
      refuse("temperature"),
      hello,
    );
    const { endpoint } = endpointAt(baseUrl, { model: { maxTokens: 100, temperature: 0 }, settings: { attempts: 1 } });
    const reply = replyOf(await endpoint.ask(QUESTION, NEVER));
    const adapted = [
      { parameter: "max_tokens", sentAs: "max_completion_tokens" },
      { parameter: "temperature", sentAs: null },
    ];
    expect(reply.adapted).toEqual(adapted);
    expect(reply.tolerated.map(({ quirk }) => quirk)).toEqual(["adapted_parameter", "adapted_parameter"]);
    expect(reply.attempts.map(({ fault, waitMs }) => [fault.kind, waitMs])).toEqual([
      ["bad_request", 0],
      ["bad_request", 0],
    ]);
    expect(seen[2]?.body).toEqual({ model: "tiny", messages: QUESTION.messages, max_completion_tokens: 100 });
    const next = replyOf(await endpoint.ask({ ...QUESTION, adapted }, NEVER));
    expect(seen[3]?.body).toEqual(seen[2]?.body);
    expect(next.adapted).toEqual(adapted);
    expect(next.tolerated).toEqual([]);
  });

  it("a parameter that is refused under both names is left out, and the request is not made for ever", async () => {
    const { baseUrl, seen } = await serve(refuse("max_tokens"), refuse("max_completion_tokens"), refuse("max_tokens"));
    const asked = await endpointAt(baseUrl, { model: { maxTokens: 100 } }).endpoint.ask(QUESTION, NEVER);
    expect(faultOf(asked).kind).toBe("bad_request");
    expect(seen.map(({ body }) => Object.keys(body).filter((name) => name.startsWith("max")))).toEqual([
      ["max_tokens"],
      ["max_completion_tokens"],
      [],
    ]);
  });

  it("a value that is too large is not a refusal of the parameter", async () => {
    const { baseUrl, seen } = await serve(
      error(400, {
        message: "max_tokens is too large: 100. This model takes at most 50 completion tokens",
        param: "max_tokens",
      }),
    );
    const asked = await endpointAt(baseUrl, { model: { maxTokens: 100 } }).endpoint.ask(QUESTION, NEVER);
    expect(faultOf(asked).kind).toBe("bad_request");
    expect(seen).toHaveLength(1);
  });
});

describe("the key", () => {
  it("AG46 is in nothing that comes back, wherever the endpoint echoes it", async () => {
    const echo = `you sent ${KEY}, in a URL ${encodeURIComponent(KEY)}, in base64 ${Buffer.from(KEY).toString("base64")}`;
    const { baseUrl } = await serve(
      error(500, { message: echo, code: KEY }),
      { status: 500, text: `<html><title>${KEY}</title>` },
      stream([piece({ content: KEY.slice(0, 9) }), piece({ content: KEY.slice(9) }), piece({ [KEY]: echo }, KEY)]),
      error(401, { message: `Incorrect API key provided: ${KEY}` }),
    );
    const { endpoint } = endpointAt(baseUrl);
    const said = JSON.stringify([await endpoint.ask(QUESTION, NEVER), await endpoint.ask(QUESTION, NEVER), endpoint]);
    for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString("base64"), KEY.slice(3, 20)]) {
      expect(said).not.toContain(form);
    }
    expect(said).toContain("[key]");
  });

  it("is not left in part where a strange answer is quoted in part", async () => {
    const { baseUrl } = await serve({ json: { choices: [], echo: `${"x".repeat(160)}${KEY}` } });
    const asked = await endpointAt(baseUrl, { settings: { attempts: 1 } }).endpoint.ask(QUESTION, NEVER);
    expect(faultOf(asked).message).toMatch(/x\[key\]$/);
  });
});
