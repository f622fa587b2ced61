import { describe, expect, it } from "vitest";
import { SetDisplay } from "../../src/cli/display.ts";
import type { InFlight } from "../../src/endpoint/index.ts";
import { requireRunId } from "../../src/records/index.ts";
import type { RunName } from "../../src/tracks/index.ts";

const CLEAR = "\r\u001b[2K";
const run: RunName = {
  track: "maintenance",
  run: requireRunId("horn.hard.m.1"),
  case: "horn",
  tier: "hard",
  agent: "m",
  repeat: 1,
};
const answer = { kind: "answer", run, tokens: 1_500, estimated: false, costUsd: 0.25, replayed: false } as const;

/** A display with a clock that moves only when it is told to. */
function shown(isTTY: boolean, inFlight: () => readonly InFlight[] = () => []) {
  const written: string[] = [];
  const clock = { nowMs: 1_000_000 };
  const stream = { isTTY, columns: 200, write: (text: string) => written.push(text) };
  const display = new SetDisplay(2, stream, {}, () => clock.nowMs, inFlight);
  const later = (ms: number): SetDisplay => {
    clock.nowMs += ms;
    return display;
  };
  return { written, display, later, last: () => written.at(-1) };
}

describe("AG33 the display of a set whose runs ask a model", () => {
  it("sums tokens and cost of answers, and leaves out those that a log gave again", () => {
    const { later, display, last } = shown(true);
    display.take({ kind: "begun", run });
    later(60_000).take(answer);
    later(1_000).take({ ...answer, tokens: 9_000, costUsd: 9, replayed: true });
    later(59_000).take({ ...answer, tokens: 500, estimated: true, costUsd: null });
    expect(last()).toBe(`${CLEAR}0/2 done · 1 running · ~2.0k tokens · ≥ $0.25 · 1.0k tokens/min · 2 min 0 s`);
  });

  it("names the oldest call in flight and how long it has waited, also where nothing else happens", () => {
    const calls: InFlight[] = [
      { label: "horn.hard.m.2", sinceMs: 1_030_000 },
      { label: "horn.hard.m.1", sinceMs: 1_010_000 },
    ];
    const { later, display, last } = shown(true, () => calls);
    display.take({ kind: "begun", run });
    later(70_000).tick();
    expect(last()).toBe(`${CLEAR}0/2 done · 1 running · 1 min 10 s · oldest call horn.hard.m.1 1 min 0 s`);
    calls.pop();
    later(1_000).tick();
    expect(last()).toBe(`${CLEAR}0/2 done · 1 running · 1 min 11 s · oldest call horn.hard.m.2 41 s`);
  });

  it("writes plain lines where there is no terminal: one for each run, and one a minute of how things stand", () => {
    const { later, display, written } = shown(false, () => [{ label: run.run, sinceMs: 1_000_000 }]);
    display.take({ kind: "begun", run });
    later(30_000).tick();
    later(1_000).take(answer);
    later(29_000).tick();
    later(1_000).tick();
    later(1_000).take({ kind: "done", run: { ...run, path: "", outcome: "endpoint_fault", skipped: false } });
    later(58_000).tick();
    display.close();
    expect(written).toEqual([
      "0/2 done · 1 running · 1.5k tokens · $0.25 · 1.5k tokens/min · 1 min 0 s · oldest call horn.hard.m.1 1 min 0 s\n",
      "[1/2] horn.hard.m.1 endpoint_fault\n",
      "1/2 done, 1 failed · 1.5k tokens · $0.25 · 750 tokens/min · 30 runs/h · 2 min 0 s · about 2 min 0 s left · oldest call horn.hard.m.1 2 min 0 s\n",
    ]);
  });

  it("shows no character of a label that a terminal would act on", () => {
    const { later, display, last } = shown(true, () => [{ label: "a\u001b[31m", sinceMs: 1_000_000 }]);
    display.take({ kind: "begun", run });
    later(2_000).tick();
    expect(last()).toBe(`${CLEAR}0/2 done · 1 running · 2 s · oldest call a\\x1b[31m 2 s`);
  });
});
