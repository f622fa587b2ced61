import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  applyFindings,
  endpointSettingsSchema,
  isReached,
  modelSettingsSchema,
  preflightSchema,
  runPreflight,
  type Found,
  type Preflight,
} from "../../src/endpoint/index.ts";
import {
  chatty,
  firstOf,
  obliging,
  startScriptedEndpoint,
  type QuirkName,
  type ScriptedEndpoint,
  type ScriptedOptions,
} from "./scripted/index.ts";

const KEY = "sk-test-0123456789abcdef";
const opened: { readonly stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

async function serve(options: Partial<ScriptedOptions> = {}): Promise<ScriptedEndpoint> {
  const endpoint = await startScriptedEndpoint({ policy: firstOf(obliging), ...options });
  opened.push(endpoint);
  return endpoint;
}

interface ProbeOptions {
  readonly model?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly stop?: AbortSignal;
}

async function probeAt(url: string, options: ProbeOptions = {}): Promise<Preflight | undefined> {
  const found = await runPreflight(
    endpointSettingsSchema.parse({
      baseUrl: url,
      apiKeyEnv: options.key === undefined ? null : "KEY",
      ...options.settings,
    }),
    modelSettingsSchema.parse({ model: "scripted", ...options.model }),
    { key: options.key, nowMs: () => 0, sleep: async () => {}, random: () => 0 },
    { stop: options.stop ?? new AbortController().signal },
  );
  // What goes into records must be what its schema says.
  return found === undefined ? undefined : preflightSchema.parse(found);
}

async function probed(url: string, options: ProbeOptions = {}): Promise<Preflight> {
  const found = await probeAt(url, options);
  if (found === undefined) throw new Error("the preflight was stopped");
  return found;
}

/** `name status` of each probe. */
function statuses({ probes }: Preflight): readonly string[] {
  return probes.map(({ name, status }) => `${name} ${status}`);
}

function probeOf({ probes }: Preflight, name: string) {
  return probes.find((one) => one.name === name);
}

/** A server of one's own. */
async function serveHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push({
    stop: async () =>
      await new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("AG30 a preflight of an endpoint that does everything right", () => {
  it("finds every probe well, says what it saw, and is the same each time", async () => {
    const { url } = await serve();
    const found = await probed(url, { model: { stream: true } });
    expect(found.probes.map(({ name, status, seen }) => [name, status, seen])).toEqual([
      ["models", "ok", "1 model, scripted among them"],
      ["answer", "ok", "an answer"],
      ["stream", "ok", "an answer"],
      [
        "long_prompt",
        "ok",
        expect.stringMatching(/^the word at its start comes back; 16\d{3} prompt tokens, 8\d{3} for half of it/),
      ],
      ["tool_call", "ok", "a call of get_context"],
      ["tool_answer", "ok", "the model uses the tool's answer; sent back with serial"],
      ["empty_content", "ok", "null is accepted"],
      ["parallel_calls", "ok", "3 calls in one message"],
      ["usage", "ok", "every answer tells its tokens"],
      ["parameters", "ok", "none is refused"],
    ]);
    expect([found.ok, isReached(found)]).toEqual([true, true]);
    expect(found.found).toEqual({ emptyContent: "null", adapted: [], usage: true, parallelCalls: true });
    expect(found.tokens).toBeGreaterThan(24_000);
    expect(await probed((await serve()).url, { model: { stream: true } })).toEqual(found);
  });

  it("asks for no stream where the settings ask for none", async () => {
    const endpoint = await serve();
    const found = await probed(endpoint.url);
    expect(probeOf(found, "stream")?.status).toBe("skipped");
    expect(endpoint.requests().filter(({ body }) => body?.["stream"] === true)).toEqual([]);
  });
});

describe("AG30 a preflight finds what an endpoint does that it should not", () => {
  it.each<[QuirkName, readonly string[], Partial<Found>]>([
    ["no_usage", ["usage warn"], { usage: false }],
    ["one_call_a_message", [], { parallelCalls: false }],
    ["refuses_null_content", [], { emptyContent: "empty" }],
    ["demands_reasoning", [], {}],
    ["nine_character_ids", [], {}],
    ["empty_call_ids", [], {}],
    ["finish_stop_with_calls", [], {}],
    ["empty_arguments_text", [], {}],
    ["calls_as_text", ["tool_call fail"], { parallelCalls: false }],
    ["ignores_tools", ["tool_call fail"], { parallelCalls: false }],
    ["refuses_tools", ["tool_call fail"], { parallelCalls: false }],
    ["cuts_front", ["long_prompt fail"], {}],
    ["refuses_tool_choice", [], { adapted: [{ parameter: "tool_choice", sentAs: null }] }],
    ["content_filter", ["tool_answer warn"], {}],
    ["refusal", ["tool_answer warn"], {}],
    ["empty_answer", ["tool_answer warn"], {}],
  ])("%s", async (quirk, expected, more) => {
    const found = await probed((await serve({ quirks: [quirk] })).url);
    const odd = statuses(found).filter((one) => !/ (ok|skipped)$/.test(one));
    expect(odd).toEqual(expected);
    expect(found.ok).toBe(!expected.some((one) => one.endsWith("fail")));
    expect(found.found).toMatchObject(more);
  });

  it("says which form of a message without text is refused, and goes on with the one that is not", async () => {
    const endpoint = await serve({ quirks: ["refuses_null_content"] });
    const found = await probed(endpoint.url);
    expect(probeOf(found, "empty_content")?.seen).toBe('"" is accepted; null is refused');
    const stated = await probed((await serve({ quirks: ["refuses_empty_content"] })).url, {
      model: { emptyContent: "empty" },
    });
    expect(probeOf(stated, "empty_content")?.seen).toBe('null is accepted; "" is refused');
    expect(stated.found.emptyContent).toBe("null");
  });

  it("tells a server that returns calls as text which parser it wants, and takes the text where the settings do", async () => {
    const { url } = await serve({ quirks: ["calls_as_text"] });
    const found = await probed(url);
    expect(probeOf(found, "tool_call")).toEqual({
      name: "tool_call",
      status: "fail",
      seen: expect.stringContaining("the call came as text:"),
      advice: expect.stringMatching(
        /^This server returned the call as text: start it with a tool parser for the model \(vLLM: --enable-auto-tool-choice --tool-call-parser hermes; .*llama\.cpp: --jinja;/,
      ),
    });
    const taken = await probed(url, { model: { textCalls: true } });
    expect([taken.ok, probeOf(taken, "tool_call")?.seen]).toEqual([
      true,
      expect.stringContaining("put up with: text_call_taken"),
    ]);
  });

  it("tells what to do where the front of a long prompt is cut away", async () => {
    const found = await probed((await serve({ quirks: ["cuts_front"] })).url);
    expect(probeOf(found, "long_prompt")?.seen).toMatch(
      /^the word at its start does not come back, and the count of tokens stands still/,
    );
    expect(probeOf(found, "long_prompt")?.advice).toContain("OLLAMA_CONTEXT_LENGTH");
  });

  it("makes its prompt no longer than the window that is stated, and takes an open refusal for a warning", async () => {
    const endpoint = await serve({ window: { tokens: 6_000, wording: "vllm" } });
    expect(statuses(await probed(endpoint.url))).toContain("long_prompt warn");
    expect(statuses(await probed(endpoint.url, { model: { contextTokens: 6_000 } }))).toContain("long_prompt ok");
  });

  it("says which parameters were renamed, and warns of those that are lost", async () => {
    const { url } = await serve({ quirks: ["refuses_max_tokens", "refuses_temperature"] });
    const renamed = await probed(url, { model: { maxTokens: 500 } });
    expect(probeOf(renamed, "parameters")).toEqual({
      name: "parameters",
      status: "ok",
      seen: "max_tokens is sent as max_completion_tokens",
    });
    const lost = await probed(url, { model: { temperature: 0.2 } });
    expect(probeOf(lost, "parameters")).toMatchObject({
      status: "warn",
      seen: "temperature is refused and left out",
      advice: expect.stringContaining("its own temperature"),
    });
  });
});

describe("AG30 a preflight of something that is no endpoint for a run", () => {
  it("ends after two refused connections where nothing listens, and names host and port", async () => {
    const { url, stop } = await serve();
    await stop();
    const found = await probed(url);
    const { host } = new URL(url);
    expect(probeOf(found, "models")).toEqual({
      name: "models",
      status: "fail",
      fault: "connection",
      seen: `connection: connect ECONNREFUSED ${host}`,
      advice: `Nothing listens at ${host}: start the server there, or mend --base-url.`,
    });
    expect([found.ok, isReached(found), found.tokens]).toEqual([false, false, 0]);
    expect(found.probes.slice(1).every(({ status }) => status === "skipped")).toBe(true);
  });

  it("knows a web page, and says how the address should end", async () => {
    const url = await serveHttp((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>Welcome\u001b[31m</title><p>Hello");
    });
    const found = await probed(url.replace(/\/v1$/, ""));
    expect([found.ok, isReached(found), probeOf(found, "answer")?.fault]).toEqual([false, false, "not_an_api"]);
    expect(probeOf(found, "answer")?.advice).toBe(
      `This is no API: the base URL usually ends in /v1: try --base-url ${url}.`,
    );
  });

  it("names the variable of a key that is refused, and keeps no part of the key", async () => {
    const endpoint = await serve({ key: "another" });
    const found = await probed(endpoint.url, { key: KEY });
    expect(probeOf(found, "models")).toMatchObject({ status: "fail", fault: "auth" });
    expect(probeOf(found, "models")?.advice).toMatch(/refuses the key in KEY: check that it is whole/);
    expect(JSON.stringify(found)).not.toContain(KEY);
    expect(endpoint.requests()).toEqual([]);
  });

  it("says that a key is wanted where none was sent", async () => {
    const found = await probed((await serve({ key: KEY })).url);
    expect(probeOf(found, "models")?.advice).toMatch(/wants a key: .*--api-key-env/);
  });

  it("lists what is near to an unknown model", async () => {
    const { url } = await serve({ models: ["qwen/qwen3-32b", "qwen/qwen3-8b", "other"] });
    const found = await probed(url, { model: { model: "qwen3-32b" } });
    expect(statuses(found).slice(0, 2)).toEqual(["models warn", "answer fail"]);
    expect(probeOf(found, "answer")?.fault).toBe("unknown_model");
    expect(probeOf(found, "answer")?.advice).toBe("There is no model qwen3-32b there; near it: qwen/qwen3-32b.");
    expect(isReached(found)).toBe(false);
  });

  it("says so where the model talks and never calls a tool", async () => {
    const found = await probed((await serve({ policy: chatty })).url);
    expect(probeOf(found, "tool_call")).toMatchObject({
      status: "fail",
      seen: expect.stringContaining('words in place of a call: "What a story!'),
      advice: expect.stringContaining("choose one that was trained for tool calls"),
    });
    expect(["tool_answer", "empty_content", "parallel_calls"].map((name) => probeOf(found, name)?.status)).toEqual([
      "skipped",
      "skipped",
      "skipped",
    ]);
  });
});

describe("a preflight in between", () => {
  /** What a server of few words says to each request, beside a list of models. */
  type Say = (body: {
    readonly messages: readonly Readonly<Record<string, unknown>>[];
    readonly [key: string]: unknown;
  }) => {
    readonly status?: number;
    readonly body: unknown;
  };

  async function serveSaying(say: Say, models: unknown = { data: null, object: "list" }): Promise<string> {
    return await serveHttp((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const isList = request.url?.endsWith("/models") === true;
        const said = isList ? { body: models } : say(JSON.parse(Buffer.concat(parts).toString()) as Parameters<Say>[0]);
        response.writeHead(said.status ?? 200, { "content-type": "application/json" });
        response.end(JSON.stringify(said.body));
      });
    });
  }

  const answering = (message: Readonly<Record<string, unknown>>) => ({
    body: { choices: [{ message: { role: "assistant", content: null, ...message }, finish_reason: "stop" }] },
  });
  const call = (id: string) => ({ id, type: "function", function: { name: "get_context", arguments: "{}" } });

  it("forces the call where the model is not left the choice, and says how to start the server", async () => {
    const url = await serveSaying(({ tool_choice: choice, tools, messages }) => {
      if (tools !== undefined && choice === "auto") {
        const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
        return { status: 400, body: { object: "error", message, type: "BadRequestError", code: 400 } };
      }
      return tools === undefined || messages.length > 1
        ? answering({ content: "osprey-7316 heron-4082" })
        : answering({ tool_calls: [call("a")] });
    });
    const found = await probed(url);
    expect(probeOf(found, "tool_call")).toMatchObject({
      status: "warn",
      seen: expect.stringMatching(/^tool_choice "required" brings a call, "auto" does not: bad_request \(HTTP 400\)/),
      advice: expect.stringContaining("Start vLLM with --enable-auto-tool-choice"),
    });
    expect([found.ok, found.found.toolChoice]).toEqual([true, "required"]);
  });

  it("finds a server that cannot take back several calls in one message, and one call is asked for from then on", async () => {
    const url = await serveSaying(({ tools, messages }) => {
      const calls = messages.find(({ role }) => role === "assistant")?.["tool_calls"];
      if (Array.isArray(calls) && calls.length > 1)
        return { status: 400, body: { error: { message: "This model only supports single tool-calls at once!" } } };
      return tools === undefined || messages.length > 1
        ? answering({ content: "osprey-7316 heron-4082" })
        : answering({
            tool_calls: String(messages[0]?.["content"]).includes("three") ? [call("a"), call("b")] : [call("a")],
          });
    });
    const found = await probed(url);
    expect(probeOf(found, "parallel_calls")).toMatchObject({
      status: "warn",
      seen: expect.stringMatching(
        /^2 calls come in one message, and their answers are refused: .*single tool-calls at once/,
      ),
    });
    expect(found.found).toMatchObject({ parallelCalls: false, parallelToolCalls: false });
    expect(probeOf(found, "models")?.seen).toBe("a list without models");
  });

  it("fails where no form of a message without text is accepted, and the tool's answer is", async () => {
    const url = await serveSaying(({ tools, messages }) => {
      const back = messages.find(({ role }) => role === "assistant");
      if (tools !== undefined && back !== undefined && (back["content"] ?? "") === "")
        return { status: 400, body: { error: { message: "assistant content must be a non-empty string" } } };
      return tools === undefined || back !== undefined
        ? answering({ content: "osprey-7316 heron-4082" })
        : answering({ tool_calls: [call("a")] });
    });
    const found = await probed(url);
    expect(statuses(found)).toContain("tool_answer ok");
    expect(probeOf(found, "empty_content")).toMatchObject({
      status: "fail",
      seen: "no form is accepted: bad_request (HTTP 400): assistant content must be a non-empty string",
    });
    expect(found.ok).toBe(false);
  });

  it("takes a server that answers in pieces only for what it is, where the settings ask for pieces", async () => {
    const { url } = await serve();
    const proxy = await serveHttp((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString();
        if (request.method === "POST" && !body.includes('"stream":true')) {
          response.writeHead(400, { "content-type": "application/json" });
          response.end(JSON.stringify({ error: { message: "This model only supports stream mode" } }));
          return;
        }
        const path = (request.url ?? "").replace(/^\/v1/, "");
        const init = { method: request.method ?? "GET", headers: { "content-type": "application/json" } };
        void fetch(`${url}${path}`, request.method === "POST" ? { ...init, body } : init).then(async (answer) => {
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
          response.end(await answer.text());
        });
      });
    });
    const found = await probed(proxy, { model: { stream: true } });
    expect(statuses(found).filter((one) => !one.endsWith(" ok"))).toEqual(["answer warn"]);
    expect([found.ok, isReached(found)]).toEqual([true, true]);
    const whole = await probed(proxy);
    expect([isReached(whole), probeOf(whole, "answer")?.advice]).toEqual([
      false,
      "This server answers in pieces only: run with --stream.",
    ]);
  });

  it("goes on with whole answers where a stream fails, so that the rest is known as well", async () => {
    const endpoint = await serve({ faults: { kinds: ["cut_quietly"], numbers: [2, 3, 4, 5] } });
    const found = await probed(endpoint.url, { model: { stream: true } });
    expect(statuses(found).filter((one) => !one.endsWith(" ok"))).toEqual(["stream fail"]);
    expect(probeOf(found, "stream")).toMatchObject({
      fault: "cut_stream",
      advice: "Whole answers come: run without --stream.",
    });
    expect(
      endpoint
        .requests()
        .slice(5)
        .some(({ body }) => body?.["stream"] === true),
    ).toBe(false);
  });

  it("takes the window from the list of models, the least that is told, and not the one of the training", async () => {
    const say = () => answering({ content: "osprey-7316" });
    const windowIn = async (models: unknown) => (await probed(await serveSaying(say, models))).found.contextTokens;
    const vllm = {
      object: "list",
      data: [
        { id: "scripted", max_model_len: 8192 },
        { id: "x", max_model_len: 4096 },
      ],
    };
    const router = { data: [{ id: "scripted", context_length: 131_072, top_provider: { context_length: 32_768 } }] };
    const llama = { data: [{ id: "/models/some.gguf", meta: { n_ctx: 16_384, n_ctx_train: 262_144 } }] };
    expect(await windowIn(vllm)).toBe(8192);
    expect(await windowIn(router)).toBe(32_768);
    expect(await windowIn(llama)).toBe(16_384);
    expect(await windowIn([{ id: "scripted", context_length: "much" }])).toBeUndefined();
    expect(await windowIn({ data: [{ id: "scripted", meta: { n_ctx_train: 262_144 } }] })).toBeUndefined();
  });

  it("keeps no key that an endpoint writes into its names and its words", async () => {
    const url = await serveSaying(
      () => ({ status: 400, body: { error: { message: `bad ${KEY} ${encodeURIComponent(KEY)}` } } }),
      { data: [{ id: `model-of-${KEY}` }] },
    );
    const found = await probed(url, { key: KEY });
    expect(JSON.stringify(found)).not.toContain(KEY);
    expect(probeOf(found, "answer")?.seen).toBe("bad_request (HTTP 400): bad [key] [key]");
  });

  it("that is stopped makes no further request and says nothing", async () => {
    const controller = new AbortController();
    let requests = 0;
    const url = await serveSaying(() => {
      requests += 1;
      controller.abort();
      return answering({ content: "ready" });
    });
    expect(await probeAt(url, { stop: controller.signal })).toBeUndefined();
    expect(requests).toBe(1);
  });
});

describe("AG31 what was found", () => {
  const found: Found = {
    emptyContent: "empty",
    toolChoice: "required",
    parallelToolCalls: false,
    contextTokens: 8192,
    adapted: [],
    usage: true,
    parallelCalls: false,
  };

  it("goes into the settings", () => {
    expect(applyFindings(modelSettingsSchema.parse({ model: "m" }), found)).toEqual({
      ...modelSettingsSchema.parse({ model: "m" }),
      emptyContent: "empty",
      toolChoice: "required",
      parallelToolCalls: false,
      contextTokens: 8192,
    });
  });

  it("stands back behind what the configuration states, and behind a window that is known", () => {
    const settings = modelSettingsSchema.parse({
      model: "m",
      emptyContent: "null",
      toolChoice: "auto",
      contextTokens: 4000,
      parallelToolCalls: true,
    });
    expect(applyFindings(settings, found, new Set(["emptyContent", "toolChoice"]))).toEqual(settings);
  });

  it("that is nothing changes nothing", () => {
    const settings = modelSettingsSchema.parse({ model: "m" });
    expect(applyFindings(settings, { adapted: [], usage: false, parallelCalls: false })).toEqual(settings);
  });
});
