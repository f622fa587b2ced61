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
  track: "maintenance" as const,
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

  it("is said in fewer words where it is too long, and only then leaves out what matters least", () => {
    expect([150, 120, 99, 79, 50, 30, 12].map((columns) => progressLine(PROGRESS, columns))).toEqual([
      "3/8 done, 1 failed · 2 running · 120k tokens · $0.42 · 12k tokens/min · 10 min 0 s · about 25 min 0 s left · oldest call ark_001.hard.model.1 41 s",
      "3/8 done 2 running 1 failed · 120k tok · $0.42 · 12k/min · 12 runs/h · 10 min 0 s · 25 min left · oldest 41 s",
      "3/8 done 2 running 1 failed · 120k tok · $0.42 · 12k/min · 10 min 0 s · 25 min left · oldest 41 s",
      "3/8 done 2 run 1 fail 120k tok $0.42 12k/min 25 min left oldest 41 s",
      "3/8 done 2 run 1 fail 120k tok $0.42 oldest 41 s",
      "3/8 done 2 run 1 fail 120k tok",
      "3/8 done 2 …",
    ]);
  });

  it("on a terminal of 80 columns a set of any size keeps all that is wanted, the oldest call in flight too", () => {
    const asked = { ...NOTHING_ASKED, answers: 90, tokens: 1_200_000, costUsd: 3.2 };
    const many = Array.from({ length: 32 }, () => ({ run: RUN, round: 1, calls: 1 }));
    const set = { ...PROGRESS, planned: 200, done: 12, skipped: 0, running: many, asked, elapsedMs: 900_000 };
    expect(progressLine(set, 79)).toBe("12/200 done 32 run 1 fail 1.2M tok $3.20 80k/min 4 h left oldest 41 s");
    const huge = {
      ...set,
      planned: 2000,
      done: 1234,
      failed: 12,
      asked: { ...asked, tokens: 12_200_000, uncounted: 3, costUsd: 123.2, unpriced: 2 },
      oldest: { label: "x", ageMs: 720_000 },
      elapsedMs: 90_000_000,
    };
    expect(progressLine(huge, 79)).toBe(
      "1234/2000 done 32 run 12 fail ≥12M tok ≥$123 8.1k/min 16 h left oldest 12 min",
    );
  });

  it("says no more than it knows: nothing of what was not asked, of no one in flight and of a set that ends never", () => {
    const { asked: _asked, oldest, ...rest } = PROGRESS;
    const begun = { ...rest, done: 0, failed: 0, skipped: 0, ...(oldest === undefined ? {} : { oldest }) };
    expect(progressLine(begun, 40)).toBe("0/8 done 2 running · oldest 41 s");
    expect(progressLine({ ...PROGRESS, elapsedMs: 86_400_000 * 3 }, 90)).toContain(" · 8 d left");
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
