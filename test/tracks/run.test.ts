import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import type { Rate } from "../../src/contracts/index.ts";
import { readRunFolder } from "../../src/records/index.ts";
import { TIERS } from "../../src/runtime/index.ts";
import type { AgentCall } from "../../src/tracks/index.ts";
import {
  entriesOf,
  lineEnds,
  logOf,
  play,
  playAndScore,
  planOf,
  scripted,
  surroundings,
  tempFolder,
} from "./run-fixture.ts";

const LOOK: AgentCall = { tool: "get_context", input: {} };

function rates(rate: Rate): readonly [number, number, number | null] {
  return [rate.passed, rate.scored, rate.rate];
}

describe("the reference agent", () => {
  it.each([
    ["easy", 11, 0],
    ["hard", 15, 4],
    ["extreme", 15, 4],
  ] as const)(
    "AG1 CS4 CT29 in %s has every step accepted and every item passed: %i, structures among them %i",
    async (tier, items, structures) => {
      const { result, score } = await playAndScore(planOf(referenceAgent, tier), tempFolder());
      expect(result.outcome).toBe("finished");
      const calls = (await entriesOf(result.path)).filter((entry) => entry.kind === "call");
      expect(calls.filter(({ answer }) => !(answer as { ok: boolean }).ok)).toEqual([]);
      expect(calls.filter(({ tool }) => tool === "commit_step")).toHaveLength(15);
      expect(rates(score.completion)).toEqual([items, items, 1]);
      expect(rates(score.relation)).toEqual([9, 9, 1]);
      expect(score.components.A.scored).toBe(structures);
      expect(score.mix).toBe(1);
    },
  );
});

describe("the idle agent", () => {
  it.each(TIERS)("AG1 CT21 in %s passes nothing, and a rate over nothing is null", async (tier) => {
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
  it.each(TIERS)("RC2 RT47 in %s are the same each time, whenever it began", async (tier) => {
    const [first, second] = [
      await play(planOf(referenceAgent, tier), tempFolder()),
      await play(
        planOf(referenceAgent, tier),
        tempFolder(),
        {},
        { ...surroundings, now: () => "2026-01-01T00:00:00.000Z" },
      ),
    ];
    expect(logOf(second).equals(logOf(first))).toBe(true);
    const manifests = [first, second].map(
      ({ path }) => JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")) as { start: string },
    );
    expect(manifests.map(({ start }) => start)).toEqual(["2025-01-02T03:04:05.678Z", "2026-01-01T00:00:00.000Z"]);
    expect({ ...manifests[0], start: "" }).toEqual({ ...manifests[1], start: "" });
  });

  it("RC4 of a finished run are left alone when it is run again", async () => {
    const set = tempFolder();
    const first = await play(planOf(referenceAgent, "easy"), set);
    const log = logOf(first);
    expect(await play(planOf(referenceAgent, "easy"), set)).toEqual({ ...first, skipped: true });
    expect(logOf(first).equals(log)).toBe(true);
  });

  it("RC4 of a run that was cancelled between two calls grow to those of one that was not", async () => {
    const whole = await play(planOf(referenceAgent, "hard"), tempFolder());
    const set = tempFolder();
    const stop = new AbortController();
    const cancelled = await play(planOf(referenceAgent, "hard"), set, {
      signal: stop.signal,
      onCall: ({ calls }) => calls === 7 && stop.abort(),
    });
    expect(cancelled).toMatchObject({ outcome: "cancelled", skipped: false });
    expect(await readRunFolder(cancelled.path)).toMatchObject({ state: "begun" });
    expect(await entriesOf(cancelled.path)).toHaveLength(8);
    const resumed = await play(planOf(referenceAgent, "hard"), set);
    expect(resumed).toMatchObject({ outcome: "finished", skipped: false });
    expect(logOf(resumed).equals(logOf(whole))).toBe(true);
  });

  it("RC3 are whole lines on disk whenever the agent has an answer", async () => {
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
