import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageToSend, readCalls, toolMessage, type JsonObject } from "../../src/endpoint/index.ts";
import { canonicalJson } from "../../src/runtime/index.ts";

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function sentCalls(message: JsonObject): readonly SentCall[] {
  return (message["tool_calls"] ?? []) as unknown as readonly SentCall[];
}

const how = { request: 3, textCalls: false };

function called(raw: unknown, id: unknown = "call_1", name: unknown = "read_data"): JsonObject {
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name, arguments: raw } }],
  } as JsonObject;
}

function read(raw: unknown): { readonly input: unknown; readonly quirks: readonly string[] } {
  const { calls, tolerated } = readCalls(called(raw), how);
  return { input: calls[0]?.input, quirks: tolerated.map(({ quirk }) => quirk) };
}

describe("arguments", () => {
  it("a JSON object is read as it is, and nothing is noted", () => {
    expect(read('{"from": "map"}')).toEqual({ input: { ok: true, value: { from: "map" } }, quirks: [] });
  });

  it.each<[string | null | undefined, string]>([
    ["", "empty text"],
    ["  \n", "blanks"],
    [null, "null"],
    [undefined, "missing"],
    ["null", "null as text"],
    ['""', "an empty text as text"],
  ])("%j (%s) is read as {} and noted", (raw) => {
    expect(read(raw)).toEqual({ input: { ok: true, value: {} }, quirks: ["empty_arguments"] });
  });

  it.each<[string, unknown]>([
    ["data in place of text", { from: "map" }],
    ["encoded twice", JSON.stringify('{"from": "map"}')],
    ["a code fence", '```json\n{"from": "map"}\n```'],
    ["a stray quote", '{"from": "map"}"'],
    ["a stray backtick", '{"from": "map"}`'],
    ["a stray bracket", '{"from": "map"}}'],
    ["quotes around it", `'{"from": "map"}'`],
  ])("%s is repaired and noted", (_, raw) => {
    expect(read(raw)).toEqual({ input: { ok: true, value: { from: "map" } }, quirks: ["repaired_arguments"] });
  });

  it.each([
    ["cut off", '{"from": "map"'],
    ["cut off in a text", '{"from": "ma'],
    ["cut off behind a comma", '{"from": "map",'],
    ["two objects", '{"from": "map"}{"from": "types"}'],
    ["words around it", 'I call {"from": "map"}'],
    ["single quotes", "{'from': 'map'}"],
    ["cut off in a fence", '```json\n{"from": "map"'],
    ["a word", "map"],
    ["a text encoded twice that is no object", '"map"'],
  ])("%s is completed by nobody: the text is kept", (_, raw) => {
    expect(read(raw)).toEqual({ input: { ok: false, text: raw }, quirks: ["unreadable_arguments"] });
  });

  it("JSON that is no object is passed on, for the border to refuse", () => {
    expect(read("[1]")).toEqual({ input: { ok: true, value: [1] }, quirks: [] });
    expect(read(7)).toEqual({ input: { ok: true, value: 7 }, quirks: [] });
  });

  it("braces in texts do not end an object", () => {
    expect(read('{"note": "a } and \\" b {"}`').input).toEqual({ ok: true, value: { note: 'a } and " b {' } });
  });
});

describe("ids", () => {
  it("a call that has no id at all is given one", () => {
    const message = { role: "assistant", tool_calls: [{ function: { name: "help" } }] };
    expect(readCalls(message, how).calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
  });

  it("the provider's are echoed verbatim, however they look", () => {
    expect(readCalls(called("{}", "chatcmpl-tool-€ 1"), how).calls[0]?.id).toBe("chatcmpl-tool-€ 1");
  });

  it.each(["", null, 7])("in place of %j nine letters and digits are made, the same each time", (id) => {
    const { calls, tolerated } = readCalls(called("{}", id), how);
    expect(calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(tolerated.map(({ quirk }) => quirk)).toEqual(["made_call_id"]);
    expect(readCalls(called("{}", id), how)).toEqual({ calls, tolerated });
    expect(readCalls(called("{}", id), { ...how, request: 4 }).calls[0]?.id).not.toBe(calls[0]?.id);
  });

  it("made ids are no other's of the message", () => {
    const made = readCalls(called("{}", ""), how).calls[0]?.id ?? "";
    const both = {
      role: "assistant",
      tool_calls: [
        { id: "", function: { name: "help", arguments: "" } },
        { id: made, function: { name: "help", arguments: "" } },
        { id: "", function: { name: "help", arguments: "" } },
      ],
    };
    const ids = readCalls(both, how).calls.map(({ id }) => id);
    expect(ids[1]).toBe(made);
    expect(new Set(ids).size).toBe(3);
  });

  it("many quirks of one message are told in a few lines", () => {
    const tool_calls = Array.from({ length: 500 }, () => ({ id: "", function: { name: "help", arguments: "" } }));
    const { calls, tolerated } = readCalls({ role: "assistant", tool_calls }, how);
    expect(calls).toHaveLength(500);
    expect(tolerated).toHaveLength(10);
    expect(tolerated.filter(({ says }) => says === "and 496 more of this message").map(({ quirk }) => quirk)).toEqual([
      "empty_arguments",
      "made_call_id",
    ]);
  });
});

describe("calls as text", () => {
  const hermes = '<tool_call>\n{"name": "read_data", "arguments": {"from": "map"}}\n</tool_call>';

  it.each([
    ["Hermes", hermes],
    ["Llama", '<function=read_data>{"from": "map"}</function>'],
    ["Mistral", '[TOOL_CALLS][{"name": "read_data", "arguments": {}}]'],
    ["Llama 3", '<|python_tag|>{"name": "read_data", "parameters": {}}'],
    ["functools", 'functools[{"name": "read_data", "arguments": {}}]'],
    ["DeepSeek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function"],
    ["a bare object", 'I will look.\n{"name": "read_data", "arguments": {"from": "map"}}'],
  ])("%s: flagged, and not taken", (_, content) => {
    const { calls, tolerated } = readCalls({ role: "assistant", content }, how);
    expect(calls).toEqual([]);
    expect(tolerated.map(({ quirk }) => quirk)).toEqual(["unparsed_call"]);
  });

  it.each([
    ["prose", "I read the data and end the round."],
    ["an object that names no tool", '{"name": "Odile", "arguments": {}}'],
    ["an object without arguments", '{"name": "read_data"}'],
  ])("%s is not flagged", (_, content) => {
    expect(readCalls({ role: "assistant", content }, how).tolerated).toEqual([]);
  });

  it("is not looked for where there are calls", () => {
    expect(readCalls({ ...called("{}"), content: hermes }, how).tolerated).toEqual([]);
  });

  it("is found among the thoughts where nothing is said", () => {
    const { tolerated } = readCalls(
      { role: "assistant", content: null, reasoning_content: hermes },
      { ...how, textCalls: true },
    );
    expect(tolerated.map(({ quirk }) => quirk)).toEqual(["unparsed_call"]);
  });

  it("are taken where the settings say so, in their order, and noted", () => {
    const second = hermes.replace("read_data", "help").replace('{"from": "map"}', '"{}"');
    const { calls, tolerated } = readCalls(
      { role: "assistant", content: `So:\n${hermes}\n${second}` },
      { ...how, textCalls: true },
    );
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ["read_data", { ok: true, value: { from: "map" } }],
      ["help", { ok: true, value: {} }],
    ]);
    expect(tolerated.map(({ quirk }) => quirk)).toEqual(["text_call_taken"]);
  });

  it("in a fence are taken where they name a tool", () => {
    const fenced = (name: string): string => `\`\`\`json\n{"name": "${name}", "arguments": {"from": "map"}}\n\`\`\``;
    const take = (content: string) =>
      readCalls({ role: "assistant", content }, { ...how, textCalls: true }).calls.length;
    expect([take(fenced("read_data")), take(fenced("delete_data"))]).toEqual([1, 0]);
  });

  it("that are thought rather than said, or cut off, are not taken", () => {
    const take = (content: string) =>
      readCalls({ role: "assistant", content }, { ...how, textCalls: true }).calls.length;
    expect(take(`<think>perhaps ${hermes}</think>No.`)).toBe(0);
    expect(take(hermes.replace("</tool_call>", ""))).toBe(0);
    expect(take(hermes.replace('"map"}}', '"map"'))).toBe(0);
  });

  it("hostile texts are read through once", () => {
    for (const hostile of [
      '{"name":',
      "<tool_call>",
      "```",
      '{"name": "read_data", "arguments": {',
      "{",
      '{"a":"\\',
      "<think>",
    ]) {
      const content = hostile.repeat(Math.ceil(1_000_000 / hostile.length));
      expect(readCalls({ role: "assistant", content }, { ...how, textCalls: true }).calls).toEqual([]);
      expect(readCalls(called(content), how).calls[0]?.input).toEqual({ ok: false, text: content });
    }
  });
});

describe("what is sent back", () => {
  const form = { request: 3, textCalls: false, emptyContent: "null" } as const;

  it("AG45 unknown members go back verbatim, members that hold nothing do not", () => {
    const message = {
      role: "assistant",
      content: "I look.",
      reasoning_content: "hm",
      reasoning_details: [{ type: "x", signature: "s" }],
      refusal: null,
      annotations: [],
    };
    expect(messageToSend(message, form)).toEqual({
      message: {
        role: "assistant",
        content: "I look.",
        reasoning_content: "hm",
        reasoning_details: [{ type: "x", signature: "s" }],
      },
      tolerated: [],
    });
  });

  it("a call goes back with its id, its arguments and what else it bears", () => {
    const call = {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "read_data", arguments: '{ "from": "map" }' },
      extra_content: { google: { thought_signature: "s" } },
    };
    expect(messageToSend({ role: "assistant", content: null, tool_calls: [call] }, form).message).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "read_data", arguments: '{ "from": "map" }' },
          extra_content: { google: { thought_signature: "s" } },
        },
      ],
    });
  });

  it("what was empty or repaired goes back as the object it was read as", () => {
    const sent = (raw: unknown): unknown => {
      const [call] = sentCalls(messageToSend(called(raw), form).message);
      return call?.function.arguments;
    };
    expect(sent("")).toBe("{}");
    expect(sent('{"from": "map"}"')).toBe('{"from":"map"}');
    expect(sent({ from: "map" })).toBe('{"from":"map"}');
  });

  it("what was made of data is the same text whatever the order of its keys, since a log sorts them", () => {
    const sent = (raw: unknown): unknown => sentCalls(messageToSend(called(raw), form).message)[0]?.function.arguments;
    expect(sent({ b: 1, a: 2 })).toBe(sent({ a: 2, b: 1 }));
    expect(sent({ a: "\uD800" })).toBe("{}");
    expect(sent('{"a": 1e999}"')).toBe("{}");
    expect(sent('{"a": 1e999}')).toBe('{"a": 1e999}');
  });

  it("what cannot be read goes back as {}, and is noted: the raw text stays in the log", () => {
    for (const raw of ['{"from": "ma', "[1]", 7]) {
      const { message, tolerated } = messageToSend(called(raw), form);
      expect(message["tool_calls"]).toEqual([
        { id: "call_1", type: "function", function: { name: "read_data", arguments: "{}" } },
      ]);
      expect(tolerated).toEqual([{ quirk: "placeholder_sent", says: "call call_1: the arguments go out as {}" }]);
    }
  });

  it("a name that providers refuse goes back as one they take", () => {
    const named = (name: unknown): unknown => {
      const [call] = sentCalls(messageToSend(called("{}", "call_1", name), form).message);
      return call?.function.name;
    };
    expect(named("functions.read_data")).toBe("functions_read_data");
    expect(named("x".repeat(100))).toBe("x".repeat(64));
    expect(named("")).toBe("unknown");
  });

  it.each([
    ["null", { content: null }],
    ["empty", { content: "" }],
    ["omit", {}],
  ] as const)("calls without text go back with content %s where the settings say so", (emptyContent, expected) => {
    for (const content of [null, "", undefined]) {
      const message = { ...called("{}"), ...(content === undefined ? {} : { content }) };
      const { tool_calls: _, ...rest } = messageToSend(message, { ...form, emptyContent }).message;
      expect(rest).toEqual({
        role: "assistant",
        ...(content === undefined && emptyContent === "null" ? { content: null } : expected),
      });
    }
  });

  it("an answer that held nothing goes back as something every server takes", () => {
    const message = { role: "assistant", content: null };
    expect(messageToSend(message, form).message).toEqual({ role: "assistant", content: "(no text)" });
    expect(messageToSend(message, { ...form, emptyContent: "empty" }).message).toEqual({
      role: "assistant",
      content: "",
    });
  });

  it("calls that were taken from the text go back as calls, and no longer as text", () => {
    const content = 'So:\n<tool_call>{"name": "help", "arguments": {}}</tool_call>';
    const { message } = messageToSend({ role: "assistant", content }, { ...form, textCalls: true });
    const { calls } = readCalls({ role: "assistant", content }, { ...form, textCalls: true });
    expect(message).toEqual({
      role: "assistant",
      content: "So:",
      tool_calls: [{ id: calls[0]?.id, type: "function", function: { name: "help", arguments: "{}" } }],
    });
  });

  it("a tool's answer names its call", () => {
    expect(toolMessage("call_1", "{}")).toEqual({ role: "tool", tool_call_id: "call_1", content: "{}" });
  });

  it("AG45 whatever came, what goes back is well formed: ids of the calls, safe names, arguments that are an object", () => {
    const wireCall = fc.record(
      {
        id: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
        type: fc.constant("function"),
        function: fc.record(
          { name: fc.oneof(fc.string(), fc.jsonValue()), arguments: fc.oneof(fc.string(), fc.json(), fc.jsonValue()) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        role: fc.constant("assistant"),
        content: fc.oneof(fc.string(), fc.jsonValue()),
        tool_calls: fc.oneof(fc.array(wireCall), fc.jsonValue()),
      },
      { requiredKeys: ["role"] },
    );
    fc.assert(
      fc.property(message, fc.boolean(), (seen, textCalls) => {
        const { calls } = readCalls(seen as JsonObject, { request: 1, textCalls });
        const sent = messageToSend(seen as JsonObject, { ...form, request: 1, textCalls }).message;
        const back = sentCalls(sent);
        expect(back.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
        for (const call of back) {
          expect(call.function.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(JSON.parse(call.function.arguments)).toBeTypeOf("object");
        }
        expect(calls.length > 0 || sent["content"] !== null).toBe(true);
        // By its canonical text: -0 is a number that JSON writes as 0.
        expect(canonicalJson(JSON.parse(JSON.stringify(sent)))).toBe(canonicalJson(sent));
      }),
    );
  });
});
