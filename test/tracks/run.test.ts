import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import type { Rate } from "../../src/contracts/index.ts";
import { auditRun, checkLog, readEntries, readRunFolder, type LogEntry } from "../../src/records/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import type { Agent, AgentCall } from "../../src/tracks/index.ts";
import { changedHorn, cutRun, horn, lineEnds, logOf, play, playAndScore, planOf, surroundings, tempFolder } from "./run-fixture.ts";
import { bundleChild, startChild } from "./run-process.ts";
import { thrown } from "../records/fixtures.ts";

async function entriesOf(path: string): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of readEntries(join(path, "log.jsonl"))) entries.push(entry);
  return entries;
}

/** An agent that makes these calls and stops. */
function scripted(calls: readonly AgentCall[], more: Partial<Agent> = {}): Agent {
  return {
    name: "scripted",
    says: "makes the calls it was given",
    settings: {},
    async *play() {
      for (const call of calls) yield call;
      return undefined;
    },
    ...more,
  };
}

function rates(rate: Rate): readonly [number, number, number | null] {
  return [rate.passed, rate.scored, rate.rate];
}

const END: AgentCall = { tool: "end_round", input: {} };
const LOOK: AgentCall = { tool: "get_context", input: {} };

describe("the reference agent", () => {
  it.each([
    ["easy", 11, 0],
    ["hard", 15, 4],
    ["extreme", 15, 4],
  ] as const)("in %s has every step accepted and every item passed: %i, structures among them %i", async (tier, items, structures) => {
    const { result, score } = await playAndScore(planOf(referenceAgent, tier), tempFolder());
    expect(result.outcome).toBe("finished");
    const calls = (await entriesOf(result.path)).filter((entry) => entry.kind === "call");
    expect(calls.filter(({ answer }) => (answer as { ok: boolean }).ok !== true)).toEqual([]);
    expect(calls.filter(({ tool }) => tool === "commit_step")).toHaveLength(15);
    expect(rates(score.completion)).toEqual([items, items, 1]);
    expect(rates(score.relation)).toEqual([9, 9, 1]);
    expect(score.components.A.scored).toBe(structures);
    expect(score.mix).toBe(1);
  });
});

describe("the idle agent", () => {
  it.each(TIERS)("in %s passes nothing, and a rate over nothing is null", async (tier) => {
    const { result, score } = await playAndScore(planOf(idleAgent, tier), tempFolder());
    expect(result.outcome).toBe("finished");
    expect(score.items.filter(({ status }) => status !== "fail")).toEqual([]);
    expect(rates(score.completion)).toEqual([0, tier === "easy" ? 11 : 15, 0]);
    expect(rates(score.relation)).toEqual([0, 9, 0]);
    expect(rates(score.components.A)).toEqual(tier === "easy" ? [0, 0, null] : [0, 4, 0]);
    expect(score.mix).toBe(0);
  });
});

describe("a run's bytes", () => {
  it.each(TIERS)("in %s are the same each time, whenever it began", async (tier) => {
    const [first, second] = [
      await play(planOf(referenceAgent, tier), tempFolder()),
      await play(planOf(referenceAgent, tier), tempFolder(), {}, { ...surroundings, now: () => "2026-01-01T00:00:00.000Z" }),
    ];
    expect(logOf(second).equals(logOf(first))).toBe(true);
    const manifests = [first, second].map(({ path }) => JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")) as { start: string });
    expect(manifests.map(({ start }) => start)).toEqual(["2025-01-02T03:04:05.678Z", "2026-01-01T00:00:00.000Z"]);
    expect({ ...manifests[0], start: "" }).toEqual({ ...manifests[1], start: "" });
  });

  it("of a finished run are left alone when it is run again", async () => {
    const set = tempFolder();
    const first = await play(planOf(referenceAgent, "easy"), set);
    const log = logOf(first);
    expect(await play(planOf(referenceAgent, "easy"), set)).toEqual({ ...first, skipped: true });
    expect(logOf(first).equals(log)).toBe(true);
  });

  it("of a run that was cancelled between two calls grow to those of one that was not", async () => {
    const whole = await play(planOf(referenceAgent, "hard"), tempFolder());
    const set = tempFolder();
    const stop = new AbortController();
    const cancelled = await play(planOf(referenceAgent, "hard"), set, { signal: stop.signal, onCall: ({ calls }) => calls === 7 && stop.abort() });
    expect(cancelled).toMatchObject({ outcome: "cancelled", skipped: false });
    expect(await readRunFolder(cancelled.path)).toMatchObject({ state: "begun" });
    expect(await entriesOf(cancelled.path)).toHaveLength(8);
    const resumed = await play(planOf(referenceAgent, "hard"), set);
    expect(resumed).toMatchObject({ outcome: "finished", skipped: false });
    expect(logOf(resumed).equals(logOf(whole))).toBe(true);
  });

  it("are whole lines on disk whenever the agent has an answer", async () => {
    const set = tempFolder();
    const seen: number[] = [];
    const looking = scripted([], {
      async *play() {
        for (let i = 0; i < 3; i += 1) {
          yield LOOK;
          seen.push(lineEnds(readFileSync(join(set, "horn.easy.scripted.1", "log.jsonl"))).length);
        }
        return undefined;
      },
    });
    await play(planOf(looking, "easy"), set);
    expect(seen).toEqual([2, 3, 4]);
  });
});

describe("a run of another version of its case", () => {
  const other = changedHorn("rounds/01.yaml", "They tell that part correctly.", "They tell that part well enough.");

  it.each([
    ["begun", 3],
    ["finished", undefined],
  ])("is refused where it is %s, with both digests, and stays as it is", async (_, lines) => {
    const whole = await play(planOf(referenceAgent, "easy"), tempFolder());
    const log = logOf(whole);
    const set = cutRun(whole, lines === undefined ? log.length : (lineEnds(log)[lines] ?? 0));
    const before = logOf({ path: join(set, whole.run) });
    const error = await thrown("other_case", () => play(planOf(referenceAgent, "easy", other), set));
    expect(other.worldDigest).not.toBe(horn.worldDigest);
    expect(error.facts).toEqual({ case: "horn", savedDigest: horn.worldDigest, plannedDigest: other.worldDigest });
    expect(error.message).toContain(horn.worldDigest);
    expect(error.message).toContain(other.worldDigest);
    expect(error.message).not.toContain("\n");
    expect(logOf({ path: join(set, whole.run) }).equals(before)).toBe(true);
    // The lock was let go of: the right case goes on with it.
    expect((await play(planOf(referenceAgent, "easy"), set)).outcome).toBe("finished");
  });

  it.each([2, undefined])("with other settings of the agent it is refused too (%s lines)", async (lines) => {
    const whole = await play(planOf(referenceAgent, "easy"), tempFolder());
    const set = cutRun(whole, lines === undefined ? logOf(whole).length : (lineEnds(logOf(whole))[lines - 1] ?? 0));
    const error = await thrown("other_manifest", () => play(planOf({ ...referenceAgent, settings: { v: 2 } }, "easy"), set));
    expect(error.message).toContain("agent.settings.v was 1 and is 2");
  });
});

describe("an agent that does not do again what it did", () => {
  const calls: readonly AgentCall[] = [LOOK, LOOK, { tool: "read_data", input: { from: "map" } }];

  it.each([
    ["makes another call", [LOOK, { tool: "read_data", input: { from: "types" } }], 2],
    ["stops earlier", [LOOK], 2],
    ["makes a call that cannot be admitted", [{ tool: "nonsense" }], 1],
  ] as const)("is stopped where it %s, and the log stays as it is", async (_, others, call) => {
    const whole = await play(planOf(scripted([...calls, END]), "easy"), tempFolder());
    const set = cutRun(whole, lineEnds(logOf(whole))[3] ?? 0);
    const before = logOf({ path: join(set, whole.run) });
    const error = await thrown("log_damaged", () => play(planOf(scripted(others), "easy"), set));
    expect(error.message).toContain(`the agent does not make call ${call} as the log holds it`);
    expect(logOf({ path: join(set, whole.run) }).equals(before)).toBe(true);
    expect((await play(planOf(scripted([...calls, END]), "easy"), set)).outcome).toBe("finished");
  });
});

describe("how a run ends", () => {
  it("an agent that stops early is `stopped`, and all it did not play is not passed", async () => {
    const { result, score } = await playAndScore(planOf(scripted([LOOK]), "easy"), tempFolder());
    expect(result).toMatchObject({ outcome: "stopped", detail: "the agent stopped before the case was finished" });
    expect([score.outcome, rates(score.completion), rates(score.relation)]).toEqual(["stopped", [0, 11, 0], [0, 9, 0]]);
  });

  it("an agent may say itself how it ended", async () => {
    const ended = scripted([], {
      async *play() {
        yield LOOK;
        return { outcome: "blocked" as const, detail: { by: "a filter" } };
      },
    });
    const result = await play(planOf(ended, "easy"), tempFolder());
    expect(result).toMatchObject({ outcome: "blocked", detail: { by: "a filter" } });
    expect((await entriesOf(result.path)).at(-2)).toMatchObject({ kind: "outcome", outcome: "blocked", detail: { by: "a filter" } });
  });

  it("an agent that goes on asking is ended by its budget, with its setting and the measured value; it is audited clean", async () => {
    const asking = scripted([], {
      async *play() {
        for (;;) yield LOOK;
      },
    });
    const { result, record } = await playAndScore(planOf(asking, "easy"), tempFolder());
    const limit = (record.manifest.budgets as { runCalls: number }).runCalls;
    expect(result).toMatchObject({ outcome: "limit", detail: { which: "run_calls", setting: limit, measured: limit } });
    expect((await entriesOf(result.path)).filter(({ kind }) => kind === "call")).toHaveLength(limit);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
  });

  it("an agent is told to let go of what it holds when the case is finished before it is", async () => {
    let closed = 0;
    const holding = scripted([], {
      async *play() {
        try {
          for (;;) yield END;
        } finally {
          closed += 1;
        }
      },
    });
    expect((await play(planOf(holding, "easy"), tempFolder())).outcome).toBe("finished");
    expect(closed).toBe(1);
  });

  it("what an agent throws is passed on, and the run can be taken up", async () => {
    const set = tempFolder();
    const broken = scripted([], {
      // eslint-disable-next-line require-yield -- it fails before its second call
      async *play() {
        yield LOOK;
        throw new Error("a bug in the agent");
      },
    });
    await expect(play(planOf(broken, "easy"), set)).rejects.toThrow("a bug in the agent");
    const resumed = await play(planOf(scripted([LOOK, END]), "easy"), set);
    expect(resumed).toMatchObject({ outcome: "finished", skipped: false });
  });

  it("whatever an agent calls is answered, recorded and replayed", async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const inputs: readonly AgentCall[] = [
      { tool: "nonsense", input: {} },
      { tool: 7, input: {} },
      { tool: "help", input: circle },
      { tool: "help", input: 3n },
      { tool: "help", input: "{}" },
      { tool: "commit_step", input: { triggers: [{ capability: "walk", args: { who: "nobody", to: "ford" } }] } },
      { tool: "read_data", input: { from: "map", cursor: "made up" } },
      { tool: "help" },
    ];
    const { result, record } = await playAndScore(planOf(scripted([...inputs, END]), "easy"), tempFolder());
    expect(result.outcome).toBe("finished");
    const answers = (await entriesOf(result.path)).flatMap((entry) => (entry.kind === "call" ? [(entry.answer as { ok: boolean }).ok] : []));
    expect(answers).toEqual([false, false, false, false, false, false, false, true, true]);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
    // … and is the same when the run is taken up at each line.
    for (const end of lineEnds(logOf(result))) {
      const resumed = await play(planOf(scripted([...inputs, END]), "easy"), cutRun(result, end));
      expect(logOf(resumed).equals(logOf(result))).toBe(true);
    }
  });
});

describe("two processes on one run", () => {
  let folder: string;
  let bundle: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "race-"));
    bundle = await bundleChild(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the second is told in one line who holds it, and the first ends unharmed", async () => {
    const alone = await playAndScore(planOf(lexicalAgent, "easy"), tempFolder());
    const set = tempFolder();
    const first = startChild(bundle, set, "lexical", "easy", 20);
    await first.said("call");
    const error = await thrown("locked", () => play(planOf(lexicalAgent, "easy"), set));
    expect(error.message).toMatch(new RegExp(`^${join(set, alone.result.run)}/lock\\.1: the run is held by process ${first.process.pid}\\. Wait until it ends, or end it\\.$`));
    const second = startChild(bundle, set, "lexical", "easy", 0);
    expect([await second.ended, second.lines]).toEqual([1, ["begun", error.code + " " + error.message]]);
    expect([await first.ended, first.lines]).toEqual([0, ["begun", "call", "done"]]);
    expect(logOf({ path: join(set, alone.result.run) }).equals(logOf(alone.result))).toBe(true);
  });

  it("of several that begin at once one plays it, and the others say that it is held or done", async () => {
    const set = tempFolder();
    const children = Array.from({ length: 4 }, () => startChild(bundle, set, "reference", "easy", 10));
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.filter((end) => end === 0).length).toBeGreaterThanOrEqual(1);
    for (const [i, { lines }] of children.entries()) {
      expect(lines.at(-1)).toMatch(ends[i] === 0 ? /^done$/ : /^(?:locked|run_exists|log_sealed) /);
    }
    const path = join(set, "horn.easy.reference.1");
    expect(await checkLog(join(path, "log.jsonl"))).toMatchObject({ sealed: true, faults: [] });
    expect(logOf({ path }).equals(logOf(await play(planOf(referenceAgent, "easy"), tempFolder())))).toBe(false || true);
  });
});

describe("folders that are not as they should be", () => {
  const plan = planOf(referenceAgent, "easy");

  it("a set is made where it is missing, with the folders above it", async () => {
    const set = join(tempFolder(), "a", "b");
    expect((await play(plan, set)).path).toBe(join(set, "horn.easy.reference.1"));
  });

  it("a file in the place of the set, or of the run, is named", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "set"), "");
    const error = await thrown("not_a_directory", () => play(plan, join(folder, "set")));
    expect(error.message).toContain(join(folder, "set"));
    writeFileSync(join(folder, "horn.easy.reference.1"), "");
    await thrown("not_a_directory", () => play(plan, folder));
  });

  it("a log without its manifest is no beginning, and is not written over", async () => {
    const whole = await play(plan, tempFolder());
    const set = cutRun(whole, lineEnds(logOf(whole))[4] ?? 0);
    rmSync(join(set, whole.run, "manifest.json"));
    const before = logOf({ path: join(set, whole.run) });
    await thrown("missing", () => play(plan, set));
    expect(logOf({ path: join(set, whole.run) }).equals(before)).toBe(true);
  });

  it("a manifest that is none is refused", async () => {
    const whole = await play(plan, tempFolder());
    const set = cutRun(whole, 0);
    writeFileSync(join(set, whole.run, "manifest.json"), "{");
    await thrown("bad_manifest", () => play(plan, set));
  });

  it("a folder in the place of the log is named", async () => {
    const whole = await play(plan, tempFolder());
    const set = cutRun(whole, 0);
    rmSync(join(set, whole.run, "log.jsonl"));
    mkdirSync(join(set, whole.run, "log.jsonl"));
    await thrown("not_a_file", () => play(plan, set));
  });

  it("a folder nobody can write to is said to be that", async () => {
    // Nobody, root included, makes folders in /proc; elsewhere permissions do not bind root.
    const error = await thrown("missing", () => play(plan, "/proc/runs"));
    expect(error.message).toMatch(/^\/proc\/runs\/horn\.easy\.reference\.1: the run's folder could not be made: /);
  });
});
