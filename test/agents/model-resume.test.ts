import { describe, expect, it } from "vitest";
import { messagesOf, modelAgent } from "../../src/agents/index.ts";
import { LOOP_DEFAULTS } from "../../src/agents/model/defaults.ts";
import { CHAT_TOOLS } from "../../src/agents/model/tools.ts";
import { modelSettingsSchema, type Asked, type ChatRequest } from "../../src/endpoint/index.ts";
import type { LogBody } from "../../src/records/index.ts";
import type { Agent } from "../../src/tracks/index.ts";
import {
  byTurn,
  calls,
  callMessage,
  fails,
  fakeEndpoint,
  prompt,
  reply,
  words,
  type FakeEndpoint,
} from "./fake-endpoint.ts";
import { cutRun, lineEnds, logOf, play, planOf, tempFolder } from "../tracks/run-fixture.ts";
import { outcomeIn, playInMemory } from "./memory-run.ts";

/** A window that is stated, and one that only the endpoint knows: it refuses what is too long, by the request alone. */
const WINDOWS = [
  { why: "window", model: modelSettingsSchema.parse({ model: "tiny-1", contextTokens: 24_000 }), most: Infinity },
  { why: "overflow", model: modelSettingsSchema.parse({ model: "tiny-1" }), most: 22_000 },
] as const;
type Window = (typeof WINDOWS)[number];

function agentAt(endpoint: FakeEndpoint, { model }: Window): Agent {
  return modelAgent({ name: "model", model, endpoint, lane: { name: "x", concurrency: 1 } });
}

function endpointOf({ most }: Window): FakeEndpoint {
  return fakeEndpoint((request, asked) =>
    JSON.stringify(request.messages).length > most ? fails("context_overflow") : byTurn(TURNS)(request, asked),
  );
}

/** A play with all that a request can depend on: parallel calls, thoughts, nudges, faulty arguments, folds, adaptations. */
const TURNS: readonly Asked[] = [
  words(null, { finish: "length" }),
  reply({
    ...callMessage([
      ["get_context", {}],
      ["help", {}],
    ]),
    reasoning_content: "b",
    annotations: { z: 1, a: [2] },
  }),
  words("I wait."),
  calls(["read_data", '{"from": "ent'], ["read_data", { limit: 3, from: "entities" }], ["look", {}]),
  reply(callMessage([["help", { topic: "steps" }]]), {
    ...prompt(16_000),
    adapted: [{ parameter: "seed", sentAs: null }],
  }),
  ...["example", "reading", "errors", "limits", "time", "steps", "example", "reading"].map((topic) =>
    calls(["help", { topic }], ["read_data", { from: "map" }]),
  ),
  calls(["end_round", {}]),
];

describe.each(WINDOWS)("a run that is taken up again, with folds by $why", (window) => {
  it("AG44 at any line asks exactly what the uncut run asked, and nothing that was answered", async () => {
    const whole = endpointOf(window);
    const uncut = await playInMemory(agentAt(whole, window));
    expect(outcomeIn(uncut)).toBe("finished");
    expect(uncut.log.find((line) => line.kind === "fold")?.why).toBe(window.why);
    for (let lines = 0; lines <= uncut.log.length; lines += 1) {
      const logged = uncut.log.slice(0, lines);
      const answered = logged.filter(({ kind }) => kind === "answer" || kind === "fault").length;
      const endpoint = endpointOf(window);
      const resumed = await playInMemory(agentAt(endpoint, window), { logged });
      expect({ lines, requests: endpoint.requests }).toEqual({ lines, requests: whole.requests.slice(answered) });
      expect(resumed.log).toEqual(uncut.log);
    }
  });

  it("has the conversation that its log alone gives", async () => {
    const endpoint = endpointOf(window);
    const { log } = await playInMemory(agentAt(endpoint, window));
    const setup = { model: window.model, loop: LOOP_DEFAULTS, tools: CHAT_TOOLS.maintenance };
    const ends = [...log.entries()].filter(([, { kind }]) => kind === "answer" || kind === "fault").map(([at]) => at);
    const asked = endpoint.requests.map((text) => JSON.stringify((JSON.parse(text) as ChatRequest).messages));
    expect(ends.map((at) => JSON.stringify(messagesOf(log.slice(0, at), setup)))).toEqual(asked);
  });

  it("refuses a log that holds something else where an answer should be", async () => {
    const { log } = await playInMemory(agentAt(endpointOf(window), window));
    const logged: readonly LogBody[] = [...log.slice(0, 2), { kind: "fold", calls: [1], why: "window" }];
    await expect(playInMemory(agentAt(endpointOf(window), window), { logged })).rejects.toMatchObject({
      code: "log_damaged",
    });
  });
});

describe("a run on disk", () => {
  const [window] = WINDOWS;

  it("AG44 is cut at any line, taken up, and asks and writes the same bytes", async () => {
    const first = endpointOf(window);
    const whole = await play(planOf(agentAt(first, window), "easy"), tempFolder());
    expect(whole.outcome).toBe("finished");
    const log = logOf(whole);
    const kinds = log
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
    for (const [line, end] of lineEnds(log).slice(0, -1).entries()) {
      const endpoint = endpointOf(window);
      const resumed = await play(planOf(agentAt(endpoint, window), "easy"), cutRun(whole, end));
      const answered = kinds.slice(0, line + 1).filter((kind) => kind === "answer").length;
      const seen = { line, outcome: resumed.outcome, same: logOf(resumed).equals(log), asked: endpoint.requests };
      expect(seen).toEqual({ line, outcome: "finished", same: true, asked: first.requests.slice(answered) });
    }
  });

  it("that ended on an endpoint's fault asks the same request again with the next command, and goes on to its end", async () => {
    const set = tempFolder();
    const down = fakeEndpoint((request, asked) => (asked < 4 ? byTurn(TURNS)(request, asked) : fails("server_error")));
    const broken = await play(planOf(agentAt(down, window), "easy"), set);
    expect(broken).toMatchObject({ outcome: "endpoint_fault", detail: { kind: "server_error" } });
    const up = endpointOf(window);
    const mended = await play(planOf(agentAt(up, window), "easy"), set);
    expect(mended).toMatchObject({ outcome: "finished", skipped: false });
    expect(up.requests[0]).toBe(down.requests[4]);
  });
});
