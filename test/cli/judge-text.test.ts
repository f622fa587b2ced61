import { describe, expect, it } from "vitest";
import { estimateJson, estimateLines, judgedJson, judgedLines } from "../../src/cli/judge/text.ts";
import type { Score, ScoredItem } from "../../src/contracts/index.ts";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import type { JudgedSet, JudgeEstimate } from "../../src/judges/index.ts";
import { NOTHING_SPENT, type RunId } from "../../src/records/index.ts";

const judge = { name: "exact+model" as const, model: modelSettingsSchema.parse({ model: "m" }), votes: 1 };
const about = { judge, host: "h", as: "model", set: "runs/x", casesDir: undefined };

type Own = Pick<ScoredItem, "kind" | "scored"> & { readonly noAnswer?: true };

function judgedSet(items: readonly Own[], more: Partial<JudgedSet["spent"]> = {}): JudgedSet {
  const silent = items.filter(({ noAnswer }) => noAnswer === true).length;
  const score = {
    items,
    undecided: silent,
    judgeFaults: silent,
    standing: { confirmed: 0, word: 0, refused: 0 },
    flips: { E: 1, A: 2 },
  } as unknown as Score;
  const spent = { ...NOTHING_SPENT, answers: 1, tokens: 1, ...more };
  return {
    runs: [{ run: "a.hard.b.1" as RunId, result: { kind: "judged", score, asked: 1, cached: 0 } }],
    stop: undefined,
    spent,
    spentInAll: spent,
    format: "plain",
  };
}

describe("What judge --judge model says at its end", () => {
  it("counts one of a thing as one", () => {
    const lines = judgedLines(judgedSet([{ kind: "E", scored: true }]), about);
    expect(lines[0]).toContain("1 judged of 1 run, as model.");
    expect(lines[1]).toBe("1 answer, 1 token, $0.00; 0 more from the cache.");
    expect(lines[3]).toBe("Flips of what the exact judge failed: 1 event, 2 structures.");
  });

  it("says it where the endpoint refused every question of a run, and only there", () => {
    const silent: Own = { kind: "E", scored: true, noAnswer: true };
    const other: Own[] = [
      { kind: "CA", scored: true },
      { kind: "A", scored: false },
    ];
    const line =
      "Of 1 of 1 judged run the endpoint refused every question: nothing of it is judged, and asking again would bring the same.";
    expect(judgedLines(judgedSet([silent, ...other]), about)).toContain(line);
    expect(judgedLines(judgedSet([silent, { kind: "P", scored: true }]), about)).not.toContain(line);
    expect(judgedLines(judgedSet([]), about)).not.toContain(line);
  });

  it("rounds costs in JSON to a billionth of a dollar", () => {
    expect(judgedJson(judgedSet([], { costUsd: 1.6500000000000001 + 1e-12 }), about)).toMatchObject({
      spent: { costUsd: 1.65 },
    });
  });
});

describe("What a dry run says", () => {
  const estimate: JudgeEstimate = {
    kind: "estimate",
    identities: 0,
    items: { event: 1, structure: 0, probe: 0 },
    requests: 0,
    settled: 0,
    tooLong: 1,
    promptTokens: 0,
    answerTokens: 0,
    costUsd: 0.1 + 0.2,
  };
  const options = { judge, host: "h", path: "/v1", as: "model", costOf: () => null };
  const runs = [{ run: "a", estimate }];

  it("counts questions that no prompt can hold", () => {
    const line = "1 question will not be asked: what a judge must be shown is longer than a prompt. Undecided.";
    expect(estimateLines(runs, options)).toContain(line);
    expect(estimateLines([{ run: "a", estimate: { ...estimate, tooLong: 0 } }], options)).not.toContain(line);
    expect(estimateJson(runs, options)).toMatchObject({ total: { tooLong: 1, costUsd: 0.3 } });
  });
});
