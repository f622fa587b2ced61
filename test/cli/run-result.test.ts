import { describe, expect, it } from "vitest";
import { closingLines, codeOf, heldLine, stopLine } from "../../src/cli/run-result.ts";

import { NOTHING_SPENT, requireRunId, type RecordErrorCode } from "../../src/records/index.ts";
import type { PlayedAs, PlayedRun, SetResult } from "../../src/tracks/index.ts";

function played(repeat: number, outcome: PlayedRun["outcome"], more: Partial<PlayedAs> = {}): PlayedRun {
  const run = requireRunId(`horn.hard.m.${repeat}`);
  return {
    track: "maintenance",
    run,
    case: "horn",
    tier: "hard",
    agent: "m",
    repeat,
    path: "",
    outcome,
    skipped: false,
    ...more,
  };
}

function resultOf(runs: readonly PlayedRun[], more: Partial<SetResult> = {}): SetResult {
  return { runs, spent: NOTHING_SPENT, unanswered: { requests: 0, attempts: 0 }, ...more };
}

const refused = (repeat: number, faultCode: RecordErrorCode) => played(repeat, null, { fault: "why", faultCode });
const SPENT = { ...NOTHING_SPENT, answers: 2, tokens: 300, costUsd: 0.5 };

describe("AG25 the closing line says what was asked and what came of it", () => {
  it.each([
    ["1 finished. This command: 300 tokens in 2 answers, $0.50.", [played(1, "finished")], { spent: SPENT }],
    [
      "1 finished. This command: 300 tokens in 2 answers, $0.50; 1 request (6 attempts) brought none.",
      [played(1, "finished")],
      { spent: SPENT, unanswered: { requests: 1, attempts: 6 } },
    ],
    [
      "2 endpoint_fault. This command: no answer came to 2 requests (12 attempts).",
      [played(1, "endpoint_fault", { detail: "a" }), played(2, "endpoint_fault", { detail: "b" })],
      { unanswered: { requests: 2, attempts: 12 } },
    ],
    [
      "1 endpoint_fault. This command: no answer came to 1 request.",
      [played(1, "endpoint_fault", { detail: "a" })],
      { unanswered: { requests: 1, attempts: 1 } },
    ],
    ["1 finished. This command: nothing was asked.", [played(1, "finished", { skipped: true })], {}],
    [
      "1 finished, 2 not played. This command: nothing was asked.",
      [played(1, "finished", { skipped: true }), refused(2, "locked"), refused(3, "log_damaged")],
      {},
    ],
    ["2 not played. This command: nothing was asked.", [refused(1, "locked"), refused(2, "locked")], {}],
    ["1 cancelled. This command: no answer came.", [played(1, "cancelled")], { stop: { kind: "interrupted" } }],
    [
      "1 finished. This command: nothing was asked; before it 300 tokens in 2 answers, $0.50.",
      [played(1, "finished", { skipped: true })],
      { before: SPENT },
    ],
  ] as const)("%s", (line, runs, more) => {
    expect(closingLines(resultOf(runs, more as Partial<SetResult>))[0]).toBe(line);
  });
});

describe("AG2 the code that a run ends with", () => {
  const disk = { kind: "disk", run: requireRunId("horn.hard.m.1"), why: "s: the disk is full" } as const;
  it.each([
    ["everything planned is done", 0, resultOf([played(1, "finished"), played(2, "stopped")])],
    ["another command holds a run", 1, resultOf([played(1, "finished"), refused(2, "locked")])],
    ["a record refuses its run", 1, resultOf([refused(1, "log_damaged")])],
    ["the disk is full", 1, resultOf([refused(1, "disk_full"), played(2, "cancelled")], { stop: disk })],
    ["the disk is full after an endpoint's fault", 1, resultOf([played(1, "endpoint_fault")], { stop: disk })],
    ["an endpoint was at fault", 3, resultOf([played(1, "endpoint_fault"), refused(2, "locked")])],
    ["somebody stopped it", 130, resultOf([played(1, "cancelled")], { stop: { kind: "interrupted" } })],
  ])("%s: %i", (_what, code, result) => {
    expect(codeOf(result, false)).toBe(code);
  });

  it("the line of a full disk says at which run, why and how to go on", () => {
    expect(stopLine(disk, "worldagent run", "s", [])).toBe(
      "Stopped at horn.hard.m.1: s: the disk is full. What was written is kept; go on with: worldagent run",
    );
  });
});

it("runs that another command plays are said to be left to it", () => {
  expect(heldLine([played(1, "finished"), refused(2, "log_damaged")], "again")).toBeUndefined();
  expect(heldLine([refused(2, "locked"), refused(3, "locked")], "again")).toBe(
    "2 runs are held by another command, and left to it. When that has ended, this gives the whole: again",
  );
});
