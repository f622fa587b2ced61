/** What comes and cannot be taken: said as what it is, not paid for twice, and counted where it told what it cost. */
import { describe, expect, it } from "vitest";
import {
  endpointSettingsSchema,
  modelSettingsSchema,
  openEndpoint,
  runPreflight,
  type Asked,
} from "../../src/endpoint/index.ts";
import type { EndpointFault } from "../../src/records/index.ts";
import { completion, endpointAt, KEY, NEVER, piece, QUESTION, serve, stream, type Answer } from "./tiny-server.ts";

const usage = { prompt_tokens: 1000, completion_tokens: 24, total_tokens: 1024 };
const told = { input: 1000, cachedInput: 0, output: 24, reasoning: 0, total: 1024 };

function faultOf(asked: Asked): EndpointFault {
  if (asked.kind !== "failed") throw new Error(`no fault: ${JSON.stringify(asked)}`);
  return asked.fault;
}

/** The fault that answers end in, and how often was asked. */
async function askedOf(
  ...answers: readonly Answer[]
): Promise<{ readonly fault: EndpointFault; readonly times: number }> {
  const { baseUrl, seen } = await serve(...answers);
  const { endpoint } = endpointAt(baseUrl, { settings: { attempts: 3 } });
  return { fault: faultOf(await endpoint.ask(QUESTION, NEVER)), times: seen.length };
}

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

function raw(status: number, text: string): Answer {
  return { status, text, headers: { "content-type": "application/json" } };
}

function rawStream(...events: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${events.map((one) => `data: ${one}\n\n`).join("")}data: [DONE]\n\n`);
  };
}

function manyCalls(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    index: i,
    id: `c${i}`,
    type: "function",
    function: { name: "help", arguments: "{}" },
  }));
}

describe("what is nested too deeply", () => {
  it.each([250, 10_000, 200_000])("an error of %d levels is classed by its status and made again", async (levels) => {
    // what is above the bound of an error's body is not read
    const { fault, times } = await askedOf(raw(500, `{"error":${deep(levels)}}`));
    expect([fault.kind, fault.status, times]).toEqual(["server_error", 500, 3]);
  });

  it("says so of an error", async () => {
    const { fault } = await askedOf(raw(500, `{"error":${deep(250)}}`));
    expect(fault.message).toMatch(/^an error that is nested more than 200 deep: \{"error":\{"a"/);
  });

  it.each<[string, (levels: number) => Answer]>([
    ["an answer", (levels) => raw(200, `{"choices":[{"message":{"content":"x","thought":${deep(levels)}}}]}`)],
    ["an error inside a 200", (levels) => raw(200, `{"error":${deep(levels)}}`)],
    ["a piece of a stream", (levels) => rawStream(`{"choices":[{"delta":{"thought":${deep(levels)}}}]}`)],
    ["an error in a stream", (levels) => rawStream(`{"error":${deep(levels)}}`)],
  ])("%s is a bad answer, and not asked for again", async (_, answer) => {
    for (const levels of [250, 10_000]) {
      const { fault, times } = await askedOf(answer(levels));
      expect([fault.kind, times]).toEqual(["bad_answer", 1]);
      expect(fault.message).toMatch(/not asked for again: .*nested more than 200 deep$/);
    }
  });

  it("behind a whole answer it takes nothing from it", async () => {
    const { baseUrl } = await serve(
      rawStream(
        JSON.stringify(piece({ content: "hello" }, "stop")),
        `{"choices":[{"delta":{"thought":${deep(10_000)}}}]}`,
      ),
    );
    const asked = await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER);
    expect(asked).toMatchObject({ kind: "answered", reply: { message: { content: "hello" } } });
  });
});

describe("what passes a bound", () => {
  it("is the same fault plain and streamed, and asked for once", async () => {
    for (const [what, message] of [
      ["1024", { role: "assistant", content: null, tool_calls: manyCalls(1025) }],
      ["bytes", { role: "assistant", content: "x".repeat(2 ** 21) }],
    ] as const) {
      const plain = await askedOf(completion(message, { usage }));
      const streamed = await askedOf(stream([piece(message, "stop"), { choices: [], usage }]));
      for (const { fault, times } of [plain, streamed]) {
        expect([fault.kind, times]).toEqual(["bad_answer", 1]);
        expect(fault.message).toMatch(/^an answer above a bound of this program, not asked for again: a message of /);
        expect(fault.message).toContain(what);
        expect(fault.tokens).toBeGreaterThan(0);
      }
    }
  });

  it("does not count what each piece of a stream says again", async () => {
    const pieces = Array.from({ length: 2000 }, () =>
      piece({ tool_calls: [{ index: 0, id: "c".repeat(2000), function: { name: "help", arguments: " " } }] }),
    );
    const { baseUrl } = await serve(stream([...pieces, piece({}, "tool_calls")]));
    const asked = await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER);
    expect(asked.kind).toBe("answered");
  });
});

describe("calls in a shape that is not read", () => {
  const call = { name: "help", arguments: "{}" };
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["the old form", { content: null, function_call: call }, "the old form function_call"],
    ["a map", { content: null, tool_calls: { "0": { function: call } } }, "tool_calls is no list"],
    ["a text", { content: null, tool_calls: "help()" }, "tool_calls is no list"],
    ["calls without a function", { content: null, tool_calls: [call] }, "an entry of tool_calls without `function`"],
  ])("%s is the endpoint's fault and asked for once, plain and streamed", async (_, message, says) => {
    for (const answer of [completion(message, { usage }), stream([piece(message, "stop"), { choices: [], usage }])]) {
      const { fault, times } = await askedOf(answer);
      expect([fault.kind, times, fault.message]).toEqual([
        "bad_answer",
        1,
        `a call in a shape that this program does not read: ${says}`,
      ]);
      expect(fault.usage).toEqual(told);
    }
  });

  it("empty members of that name are none", async () => {
    const { baseUrl } = await serve(completion({ content: "hello", function_call: null, tool_calls: {} }));
    expect((await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER)).kind).toBe("answered");
  });
});

describe("tokens of what is no answer", () => {
  it.each<[string, Answer]>([
    ["an answer without choices", { json: { choices: [], usage } }],
    ["an error inside a 200", { json: { error: { message: "overloaded" }, usage } }],
    ["a stream that is cut behind its usage", stream([piece({ content: "a" }), { choices: [], usage }], { cut: true })],
    ["an error in a stream", stream([{ error: { message: "overloaded" }, usage }])],
  ])("%s: they stand with each attempt and with the fault", async (_, answer) => {
    const { baseUrl } = await serve(answer);
    const asked = await endpointAt(baseUrl, { settings: { attempts: 3 } }).endpoint.ask(QUESTION, NEVER);
    const { fault } = { fault: faultOf(asked) };
    const attempts = asked.kind === "failed" ? asked.attempts : [];
    expect([...attempts.map((one) => one.fault), fault].map(({ tokens, usage: seen }) => [tokens, seen])).toEqual(
      Array.from({ length: 3 }, () => [1024, told]),
    );
  });

  it("a fault that tells none has none", async () => {
    const { fault } = await askedOf({ status: 500, json: { error: { message: "broken" } } });
    expect(fault).toEqual({ kind: "server_error", status: 500, code: null, message: "broken" });
  });
});

describe("which answer is taken", () => {
  const choice = (index: number | undefined, content: string): unknown => ({
    ...(index === undefined ? {} : { index }),
    message: { role: "assistant", content },
    finish_reason: "stop",
  });
  it.each<[string, readonly unknown[], string]>([
    ["the choice with index 0", [choice(1, "one"), choice(0, "zero")], "zero"],
    ["the first without an index", [choice(2, "two"), choice(undefined, "none"), choice(undefined, "other")], "none"],
    ["the first, where every index is another", [choice(1, "one"), choice(2, "two")], "one"],
  ])("%s", async (_, choices, content) => {
    const { baseUrl } = await serve({ json: { choices, usage } });
    expect(await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER)).toMatchObject({ reply: { message: { content } } });
  });
});

describe("what a fault says", () => {
  it("a wait that nobody sits out: how long was asked for, and what the longest is", async () => {
    const { fault, times } = await askedOf({
      status: 429,
      headers: { "retry-after": "31536000" },
      json: { error: { message: "slow" } },
    });
    expect([fault.kind, times]).toEqual(["rate_limited", 1]);
    expect(fault.message).toBe("slow (it asks to wait 31536000 s, and the longest wait is 120 s)");
  });

  it.each([
    ["https://api.example/v1/chat/completions", "https://api.example/v1"],
    ["https://login.example/sso?ticket=secret", "https://login.example"],
  ])("a redirect: where to, without what may be a ticket", async (location, base) => {
    const { fault, times } = await askedOf({ status: 307, headers: { location }, text: "" });
    expect([fault.kind, fault.status, times]).toEqual(["not_an_api", 307, 1]);
    expect(fault.message).toBe(`redirects to ${base}, which is not followed: if that is the API, give it as base URL`);
  });
});

describe("the key over the wire", () => {
  const escaped = Array.from(KEY, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");

  it("escaped within arguments it is gone before they are read", async () => {
    const message = {
      content: null,
      tool_calls: [{ id: "c", function: { name: "help", arguments: `{"a":"${escaped}"}` } }],
    };
    for (const answer of [completion(message), stream([piece(message, "tool_calls")])]) {
      const { baseUrl } = await serve(answer);
      const asked = await endpointAt(baseUrl).endpoint.ask(QUESTION, NEVER);
      expect(asked).toMatchObject({
        reply: { message: { tool_calls: [{ function: { arguments: '{"a":"[key]"}' } }] } },
      });
    }
  });

  it("a word of the request that is the key as well is what the model says, and no word of a fault", async () => {
    const surroundings = { key: "get_context" };
    const request = { ...QUESTION, messages: [{ role: "user", content: "call get_context" }] };
    const calls = [{ id: "c", type: "function", function: { name: "get_context", arguments: "{}" } }];
    const { baseUrl } = await serve(completion({ content: null, tool_calls: calls }), {
      status: 400,
      json: { error: { message: "bad key get_context" } },
    });
    const { endpoint } = endpointAt(baseUrl, { surroundings });
    expect(await endpoint.ask(request, NEVER)).toMatchObject({ reply: { message: { tool_calls: calls } } });
    expect(faultOf(await endpoint.ask(request, NEVER)).message).toBe("bad key [key]");
  });
});

it("preflight says who answers, where it is another model than was asked for", async () => {
  const { baseUrl } = await serve(completion({ role: "assistant", content: "ready" }));
  for (const [model, seen] of [
    ["tiny", "an answer, by tiny-1"],
    ["tiny-1", "an answer"],
  ] as const) {
    const preflight = await runPreflight(
      endpointSettingsSchema.parse({ baseUrl }),
      modelSettingsSchema.parse({ model }),
      { key: KEY, nowMs: () => 0, sleep: async () => {}, random: () => 0 },
      { stop: NEVER },
    );
    expect(preflight?.probes.find(({ name }) => name === "answer")).toEqual({ name: "answer", status: "ok", seen });
  }
});

it("an endpoint is named by its host and its path", () => {
  const at = (baseUrl: string): readonly string[] => {
    const { host, path } = openEndpoint(
      endpointSettingsSchema.parse({ baseUrl }),
      modelSettingsSchema.parse({ model: "m" }),
      { key: undefined, nowMs: () => 0, sleep: async () => {}, random: () => 0 },
    );
    return [host, path];
  };
  expect(at("http://h:1/openai/v1/")).toEqual(["h:1", "/openai/v1"]);
  expect(at("http://h:1")).toEqual(["h:1", ""]);
});
