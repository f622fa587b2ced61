import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarioOf } from "../../src/cases/index.ts";
import { lexicalAgent } from "../../src/agents/lexical.ts";
import { referenceAgent } from "../../src/agents/reference.ts";
import { beginRun, Replayer, resumeRun, type LogEntry } from "../../src/records/index.ts";
import { admitCall, digestOfWorld, TIERS, type Tier } from "../../src/runtime/index.ts";
import { manifestOf } from "../../src/tracks/index.ts";
import { takeLogged } from "./fixtures.ts";
import { entriesOf, horn, play, planOf, surroundings, tempFolder } from "../tracks/run-fixture.ts";

function replay(tier: Tier, entries: readonly LogEntry[]): Replayer {
  const replayer = new Replayer(scenarioOf(horn, tier));
  for (const entry of entries) replayer.take(entry);
  return replayer;
}

describe("a replay", () => {
  it.each(TIERS)("RC5 of the reference at %s differs in nothing and does what the log says", async (tier) => {
    const { path } = await play(planOf(referenceAgent, tier), tempFolder());
    const entries = await entriesOf(path);
    const replayer = replay(tier, entries);
    const calls = entries.filter((entry) => entry.kind === "call");
    expect(replayer.differences).toEqual([]);
    expect(replayer.calls).toBe(calls.length);
    expect(replayer.records).toEqual(calls.flatMap(({ record }) => (record === undefined ? [] : [record])));
    expect(digestOfWorld(replayer.session.world)).toBe(calls.at(-1)?.digest);
  });

  it("passes over what is no call", async () => {
    const { path } = await play(planOf(lexicalAgent, "easy"), tempFolder());
    const others = (await entriesOf(path)).filter(({ kind }) => kind !== "call");
    expect(others.map(({ kind }) => kind)).toEqual(["manifest", "outcome", "seal"]);
    expect(replay("easy", others)).toMatchObject({ calls: 0, differences: [], records: [] });
  });

  it("RC5 names the line and the path at which an answer, a record or a digest differs, and both values", async () => {
    const { path } = await play(planOf(referenceAgent, "easy"), tempFolder());
    const changed = (await entriesOf(path)).map((entry): LogEntry => {
      if (entry.kind !== "call") return entry;
      if (entry.seq === 2) return { ...entry, answer: { ...(entry.answer as object), clock: 99 } };
      if (entry.seq === 3 && entry.record?.kind === "accepted")
        return { ...entry, record: { ...entry.record, advance: 7 } };
      if (entry.seq === 4) return { ...entry, digest: "0".repeat(64) };
      return entry;
    });
    const [answer, record, digest, ...more] = replay("easy", changed).differences;
    expect(answer).toEqual({ kind: "replay", where: "log.jsonl:3 answer clock", expected: "4", seen: "99" });
    expect(record).toEqual({ kind: "replay", where: "log.jsonl:4 record advance", expected: "0", seen: "7" });
    expect(digest).toMatchObject({ where: "log.jsonl:5 digest", seen: `"${"0".repeat(64)}"` });
    expect(more).toEqual([]);
  });

  it("tells what is missing from what is null or empty", async () => {
    const { path } = await play(planOf(referenceAgent, "easy"), tempFolder());
    const entries = await entriesOf(path);
    const changed = entries.map((entry) =>
      entry.kind === "call" && entry.tool === "end_round" ? { ...entry, answer: null } : entry,
    );
    expect(replay("easy", changed).differences).toMatchObject([
      { where: `log.jsonl:${entries.length - 2} answer`, seen: "null" },
    ]);
  });
});

describe("whatever is called", () => {
  const id = fc.constantFrom(
    "ilka",
    "teo",
    "ram_horn",
    "iron_knife",
    "hound",
    "bone_gate",
    "milk_jug",
    "grandmother",
    "king_fire",
    "village_hearth",
  );
  const place = fc.constantFrom("hearthfield", "cold_spring", "ash_wood", "ford", "gate_mouth", "black_hall");
  const args = fc.dictionary(
    fc.constantFrom("who", "to", "what", "horn", "beast", "gate", "jug", "shade", "hearer", "fire", "hearth"),
    fc.oneof(id, place),
  );
  const walk = fc.record({
    capability: fc.constant("walk"),
    args: fc.record({ who: fc.constantFrom("ilka", "teo"), to: place }),
  });
  const other = fc.record({
    capability: fc.constantFrom(
      "lay_down",
      "line_horn",
      "hold_beast",
      "draw_bolt",
      "pass_gate",
      "pour_milk",
      "nonsense",
    ),
    args,
  });
  const step = fc.record({
    triggers: fc.array(fc.oneof(walk, walk, other), { maxLength: 3 }),
    advance: fc.integer({ min: 0, max: 3 }),
  });
  const call = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant("commit_step"), step) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constant("read_data"),
        fc.record({ from: fc.constantFrom("map", "entities", "log", "wrong"), limit: fc.integer({ min: 0, max: 9 }) }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("get_context", "help", "end_round", "nonsense"), fc.constant({})),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom("commit_step", "construct", "help"), fc.jsonValue()) },
  );

  it("RC5 RT47 replay(record(run)) is the run, and so is what a resumption holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 25 }), async (calls) => {
        const set = tempFolder();
        const scenario = scenarioOf(horn, "easy");
        const manifest = manifestOf(planOf({ ...lexicalAgent, name: "random" }, "easy"), surroundings);
        const run = await beginRun(set, manifest, scenario, { sync: false });
        const answers = calls.map(([tool, input]) => run.call(admitCall(tool, input)));
        run.close();
        const replayer = replay("easy", await entriesOf(run.path));
        expect(replayer.differences).toEqual([]);
        expect(replayer.session).toEqual(run.session);
        const resumed = await resumeRun(set, manifest, scenario, { sync: false });
        expect(resumed.session).toEqual(run.session);
        expect(takeLogged(resumed).map((line) => line.kind === "call" && line.answer)).toEqual(answers);
        resumed.close();
      }),
      { numRuns: 40 },
    );
  });
});
