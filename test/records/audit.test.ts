import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/index.ts";
import { idleAgent } from "../../src/agents/idle.ts";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { auditRun, judgeFolder, readRunFolder, readScore, scoreFolder } from "../../src/records/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import { changedHorn, horn, play, playAndScore, planOf, tempFolder } from "../tracks/run-fixture.ts";
import { thrown } from "./fixtures.ts";

/** The bytes of every file of a folder, by name. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), "latin1")]),
  );
}

describe("an audit of a run that nobody touched", () => {
  const runs = AGENTS.flatMap((agent) =>
    TIERS.filter((tier) => agent.refuses?.({ track: "maintenance", tier }) === undefined).map(
      (tier) => [agent.name, tier, agent] as const,
    ),
  );

  it.each(runs)("RC6 of %s at %s finds nothing, and makes the score that was saved", async (_, tier, agent) => {
    const { record, score } = await playAndScore(planOf(agent, tier), tempFolder());
    const audit = await auditRun(horn, record);
    expect({ run: audit.run, ok: audit.ok, differences: audit.differences }).toEqual({
      run: record.id,
      ok: true,
      differences: [],
    });
    expect(audit.scores).toEqual([{ set: undefined, score }]);
    expect(readScore(record.path)).toEqual(JSON.parse(JSON.stringify(score)));
  });

  it("RC1 needs neither judgments nor a score, and makes up neither", async () => {
    const { path } = await play(planOf(referenceAgent, "easy"), tempFolder());
    const audit = await auditRun(horn, await readRunFolder(path));
    expect(audit).toMatchObject({ ok: true, differences: [], scores: [], settled: undefined });
    expect(audit.read?.trace.steps.size).toBe(15);
  });

  it("changes no file", async () => {
    const { record } = await playAndScore(planOf(lexicalAgent, "easy"), tempFolder());
    const before = bytesIn(record.path);
    await auditRun(horn, record);
    expect(bytesIn(record.path)).toEqual(before);
  });
});

describe("an audit of a run that is not what it should be", () => {
  it("RC6 of one that goes on says that it is not finished", async () => {
    const stop = new AbortController();
    const { path } = await play(planOf(referenceAgent, "easy"), tempFolder(), {
      signal: stop.signal,
      onCall: ({ calls }) => calls === 4 && stop.abort(),
    });
    expect((await auditRun(horn, await readRunFolder(path))).differences).toEqual([
      {
        kind: "chain",
        where: "log.jsonl",
        expected: "a seal on the last line",
        seen: "an unfinished run: resume it, or it is not to be compared",
      },
    ]);
  });

  it("CS3 RC6 against a case with another world says so, with both digests, and looks no further", async () => {
    const { record } = await playAndScore(planOf(referenceAgent, "easy"), tempFolder());
    const other = changedHorn("rounds/01.yaml", "They tell that part correctly.", "They tell that part well enough.");
    expect((await auditRun(other, record)).differences).toEqual([
      { kind: "world", where: "manifest.json worldDigest", expected: other.worldDigest, seen: horn.worldDigest },
    ]);
    await thrown("other_case", () => judgeFolder(other, record, "again"));
    await thrown("other_case", () => scoreFolder(other, record));
  });

  it("CS3 against a case with another contract names the set that was judged by the old one", async () => {
    const { record } = await playAndScore(planOf(referenceAgent, "easy"), tempFolder());
    const audit = await auditRun(correctedHorn(), record);
    expect(audit.differences.map(({ kind, where }) => [kind, where])).toEqual([["contract", "judgments.jsonl"]]);
    expect(audit.scores).toEqual([]);
  });
});

/** The same world under a contract with a stricter sentence and a probe less. */
function correctedHorn(): typeof horn {
  const corrected = changedHorn(
    "rounds/01.yaml",
    "Nobody opens the horn on the way home, forbids: { changes: { ram_horn.open: true } } }",
    'Nobody opens the horn at all, forbids: { holds: "ram_horn.open || !ram_horn.lined" } }',
  );
  expect(corrected.worldDigest).toBe(horn.worldDigest);
  expect(corrected.contractDigest).not.toBe(horn.contractDigest);
  return corrected;
}

describe("scoring again", () => {
  it("RC7 under a name leaves the log and the old set as they were, byte for byte", async () => {
    const { record, score } = await playAndScore(planOf(lexicalAgent, "easy"), tempFolder());
    const before = bytesIn(record.path);
    expect(await judgeFolder(horn, record, "again")).toEqual({
      ok: true,
      path: join(record.path, "judgments.again.jsonl"),
    });
    expect(await scoreFolder(horn, record, "again")).toEqual(score);
    const { "judgments.again.jsonl": judgments, "score.again.json": scored, ...rest } = bytesIn(record.path);
    expect(rest).toEqual(before);
    expect([judgments, scored]).toEqual([before["judgments.jsonl"], before["score.json"]]);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, scores: [{ set: undefined }, { set: "again" }] });
  });

  it("CS3 RC7 by a corrected contract writes a set of its own; neither contract takes the other's judgments", async () => {
    const { record } = await playAndScore(planOf(referenceAgent, "hard"), tempFolder());
    const before = bytesIn(record.path);
    const corrected = correctedHorn();
    await judgeFolder(corrected, record, "corrected");
    const score = await scoreFolder(corrected, record, "corrected");
    expect(score?.completion).toEqual({ passed: 15, scored: 15, rate: 1 });
    const error = await thrown("other_case", () => scoreFolder(corrected, record));
    expect(error.message).toContain(
      `they are of another contract digest: ${horn.contractDigest}, and now it is ${corrected.contractDigest}`,
    );
    await thrown("other_case", () => scoreFolder(horn, record, "corrected"));
    expect(bytesIn(record.path)).toMatchObject(before);
    const audited = await auditRun(horn, record);
    expect(audited.differences.map(({ kind, where }) => [kind, where])).toEqual([
      ["contract", "judgments.corrected.jsonl"],
    ]);
    expect(audited.scores.map(({ set }) => set)).toEqual([undefined]);
  });

  it("RC7 under a name that is taken writes nothing over what is there", async () => {
    const { record } = await playAndScore(planOf(referenceAgent, "hard"), tempFolder());
    const before = bytesIn(record.path);
    await thrown("set_exists", () => judgeFolder(correctedHorn(), record));
    expect(await judgeFolder(horn, record)).toMatchObject({ ok: true });
    expect(bytesIn(record.path)).toEqual(before);
  });

  it("without judgments comes to nothing, and a name that is none is refused", async () => {
    const { record } = await playAndScore(planOf(idleAgent, "easy"), tempFolder());
    expect(await scoreFolder(horn, record, "nothing")).toBeUndefined();
    await thrown("bad_name", () => judgeFolder(horn, record, "../elsewhere"));
  });
});

describe("the exact judge", () => {
  it("CT29 does not judge another agent's extreme world, and says why; the audit agrees", async () => {
    const building = {
      ...referenceAgent,
      name: "builder",
      says: "plays the reference under another name",
    };
    const { path } = await play(planOf(building, "extreme"), tempFolder());
    const judged = await judgeFolder(horn, await readRunFolder(path));
    expect(judged).toEqual({
      ok: false,
      why: expect.stringContaining("in extreme the agent's world has ids of its own"),
    });
    expect(readdirSync(path).filter((file) => /judgments|score/.test(file))).toEqual([]);
  });
});
