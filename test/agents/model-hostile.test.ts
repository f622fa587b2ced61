/** Whatever an endpoint answers, the loop goes on, keeps lines that a log can hold, and sends what a good server takes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { modelAgent } from "../../src/agents/index.ts";
import { modelSettingsSchema, type Asked, type ChatRequest, type JsonObject } from "../../src/endpoint/index.ts";
import { logBodySchema } from "../../src/records/index.ts";
import { byTurn, calls, fakeEndpoint, reply, words } from "./fake-endpoint.ts";
import { outcomeIn, playInMemory } from "./memory-run.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", " ", "{}", '{"from": "map"}', "null"),
);
const call = fc.oneof(
  fc.record({
    id: fc.oneof(text, fc.constantFrom("a", "b", null)),
    type: fc.constant("function"),
    function: fc.record({
      name: fc.oneof(text, fc.constantFrom("help", "read_data", "commit_step", "get_context")),
      arguments: fc.oneof(text, fc.jsonValue()),
    }),
  }),
  fc.jsonValue(),
);
const message = fc.record(
  {
    content: fc.oneof(text, fc.constant(null), fc.jsonValue()),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 5 }), fc.jsonValue()),
    reasoning_content: text,
    refusal: fc.oneof(fc.constant(null), text),
    serial: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const answer = fc
  .record({ message, finish: fc.constantFrom("stop", "length", "tool_calls", null) })
  .map(({ message, finish }): Asked => reply(message as JsonObject, { finish }));

/** What the protocol asks of a history: each call answered once, right after it, and arguments that are JSON objects. */
function faultOf(messages: readonly JsonObject[]): string | undefined {
  const open: string[] = [];
  for (const { role, content, tool_calls: listed, tool_call_id: id } of messages) {
    if (role === "tool") {
      if (typeof content !== "string" || id !== open.shift())
        return `an answer to ${JSON.stringify(id)} stands where it should not`;
      continue;
    }
    if (open.length > 0) return `${open.join(", ")} has no answer`;
    if (role !== "assistant") continue;
    const wire = (listed ?? []) as unknown as readonly { id: string; function: { name: string; arguments: string } }[];
    if (wire.length === 0 && (content === null || content === undefined)) return "an assistant message holds nothing";
    for (const one of wire) {
      const given: unknown = JSON.parse(one.function.arguments);
      if (typeof given !== "object" || given === null || Array.isArray(given)) return "arguments are no object";
      if (one.id === "" || !/^[A-Za-z0-9_-]{1,64}$/.test(one.function.name)) return "an id or a name is refused";
      open.push(one.id);
    }
  }
  return open.length > 0 ? `${open.join(", ")} has no answer` : undefined;
}

it("any answer at all is put up with, kept, and sent back in a form that a strict server takes", async () => {
  const model = modelSettingsSchema.parse({ model: "tiny-1" });
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
      const endpoint = fakeEndpoint(byTurn([...answers, calls(["end_round", {}])]));
      const agent = modelAgent({ name: "model", model, endpoint, lane: { name: "x", concurrency: 1 } });
      const run = await playInMemory(agent);
      expect(["finished", "blocked", "stopped"]).toContain(run.end?.outcome ?? outcomeIn(run));
      for (const line of run.log) expect(logBodySchema.safeParse(line).error).toBeUndefined();
      for (const request of endpoint.requests)
        expect(faultOf((JSON.parse(request) as ChatRequest).messages)).toBeUndefined();
    }),
  );
});

it("a call that stands in the text is made only where the settings say so, and its answer has a call to belong to", async () => {
  const spoken = words('I look.\n<tool_call>{"name": "help", "arguments": {"topic": "steps"}}</tool_call>');
  const endpoint = fakeEndpoint(byTurn([spoken, calls(["end_round", {}])]));
  const model = modelSettingsSchema.parse({ model: "tiny-1", textCalls: true });
  const run = await playInMemory(modelAgent({ name: "model", model, endpoint, lane: { name: "x", concurrency: 1 } }));
  expect(run.log.find((line) => line.kind === "call")).toMatchObject({ tool: "help", input: { topic: "steps" } });
  const { messages } = JSON.parse(endpoint.requests[1] ?? "") as ChatRequest;
  expect(faultOf(messages)).toBeUndefined();
  expect(messages[2]).toMatchObject({ content: "I look.", tool_calls: [{ function: { name: "help" } }] });
  expect(messages).toHaveLength(4);
});
