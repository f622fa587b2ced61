import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { endpointSettingsSchema, modelSettingsSchema, openEndpoint } from "../../src/endpoint/index.ts";
import { playSet } from "../../src/tracks/index.ts";
import { modelAgent } from "../../src/agents/index.ts";
import { planOf, tempFolder } from "../tracks/run-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Tells what it cost and answers nothing, for ever. */
async function dearServer(): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests += 1;
      response.setHeader("content-type", "application/json");
      const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
      response.end(JSON.stringify({ id: "x", object: "chat.completion", model: "m", choices: [], usage }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests };
}

describe("a budget", () => {
  it("RC16 is looked at between the attempts of one request, too: what they told is spent", async () => {
    const { url, requests } = await dearServer();
    const model = modelSettingsSchema.parse({ model: "m" });
    const endpoint = openEndpoint(
      endpointSettingsSchema.parse({ baseUrl: url, apiKeyEnv: null, attempts: 20 }),
      model,
      {
        key: undefined,
        nowMs: () => 0,
        sleep: () => Promise.resolve(),
        random: () => 0,
      },
    );
    const agent = modelAgent({ name: "dear", model, endpoint, lane: { name: "here", concurrency: 1 } });
    const surroundings = {
      packageVersion: "0.0.0",
      gitCommit: null,
      nodeVersion: "v20",
      platform: "test",
      now: () => "2026-01-01T00:00:00.000Z",
    };
    const { stop, runs, spent } = await playSet([planOf(agent, "easy")], tempFolder(), surroundings, {
      sync: false,
      budgets: { tokens: 3000 },
    });
    expect(stop).toEqual({ kind: "budget", which: "set_tokens", setting: 3000, measured: 3030 });
    expect(requests()).toBe(3);
    // The fault stands in the log with everything it cost; the run is taken up by a later command.
    expect([runs[0]?.outcome, spent.tokens]).toEqual(["endpoint_fault", 3030]);
  });
});
