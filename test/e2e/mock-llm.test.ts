/**
 * Our client against a server that others wrote (@dwmkerr/mock-llm), so that it is not tested only against our own idea
 * of the wire. That server looks at requests through JMESPath: it checks for us what the client sends.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEndpoint, type Asked } from "../../src/endpoint/index.ts";
import { horn } from "../contracts/horn-plays.ts";
import { settingsOf, surroundingsOf } from "./support/model.ts";
import { playModel } from "./support/play.ts";
import { guardedFolder, KEY } from "./support/secret.ts";

/** A port that was free a moment ago; the server cannot tell which one it chose by itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

interface Rule {
  /** JMESPath over the request. */
  readonly match: string;
  readonly status?: number;
  readonly body: object;
}

const require = createRequire(import.meta.url);

let child: ChildProcess;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  const main = require.resolve("@dwmkerr/mock-llm");
  // With no file of that name it begins with its own rules; each test gives it others.
  const started = spawn(process.execPath, [main, "--config", "no-such-file.yaml"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = started;
  origin = `http://127.0.0.1:${port}`;
  for (let said = ""; !said.includes("server running");) {
    said += String((await once(started.stdout, "data"))[0]);
  }
});
afterAll(() => void child.kill());

/** Gives the server rules for completions; the last that matches answers. Returns its base URL. */
async function mock(rules: readonly Rule[]): Promise<string> {
  const written = rules.map(({ match, status = 200, body }) => ({
    path: "/v1/chat/completions",
    match,
    response: { status, content: JSON.stringify(body) },
  }));
  const response = await fetch(`${origin}/config`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ streaming: { chunkSize: 5, chunkIntervalMs: 1 }, rules: written }),
  });
  expect(response.status).toBe(200);
  return `${origin}/v1`;
}

const answer = (message: object, finish: string): object => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "gpt-mock",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
});

const calls = (...made: readonly (readonly [id: string, name: string, args: string])[]): object =>
  answer(
    {
      content: null,
      tool_calls: made.map(([id, name, text]) => ({ id, type: "function", function: { name, arguments: text } })),
    },
    "tool_calls",
  );

const last = (id: string): string => `body.messages[-1].tool_call_id == '${id}'`;

it("plays a small scripted conversation from its first message to the end of the case", async () => {
  const url = await mock([
    {
      match: "@",
      status: 400,
      body: { error: { message: "no rule fits this request", type: "invalid_request_error" } },
    },
    {
      match: `length(body.messages) == \`2\` && length(body.tools) == \`6\` && headers.authorization == 'Bearer ${KEY}'`,
      body: calls(["call_a", "help", "{}"], ["call_b", "get_context", ""]),
    },
    // Both answers have come, after the assistant message with both calls, the empty arguments as JSON.
    {
      match: `${last("call_b")} && body.messages[-2].tool_call_id == 'call_a' && body.messages[-3].tool_calls[1].function.arguments == '{}'`,
      body: answer({ content: "What a story." }, "stop"),
    },
    {
      match: "body.messages[-1].role == 'user' && body.messages[-2].content == 'What a story.'",
      body: calls(["call_c", "end_round", "{}"]),
    },
  ]);
  const { outcome, entries, tolerated, score } = await playModel(horn, "easy", settingsOf(url), guardedFolder());
  expect(entries.map((entry) => (entry.kind === "call" ? `call ${entry.tool}` : entry.kind))).toEqual([
    "manifest",
    "message",
    "message",
    "answer",
    "call help",
    "call get_context",
    "answer",
    "message",
    "answer",
    "call end_round",
    "outcome",
    "seal",
  ]);
  expect(outcome).toBe("finished");
  expect(tolerated).toEqual(["empty_arguments", "missing_usage"]);
  expect(score?.map((share) => share.split("/")[0])).toEqual(["0", "0"]);
});

async function askOnce(url: string, stream: boolean): Promise<Asked> {
  const { endpoint, model } = settingsOf(url, { stream });
  const opened = openEndpoint({ ...endpoint, attempts: 1 }, model, surroundingsOf());
  const messages = [{ role: "user", content: "Hello" }];
  return await opened.ask({ messages, adapted: [], label: "test" }, new AbortController().signal);
}

it.each([false, true])("hears the same text, streaming or not (stream: %s)", async (stream) => {
  const url = await mock([
    { match: "@", body: answer({ content: "It begins with a horn, and “ends” with fire." }, "stop") },
  ]);
  const asked = await askOnce(url, stream);
  expect(asked.kind === "answered" && [asked.reply.message["content"], asked.reply.finish, asked.reply.model]).toEqual([
    "It begins with a horn, and “ends” with fire.",
    "stop",
    "gpt-mock",
  ]);
});

it.each([
  [false, 401],
  [true, null],
])("a wrong key is a wrong key, by status or inside a stream (stream: %s)", async (stream, status) => {
  const error = {
    message: `Incorrect API key provided: ${KEY}`,
    type: "invalid_request_error",
    code: "invalid_api_key",
  };
  const url = await mock([{ match: "@", status: 401, body: { error } }]);
  const asked = await askOnce(url, stream);
  if (asked.kind !== "failed") throw new Error(`it was ${asked.kind}`);
  expect([asked.fault.kind, asked.fault.code]).toEqual(["auth", "invalid_api_key"]);
  expect([status, 200]).toContain(asked.fault.status);
  expect(asked.fault.message).not.toContain(KEY);
});
