import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { checkLog } from "../../src/records/index.ts";
import type { AgentCall } from "../../src/tracks/index.ts";
import { thrown } from "../records/fixtures.ts";
import {
  changedHorn,
  cutRun,
  horn,
  lineEnds,
  logOf,
  play,
  playAndScore,
  planOf,
  scripted,
  tempFolder,
} from "./run-fixture.ts";
import { bundleChild, startChild } from "./run-process.ts";

const END: AgentCall = { tool: "end_round", input: {} };
const LOOK: AgentCall = { tool: "get_context", input: {} };

describe("a run of another version of its case", () => {
  const other = changedHorn("rounds/01.yaml", "They tell that part correctly.", "They tell that part well enough.");

  it.each([
    ["begun", 3],
    ["finished", undefined],
  ])("RC4 is refused where it is %s, with both digests, and stays as it is", async (_, lines) => {
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
    const error = await thrown("other_manifest", () =>
      play(planOf({ ...referenceAgent, settings: { v: 2 } }, "easy"), set),
    );
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

describe("two processes on one run", () => {
  let folder: string;
  let bundle: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "race-"));
    bundle = await bundleChild(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("RC9 the second is told in one line who holds it, and the first ends unharmed", async () => {
    const alone = await playAndScore(planOf(lexicalAgent, "easy"), tempFolder());
    const set = tempFolder();
    const first = startChild(bundle, set, "lexical", "easy", 20);
    await first.said("call");
    // Held still, so that it is not done before the others have started. A process that stands still lives.
    first.process.kill("SIGSTOP");
    const error = await thrown("locked", () => play(planOf(lexicalAgent, "easy"), set));
    expect(error.message).toMatch(
      new RegExp(
        `^${join(set, alone.result.run)}/lock\\.1: the run is held by process ${first.process.pid}\\. Wait until it ends, or end it\\.$`,
      ),
    );
    const second = startChild(bundle, set, "lexical", "easy", 0);
    expect([await second.ended, second.lines]).toEqual([1, ["begun", error.code + " " + error.message]]);
    first.process.kill("SIGCONT");
    expect([await first.ended, first.lines]).toEqual([0, ["begun", "call", "done"]]);
    expect(logOf({ path: join(set, alone.result.run) }).equals(logOf(alone.result))).toBe(true);
  });

  it("RC9 of several that begin at once one plays it, and the others say that it is held or done", async () => {
    const set = tempFolder();
    const children = Array.from({ length: 4 }, () => startChild(bundle, set, "reference", "easy", 10));
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.filter((end) => end === 0).length).toBeGreaterThanOrEqual(1);
    for (const [i, { lines }] of children.entries()) {
      expect(lines.at(-1)).toMatch(ends[i] === 0 ? /^done$/ : /^(?:locked|run_exists|log_sealed) /);
    }
    const path = join(set, "horn.easy.reference.1");
    expect(await checkLog(join(path, "log.jsonl"))).toMatchObject({ sealed: true, faults: [] });
    expect(logOf({ path }).equals(logOf(await play(planOf(referenceAgent, "easy"), tempFolder())))).toBe(true);
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
    expect(await thrown("bad_manifest", () => play(plan, set))).toMatchObject({
      where: join(set, whole.run, "manifest.json"),
    });
  });

  it("a folder in the place of the log is named", async () => {
    const whole = await play(plan, tempFolder());
    const set = cutRun(whole, 0);
    rmSync(join(set, whole.run, "log.jsonl"));
    mkdirSync(join(set, whole.run, "log.jsonl"));
    expect(await thrown("not_a_file", () => play(plan, set))).toMatchObject({
      where: join(set, whole.run, "log.jsonl"),
    });
  });

  it("a folder nobody can write to is said to be that", async () => {
    // Nobody, root included, makes folders in /proc; elsewhere permissions do not bind root.
    const error = await thrown("missing", () => play(plan, "/proc/runs"));
    expect(error.message).toMatch(/^\/proc\/runs: the folder could not be made: /);
  });
});
