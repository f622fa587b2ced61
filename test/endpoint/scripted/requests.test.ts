import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { answered, ask, called, messageOf, refusalOf, start, TALK, TOOL, USER } from "./asking.ts";
import type { FaultName } from "./index.ts";

const KEY = "sk-test/one+two=three-0123456789";

describe("what it refuses", () => {
  it.each([
    ["nothing of a sound conversation", [USER, called("a"), answered("a")], "200 undefined"],
    [
      "a tool message without its call",
      [USER, answered("a")],
      "400 Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ],
    [
      "a call without its answer",
      [USER, called("a"), USER],
      "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: a",
    ],
    [
      "a call at the end without its answer",
      [USER, called("a")],
      "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: a",
    ],
    [
      "arguments that are cut",
      [USER, called("a", '{"x": '), answered("a")],
      "400 Invalid 'messages[1].tool_calls[0].function.arguments': the text of a JSON object is needed.",
    ],
    [
      "arguments that are no object",
      [USER, called("a", "[]"), answered("a")],
      "400 Invalid 'messages[1].tool_calls[0].function.arguments': the text of a JSON object is needed.",
    ],
    [
      "arguments that are no text",
      [USER, called("a", {}), answered("a")],
      "400 Invalid 'messages[1].tool_calls[0].function.arguments': the text of a JSON object is needed.",
    ],
    [
      "a name with a dot",
      [USER, called("a", "{}", "look.up"), answered("a")],
      "400 Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'.",
    ],
    [
      "an empty id",
      [USER, called(""), answered("")],
      "400 Invalid 'messages[1].tool_calls[0].id': a text of 1 to 64 characters is needed.",
    ],
    [
      "an answer of nothing",
      [USER, { role: "assistant", content: null }],
      "400 Invalid value for 'content': expected a string, got null.",
    ],
    [
      "a member nobody sent",
      [USER, { role: "assistant", content: "x", mood: "good" }],
      "400 Unknown parameter: 'messages[1].mood'.",
    ],
    ["a role nobody has", [{ role: "god", content: "x" }], "400 Invalid value: 'god'."],
    ["no messages", [], "400 Invalid 'messages': empty array. Expected an array with minimum length 1."],
  ])("refuses %s", async (_, messages, says) => {
    expect(refusalOf(await ask(await start(), { messages, tools: [TOOL] }))).toBe(says);
  });

  it.each([
    ["an unknown parameter", { wish: 1 }, "400 Unrecognized request argument supplied: wish"],
    ["an unknown model", { model: "other" }, "404 The model `other` does not exist or you do not have access to it."],
    [
      "stream options without a stream",
      { stream_options: { include_usage: true } },
      "400 The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    ],
    [
      "a tool choice without tools",
      { tool_choice: "auto" },
      "400 'tool_choice' is only allowed when 'tools' are specified.",
    ],
    [
      "a tool of a name with a dot",
      { tools: [{ type: "function", function: { name: "a.b" } }] },
      "400 Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'.",
    ],
    [
      "parameters that are no object",
      { tools: [{ type: "function", function: { name: "a", parameters: { oneOf: [] } } }] },
      "400 Invalid schema for function 'a': schema must be of type 'object'.",
    ],
    [
      "a strict schema that is open",
      {
        response_format: {
          type: "json_schema",
          json_schema: { name: "a", strict: true, schema: { type: "object", properties: { x: { type: "string" } } } },
        },
      },
      "400 Invalid schema: In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
  ])("refuses %s", async (_, body, says) => {
    expect(refusalOf(await ask(await start(), body))).toBe(says);
  });

  it("tells a wrong key to whoever sent it, and takes the right one", async () => {
    const endpoint = await start({ key: KEY });
    const wrong = await ask(endpoint, {}, { authorization: "Bearer sk-wrong" });
    expect(refusalOf(wrong)).toBe(
      "401 Incorrect API key provided: sk-wrong. You can find your API key in your account (sk-wrong).",
    );
    expect(refusalOf(await ask(endpoint, {}))).toBe("401 You didn't provide an API key.");
    expect((await ask(endpoint, {}, { authorization: `Bearer ${KEY}` })).status).toBe(200);
  });

  it("lists its models, and knows no other address", async () => {
    const endpoint = await start({ models: ["one", "two"] });
    const list = (await (await fetch(`${endpoint.url}/models`)).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(["one", "two"]);
    expect((await fetch(`${endpoint.url}/completions`, { method: "POST" })).status).toBe(404);
  });
});

describe("what it answers", () => {
  it("says the same plain and in pieces", async () => {
    const endpoint = await start({ policy: TALK, seed: 5 });
    const client = new OpenAI({ apiKey: "none", baseURL: endpoint.url, maxRetries: 0 });
    const body = { model: "scripted", messages: [{ role: "user", content: "Go." }], tools: [TOOL] } as never;
    const plain = await client.chat.completions.create(body);
    const stream = client.chat.completions.stream({
      ...(body as object),
      stream_options: { include_usage: true },
    } as never);
    const whole = await stream.finalChatCompletion();
    const seen = ({ choices, usage }: OpenAI.ChatCompletion): unknown => ({
      content: choices[0]?.message.content,
      calls: choices[0]?.message.tool_calls?.map((call) => "function" in call && call.function.arguments),
      finish: choices[0]?.finish_reason,
      total: usage?.total_tokens,
    });
    expect(seen(whole)).toEqual(seen(plain));
    expect(seen(plain)).toEqual({
      content: "I look around, and “beyond” 🙂.",
      calls: ["{}", '{"at":"the gate","how":"closely\\n"}'],
      finish: "tool_calls",
      total: plain.usage?.total_tokens,
    });
  });

  it("keeps account of every request: what became of it, its serial and the one it goes on from", async () => {
    const endpoint = await start({ policy: TALK, faults: { numbers: [2], kinds: ["server_error"] } });
    const first = messageOf(await ask(endpoint, {}));
    const messages = [USER, first, ...["0", "1"].map((i) => answered(`call_s1x1y${i}`))];
    await ask(endpoint, { messages, tools: [TOOL] });
    await ask(endpoint, { messages, tools: [TOOL] });
    await ask(endpoint, { model: "other" });
    expect(endpoint.requests().map(({ body: _body, ...account }) => account)).toEqual([
      { number: 1, outcome: "answered", status: 200, serial: "s1-1", after: null, full: true },
      { number: 2, outcome: "server_error", status: 500, serial: null, after: "s1-1", full: false },
      { number: 3, outcome: "answered", status: 200, serial: "s1-3", after: "s1-1", full: true },
      { number: 4, outcome: "refused", status: 404, serial: null, after: null, full: false },
    ]);
  });

  it("meets the same faults for one seed, about as many as were asked for", async () => {
    const kinds: readonly FaultName[] = ["server_error", "rate_limited_now"];
    const outcomes = async (seed: number): Promise<readonly string[]> => {
      const endpoint = await start({ faults: { rate: 0.2, kinds }, seed });
      for (let i = 0; i < 100; i += 1) await ask(endpoint, {});
      return endpoint.requests().map(({ outcome }) => outcome);
    };
    const [one, again, other] = [await outcomes(7), await outcomes(7), await outcomes(8)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    const hit = one.filter((outcome) => outcome !== "answered");
    expect(new Set(hit)).toEqual(new Set(kinds));
    expect(hit.length).toBeGreaterThan(8);
    expect(hit.length).toBeLessThan(35);
  });
});
