import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { makeCut } from "../../src/cli/cut.ts";
import { endpointSettingsSchema, modelSettingsSchema, openEndpoint } from "../../src/endpoint/index.ts";

describe("the limit of minutes", () => {
  it("AG23 ends requests that an endpoint never answers, and calls that no fault of it", async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const due: { readonly ms: number; readonly then: () => void }[] = [];
    const cut = makeCut({
      nowMs: () => 0,
      after: (ms, then) => {
        due.push({ ms, then });
        return () => {};
      },
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const endpoint = openEndpoint(
      endpointSettingsSchema.parse({ baseUrl, apiKeyEnv: null }),
      modelSettingsSchema.parse({ model: "m" }),
      { key: undefined, nowMs: () => 0, sleep: () => Promise.resolve(), random: () => 0, cut: cut.signal },
    );
    cut.start(60_000);
    const asked = endpoint.ask(
      { messages: [{ role: "user", content: "?" }], adapted: [], label: "r" },
      new AbortController().signal,
    );
    while (endpoint.inFlight().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(due.map(({ ms }) => ms)).toEqual([75_000]);
    due[0]?.then();
    expect(await asked).toEqual({ kind: "stopped" });
    cut.release();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("AG23 cuts nothing where there is no limit", () => {
    const cut = makeCut({ nowMs: () => 0, after: () => expect.fail("a timer was set") });
    cut.start(undefined);
    expect(cut.signal.aborted).toBe(false);
    cut.release();
  });
});
