import { describe, expect, it, vi } from "vitest";
import { openGate, openGates } from "../../src/endpoint/index.ts";
import { completion, endpointAt, NEVER, QUESTION, serve } from "./tiny-server.ts";

/** A clock that moves when somebody waits, and lets waiters go when the test says so. */
function makeClock() {
  const waiting: { readonly untilMs: number; readonly go: () => void }[] = [];
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        waiting.push({ untilMs: nowMs + ms, go: resolve });
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
    waiting,
    /** Moves to `ms` and lets go who waited until then. */
    moveTo: async (ms: number) => {
      nowMs = ms;
      for (const one of waiting.splice(0)) {
        if (one.untilMs <= ms) one.go();
        else waiting.push(one);
      }
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

function held(): { readonly work: () => Promise<string>; readonly release: () => void; readonly begun: () => boolean } {
  let release = (): void => undefined;
  let begun = false;
  const done = new Promise<string>((resolve) => {
    release = () => resolve("done");
  });
  return {
    work: () => {
      begun = true;
      return done;
    },
    release: () => release(),
    begun: () => begun,
  };
}

describe("the gate of an address", () => {
  it("lets as many through at once as it is told, and the next when one is done", async () => {
    const gate = openGate({ concurrency: 2 }, makeClock());
    const works = [held(), held(), held()];
    const passed = works.map(({ work }) => gate.pass(work, NEVER));
    await settle();
    expect(works.map(({ begun }) => begun())).toEqual([true, true, false]);
    works[0]?.release();
    await passed[0];
    await settle();
    expect(works.map(({ begun }) => begun())).toEqual([true, true, true]);
    for (const { release } of works) release();
    expect(await Promise.all(passed)).toEqual(["done", "done", "done"]);
  });

  it("a pause holds everybody who has not begun, and the longest pause counts", async () => {
    const clock = makeClock();
    const gate = openGate({ concurrency: 4 }, clock);
    gate.pause(1000);
    gate.pause(200);
    const works = [held(), held()];
    const passed = works.map(({ work }) => gate.pass(work, NEVER));
    await settle();
    expect(clock.waiting.map(({ untilMs }) => untilMs)).toEqual([1000, 1000]);
    gate.pause(3000);
    await clock.moveTo(1000);
    expect(works.map(({ begun }) => begun())).toEqual([false, false]);
    await clock.moveTo(3000);
    expect(works.map(({ begun }) => begun())).toEqual([true, true]);
    for (const { release } of works) release();
    await Promise.all(passed);
  });

  it("after a stop nobody begins, and who waits is told at once", async () => {
    const gate = openGate({ concurrency: 1 }, makeClock());
    const stop = new AbortController();
    const [first, second] = [held(), held()];
    const heard = gate.pass(first.work, stop.signal);
    const waits = gate.pass(second.work, stop.signal);
    await settle();
    stop.abort();
    expect(await waits).toBeUndefined();
    first.release();
    expect(await heard).toBe("done");
    await settle();
    expect(second.begun()).toBe(false);
  });

  it("a stop during a pause ends the wait without beginning", async () => {
    const gate = openGate({ concurrency: 1 }, makeClock());
    const stop = new AbortController();
    gate.pause(1000);
    const { work, begun } = held();
    const waits = gate.pass(work, stop.signal);
    await settle();
    stop.abort();
    expect(await waits).toBeUndefined();
    expect(begun()).toBe(false);
  });

  it("work that throws frees its place", async () => {
    const gate = openGate({ concurrency: 1 }, makeClock());
    await expect(gate.pass(() => Promise.reject(new Error("broken")), NEVER)).rejects.toThrow("broken");
    expect(await gate.pass(() => Promise.resolve(1), NEVER)).toBe(1);
  });

  it("is one for all models of an address, and the smaller number holds", async () => {
    const gateOf = openGates(makeClock());
    const gate = gateOf({ baseUrl: "http://127.0.0.1:8000/v1", concurrency: 4 });
    expect(gateOf({ baseUrl: "http://127.0.0.1:8000/v1/", concurrency: 1 })).toBe(gate);
    expect(gateOf({ baseUrl: "http://127.0.0.1:8001/v1", concurrency: 4 })).not.toBe(gate);
    const works = [held(), held()];
    for (const { work } of works) void gate.pass(work, NEVER);
    await settle();
    expect(works.map(({ begun }) => begun())).toEqual([true, false]);
  });
});

describe("endpoints at one gate", () => {
  it("a 429 to one of them makes the other wait as long as the server asks", async () => {
    const clock = makeClock();
    const slow = { status: 429, headers: { "retry-after": "30" }, json: { error: { message: "slow" } } };
    const { baseUrl, seen } = await serve(slow, completion({ role: "assistant", content: "hello" }));
    const gate = openGate({ concurrency: 4 }, clock);
    const surroundings = { nowMs: clock.nowMs, sleep: clock.sleep, random: () => 0 };
    const [one, other] = [endpointAt(baseUrl, { surroundings, gate }), endpointAt(baseUrl, { surroundings, gate })];
    const first = one.endpoint.ask(QUESTION, NEVER);
    await vi.waitFor(() => expect(clock.waiting.map(({ untilMs }) => untilMs)).toEqual([30_000]));
    const second = other.endpoint.ask(QUESTION, NEVER);
    await vi.waitFor(() => expect(clock.waiting.map(({ untilMs }) => untilMs)).toEqual([30_000, 30_000]));
    expect(seen).toHaveLength(1);
    await clock.moveTo(30_000);
    expect((await first).kind).toBe("answered");
    expect((await second).kind).toBe("answered");
    expect(seen).toHaveLength(3);
  });
});
