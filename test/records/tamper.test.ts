import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditRun, readRunFolder, RecordError, scoreFolder, type RunRecord } from "../../src/records/index.ts";
import { horn } from "../tracks/run-fixture.ts";
import {
  copyOfRun,
  editJson,
  editJudgments,
  FILES,
  findings,
  judgmentOf,
  put,
  textOf,
  type Draft,
} from "./tamper-run.ts";

/** Whatever was changed, and the whole of what is found. */
type Row = readonly [says: string, change: (record: RunRecord) => void, found: readonly string[]];

describe("judgments that were changed", () => {
  const judgment = (item: string, edit: (judgment: Draft) => void) => (record: RunRecord) =>
    editJudgments(record, (lines) => edit(judgmentOf(lines, item)));
  const rows: readonly Row[] = [
    [
      "a trigger to another that there is, which takes the event, what rests on it and the score with it",
      judgment("hound_held", (one) => put(one, "triggers", ["t1_1"])),
      ["binding judgments.jsonl hound_held triggers.0", "score …"],
    ],
    [
      "a trigger to one that there is not",
      judgment("hound_held", (one) => put(one, "triggers", ["t99_1"])),
      ["binding judgments.jsonl hound_held triggers.0", "score …"],
    ],
    [
      "a verdict",
      judgment("hearth_lit", (one) => put(one, "verdict", "fail")),
      ["judgment judgments.jsonl hearth_lit verdict", "score …"],
    ],
    [
      "a verdict of a probe",
      judgment("dead_stay", (one) => put(one, "verdict", "undecided")),
      ["judgment judgments.jsonl dead_stay verdict", "score …"],
    ],
    [
      "a reason",
      judgment("dead_must_drink", (one) => put(one, "reason", "because I say so")),
      ["judgment judgments.jsonl dead_must_drink reason", "score …"],
    ],
    [
      "a line removed",
      (record) => editJudgments(record, (lines) => void lines.pop()),
      ["judgment judgments.jsonl dead_stay", "score …"],
    ],
    [
      "a second vote",
      (record) =>
        editJudgments(record, (lines) => void lines.splice(1, 0, { ...judgmentOf(lines, "hound_held"), vote: 2 })),
      ["judgment judgments.jsonl hound_held vote 2"],
    ],
    [
      "a judgment of an item that there is not",
      (record) =>
        editJudgments(record, (lines) => void lines.push({ ...judgmentOf(lines, "hound_held"), item: "made_up" })),
      ["judgment judgments.jsonl made_up"],
    ],
    [
      "what the judge is",
      (record) => editJudgments(record, (lines) => put(lines, "0.judge.v", 2)),
      ["judgment judgments.jsonl judge.v"],
    ],
    [
      "which log they are of",
      (record) => editJudgments(record, (lines) => put(lines, "0.log", "0".repeat(64))),
      ["contract judgments.jsonl"],
    ],
    [
      "which contract they are of",
      (record) => editJudgments(record, (lines) => put(lines, "0.contractDigest", "0".repeat(64))),
      ["contract judgments.jsonl"],
    ],
    [
      "a line that is no judgment",
      (record) => writeFileSync(join(record.path, FILES.judgments), `${textOf(record, FILES.judgments)}{}\n`),
      ["judgment judgments.jsonl"],
    ],
  ];
  it.each(rows)("RC6 in %s are found", async (_, change, expected) => {
    const record = await copyOfRun();
    change(record);
    const found = await findings(record);
    const [scores, others] = [
      found.filter((one) => one.startsWith("score ")),
      found.filter((one) => !one.startsWith("score ")),
    ];
    expect(others).toEqual(expected.filter((one) => one !== "score …"));
    expect(scores.length > 0).toBe(expected.includes("score …"));
    for (const one of scores) expect(one).toMatch(/^score score\.json \w+/);
  });

  it("to pass what failed are found, and pass nothing even where the score was changed to fit", async () => {
    const record = await copyOfRun("lexical");
    const forgedPass = (edit: Draft): void => void Object.assign(edit, { verdict: "pass", triggers: ["t1_1"] });
    editJudgments(record, (lines) => forgedPass(judgmentOf(lines, "hearth_lit")));
    rmSync(join(record.path, FILES.score));
    const score = await scoreFolder(horn, record);
    expect(score?.items.find(({ id }) => id === "hearth_lit")?.status).toBe("fail");
    const found = await findings(record);
    expect(found).toContain("judgment judgments.jsonl hearth_lit verdict");
    expect(found).toContain("binding judgments.jsonl hearth_lit triggers.0");
  });

  it.each(["a model", "Exact", "exact ", "ex\u0430ct", 5, undefined])(
    "CT4 RC6 in the name of a judge nobody knows (%j) stand for nothing",
    async (name) => {
      const record = await copyOfRun("lexical");
      editJudgments(record, (lines) => {
        put(lines, "0.judge", name === undefined ? {} : { name });
        for (const line of lines.slice(1)) line["verdict"] = "pass";
      });
      rmSync(`${record.path}/${FILES.score}`);
      const { ok, differences, scores } = await auditRun(horn, await readRunFolder(record.path));
      expect(ok).toBe(false);
      expect(differences.map(({ kind, where }) => `${kind} ${where}`)).toEqual(["judgment judgments.jsonl"]);
      expect(scores).toEqual([]);
      await expect(scoreFolder(horn, await readRunFolder(record.path))).rejects.toMatchObject({
        code: "unknown_judge",
      });
    },
  );

  it("RC6 in another order are named, though each line is what it was", async () => {
    const record = await copyOfRun("lexical");
    editJudgments(record, (lines) => {
      const [header, first, second] = lines;
      lines.splice(0, 3, header as Draft, second as Draft, first as Draft);
    });
    const { ok, differences } = await auditRun(horn, await readRunFolder(record.path));
    expect(ok).toBe(false);
    expect(differences.map(({ kind, where }) => `${kind} ${where}`)).toEqual(["judgment judgments.jsonl:2"]);
  });

  it("RC6 behind a link that leads nowhere are missing", async () => {
    const record = await copyOfRun("lexical");
    rmSync(`${record.path}/${FILES.judgments}`);
    symlinkSync("nowhere", `${record.path}/${FILES.judgments}`);
    const { ok, differences } = await auditRun(horn, await readRunFolder(record.path));
    expect(ok).toBe(false);
    expect(differences[0]).toMatchObject({ kind: "judgment", where: "judgments.jsonl" });
  });
});

describe("files that are none", () => {
  it.each([FILES.log, FILES.judgments, FILES.score])(
    "RC6 a pipe in place of %s is named and never waited for",
    async (file) => {
      const record = await copyOfRun("lexical");
      rmSync(`${record.path}/${file}`);
      execFileSync("mkfifo", [`${record.path}/${file}`]);
      const found = await readRunFolder(record.path)
        .then((read) => auditRun(horn, read))
        .then(
          ({ ok }) => (ok ? "clean" : "named"),
          (error: unknown) => (error instanceof RecordError ? error.code : "thrown"),
        );
      expect(["named", "not_a_file"]).toContain(found);
    },
  );

  it("RC6 a score nested 200,000 deep is a difference of that score", async () => {
    const record = await copyOfRun("lexical");
    writeFileSync(`${record.path}/${FILES.score}`, "[".repeat(200_000) + "]".repeat(200_000));
    const { ok, differences } = await auditRun(horn, await readRunFolder(record.path));
    expect(ok).toBe(false);
    expect(differences.map(({ kind, where }) => `${kind} ${where}`)).toEqual(["score score.json"]);
  });
});

describe("a score that was changed", () => {
  const rows: readonly Row[] = [
    [
      "in a number",
      (record) => editJson(record, FILES.score, (score) => put(score, "completion.passed", 14)),
      ["score score.json completion.passed"],
    ],
    [
      "in the mean",
      (record) => editJson(record, FILES.score, (score) => put(score, "mix", 0.999)),
      ["score score.json mix"],
    ],
    [
      "in an item's status",
      (record) => editJson(record, FILES.score, (score) => put(score, "items.3.status", "fail")),
      ["score score.json items.3.status"],
    ],
    [
      "by an item less",
      (record) => editJson(record, FILES.score, (score) => void (score["items"] as unknown[]).pop()),
      ["score score.json items.23"],
    ],
    [
      "by a key more",
      (record) => editJson(record, FILES.score, (score) => put(score, "bonus", 1)),
      ["score score.json bonus"],
    ],
    [
      "in who played",
      (record) => editJson(record, FILES.score, (score) => put(score, "agent", "model")),
      ["score score.json agent"],
    ],
    ["into no JSON", (record) => writeFileSync(join(record.path, FILES.score), "{"), ["score score.json"]],
    [
      "by losing the judgments it was made of",
      (record) => rmSync(join(record.path, FILES.judgments)),
      ["score score.json"],
    ],
  ];
  it.each(rows)("RC6 %s is found", async (_, change, expected) => {
    const record = await copyOfRun();
    change(record);
    expect(await findings(record)).toEqual(expected);
  });

  it("RC1 is made again from the rest, byte for byte, once it is deleted", async () => {
    const record = await copyOfRun();
    const before = textOf(record, FILES.score);
    rmSync(join(record.path, FILES.score));
    expect(await findings(record)).toEqual([]);
    await scoreFolder(horn, record);
    expect(textOf(record, FILES.score)).toBe(before);
    expect(await findings(record)).toEqual([]);
  });
});

describe("a manifest that was changed", () => {
  const rows: readonly Row[] = [
    [
      "in the agent",
      (record) => editJson(record, FILES.manifest, (manifest) => put(manifest, "agent.name", "model")),
      ["manifest manifest.json agent.name", "score …"],
    ],
    [
      "in a setting",
      (record) => editJson(record, FILES.manifest, (manifest) => put(manifest, "agent.settings.v", 2)),
      ["manifest manifest.json agent.settings.v"],
    ],
    [
      "in the repeat",
      (record) => editJson(record, FILES.manifest, (manifest) => put(manifest, "repeat", 2)),
      ["manifest manifest.json repeat"],
    ],
    [
      "in the commit",
      (record) => editJson(record, FILES.manifest, (manifest) => put(manifest, "gitCommit", "0".repeat(40))),
      ["manifest manifest.json gitCommit"],
    ],
    [
      "in the world",
      (record) => editJson(record, FILES.manifest, (manifest) => put(manifest, "worldDigest", "0".repeat(64))),
      ["world manifest.json worldDigest"],
    ],
  ];
  it.each(rows)("RC6 %s is found", async (_, change, expected) => {
    const record = await copyOfRun();
    change(record);
    const found = await findings(record);
    expect(found.filter((one) => !one.startsWith("score "))).toEqual(expected.filter((one) => one !== "score …"));
    expect(found.some((one) => one.startsWith("score "))).toBe(expected.includes("score …"));
  });

  it("RC6 in the tier is found, and the log does not replay there", async () => {
    const record = await copyOfRun();
    editJson(record, FILES.manifest, (manifest) => put(manifest, "tier", "easy"));
    const found = await findings(record);
    expect(found).toContain("manifest manifest.json tier");
    expect(found.some((one) => one.startsWith("replay log.jsonl:2 "))).toBe(true);
  });

  it("in its start alone cannot be found: no digest holds a time", async () => {
    const record = await copyOfRun();
    editJson(record, FILES.manifest, (manifest) => put(manifest, "start", "1999-12-31T23:59:59.000Z"));
    expect(await findings(record)).toEqual([]);
  });
});

it("an audit says what should be there and what is", async () => {
  const record = await copyOfRun();
  editJson(record, FILES.score, (score) => put(score, "relation.passed", 3));
  const { ok, differences, run } = await auditRun(horn, await readRunFolder(record.path));
  expect({ ok, run, differences }).toEqual({
    ok: false,
    run: "horn.hard.reference.1",
    differences: [{ kind: "score", where: "score.json relation.passed", expected: "9", seen: "3" }],
  });
});
