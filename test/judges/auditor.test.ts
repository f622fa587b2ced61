import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelSettingsSchema } from "../../src/endpoint/index.ts";
import { judgeSet, nameOfReparsed, reparseRun } from "../../src/judges/index.ts";
import { MODEL_AUDITORS } from "../../src/judges/auditor.ts";
import { auditRun, readJudgments } from "../../src/records/index.ts";
import { canonicalJson } from "../../src/runtime/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import {
  copyOf,
  fakeEndpoint,
  lastingFolder,
  oracleOf,
  ownIdCalls,
  playForJudge,
  subjectOf,
  type PlayedForJudge,
} from "./judge-fixture.ts";

const judge = { name: "model" as const, model: modelSettingsSchema.parse({ model: "judge-1" }), votes: 1 };

let judged: Promise<PlayedForJudge> | undefined;

/** A run in extreme that a knowing judge judged, with one question that it could not answer; each test has its own copy. */
async function judgedRun(): Promise<PlayedForJudge> {
  judged ??= judgeOnce();
  return await copyOf(await judged);
}

async function judgeOnce(): Promise<PlayedForJudge> {
  const played = await playForJudge(ownIdCalls(), "extreme", { set: lastingFolder() });
  const oracle = await oracleOf();
  const { endpoint } = fakeEndpoint((prompt) =>
    subjectOf(prompt).includes("draws the bolt") ? "It is hard to say." : oracle(prompt),
  );
  const clock = { nowMs: () => 0, after: () => () => {} };
  await judgeSet([played], { judge, endpoint, as: "model", concurrency: 2, clock, sync: false });
  return played;
}

const audit = async ({ record }: PlayedForJudge) => await auditRun(horn, record, MODEL_AUDITORS);

function edit({ record }: PlayedForJudge, file: string, change: (lines: string[]) => readonly string[]): void {
  const path = join(record.path, file);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

const ANSWERS = "answers.model.jsonl";
const JUDGMENTS = "judgments.model.jsonl";

type Line = { [key: string]: unknown };
const changed = (line: string, change: (value: Line) => void): string => {
  const value = JSON.parse(line) as Line;
  change(value);
  return canonicalJson(value);
};
const replaced = (
  lines: readonly string[],
  which: (line: string) => boolean,
  change: (value: Line) => void,
): string[] => lines.map((line) => (which(line) ? changed(line, change) : line));

describe("AG58 The audit of a model's judgments", () => {
  it("derives them again from the answers, every prompt rebuilt", async () => {
    const played = await judgedRun();
    expect(await audit(played)).toMatchObject({ ok: true, differences: [] });
  });

  it.each<[string, string, (lines: string[]) => readonly string[], RegExp]>([
    [
      "a verdict that the answer does not give",
      JUDGMENTS,
      (lines) =>
        replaced(
          lines,
          (line) => line.includes('"item":"gate_opened"'),
          (one) => {
            one["verdict"] = "pass";
            one["triggers"] = ["t6_2"];
          },
        ),
      /judgments\.model\.jsonl gate_opened/,
    ],
    [
      "an identity that the answer does not give",
      JUDGMENTS,
      (lines) =>
        replaced(
          lines,
          (line) => line.includes('"entity":"teo"'),
          (one) => (one["is"] = "own_ilka"),
        ),
      /who is teo is/,
    ],
    [
      "an answer that was changed",
      ANSWERS,
      (lines) =>
        replaced(
          lines,
          (line) => line.includes('"item knife_left"'),
          (one) => (one["raw"] = String(one["raw"]).replace('"pass"', '"fail"')),
        ),
      /knife_left/,
    ],
    [
      "an answer to another prompt",
      ANSWERS,
      (lines) =>
        replaced(
          lines,
          (line) => line.includes('"item knife_left"'),
          (one) => (one["prompt"] = "0".repeat(64)),
        ),
      /answers: item knife_left vote 1 attempt 1 prompt/,
    ],
    [
      "an answer that is gone",
      ANSWERS,
      (lines) => lines.filter((line) => !line.includes('"item knife_left"')),
      /answers$/,
    ],
    [
      "an attempt that is gone",
      ANSWERS,
      (lines) => lines.filter((line) => !(line.includes('"item gate_opened"') && line.includes('"attempt":2'))),
      /gate_opened vote 1 attempt 3 prompt|answers$/,
    ],
    [
      "an answer that nobody asked for",
      ANSWERS,
      (lines) => [...lines, changed(lines.at(-1) as string, (one) => (one["vote"] = 2))],
      /vote 2 attempt 1/,
    ],
    [
      "answers of another judge",
      ANSWERS,
      (lines) => [
        changed(lines[0] as string, (one) => ((one["judge"] as Line)["host"] = "other.test:443")),
        ...lines.slice(1),
      ],
      /judge/,
    ],
    [
      "judgments of another prompt",
      JUDGMENTS,
      (lines) => [
        changed(
          lines[0] as string,
          (one) => ((one["judge"] as Line)["prompt"] = { v: 7, digest: "0".repeat(64), size: 24_000, most: 60_000 }),
        ),
        ...lines.slice(1),
      ],
      /judge/,
    ],
  ])("finds %s", async (_, file, change, where) => {
    const played = await judgedRun();
    edit(played, file, change);
    const { ok, differences } = await audit(played);
    expect(ok).toBe(false);
    expect(differences.map((one) => one.where)).toContainEqual(expect.stringMatching(where));
  });

  it("finds a torn last line under judgments: a judge that goes on would have cut it off", async () => {
    const played = await judgedRun();
    const path = join(played.record.path, ANSWERS);
    writeFileSync(path, `${readFileSync(path, "utf8")}{"attempt":1`);
    const { differences } = await audit(played);
    expect(differences).toEqual([
      { kind: "judgment", where: `${ANSWERS} last line`, expected: "whole lines", seen: "12 bytes without an end" },
    ]);
  });

  it("notes answers from which no judgments were read, and is content: judging may be under way", async () => {
    const played = await judgedRun();
    rmSync(join(played.record.path, JUDGMENTS));
    expect(await audit(played)).toMatchObject({
      ok: true,
      differences: [],
      notes: [
        `${ANSWERS} is there, and no judgments that follow from it: judging was not finished, or they were taken away`,
      ],
    });
  });

  it("says in words what is wrong with the settings of a judge", async () => {
    const played = await judgedRun();
    const text = (one: Line): unknown => ((one["judge"] as Line)["format"] = "text");
    for (const file of [JUDGMENTS, ANSWERS])
      edit(played, file, ([header = "", ...rest]) => [changed(header, text), ...rest]);
    const [first] = (await audit(played)).differences;
    expect(first).toEqual({
      kind: "judgment",
      where: "judge",
      expected: "the settings of a model judge",
      seen: expect.stringMatching(/^format[^\n{]*json_schema[^\n{]*$/),
    });
  });
});

describe("AG58 Reading answers again", () => {
  it("makes the same judgments from the same answers, beside the old ones, and asks nobody", async () => {
    const played = await judgedRun();
    expect(await reparseRun(played, "model")).toMatchObject({ kind: "judged", parser: { was: 1, is: 1 } });
    const [old, again] = [
      await readJudgments(played.record.path, "model"),
      await readJudgments(played.record.path, nameOfReparsed("model")),
    ];
    expect(again?.header).toEqual({ ...old?.header, answers: "model" });
    expect(again?.judgments).toEqual(old?.judgments);
    expect(again?.identities).toEqual(old?.identities);
    expect(await audit(played)).toMatchObject({ ok: true, differences: [] });
  });

  it("reads what another parser could not, as if it had been read then", async () => {
    const played = await judgedRun();
    // What another parser says to a judge about a fault is not what this one says: the second prompt was another.
    edit(played, ANSWERS, ([header = "", ...rest]) => [
      changed(header, (one) => ((one["judge"] as Line)["parser"] = { v: 9, asked: 9 })),
      ...replaced(
        rest,
        (line) => line.includes('"item gate_opened"') && line.includes('"attempt":2'),
        (one) => {
          one["prompt"] = "1".repeat(64);
          one["raw"] = '{"citations":[],"triggers":["t6_2"],"constructions":[],"reason":"r","verdict":"pass"}';
        },
      ).filter((line) => !(line.includes('"item gate_opened"') && line.includes('"attempt":3'))),
    ]);
    const read = await reparseRun(played, "model");
    expect(read).toMatchObject({ kind: "judged", parser: { was: 9, is: 1 }, score: { undecided: 0 } });
    const again = await readJudgments(played.record.path, nameOfReparsed("model"));
    expect(again?.judgments.find(({ item }) => item === "gate_opened")).toMatchObject({
      verdict: "pass",
      triggers: ["t6_2"],
    });
    expect((await audit(played)).differences.filter(({ where }) => where.includes("-p"))).toEqual([]);
  });

  it.each<[string, (played: PlayedForJudge) => void, object]>([
    [
      "answers that are not complete",
      (played) => edit(played, ANSWERS, (lines) => lines.slice(0, 5)),
      { kind: "left", why: expect.stringContaining("judge it to its end first") },
    ],
    [
      "answers to another prompt",
      (played) =>
        edit(played, ANSWERS, (lines) => [
          changed(
            lines[0] as string,
            (one) => ((one["judge"] as Line)["prompt"] = { v: 7, digest: "0".repeat(64), size: 24_000, most: 60_000 }),
          ),
          ...lines.slice(1),
        ]),
      { kind: "fault", why: expect.stringContaining("with prompt 7") },
    ],
  ])("does not read %s", async (_, change, expected) => {
    const played = await judgedRun();
    change(played);
    expect(await reparseRun(played, "model")).toMatchObject(expected);
  });

  it("says so where there are no answers", async () => {
    const played = await playForJudge(ownIdCalls(), "extreme");
    expect(await reparseRun(played, "model")).toEqual({ kind: "left", why: "it has no answers named model" });
  });
});
