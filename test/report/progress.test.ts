import { describe, expect, it } from "vitest";
import { requireRunId } from "../../src/records/index.ts";
import {
  NOTHING_ASKED,
  progressLine,
  progressText,
  sayCost,
  sayCount,
  type SetProgress,
} from "../../src/report/index.ts";

const RUN = {
  run: requireRunId("ark_001.hard.model.1"),
  case: "ark_001",
  tier: "hard" as const,
  agent: "model",
  repeat: 1,
};

const PROGRESS: SetProgress = {
  planned: 8,
  done: 3,
  failed: 1,
  skipped: 1,
  running: [
    { run: RUN, round: 4, calls: 57 },
    { run: RUN, round: 1, calls: 2 },
  ],
  asked: { ...NOTHING_ASKED, answers: 90, tokens: 120_400, costUsd: 0.42 },
  oldest: { label: "ark_001.hard.model.1", ageMs: 41_000 },
  elapsedMs: 600_000,
};

describe("AG33 the line of a set whose runs ask a model", () => {
  it("says what is done, running and failed, tokens, cost, rates, time left and the oldest call in flight", () => {
    expect(progressText(PROGRESS)).toBe(
      "3/8 done, 1 failed · 2 running · 120k tokens · $0.42 · 12k tokens/min · 12 runs/h · 10 min 0 s · " +
        "about 25 min 0 s left · oldest call ark_001.hard.model.1 41 s",
    );
    expect(progressLine(PROGRESS, 500)).toBe(progressText(PROGRESS));
  });

  it("leaves out what matters least where the line is too long, and never what is done, failed and running", () => {
    expect([150, 120, 79, 50, 30, 12].map((columns) => progressLine(PROGRESS, columns))).toEqual([
      "3/8 done, 1 failed · 2 running · 120k tokens · $0.42 · 12k tokens/min · 10 min 0 s · about 25 min 0 s left · oldest call ark_001.hard.model.1 41 s",
      "3/8 done, 1 failed · 2 running · 120k tokens · $0.42 · about 25 min 0 s left · oldest call ark_001.hard.model.1 41 s",
      "3/8 done, 1 failed · 2 running · $0.42 · oldest call ark_001.hard.model.1 41 s",
      "3/8 done, 1 failed · 2 running · 120k tokens",
      "3/8 done, 1 failed · 2 running",
      "3/8 done, 1…",
    ]);
  });

  it("names a call that has not waited long only where there is room for it", () => {
    const brief = { ...PROGRESS, oldest: { label: "ark_001.hard.model.1", ageMs: 4_000 } };
    expect([200, 79].map((columns) => progressLine(brief, columns).includes("oldest call"))).toEqual([true, false]);
    expect(progressLine(brief, 79)).toBe(
      "3/8 done, 1 failed · 2 running · 120k tokens · $0.42 · about 25 min 0 s left",
    );
  });

  it("counts runs that were finished before neither in the rate nor in the time left", () => {
    const { elapsedMs: _, ...rest } = PROGRESS;
    expect(progressText({ ...rest, done: 1, skipped: 1, elapsedMs: 60_000 })).not.toMatch(/runs\/h|left/);
  });

  it("marks tokens that are estimated or not all known, and says — for what is not known at all", () => {
    const asked = PROGRESS.asked ?? NOTHING_ASKED;
    const said = (more: Partial<typeof asked>) =>
      progressText({ ...PROGRESS, asked: { ...asked, ...more } })
        .split(" · ")
        .filter((part) => /tokens|\$|cost/.test(part));
    expect(said({ estimated: true })).toEqual(["~120k tokens", "$0.42", "12k tokens/min"]);
    expect(said({ uncounted: 3, estimated: true })).toEqual(["≥120k tokens", "$0.42", "12k tokens/min"]);
    expect(said({ uncounted: 90, tokens: 0, unpriced: 90, costUsd: 0 })).toEqual(["— tokens", "cost —"]);
  });
});

it("a cost says what it is: known, at least so much, or not known", () => {
  const cost = (costUsd: number, unpriced: number, answers = 10) => sayCost({ answers, costUsd, unpriced });
  expect([cost(1.234, 0), cost(0.0042, 0), cost(0, 0), cost(1.2, 4), cost(0, 10), cost(0, 0, 0)]).toEqual([
    "$1.23",
    "$0.0042",
    "$0.00",
    "≥ $1.20",
    "cost —",
    "$0.00",
  ]);
});

it("large counts are shortened, never to a number that looks smaller by a unit", () => {
  expect([0, 8.4, 999, 1_000, 9_949, 9_950, 120_400, 999_499, 999_500, 3_412_000].map(sayCount)).toEqual([
    "0",
    "8",
    "999",
    "1.0k",
    "9.9k",
    "10k",
    "120k",
    "999k",
    "1.0M",
    "3.4M",
  ]);
});
