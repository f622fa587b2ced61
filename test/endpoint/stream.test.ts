import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Heard, HeardAnswer } from "../../src/endpoint/heard.ts";
import { StreamAssembler } from "../../src/endpoint/stream.ts";

function assemble(...pieces: readonly unknown[]): Heard {
  const assembler = new StreamAssembler();
  for (const piece of pieces) assembler.add(piece);
  return assembler.end(200);
}

function answerOf(...deltas: readonly unknown[]): HeardAnswer {
  const heard = assemble(...deltas.map((delta) => piece(delta)), piece({}, "stop"));
  if (heard.kind !== "answer") throw new Error(JSON.stringify(heard));
  return heard;
}

function piece(delta: unknown, finish: string | null = null): unknown {
  return structuredClone({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

function call(
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: string | undefined,
): unknown {
  return { tool_calls: [{ index, id, function: { name, arguments: text } }] };
}

function callsOf({ message }: HeardAnswer): readonly unknown[] {
  const calls = (message["tool_calls"] ?? []) as readonly {
    id: string;
    function: { name: string; arguments: string };
  }[];
  return calls.map(({ id, function: { name, arguments: text } }) => [id, name, text]);
}

describe("calls in a stream", () => {
  it("are put together by their index", () => {
    const answer = answerOf(
      call(0, "a", "help", ""),
      call(0, undefined, undefined, '{"to'),
      call(1, "b", "read_data", ""),
      call(1, undefined, undefined, '{"from":'),
      call(0, undefined, undefined, 'pic":1}'),
      call(1, undefined, undefined, '"map"}'),
    );
    expect(callsOf(answer)).toEqual([
      ["a", "help", '{"topic":1}'],
      ["b", "read_data", '{"from":"map"}'],
    ]);
    expect(answer.quirks).toEqual([]);
  });

  it("with one index and their own ids are told apart, and it is noted", () => {
    const answer = answerOf(
      call(0, "a", "help", "{}"),
      call(0, "b", "help", '{"x":'),
      call(0, undefined, undefined, "1}"),
      call(0, "c", "end_round", ""),
    );
    expect(callsOf(answer)).toEqual([
      ["a", "help", "{}"],
      ["b", "help", '{"x":1}'],
      ["c", "end_round", ""],
    ]);
    expect(answer.quirks.map(({ quirk }) => quirk)).toEqual(["shared_stream_index"]);
  });

  it("with one index that come in turns are told apart by their ids", () => {
    const answer = answerOf(
      call(0, "a", "help", '{"x'),
      call(0, "b", "read_data", '{"y'),
      call(0, "a", undefined, '":1}'),
      call(0, "b", undefined, '":2}'),
    );
    expect(callsOf(answer)).toEqual([
      ["a", "help", '{"x":1}'],
      ["b", "read_data", '{"y":2}'],
    ]);
  });

  it("with one index and no ids are told apart where a new name follows whole arguments", () => {
    for (const id of ["", undefined]) {
      const answer = answerOf(call(0, id, "help", "{}"), call(0, id, "help", '{"x":'), call(0, id, undefined, "1}"));
      expect(callsOf(answer)).toEqual([
        ["", "help", "{}"],
        ["", "help", '{"x":1}'],
      ]);
    }
  });

  it("whose id and name are said again with every piece are one call", () => {
    const answer = answerOf(
      call(0, "a", "read_data", '{"from'),
      call(0, "a", "read_data", '":"map"'),
      call(0, "a", "read_data", "}"),
    );
    expect(callsOf(answer)).toEqual([["a", "read_data", '{"from":"map"}']]);
  });

  it("without any index belong to the latest", () => {
    const answer = answerOf(
      call(undefined, "a", "help", "{"),
      call(undefined, undefined, undefined, "}"),
      call(undefined, "b", "help", "{}"),
    );
    expect(callsOf(answer)).toEqual([
      ["a", "help", "{}"],
      ["b", "help", "{}"],
    ]);
  });

  it("keep what else they bear, and arguments that are data", () => {
    const answer = answerOf({
      tool_calls: [
        {
          index: 0,
          id: "a",
          type: "function",
          function: { name: "help", arguments: { x: 1 } },
          extra_content: { s: "t" },
        },
      ],
    });
    expect(answer.message["tool_calls"]).toEqual([
      { id: "a", type: "function", function: { name: "help", arguments: { x: 1 } }, extra_content: { s: "t" } },
    ]);
  });

  it("are the same however the stream is cut into pieces", () => {
    const wire = fc.array(fc.record({ name: fc.constantFrom("help", "read_data"), text: fc.json() }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        wire,
        fc.string(),
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (calls, content, shared, lengths) => {
          const pieces: unknown[] = [{ role: "assistant" }];
          const cut = (text: string): readonly string[] => {
            const parts: string[] = [];
            for (let at = 0; at < text.length;) {
              const next = at + (lengths.next().value as number);
              parts.push(text.slice(at, next));
              at = next;
            }
            return parts;
          };
          pieces.push(...cut(content).map((part) => ({ content: part })));
          for (const [at, { name, text }] of calls.entries()) {
            const index = shared ? 0 : at;
            pieces.push(
              call(index, `id${at}`, name, ""),
              ...cut(text).map((part) => call(index, undefined, undefined, part)),
            );
          }
          const answer = answerOf(...pieces);
          expect(callsOf(answer)).toEqual(calls.map(({ name, text }, at) => [`id${at}`, name, text]));
          expect(answer.message["content"]).toBe(content === "" ? null : content);
        },
      ),
    );
  });

  it("above any number a model makes are no answer", () => {
    const many = Array.from({ length: 1100 }, (_, i) => piece(call(i, `id${i}`, "help", "{}")));
    expect(assemble(...many, piece({}, "stop"))).toMatchObject({ kind: "nothing", fault: { kind: "bad_answer" } });
  });
});

describe("members nobody here knows", () => {
  it("are put together as texts and kept", () => {
    const { message } = answerOf(
      { role: "assistant" },
      { reasoning: "a", mood: "x" },
      { reasoning: "b", mood: "y", serial: 7 },
    );
    expect(message).toEqual({ role: "assistant", content: null, reasoning: "ab", mood: "xy", serial: 7 });
  });

  it("that are lists of parts are joined part by part, so that thoughts come back as they were", () => {
    const { message } = answerOf(
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "I " }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "see" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, signature: "s" }] },
      { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "d" }] },
    );
    expect(message["reasoning_details"]).toEqual([
      { type: "reasoning.text", index: 0, text: "I see", signature: "s" },
      { type: "reasoning.encrypted", index: 1, data: "d" },
    ]);
  });

  it("a content in parts is kept in parts", () => {
    const { message } = answerOf(
      { content: [{ type: "thinking", thinking: [] }] },
      { content: "hel" },
      { content: "lo" },
    );
    expect(message["content"]).toEqual([
      { type: "thinking", thinking: [] },
      { type: "text", text: "hello" },
    ]);
  });

  it("a member called __proto__ changes no object", () => {
    const { message } = answerOf(JSON.parse('{"__proto__": {"polluted": true}, "a": "b"}'));
    expect(Object.keys(message)).toContain("__proto__");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("the end of a stream", () => {
  it("without a reason to finish is a cut", () => {
    expect(assemble(piece({ content: "hello" }))).toMatchObject({ kind: "nothing", fault: { kind: "cut_stream" } });
  });

  it("an error that is stated behind a whole answer takes nothing from it", () => {
    const heard = assemble(piece({ content: "hello" }, "stop"), { error: { message: "boom" } });
    expect(heard).toMatchObject({ kind: "answer", message: { content: "hello" } });
  });

  it.each([
    ["as its own piece", { error: { message: "boom", code: 503 } }],
    ["in the old form", { object: "error", message: "boom", code: 503 }],
    [
      "within a choice",
      { choices: [{ index: 0, delta: {}, error: { message: "boom", code: 503 }, finish_reason: "error" }] },
    ],
  ])("an error %s is an error", (_, stated) => {
    expect(assemble(piece({ content: "hel" }), stated)).toMatchObject({
      kind: "error",
      facts: { message: "boom", status: 503 },
    });
  });

  it("usage of every piece is handed on", () => {
    const heard = assemble(
      piece({ content: "hello" }, "stop"),
      { choices: [], usage: { prompt_tokens: 3 } },
      { choices: [], usage: { completion_tokens: 4 } },
    );
    expect(heard).toMatchObject({ usage: [{ prompt_tokens: 3 }, { completion_tokens: 4 }] });
  });

  it("other choices than the first are not mixed into it", () => {
    const heard = assemble(
      piece({ content: "a" }),
      { choices: [{ index: 1, delta: { content: "b" }, finish_reason: "stop" }] },
      piece({}, "stop"),
    );
    expect(heard).toMatchObject({ message: { content: "a" } });
  });
});
