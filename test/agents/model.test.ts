import { describe, expect, it } from "vitest";
import { CHAT_TOOLS } from "../../src/agents/model/tools.ts";
import { LOOP_DEFAULTS } from "../../src/agents/model/defaults.ts";
import { CHAT_WORDS, NUDGE_UNPARSED, OPENING } from "../../src/agents/model/system-prompt.ts";
import { modelAgent } from "../../src/agents/index.ts";
import { solutionOf } from "../../src/cases/index.ts";
import { modelSettingsSchema, type Asked, type ChatRequest, type JsonObject } from "../../src/endpoint/index.ts";
import { findSecret, logBodySchema, type AnswerBody, type LogBody } from "../../src/records/index.ts";
import type { Json } from "../../src/runtime/index.ts";
import type { Agent } from "../../src/tracks/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import {
  calls,
  callMessage,
  fails,
  fakeEndpoint,
  inTurn,
  prompt,
  reply,
  words,
  type FakeEndpoint,
  type Policy,
} from "./fake-endpoint.ts";
import { outcomeIn, playInMemory, type MemoryOptions, type MemoryRun } from "./memory-run.ts";

const HELP = ["help", {}] as const;
const CONTEXT = ["get_context", {}] as const;
const END = ["end_round", {}] as const;

function agentAt(endpoint: FakeEndpoint, settings: Readonly<Record<string, Json>> = {}): Agent {
  const model = modelSettingsSchema.parse({ model: "tiny-1", ...settings });
  return modelAgent({ name: "model", model, endpoint, lane: { name: endpoint.host, concurrency: 1 } });
}

interface Played extends MemoryRun {
  readonly endpoint: FakeEndpoint;
  /** The messages of each request. */
  readonly asked: readonly (readonly JsonObject[])[];
}

async function playWith(
  policy: Policy | readonly Asked[],
  settings: Readonly<Record<string, Json>> = {},
  options: MemoryOptions = {},
): Promise<Played> {
  const endpoint = fakeEndpoint(typeof policy === "function" ? policy : inTurn(policy));
  const run = await playInMemory(agentAt(endpoint, settings), options);
  return { ...run, endpoint, asked: endpoint.requests.map((text) => (JSON.parse(text) as ChatRequest).messages) };
}

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function sentCalls(assistant: JsonObject | undefined): readonly SentCall[] {
  return (assistant?.["tool_calls"] ?? []) as unknown as readonly SentCall[];
}

function kindsOf(log: readonly LogBody[]): readonly string[] {
  return log.map((line) => (line.kind === "message" ? line.role : line.kind));
}

function answersIn(log: readonly LogBody[]): readonly AnswerBody[] {
  return log.filter((line) => line.kind === "answer");
}

function toleratedIn(log: readonly LogBody[]): readonly string[] {
  return answersIn(log).flatMap(({ tolerated }) => tolerated.map(({ quirk }) => quirk));
}

describe("a conversation", () => {
  it("AG40 begins with the system prompt and one message of the user, and offers the six tools as the runtime has them", async () => {
    const { endpoint } = await playWith([calls(END)]);
    expect(JSON.parse(endpoint.requests[0] ?? "")).toEqual({
      messages: [
        { role: "system", content: CHAT_WORDS.maintenance.system },
        { role: "user", content: OPENING },
      ],
      tools: CHAT_TOOLS.maintenance,
      adapted: [],
      label: "horn.easy.model.1",
    });
    expect(CHAT_TOOLS.maintenance.map(({ name }) => name)).toEqual([
      "help",
      "get_context",
      "read_data",
      "construct",
      "commit_step",
      "end_round",
    ]);
  });

  it("answers every call with the text of its answer under the provider's id, and keeps lines in the order of events", async () => {
    const { log, asked } = await playWith([calls(HELP, CONTEXT), calls(END)]);
    expect(kindsOf(log).slice(0, 6)).toEqual(["system", "user", "answer", "call", "call", "answer"]);
    const [assistant, ...answers] = (asked[1] ?? []).slice(2);
    const ids = sentCalls(assistant).map(({ id }) => id);
    expect(answers.map(({ role, tool_call_id: id }) => ({ role, id }))).toEqual(
      ids.map((id) => ({ role: "tool", id })),
    );
    const told = log.flatMap((line) => (line.kind === "call" ? [line.answer] : []));
    expect(answers.map(({ content }) => JSON.parse(content as string) as Json)).toEqual(told.slice(0, 2));
  });

  it("plays the reference to the end of the case, all calls of a round in one message", async () => {
    const rounds = solutionOf(horn, "hard").map((round) =>
      calls(...round.map(({ tool, input }) => [tool, input as Json] as const)),
    );
    const run = await playWith(rounds, {}, { tier: "hard" });
    expect(outcomeIn(run)).toBe("finished");
    expect(run.session.rejected).toBe(0);
    expect(run.endpoint.requests).toHaveLength(rounds.length);
  });

  it("sends back what it does not know of an assistant message, such as the thoughts before a call", async () => {
    const message = { ...callMessage([HELP]), reasoning_content: "First the rules.", serial: 7 };
    const { asked, log } = await playWith([reply(message), calls(END)]);
    expect(asked[1]?.[2]).toMatchObject({ reasoning_content: "First the rules.", serial: 7 });
    expect(answersIn(log)[0]?.message).toMatchObject({ reasoning_content: "First the rules.", serial: 7 });
  });

  it("passes on which parameters the endpoint refuses, from the answer that taught it on", async () => {
    const adapted = [{ parameter: "temperature", sentAs: null }];
    const learned = reply(callMessage([HELP]), { adapted });
    const { endpoint } = await playWith([learned, calls(END)]);
    const sent = endpoint.requests.map((text) => (JSON.parse(text) as ChatRequest).adapted);
    expect(sent.slice(0, 2)).toEqual([[], adapted]);
  });

  it("keeps lines that a log can hold, half a surrogate pair in an answer included", async () => {
    const { log } = await playWith([words("\ud83d half"), calls(END)]);
    for (const line of log) expect(logBodySchema.safeParse(line).error).toBeUndefined();
    expect(answersIn(log)[0]?.message["content"]).toBe("\u{fffd} half");
  });
});

describe("calls", () => {
  it("AG41 are made in order, and those after the end of the case are not made", async () => {
    const rounds = solutionOf(horn, "easy").length;
    const ends = Array.from({ length: rounds + 3 }, () => END);
    const run = await playWith([calls(...ends)]);
    expect(outcomeIn(run)).toBe("finished");
    expect(run.log.filter(({ kind }) => kind === "call")).toHaveLength(rounds);
    expect(run.endpoint.requests).toHaveLength(1);
  });

  it("AG41 whose arguments cannot be read are answered with what is wrong with them, and counted as calls", async () => {
    const { log, asked } = await playWith([calls(["read_data", '{"from": "entit']), calls(END)]);
    const call = log.find((line) => line.kind === "call");
    expect(call).toMatchObject({ tool: "read_data", refused: { code: "malformed_input" }, answer: { ok: false } });
    expect(toleratedIn(log)).toContain("unreadable_arguments");
    const [assistant, answer] = (asked[1] ?? []).slice(2);
    expect(sentCalls(assistant).map((call) => call.function.arguments)).toEqual(["{}"]);
    expect(answer?.["content"]).toContain("malformed_input");
  });

  it("of an unknown tool or without arguments are answered like any other", async () => {
    const { log } = await playWith([calls(["look", {}], ["help", ""]), calls(END)]);
    expect(log.filter((line) => line.kind === "call").slice(0, 2)).toMatchObject([
      { tool: "look", refused: { code: "unknown_tool" } },
      { tool: "help", input: {}, answer: { ok: true } },
    ]);
  });

  it("AG41 beyond 64 of one message are not made; each is told so, since every call needs an answer", async () => {
    const many = Array.from({ length: 67 }, () => ["help", { topic: "nothing" }] as const);
    const { log, asked } = await playWith([calls(...many), calls(END)]);
    const untilSecond = log.slice(0, kindsOf(log).lastIndexOf("answer"));
    expect(untilSecond.filter(({ kind }) => kind === "call").length).toBeLessThanOrEqual(64);
    const answers = (asked[1] ?? []).filter(({ role }) => role === "tool");
    const ids = sentCalls(asked[1]?.[2]).map(({ id }) => id);
    expect(answers.map(({ tool_call_id: id }) => id)).toEqual(ids);
    expect(answers.filter(({ content }) => (content as string).includes("too_many_calls"))).toHaveLength(3);
  });
});

describe("an answer without a call", () => {
  it("AG42 is nudged three times in a row, and the fourth one stops the run", async () => {
    const { end, log, asked } = await playWith([words("Let me think.")]);
    expect(end).toEqual({
      outcome: "stopped",
      detail: {
        reason: "no_call",
        nudges: 3,
        finish: "stop",
        message: "4 answers in a row held no tool call, after 3 nudges",
      },
    });
    expect(kindsOf(log)).toEqual(["system", "user", "answer", "user", "answer", "user", "answer", "user", "answer"]);
    expect(
      asked
        .at(-1)
        ?.slice(2)
        .map(({ content }) => content),
    ).toEqual(Array.from({ length: 3 }, () => ["Let me think.", CHAT_WORDS.maintenance.nudge]).flat());
  });

  it("is forgotten once a call was made", async () => {
    const silent = Array.from({ length: 3 }, () => words("Hm."));
    const run = await playWith([...silent, calls(HELP), ...silent, calls(END)]);
    expect(outcomeIn(run)).toBe("finished");
  });

  it("AG42 whose text looks like a call is told so, and the text is not carried out", async () => {
    const text = '<tool_call>{"name": "end_round", "arguments": {}}</tool_call>';
    const { asked, log } = await playWith([words(text), calls(END)]);
    expect(asked[1]?.at(-1)).toEqual({ role: "user", content: NUDGE_UNPARSED });
    expect(toleratedIn(log)).toContain("unparsed_call");
    expect(log.findIndex(({ kind }) => kind === "call")).toBe(kindsOf(log).lastIndexOf("answer") + 1);
  });

  it("and without words is noted, goes back as words of ours, and says what cut it where it stops the run", async () => {
    const { asked, end, log } = await playWith([words(null, { finish: "length" })], { maxTokens: 100 });
    expect(asked[1]?.slice(2)).toEqual([
      { role: "assistant", content: "(no text)" },
      { role: "user", content: CHAT_WORDS.maintenance.nudge },
    ]);
    expect(toleratedIn(log)).toEqual(Array.from({ length: 4 }, () => ["placeholder_sent", "empty_answer"]).flat());
    expect(answersIn(log)[0]?.tolerated[1]?.says).toContain("finish reason length");
    expect(end?.detail).toMatchObject({
      finish: "length",
      message:
        "4 answers in a row held no tool call, after 3 nudges; the last one was cut by the limit of 100 tokens (maxTokens)",
    });
  });
});

describe("a run ends", () => {
  it("blocked where a filter cut the answer, and its calls are not made", async () => {
    const { end, log } = await playWith([reply(callMessage([HELP]), { finish: "content_filter" })]);
    expect(end).toMatchObject({ outcome: "blocked", detail: { by: "filter", request: 1 } });
    expect(kindsOf(log)).toEqual(["system", "user", "answer"]);
  });

  it("blocked where the model refuses in place of a call, in its words", async () => {
    const { end } = await playWith([reply({ content: null, refusal: "I will not." })]);
    expect(end).toEqual({ outcome: "blocked", detail: { by: "refusal", request: 1, message: "I will not." } });
  });

  it("blocked where the endpoint answers that it blocks", async () => {
    const { end, log } = await playWith([fails("blocked", { status: 400 })]);
    expect(end).toEqual({
      outcome: "blocked",
      detail: { by: "endpoint", kind: "blocked", status: 400, message: "a fault: blocked" },
    });
    expect(kindsOf(log)).toEqual(["system", "user", "fault"]);
  });

  it.each([
    "rate_limited",
    "bad_request",
    "server_error",
    "timeout",
    "connection",
    "cut_stream",
    "bad_answer",
  ] as const)("as the endpoint's fault after %s, and the set goes on", async (kind) => {
    const { end, log } = await playWith([calls(HELP), fails(kind, { status: 503 })]);
    expect(end).toEqual({
      outcome: "endpoint_fault",
      detail: { kind, status: 503, message: `a fault: ${kind}` },
    });
    expect(kindsOf(log)).toEqual(["system", "user", "answer", "call", "fault"]);
  });

  it.each(["auth", "quota", "unknown_model", "not_an_api"] as const)(
    "as the endpoint's fault after %s, and stops the whole set with the reason",
    async (kind) => {
      const { end } = await playWith([fails(kind, { status: 401 })]);
      expect(end?.outcome).toBe("endpoint_fault");
      expect(end?.stopsSet).toMatch(/^[a-z ]+.*\(HTTP 401\): a fault: /);
    },
  );

  it("cancelled where it was stopped before an answer came, and keeps nothing of the request", async () => {
    const stop = new AbortController();
    const endpoint = fakeEndpoint((_, asked) => {
      stop.abort();
      return asked === 0 ? calls(HELP) : calls(END);
    });
    const run = await playInMemory(agentAt(endpoint), { stop: stop.signal });
    expect(run.end).toEqual({ outcome: "cancelled" });
    expect(kindsOf(run.log)).toEqual(["system", "user", "answer", "call"]);
  });
});

describe("what an endpoint reports", () => {
  it("is doubted where prompt tokens stand still although more is sent", async () => {
    const { log } = await playWith([
      reply(callMessage([HELP]), prompt(2000)),
      reply(callMessage([CONTEXT]), prompt(4096)),
      reply(callMessage([HELP]), prompt(4096)),
      calls(END),
    ]);
    expect(answersIn(log).map(({ tolerated }) => tolerated.map(({ quirk }) => quirk))).toEqual([
      [],
      [],
      ["prompt_tokens_fell"],
      [],
      ...answersIn(log)
        .slice(4)
        .map(() => []),
    ]);
  });

  it("is kept as it came: usage, attempts, finish reason, the model's name", async () => {
    const attempt = { fault: { kind: "server_error", status: 500, code: null, message: "oh" }, waitMs: 10 } as const;
    const { log } = await playWith([reply(callMessage([HELP]), { ...prompt(50), attempts: [attempt] }), calls(END)]);
    expect(answersIn(log)[0]).toMatchObject({
      request: 1,
      finish: "tool_calls",
      model: "tiny-1",
      ...prompt(50),
      attempts: [attempt],
    });
  });
});

describe("the settings of the agent", () => {
  it("AG40 name versions, digests, host, model and every default, and hold nothing like a secret", () => {
    const { settings } = agentAt(fakeEndpoint(inTurn([])), { temperature: 0 });
    expect(settings).toMatchObject({
      kind: "model",
      v: 1,
      prompt: { v: 2, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      tools: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      loop: LOOP_DEFAULTS,
      host: "127.0.0.1:9",
      path: "/v1",
      model: { model: "tiny-1", temperature: 0, stream: false },
    });
    expect(findSecret(settings)).toBeUndefined();
  });

  it("say in one sentence whom it asks", () => {
    expect(agentAt(fakeEndpoint(inTurn([]))).says).toBe("asks tiny-1 at 127.0.0.1:9");
  });
});
