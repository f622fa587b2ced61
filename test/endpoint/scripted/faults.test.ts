import { describe, expect, it } from "vitest";
import { ask, refusalOf, start, USER } from "./asking.ts";
import { FAULTS, type FaultName } from "./index.ts";

describe("faults", () => {
  it("429 says when to come again: in seconds, as a date, in milliseconds, not at all", async () => {
    const nowMs = (): number => Date.UTC(2030, 0, 1);
    const headersOf = async (kind: FaultName): Promise<readonly unknown[]> => {
      const told = await ask(await start({ nowMs, faults: { from: 1, kinds: [kind] } }), {});
      return [told.status, told.headers.get("retry-after"), told.headers.get("retry-after-ms")];
    };
    expect(await headersOf("rate_limited_seconds")).toEqual([429, "1", null]);
    expect(await headersOf("rate_limited_date")).toEqual([429, "Tue, 01 Jan 2030 00:00:01 GMT", null]);
    expect(await headersOf("rate_limited_milliseconds")).toEqual([429, null, "20"]);
    expect(await headersOf("rate_limited_bare")).toEqual([429, null, null]);
  });

  it("an answer is cut, stalls, drips, is an error or a page inside a 200; none of them counts as answered", async () => {
    const ends: Record<string, string> = {};
    for (const kind of ["cut", "cut_quietly", "stall", "drip", "error_inside", "html", "reset"] as const) {
      for (const stream of [false, true]) {
        const endpoint = await start({ faults: { numbers: [1], kinds: [kind] } });
        const abort = new AbortController();
        const asked = fetch(`${endpoint.url}/chat/completions`, {
          method: "POST",
          body: JSON.stringify({ model: "scripted", messages: [USER], stream }),
          signal: abort.signal,
        });
        // What never ends is left once it has begun.
        if (kind === "stall" || kind === "drip") {
          while (endpoint.requests().length === 0) await new Promise((wake) => setTimeout(wake, 1));
          abort.abort();
        }
        const text = await asked.then((response) => response.text()).catch((error: Error) => `! ${error.name}`);
        ends[`${kind} ${stream ? "stream" : "plain"}`] = text.slice(0, 12);
        expect(endpoint.requests()).toMatchObject([{ outcome: kind, serial: null, full: false }]);
      }
    }
    expect(ends).toEqual({
      "cut plain": "! TypeError",
      "cut stream": "! TypeError",
      "cut_quietly plain": '{"id":"chatc',
      "cut_quietly stream": 'data: {"id":',
      "stall plain": "! AbortError",
      "stall stream": "! AbortError",
      "drip plain": "! AbortError",
      "drip stream": "! AbortError",
      "error_inside plain": '{"error":{"m',
      "error_inside stream": 'data: {"id":',
      "html plain": "<!DOCTYPE ht",
      "html stream": "<!DOCTYPE ht",
      "reset plain": "! TypeError",
      "reset stream": "! TypeError",
    });
  });

  it("every fault that refuses has a status and an error in the body", async () => {
    for (const [name, fault] of Object.entries(FAULTS)) {
      if (fault.kind !== "refuse") continue;
      const told = await ask(await start({ faults: { from: 1, kinds: [name as FaultName] } }), {});
      expect(told.status).toBeGreaterThanOrEqual(400);
      expect(refusalOf(told)).not.toContain("undefined");
    }
  });
});
