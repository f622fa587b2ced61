/** Judgments of a model as they lie in a run's folder: scored, audited, and what a set may say under whose name. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { referenceAgent } from "../../src/agents/reference.ts";
import type { Identity, Judgment } from "../../src/contracts/index.ts";
import {
  auditRun,
  faultOfExact,
  isIdle,
  judgeRunExactly,
  openAnswers,
  readAnswers,
  readJudgments,
  readRun,
  readRunFolder,
  readScore,
  scoreFolder,
  scoreOf,
  writeJudgments,
  type AnswerHeader,
  type JudgeAnswer,
  type JudgeAuditor,
  type JudgmentSet,
  type ReadRun,
  type RunRecord,
} from "../../src/records/index.ts";
import type { TriggerId } from "../../src/runtime/index.ts";
import { horn, play, planOf, scripted, tempFolder } from "../tracks/run-fixture.ts";
import { identities, ownCalls } from "../contracts/own-world.ts";
import { thrown } from "./fixtures.ts";
import { copyOfRun } from "./tamper-run.ts";

const JUDGE = { name: "model", v: 1, model: "some-model", votes: 1 };

function headerOf(run: ReadRun, judge: JudgmentSet["header"]["judge"] = JUDGE): JudgmentSet["header"] {
  return {
    v: 1,
    kind: "judgments",
    judge,
    case: horn.id,
    worldDigest: horn.worldDigest,
    contractDigest: horn.contractDigest,
    log: run.log,
  };
}

/** An answer that says what a judgment, or a judgment on who is who, does. */
function answerOf(line: Judgment | Identity): JudgeAnswer {
  return {
    v: 1,
    question: "entity" in line ? `identity ${line.entity}` : `item ${line.item}`,
    vote: line.vote,
    attempt: 1,
    prompt: "0".repeat(64),
    raw: JSON.stringify(line),
    finish: "stop",
    model: "some-model",
    usage: null,
    cached: false,
    fault: null,
  };
}

/** Takes judgments as the answers hold them, word by word. */
const auditor: JudgeAuditor = {
  name: "model",
  rederive: (_case, _run, _header, answers) => {
    const lines = (answers?.answers ?? []).map(({ raw }) => JSON.parse(raw ?? "null") as Judgment | Identity);
    return {
      identities: lines.filter((line) => line.kind === "identity"),
      judgments: lines.filter((line) => line.kind !== "identity"),
      differences: [],
    };
  },
};

/** Writes what a model would have answered, and the judgments that follow. */
async function judgeAs(
  record: RunRecord,
  set: Pick<JudgmentSet, "judgments" | "identities">,
  name?: string,
): Promise<JudgmentSet> {
  const run = await readRun(horn, record);
  const whole = { ...set, header: headerOf(run) };
  const { answers: _, ...header } = whole.header;
  const file = await openAnswers(record.path, { ...header, kind: "answers" }, name, { sync: false });
  for (const line of [...(set.identities ?? []), ...set.judgments]) file.append(answerOf(line));
  file.close();
  writeJudgments(record.path, whole, name);
  return whole;
}

/** A run of the reference at hard, honestly judged by the exact judge, and by a model that agrees with it. */
async function judgedTwice(): Promise<RunRecord> {
  const record = await copyOfRun();
  await judgeAs(record, { judgments: judgeRunExactly(horn, await readRun(horn, record)).judgments }, "model");
  await scoreFolder(horn, record, "model");
  return record;
}

/** The reference in extreme, under names and by an agent of its own. */
async function ownRun(): Promise<{ readonly record: RunRecord; readonly judgments: readonly Judgment[] }> {
  const calls = ownCalls(horn).flatMap((round) => [...round, { tool: "end_round", input: {} }]);
  const { path } = await play(planOf(scripted(calls), "extreme"), tempFolder());
  const reference = await play(planOf(referenceAgent, "extreme"), tempFolder());
  const run = await readRun(horn, await readRunFolder(reference.path));
  return { record: await readRunFolder(path), judgments: judgeRunExactly(horn, run).judgments };
}

describe("a set of a model", () => {
  it("CT37 is scored beside the exact one, names its model, and says what its passes rest on", async () => {
    const record = await judgedTwice();
    const [own, exact] = [readScore(record.path, "model"), readScore(record.path)];
    expect(own).toMatchObject({
      judge: "model",
      judgedBy: { model: "some-model" },
      completion: { passed: 15, scored: 15 },
      judgeFaults: 0,
      standing: { confirmed: 15, word: 0, refused: 0 },
    });
    expect(Object.keys(exact as object)).not.toContain("standing");
    expect(own).not.toHaveProperty("flips");
  });

  it("CT32 holds who is who in front of its judgments, and reads back", async () => {
    const { record, judgments } = await ownRun();
    const set = await judgeAs(record, { identities: identities(), judgments });
    expect(await readJudgments(record.path)).toEqual(set);
    expect(await scoreFolder(horn, record)).toMatchObject({
      completion: { rate: 1 },
      relation: { rate: 1 },
      standing: { confirmed: 0, word: 15, refused: 0 },
    });
    const late = { ...set, identities: [], judgments: [...judgments, identities()[0] as unknown as Judgment] };
    await thrown("bad_file", () => writeJudgments(record.path, late, "late"));
    const twice = { ...set, identities: [...identities(), ...identities()] };
    expect((await thrown("bad_file", () => writeJudgments(record.path, twice, "twice"))).message).toContain(
      "vote 1 on who is ilka comes twice",
    );
    const lines = [set.header, judgments[0], identities()[0]].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(record.path, "judgments.late.jsonl"), lines.join(""));
    expect((await thrown("bad_file", () => readJudgments(record.path, "late"))).message).toContain("stands after one");
  });

  it("CT29 needs no judge where nothing was ever done, not even a wait more than that", async () => {
    const waits = [
      { tool: "commit_step", input: { triggers: [], advance: 3 } },
      { tool: "end_round", input: {} },
    ];
    const { path } = await play(planOf(scripted(waits), "extreme"), tempFolder());
    const run = await readRun(horn, await readRunFolder(path));
    expect([run.trace.steps.size, isIdle(run), faultOfExact(run)]).toEqual([1, true, undefined]);
    const set = judgeRunExactly(horn, run);
    expect(scoreOf(horn, run, set)).toMatchObject({ completion: { passed: 0 }, relation: { passed: 0 } });
    const claimed = set.judgments.map((one): Judgment => ({
      ...one,
      verdict: "pass",
      triggers: ["t1_1" as TriggerId],
    }));
    expect(scoreOf(horn, run, { header: headerOf(run), judgments: claimed })).toMatchObject({
      completion: { passed: 0 },
      standing: { confirmed: 0, word: 0, refused: 15 },
    });
  });
});

describe("an audit of a model's set", () => {
  const differencesOf = async (record: RunRecord, auditors: readonly JudgeAuditor[] = [auditor]) =>
    (await auditRun(horn, await readRunFolder(record.path), auditors)).differences.map(
      ({ kind, where }) => `${kind} ${where}`,
    );

  it("RC20 derives it again from its answers, to the byte", async () => {
    const record = await judgedTwice();
    const audit = await auditRun(horn, record, [auditor]);
    expect(audit).toMatchObject({ ok: true, differences: [], scores: [{ set: undefined }, { set: "model" }] });
  });

  it("RC20 without an auditor says that it could not", async () => {
    const record = await judgedTwice();
    const { ok, differences } = await auditRun(horn, record);
    expect([ok, differences]).toEqual([
      false,
      [
        {
          kind: "judgment",
          where: "judgments.model.jsonl",
          expected: "judgments that follow from the judge's answers",
          seen: "not derived again: nobody here knows how those of the judge model follow",
        },
      ],
    ]);
  });

  it("RC20 finds judgments and identities that its answers do not say", async () => {
    const { record, judgments } = await ownRun();
    const run = await readRun(horn, record);
    await judgeAs(record, { identities: identities(), judgments });
    rmSync(join(record.path, "judgments.jsonl"));
    const changed = judgments.map((one): Judgment =>
      one.item === "knife_left" ? { ...one, triggers: ["t1_1" as TriggerId] } : one,
    );
    const who = identities().map((one): Identity => (one.entity === "teo" ? { ...one, is: "girl" } : one));
    writeJudgments(record.path, { header: headerOf(run), identities: who, judgments: changed.slice(1) });
    expect(await differencesOf(record)).toEqual([
      "judgment judgments.jsonl who is teo is",
      "judgment judgments.jsonl horn_lined",
      "binding judgments.jsonl knife_left triggers.0",
    ]);
  });

  it("RC20 wants the answers, of this run, this judge and this model", async () => {
    const record = await judgedTwice();
    const run = await readRun(horn, record);
    const { judgments } = judgeRunExactly(horn, run);
    writeJudgments(record.path, { header: headerOf(run, { ...JUDGE, model: "better-model" }), judgments }, "bare");
    expect(await differencesOf(record)).toEqual(["judgment answers.bare.jsonl"]);
    const header = (await readAnswers(record.path, "model"))?.header as AnswerHeader;
    (await openAnswers(record.path, { ...header, log: "0".repeat(64) }, "bare")).close();
    expect(await differencesOf(record)).toEqual([
      "judgment answers.bare.jsonl log",
      "judgment answers.bare.jsonl judge.model",
    ]);
  });

  it("RC20 of a set that was read again from another's answers looks there", async () => {
    const record = await judgedTwice();
    const run = await readRun(horn, record);
    const { judgments } = judgeRunExactly(horn, run);
    const reread = { header: { ...headerOf(run, { ...JUDGE, parser: 2 }), answers: "model" }, judgments };
    writeJudgments(record.path, reread, "reread");
    expect(await differencesOf(record)).toEqual([]);
  });

  it("RC20 hands on what the auditor found, such as another prompt", async () => {
    const record = await judgedTwice();
    const finds: JudgeAuditor = {
      ...auditor,
      rederive: async (...args) => ({
        ...(await auditor.rederive(...args)),
        differences: [{ kind: "judgment", where: "answers.model.jsonl:3 prompt", expected: "a", seen: "b" }],
      }),
    };
    expect(await differencesOf(record, [finds])).toEqual(["judgment answers.model.jsonl:3 prompt"]);
  });
});

describe("a set that bears the name of a judge", () => {
  /** The exact judge's judgments of a run at hard that does half of it, each said to be of it. */
  async function half(): Promise<{ readonly run: ReadRun; readonly exact: readonly Judgment[] }> {
    const record = await copyOfRun("lexical");
    const run = await readRun(horn, record);
    return { run, exact: judgeRunExactly(horn, run).judgments };
  }
  const mixed = (exact: readonly Judgment[], second: Readonly<Record<string, Partial<Judgment>>>) =>
    exact.map((one): Judgment =>
      second[one.item] ? { ...one, ...second[one.item], by: "model" } : { ...one, by: "exact" },
    );
  const both = { ...JUDGE, name: "exact+model" };

  it("CT38 exact+model holds the exact judge's words, to the byte, and the model's only where that one failed", async () => {
    const { run, exact } = await half();
    const failed = exact.find(({ kind, verdict }) => kind === "E" && verdict === "fail") as Judgment;
    const passed = exact.find(({ verdict }) => verdict === "pass") as Judgment;
    const score = (judgments: readonly Judgment[]) => scoreOf(horn, run, { header: headerOf(run, both), judgments });
    expect(score(mixed(exact, {}))).toMatchObject({ judge: "exact+model", flips: { E: 0, A: 0 } });
    expect(score(mixed(exact, { [failed.item]: { verdict: "undecided" } }))).toMatchObject({ undecided: 1 });
    const lies: readonly (readonly [readonly Judgment[], string])[] = [
      [exact, `that on ${exact[0]?.item} does not say which of the judges exact and model it is of`],
      [
        mixed(exact, {}).map((one): Judgment => (one.item === failed.item ? { ...one, verdict: "pass" } : one)),
        `that on ${failed.item} says to be of the exact judge, which judges otherwise`,
      ],
      [
        mixed(exact, { [passed.item]: { verdict: "fail" } }),
        `that on ${passed.item} says to be of the model, which looks again only at events and structures that the exact judge failed`,
      ],
      [
        mixed(exact, { dead_stay: { verdict: "pass" } }),
        "that on dead_stay says to be of the model, which looks again only at events and structures that the exact judge failed",
      ],
      [
        [...mixed(exact, {}), { ...failed, vote: 2, by: "model" }],
        `that on ${failed.item} comes twice, and not both times from the model`,
      ],
      [mixed(exact, {}).slice(1), `they lack ${exact[0]?.item}, on which the exact judge says ${exact[0]?.verdict}`],
    ];
    for (const [judgments, says] of lies)
      expect((await thrown("unknown_judge", () => score(judgments))).message).toContain(says);
  });

  it("CT38 exact+model does not judge a world of the agent's own ids", async () => {
    const { record, judgments } = await ownRun();
    const run = await readRun(horn, record);
    const set = { header: headerOf(run, both), judgments: mixed(judgments, {}), identities: identities() };
    expect((await thrown("unknown_judge", () => scoreOf(horn, run, set))).message).toContain(
      "in extreme the agent's world has ids of its own",
    );
  });

  it("CT37 model holds no line that says to be the exact judge's", async () => {
    const { run, exact } = await half();
    const set = { header: headerOf(run), judgments: mixed(exact, {}) };
    expect((await thrown("unknown_judge", () => scoreOf(horn, run, set))).message).toContain(
      "says to be of the exact judge",
    );
  });

  it("CT37 gains nothing by the name: what the exact judge cannot have said is not scored as its word", async () => {
    const { record, judgments } = await ownRun();
    const run = await readRun(horn, record);
    writeJudgments(record.path, {
      header: headerOf(run, { name: "exact", v: 1 }),
      identities: identities(),
      judgments,
    });
    const why = /say to be of the judge exact: in extreme the agent's world has ids of its own/;
    expect((await thrown("unknown_judge", () => scoreFolder(horn, record))).message).toMatch(why);
    const { ok, differences, scores } = await auditRun(horn, await readRunFolder(record.path), [auditor]);
    expect([ok, scores, differences.map(({ kind, where }) => `${kind} ${where}`)]).toEqual([
      false,
      [],
      ["judgment judgments.jsonl"],
    ]);
  });
});
