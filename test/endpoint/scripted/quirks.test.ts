import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/runtime/index.ts";
import { answered, ask, called, messageOf, refusalOf, start, TALK, TOOL, USER, type Told } from "./asking.ts";
import { OVERFLOWS, scripted, type OverflowName, type QuirkName } from "./index.ts";

const KEY = "sk-test/one+two=three-0123456789";

/** The second message of a conversation, where the quirks act that come now and then. */
const SECOND = [USER, { role: "assistant", content: "So." }, USER];

describe("quirks", () => {
  const bent = async (quirk: QuirkName, messages: readonly object[] = SECOND): Promise<Told> =>
    await ask(await start({ policy: scripted([{}, { text: "So it is.", calls: LOOKS }]), quirks: [quirk] }), {
      messages,
      tools: [TOOL],
    });
  const LOOKS = [
    { tool: "look", input: {} },
    { tool: "look", input: { at: "the gate" } },
    { tool: "look", input: { at: "the sky" } },
  ];
  const functionsOf = (told: Told): unknown =>
    (messageOf(told)["tool_calls"] as readonly { function: object }[] | undefined)?.map((call) => call.function);

  const GATE = '{"at":"the gate"}';
  const SKY = '{"at":"the sky"}';
  it.each<[QuirkName, readonly (object | undefined)[]]>([
    ["empty_arguments_text", [{ arguments: "" }, { arguments: GATE }, { arguments: SKY }]],
    ["empty_arguments_blank", [{ arguments: " \n" }, { arguments: GATE }, { arguments: SKY }]],
    ["empty_arguments_null", [{ arguments: null }, { arguments: GATE }, { arguments: SKY }]],
    ["empty_arguments_missing", [{}, { arguments: GATE }, { arguments: SKY }]],
    ["stray_quote", [{ arguments: "{}" }, { arguments: `${GATE}"` }, { arguments: `${SKY}"` }]],
    ["arguments_as_object", [{ arguments: "{}" }, { arguments: { at: "the gate" } }, { arguments: { at: "the sky" } }]],
    [
      "twice_encoded_arguments",
      [{ arguments: "{}" }, { arguments: JSON.stringify(GATE) }, { arguments: JSON.stringify(SKY) }],
    ],
    ["malformed_arguments", [{ arguments: "{}" }, { arguments: "{'at':'the gate'}" }]],
    ["cut_arguments", [{ arguments: "{}" }, { arguments: '{"at":"th' }]],
    ["one_call_a_message", [{ arguments: "{}" }]],
  ])("%s bends the arguments", async (quirk, functions) => {
    expect(functionsOf(await bent(quirk))).toEqual(functions.map((one) => ({ name: "look", ...one })));
  });

  it.each<[QuirkName, Json, string]>([
    ["finish_stop_with_calls", "So it is.", "stop"],
    ["empty_answer", null, "length"],
    ["content_filter", "I was about to say", "content_filter"],
    ["refusal", null, "stop"],
    ["ignores_tools", "So it is.", "stop"],
  ])("%s ends otherwise", async (quirk, content, finish) => {
    const told = await bent(quirk);
    const [choice] = told.data["choices"] as readonly { finish_reason: string }[];
    expect([messageOf(told)["content"], choice?.finish_reason]).toEqual([content, finish]);
  });

  it("calls come as text where the server has no parser", async () => {
    const message = messageOf(await bent("calls_as_text"));
    expect(message["tool_calls"]).toBeUndefined();
    expect(message["content"]).toBe(
      [
        "So it is.",
        '<tool_call>\n{"name":"look","arguments":{}}\n</tool_call>',
        '<tool_call>\n{"name":"look","arguments":{"at":"the gate"}}\n</tool_call>',
        '<tool_call>\n{"name":"look","arguments":{"at":"the sky"}}\n</tool_call>',
      ].join("\n"),
    );
  });

  it("what a thinking model thought must come back as it was", async () => {
    const endpoint = await start({ quirks: ["demands_reasoning"] });
    const first = messageOf(await ask(endpoint, {}));
    expect((await ask(endpoint, { messages: [USER, first, USER] })).status).toBe(200);
    const { reasoning_content: _, ...forgotten } = first;
    expect(refusalOf(await ask(endpoint, { messages: [USER, forgotten, USER] }))).toBe(
      "400 The `reasoning_content` in the thinking mode must be passed back to the API.",
    );
  });

  it.each<[QuirkName, object, string]>([
    [
      "nine_character_ids",
      { messages: [USER, called("call_1"), answered("call_1")] },
      "Tool call id was given but must",
    ],
    ["refuses_empty_content", { messages: [USER, { role: "assistant", content: "" }, USER] }, "messages: text content"],
    ["refuses_null_content", { messages: [USER, called("a"), answered("a")] }, "Input should be a valid string"],
    ["refuses_max_tokens", { max_tokens: 5 }, "Unsupported parameter: 'max_tokens'"],
    ["refuses_temperature", { temperature: 0 }, "Unsupported parameter: 'temperature'"],
    ["refuses_tool_choice", { tool_choice: "auto" }, "Unsupported parameter: 'tool_choice'"],
    ["refuses_forced_tool_choice", { tool_choice: "required" }, "tool_choice: only 'auto'"],
    ["refuses_parallel_tool_calls", { parallel_tool_calls: true }, "Unsupported parameter: 'parallel_tool_calls'"],
    [
      "refuses_stream_options",
      { stream: true, stream_options: { include_usage: true } },
      "Unsupported parameter: 'stream_options'",
    ],
    ["refuses_seed", { seed: 1 }, "Unsupported parameter: 'seed'"],
    ["refuses_tools", {}, "this model does not support tools"],
  ])("%s refuses what others take", async (quirk, body, says) => {
    const asked = { tools: [TOOL], ...body };
    expect((await ask(await start(), asked)).status).toBe(200);
    expect(refusalOf(await ask(await start({ quirks: [quirk] }), asked))).toContain(`400 ${says}`);
  });

  it("prompt tokens stand still where the front is cut, and the model does not see it", async () => {
    const seen: string[] = [];
    const endpoint = await start({
      quirks: ["cuts_front"],
      policy: (request) => {
        seen.push(
          String(request.seen.some(({ content }) => typeof content === "string" && content.startsWith("MARK"))),
        );
        return { text: "Yes." };
      },
    });
    const promptOf = async (length: number): Promise<unknown> => {
      const told = await ask(endpoint, { messages: [{ role: "system", content: `MARK${"x".repeat(length)}` }, USER] });
      return (told.data["usage"] as Record<string, number>)["prompt_tokens"];
    };
    const short = await promptOf(1000);
    const long = await promptOf(100_000);
    expect(await promptOf(200_000)).toBe(long);
    expect(Number(long)).toBeGreaterThan(Number(short));
    expect(seen).toEqual(["true", "false", "false"]);
  });

  it("a stream numbers every call 0, tells usage in parts or not at all", async () => {
    const streamed = async (quirk: QuirkName): Promise<readonly Record<string, unknown>[]> => {
      const endpoint = await start({ policy: TALK, quirks: [quirk] });
      const { text } = await ask(endpoint, { tools: [TOOL], stream: true, stream_options: { include_usage: true } });
      const events = text.split("\n\n").filter((event) => event !== "" && event !== "data: [DONE]");
      return events.map((event) => JSON.parse(event.slice("data: ".length)) as Record<string, unknown>);
    };
    const shared = await streamed("shared_stream_index");
    const starts = shared.flatMap(
      ({ choices }) =>
        (choices as readonly { delta: { tool_calls?: { index: number; id?: string }[] } }[])[0]?.delta.tool_calls ?? [],
    );
    expect(starts.filter(({ id }) => id !== undefined)).toMatchObject([
      { index: 0, id: "call_s1x1y0" },
      { index: 0, id: "call_s1x1y1" },
    ]);
    const usages = (chunks: readonly Record<string, unknown>[]): readonly unknown[] =>
      chunks.map(({ usage }) => usage && Object.keys(usage)).filter((usage) => usage !== undefined);
    expect(usages(shared)).toEqual([["prompt_tokens", "completion_tokens", "total_tokens"]]);
    expect(usages(await streamed("split_usage"))).toEqual([
      ["prompt_tokens", "completion_tokens", "total_tokens"],
      ["total_tokens", "completion_tokens"],
    ]);
    expect(usages(await streamed("no_usage"))).toEqual([]);
  });

  it("the key comes back in a header or in the text", async () => {
    const headers = { authorization: `Bearer ${KEY}` };
    const inHeader = await ask(await start({ key: KEY, echoesKey: "header" }), {}, headers);
    expect(inHeader.headers.get("x-api-key")).toBe(KEY);
    const inText = await ask(await start({ key: KEY, echoesKey: "text" }), {}, headers);
    expect(messageOf(inText)["content"]).toContain(`[authorized as ${KEY}, ${encodeURIComponent(KEY)}]`);
  });

  it.each(Object.keys(OVERFLOWS) as OverflowName[])(
    "a prompt that is too long is refused in the words of %s",
    async (wording) => {
      const endpoint = await start({ window: { tokens: 100, wording } });
      expect((await ask(endpoint, {})).status).toBe(200);
      const told = await ask(endpoint, { messages: [{ role: "user", content: "x".repeat(1000) }] });
      expect([400, 422]).toContain(told.status);
      expect(told.text).toMatch(/token|context size|too long|input length|maximum model length/);
    },
  );
});
