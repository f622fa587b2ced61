import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/index.ts";
import type { DeductionCase } from "../../src/cases/index.ts";
import { auditRun, readRunFolder, scoreDeductionFolder, type RunRecord } from "../../src/records/index.ts";
import { CONDITIONS, MODES, type Mode, type ToolAnswer } from "../../src/runtime/index.ts";
import {
  auditFolder,
  judgeRecord,
  nameOfPlan,
  planSet,
  playSet,
  readSet,
  replayRecord,
  scoreSet,
  type Agent,
  type RunResult,
} from "../../src/tracks/index.ts";
import { forgeLog } from "./forge-log.ts";
import { POND_CALLS } from "./pond-calls.ts";
import {
  deductionCaseAt,
  deductionPlanOf,
  entriesOf,
  horn,
  play,
  POND,
  pond,
  scripted,
  surroundings,
  tempFolder,
} from "./run-fixture.ts";

const agent = (name: string) => AGENTS.find((one) => one.name === name) as Agent;
const cases = new Map([[pond.id, pond]]);

/** Plays the calls of the fixture, or the first of them. */
async function playCalls(mode: Mode, most = Number.POSITIVE_INFINITY): Promise<RunResult> {
  const player = scripted(POND_CALLS[mode].slice(0, most));
  return await play(deductionPlanOf(player, pond, { mode }), tempFolder());
}

async function recordOf({ path }: Pick<RunResult, "path">): Promise<RunRecord> {
  return await readRunFolder(path);
}

describe("a plan of deduction", () => {
  it("DD80 is every case, condition, mode, fold, agent and repeat in this order", () => {
    const { plans, refused } = planSet({
      track: "deduction",
      cases: [pond],
      conditions: CONDITIONS,
      modes: MODES,
      folds: [1, 3],
      agents: [agent("persist"), agent("idle")],
      repeats: 2,
    });
    expect(refused).toEqual([]);
    const names = plans.map((plan) => nameOfPlan(plan).run);
    expect(names).toHaveLength(32);
    expect(names.slice(0, 6)).toEqual([
      "mill_pond.open.m1.1.persist.1",
      "mill_pond.open.m1.1.persist.2",
      "mill_pond.open.m1.1.idle.1",
      "mill_pond.open.m1.1.idle.2",
      "mill_pond.open.m1.3.persist.1",
      "mill_pond.open.m1.3.persist.2",
    ]);
    expect(names.at(-1)).toBe("mill_pond.naming.m2.3.idle.2");
  });

  it("DD80 names once, and leaves out, who plays nothing of the track", () => {
    const axes = { track: "deduction", cases: [pond], conditions: CONDITIONS, modes: MODES, folds: [1] } as const;
    const { plans, refused } = planSet({ ...axes, agents: [agent("reference"), agent("lexical")], repeats: 1 });
    expect(plans).toEqual([]);
    expect(refused.map(({ agent: who, what }) => [who, what])).toEqual([
      ["reference", "deduction"],
      ["lexical", "deduction"],
    ]);
  });
});

describe.each(MODES)("a run of deduction in %s", (mode) => {
  it("DD81 is played to its end, logged round by round with its truth, and scored from log and case alone", async () => {
    const played = await playCalls(mode);
    expect(played).toMatchObject({ run: `mill_pond.open.${mode.toLowerCase()}.1.scripted.1`, outcome: "finished" });
    const spans = (await entriesOf(played.path)).flatMap((entry) =>
      entry.kind === "call" && entry.record?.kind === "span" ? [entry.record] : [],
    );
    expect(spans.map(({ from, to }) => [from, to])).toEqual(
      mode === "M1"
        ? [
            [0, 8],
            [8, 16],
            [16, 24],
          ]
        : [
            [0, 6],
            [6, 12],
            [12, 18],
            [18, 24],
          ],
    );
    const codes = (await entriesOf(played.path)).flatMap((entry) =>
      entry.kind === "call" && !(entry.answer as unknown as ToolAnswer).ok
        ? [(entry.answer as { readonly error: { readonly code: string } }).error.code]
        : [],
    );
    expect(codes).toEqual(mode === "M1" ? [] : ["unknown_path", "missing_key"]);
    const score = await scoreDeductionFolder(pond, await recordOf(played));
    expect(score).toMatchObject({ v: 1, case: "mill_pond", family: "manor", mode, fold: 1, agent: "scripted" });
    expect(JSON.parse(readFileSync(join(played.path, "score.json"), "utf8"))).toEqual(score);
    // The same folder elsewhere, with nothing beside log and manifest, has the same score.
    const copy = join(tempFolder(), played.run);
    cpSync(played.path, copy, { recursive: true });
    rmSync(join(copy, "score.json"));
    expect(await scoreDeductionFolder(pond, await readRunFolder(copy))).toEqual(score);
  });

  it("DD82 that nobody touched passes audit and replay, and its audit makes the score that was saved", async () => {
    const played = await playCalls(mode);
    const score = await scoreDeductionFolder(pond, await recordOf(played));
    expect(await auditRun(pond, await recordOf(played))).toMatchObject({
      ok: true,
      differences: [],
      scores: [],
      deduction: score,
    });
    const { ok, calls } = await replayRecord(pond, await recordOf(played));
    expect({ ok, calls }).toEqual({ ok: true, calls: POND_CALLS[mode].length });
  });

  it("DD83 that stopped early is scored over all that was planned: what was never asked for counts as unanswered", async () => {
    const whole = await scoreDeductionFolder(pond, await recordOf(await playCalls(mode)));
    const cut = await playCalls(mode, 6);
    expect(cut.outcome).toBe("stopped");
    const score = await scoreDeductionFolder(pond, await recordOf(cut));
    if (whole?.excluded !== false || score?.excluded !== false) throw new Error("excluded");
    expect(score.spans.planned).toBe(whole.spans.planned);
    expect(score.spans.played).toBeLessThan(score.spans.planned);
    const kind = mode === "M1" ? "segment" : "interval";
    expect(score.readings[kind]?.planned).toBe(whole.readings[kind]?.planned);
    expect((await auditRun(pond, await recordOf(cut))).differences).toEqual([]);
  });
});

/** The line of the log, from 1, that holds the record of this kind, counted from 0. */
async function lineWith(path: string, kind: string, nth = 0): Promise<number> {
  const found = (await entriesOf(path)).filter((entry) => entry.kind === "call" && entry.record?.kind === kind);
  return (found[nth]?.seq ?? -2) + 1;
}

describe("an audit of a run of deduction that somebody touched", () => {
  it("DD84 names the line that was changed, and such a log has no score", async () => {
    const played = await playCalls("M2");
    const line = await lineWith(played.path, "span", 1);
    const log = join(played.path, "log.jsonl");
    const text = readFileSync(log, "utf8");
    const lines = text.split("\n");
    lines[line - 1] = (lines[line - 1] as string).replace('"round":2', '"round":3');
    writeFileSync(log, lines.join("\n"));
    const broken = await auditRun(pond, await recordOf(played));
    expect(broken.differences[0]).toMatchObject({ kind: "chain", where: `log.jsonl:${line}` });
    await expect(scoreDeductionFolder(pond, await recordOf(played))).rejects.toMatchObject({ code: "log_damaged" });
  });

  it("DD84 names truth that was bent in a log whose chain was made anew, and such a log has no score", async () => {
    const played = await playCalls("M2");
    const line = await lineWith(played.path, "span", 0);
    await forgeLog(played.path, (bodies) =>
      bodies.map((body, at) => {
        if (at !== line - 1 || body.kind !== "call" || body.record?.kind !== "span") return body;
        return { ...body, record: { ...body.record, truth: { ...body.record.truth, interval: {} } } };
      }),
    );
    const audit = await auditRun(pond, await recordOf(played));
    expect(audit.ok).toBe(false);
    expect(audit.differences.every(({ where }) => where.startsWith(`log.jsonl:${line} record truth.interval`))).toBe(
      true,
    );
    await expect(scoreDeductionFolder(pond, await recordOf(played))).rejects.toMatchObject({ code: "log_damaged" });
  });

  it("DD84 names a score that was raised", async () => {
    const played = await playCalls("M2");
    await scoreDeductionFolder(pond, await recordOf(played));
    const file = join(played.path, "score.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"goal": false', '"goal": true'));
    expect((await auditRun(pond, await recordOf(played))).differences).toEqual([
      { kind: "score", where: "score.json goal", expected: "false", seen: "true" },
    ]);
  });

  it("DD85 finds files of a judge, who has no say in it, and scores that bear a name", async () => {
    const played = await playCalls("M1");
    for (const file of ["judgments.jsonl", "judgments.mine.jsonl", "answers.jsonl", "score.mine.json"])
      writeFileSync(join(played.path, file), "{}\n");
    const { differences } = await auditRun(pond, await recordOf(played));
    expect(differences.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
      "judgment judgments.jsonl",
      "judgment judgments.mine.jsonl",
      "judgment answers.jsonl",
      "score score.mine.json",
    ]);
  });

  it("DD85 says of a case of the other track, and of one with other rules, that it is not the run's", async () => {
    const played = await playCalls("M1");
    const asHorn = new Map([[pond.id, horn]]);
    expect((await auditFolder(played.path, asHorn)).differences).toMatchObject([
      { kind: "world", where: "manifest.json track" },
    ]);
    const other: DeductionCase = { ...pond, worldDigest: "0".repeat(64) };
    expect((await auditRun(other, await recordOf(played))).differences).toMatchObject([
      { kind: "world", where: "manifest.json worldDigest" },
    ]);
    await expect(scoreDeductionFolder(other, await recordOf(played))).rejects.toMatchObject({ code: "other_case" });
  });
});

describe("a case whose rules contradict each other", () => {
  /** Two processes of one priority set one field to different values, from tick 7 on. */
  function conflicting(): DeductionCase {
    const directory = join(tempFolder(), "mill_pond");
    cpSync(POND, directory, { recursive: true });
    const file = join(directory, "case.yaml");
    const rule = (id: string, value: string): string =>
      `  ${id}: { name: ${id}, says: It happens., tells: It happens., when: "clock >= 7", effects: [ { set: wheel.sluice, value: ${value} } ] }\n`;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("schedule:\n", `${rule("gust", "shut")}${rule("flood", "open")}schedule:\n`));
    return deductionCaseAt(directory);
  }

  it("DD86 ends the run as an engine fault with its message, sealed, excluded from every mean and counted", async () => {
    const broken = conflicting();
    const folder = tempFolder();
    const { plans } = planSet({
      track: "deduction",
      cases: [broken],
      conditions: ["open"],
      modes: ["M2"],
      folds: [1],
      agents: [agent("persist")],
      repeats: 1,
    });
    const { runs } = await playSet(plans, folder, surroundings, { sync: false });
    expect(runs).toMatchObject([{ outcome: "engine_fault", detail: expect.stringMatching(/wheel\.sluice/) as string }]);
    const set = await readSet(folder);
    expect(set.records).toMatchObject([{ state: "sealed", outcome: "engine_fault" }]);
    const scored = await scoreSet(set, new Map([[broken.id, broken]]));
    expect(scored).toMatchObject([{ track: "deduction", outcome: "engine_fault", score: { excluded: true } }]);
    const [record] = set.records;
    expect(await auditRun(broken, record as RunRecord)).toMatchObject({ ok: true, differences: [] });
  });

  it("DD86 is excluded as well where only the rounds that were never played meet the fault", async () => {
    const broken = conflicting();
    const player = scripted([{ tool: "help", input: {} }]);
    const played = await play(deductionPlanOf(player, broken, { mode: "M2" }), tempFolder());
    expect(played.outcome).toBe("stopped");
    const record = await recordOf(played);
    expect(await scoreDeductionFolder(broken, record)).toMatchObject({ excluded: true, outcome: "engine_fault" });
    expect((await auditRun(broken, record)).differences).toEqual([]);
  });
});

describe("a set with runs of deduction", () => {
  it("DD87 is scored without any judge, and judging it changes nothing and says why", async () => {
    const folder = tempFolder();
    const axes = { track: "deduction", cases: [pond], conditions: ["naming"], modes: MODES, folds: [2] } as const;
    const { plans } = planSet({ ...axes, agents: [agent("rules"), agent("idle")], repeats: 1 });
    await playSet(plans, folder, surroundings, { sync: false });
    const set = await readSet(folder);
    for (const record of set.records)
      expect(await judgeRecord(pond, record)).toMatchObject({
        status: "left",
        why: expect.stringMatching(/needs no judge/) as string,
      });
    const scored = await scoreSet(set, cases);
    expect(scored.map(({ run, outcome, score }) => [run, outcome, score !== undefined])).toEqual([
      ["mill_pond.naming.m1.2.idle.1", "finished", true],
      ["mill_pond.naming.m1.2.rules.1", "finished", true],
      ["mill_pond.naming.m2.2.idle.1", "finished", true],
      ["mill_pond.naming.m2.2.rules.1", "finished", true],
    ]);
    for (const record of set.records)
      expect((await auditFolder(record.path, cases, record.id)).differences).toEqual([]);
  });

  it("DD88 gives rules that see everything a score of 1, and every baseline the score that it has along its own run", async () => {
    const folder = tempFolder();
    const names = ["persist", "everything", "last-change", "rules"] as const;
    const axes = { track: "deduction", cases: [pond], conditions: ["open"], modes: MODES, folds: [1, 4] } as const;
    const { plans } = planSet({ ...axes, agents: names.map(agent), repeats: 1 });
    await playSet(plans, folder, surroundings, { sync: false });
    const exact: unknown[] = [];
    for (const run of await scoreSet(await readSet(folder), cases)) {
      if (run.track !== "deduction" || run.score?.excluded !== false) throw new Error(`${run.run} has no score`);
      const { score } = run;
      const own = score.baselines[run.agent as (typeof names)[number]];
      for (const [kind, reading] of Object.entries(score.readings)) {
        const { f1, precision, recall, quiet } = reading;
        expect({ run: run.run, kind, f1, precision, recall, quiet }).toEqual({
          run: run.run,
          kind,
          ...own.readings[kind as keyof typeof own.readings],
        });
      }
      expect(score.fires).toMatchObject(own.fires);
      if (run.agent === "rules" && run.mode === "M1") exact.push(score.readings.segment?.f1);
    }
    expect(exact).toEqual([
      { mean: 1, n: 3 },
      { mean: 1, n: 3 },
    ]);
  });
});
