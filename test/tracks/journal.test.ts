import fc from "fast-check";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditRun, readRunFolder, type JournalBody } from "../../src/records/index.ts";
import { replayRecord, type Agent, type AgentCall, type AgentContext, type RunResult } from "../../src/tracks/index.ts";
import { answerBody, thrown } from "../records/fixtures.ts";
import { asking, END, FOLD, GARBLED, LOOK, NUDGE, READ, type Turn } from "./asking-agent.ts";
import { cutRun, entriesOf, horn, lineEnds, logOf, play, planOf, scripted, tempFolder } from "./run-fixture.ts";

const WALK: AgentCall = {
  tool: "commit_step",
  input: { triggers: [{ capability: "walk", args: { who: "ilka", to: "ash_wood" } }] },
};

const turn: fc.Arbitrary<Turn> = fc.record({
  calls: fc.array(fc.constantFrom(LOOK, READ, WALK, GARBLED, { tool: "nonsense", input: 3 }), { maxLength: 3 }),
  then: fc.subarray([NUDGE, FOLD]),
});

/** Turns that end the only round, with a call that is not made any more. */
const turnsToTheEnd = fc
  .array(turn, { minLength: 1, maxLength: 4 })
  .map((turns): readonly Turn[] => [...turns, { calls: [END, LOOK] }]);

/** The requests whose answers are in a log. */
async function answeredIn(path: string): Promise<readonly number[]> {
  return (await entriesOf(path)).flatMap((entry) => (entry.kind === "answer" ? [entry.request] : []));
}

const numbersTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i + 1);

describe("a run with a journal", () => {
  it("RC10 RC11 killed at any line or in the middle of one goes on to the same bytes, and no logged answer is asked for again", async () => {
    await fc.assert(
      fc.asyncProperty(turnsToTheEnd, async (turns) => {
        const calm = asking(turns);
        const whole = await play(planOf(calm.agent, "easy"), tempFolder());
        const log = logOf(whole);
        expect([whole.outcome, calm.asked]).toEqual(["finished", numbersTo(turns.length)]);
        for (const end of lineEnds(log).flatMap((at) => [at - 1, at])) {
          const set = cutRun(whole, end);
          const path = join(set, whole.run);
          const before = await answeredIn(path);
          const again = asking(turns);
          const resumed = await play(planOf(again.agent, "easy"), set);
          expect([...before, ...again.asked]).toEqual(numbersTo(turns.length));
          expect({ end, same: logOf(resumed).equals(log) }).toEqual({ end, same: true });
          rmSync(set, { recursive: true });
        }
      }),
      { numRuns: 5 },
    );
  });

  it("RC11 RC13 stopped at any request, again and again, it asks for each answer once, and hears the one under way", async () => {
    await fc.assert(
      fc.asyncProperty(turnsToTheEnd, fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), async (turns, whens) => {
        const whole = await play(planOf(asking(turns).agent, "easy"), tempFolder());
        const set = tempFolder();
        const asked: number[] = [];
        let result: RunResult | undefined;
        // Each life is stopped at its first new request: before it is asked, or while its answer is under way.
        for (const isUnderWay of [...whens, undefined]) {
          const stop = new AbortController();
          const life = asking(turns, { before: () => (isUnderWay === true ? stop.abort() : undefined) });
          const options = isUnderWay === false ? { mayAsk: () => false } : { signal: stop.signal };
          result = await play(planOf(life.agent, "easy"), set, options);
          expect(life.asked.length).toBeLessThanOrEqual(isUnderWay === undefined ? turns.length : Number(isUnderWay));
          asked.push(...life.asked);
          const { state } = await readRunFolder(result.path);
          expect(state).toBe(result.outcome === "finished" ? "sealed" : "begun");
        }
        expect(asked).toEqual(numbersTo(turns.length));
        expect(logOf(result as RunResult).equals(logOf(whole))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it("RC10 is audited and replayed without a difference", async () => {
    const { path } = await play(
      planOf(asking([{ calls: [LOOK, GARBLED], then: [NUDGE, FOLD] }]).agent, "easy"),
      tempFolder(),
    );
    const record = await readRunFolder(path);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
    expect(await replayRecord(horn, record)).toMatchObject({ ok: true, calls: 2 });
  });

  it("RC10 stores each message once, in the order in which it was said", async () => {
    const { path } = await play(
      planOf(asking([{ calls: [LOOK], then: [NUDGE] }, { calls: [READ] }]).agent, "easy"),
      tempFolder(),
    );
    const kinds = (await entriesOf(path)).map(({ kind }) => kind);
    expect(kinds.join(" ")).toBe("manifest message message answer call message answer call outcome seal");
  });

  it("RC11 tells an agent which run it is, and whether it is to stop", async () => {
    const seen: AgentContext[] = [];
    const looking = scripted([], {
      async *play(context) {
        seen.push(context);
        yield LOOK;
        return undefined;
      },
    });
    const stop = new AbortController();
    await play(planOf(looking, "easy"), tempFolder(), { signal: stop.signal });
    expect(seen).toMatchObject([{ run: "horn.easy.scripted.1", tier: "easy", case: horn, stop: stop.signal }]);
  });

  it("RC11 tells whoever looks on of each answer, and which were given again", async () => {
    const turns = [{ calls: [LOOK] }, { calls: [READ] }];
    const told: string[] = [];
    const options = {
      onAnswer: ({ request }: { request: number }, replayed: boolean) => told.push(`${request} ${replayed}`),
    };
    const whole = await play(planOf(asking(turns).agent, "easy"), tempFolder(), options);
    await play(planOf(asking(turns).agent, "easy"), cutRun(whole, lineEnds(logOf(whole))[4] ?? 0), options);
    expect(told).toEqual(["1 false", "2 false", "1 true", "2 false"]);
  });

  it("RT48 admits a raw text at the border: what is JSON there is a call like any other, what is not is a refusal", async () => {
    const calls: readonly AgentCall[] = [
      { tool: "read_data", text: '{"from":"map"}' },
      GARBLED,
      { tool: "help", text: "" },
    ];
    const { path } = await play(planOf(scripted(calls), "easy"), tempFolder());
    const logged = (await entriesOf(path)).flatMap((entry) =>
      entry.kind === "call" ? [[entry.input, entry.refused?.code, (entry.answer as { ok: boolean }).ok]] : [],
    );
    expect(logged).toEqual([
      [{ from: "map" }, undefined, true],
      [undefined, "malformed_input", false],
      [{}, undefined, true],
    ]);
  });
});

describe("an agent that does not do again what is logged", () => {
  const message = (text: string): JournalBody => ({ kind: "message", role: "user", text });
  const answer = async (): Promise<JournalBody> => answerBody(1, null);
  const asIs: Agent["play"] = async function* ({ journal }) {
    journal.keep(message("begin"));
    await journal.fetch(answer);
    yield LOOK;
    yield READ;
    return undefined;
  };
  const others: readonly (readonly [string, number, string, Agent["play"]])[] = [
    [
      "keeps another text",
      2,
      'the agent does not keep the line of kind message as the log holds it, in which text is "begin" and not "start"',
      async function* ({ journal }) {
        journal.keep(message("start"));
        yield LOOK;
        return undefined;
      },
    ],
    [
      "keeps a line where it called",
      4,
      "the agent does not keep the line of kind message as the log holds it, which has a call there",
      async function* ({ journal }) {
        journal.keep(message("begin"));
        await journal.fetch(answer);
        journal.keep(message("more"));
        yield LOOK;
        return undefined;
      },
    ],
    [
      "calls where it asked",
      3,
      "the agent does not make call 1 as the log holds it, which has a line of kind answer there",
      async function* ({ journal }) {
        journal.keep(message("begin"));
        yield LOOK;
        return undefined;
      },
    ],
    [
      "asks where it kept",
      2,
      "the agent asks for something where the log holds a line of kind message",
      async function* ({ journal }) {
        await journal.fetch(answer);
        yield LOOK;
        return undefined;
      },
    ],
    [
      "asks where it called",
      4,
      "the agent asks for something where the log holds a call",
      async function* ({ journal }) {
        journal.keep(message("begin"));
        await journal.fetch(answer);
        await journal.fetch(answer);
        yield LOOK;
        return undefined;
      },
    ],
    [
      "makes another call",
      5,
      "the agent does not make call 2 as the log holds it",
      async function* ({ journal }) {
        journal.keep(message("begin"));
        await journal.fetch(answer);
        yield LOOK;
        yield LOOK;
        return undefined;
      },
    ],
    [
      "stops earlier",
      5,
      "the agent does not make call 2 as the log holds it: it stops before",
      async function* ({ journal }) {
        journal.keep(message("begin"));
        await journal.fetch(answer);
        yield LOOK;
        return undefined;
      },
    ],
    [
      "keeps another text and passes over that it was told so",
      2,
      "the agent does not keep the line of kind message as the log holds it",
      async function* ({ journal }) {
        try {
          journal.keep(message("start"));
        } catch {
          // As an agent does that catches whatever comes.
        }
        yield LOOK;
        return undefined;
      },
    ],
  ];

  it.each(others)(
    "RC11 is refused where it %s, at line %i, and the log stays as it is",
    async (_, line, what, other) => {
      const whole = await play(planOf(scripted([], { play: asIs }), "easy"), tempFolder());
      const set = cutRun(whole, lineEnds(logOf(whole))[4] ?? 0);
      const before = logOf({ path: join(set, whole.run) });
      const error = await thrown("log_damaged", () => play(planOf(scripted([], { play: other }), "easy"), set));
      expect(error.where).toBe(`${join(set, whole.run, "log.jsonl")}:${line}`);
      expect(error.message).toContain(`given the same answers, ${what}`);
      expect(logOf({ path: join(set, whole.run) }).equals(before)).toBe(true);
      // The right one goes on with it.
      const resumed = await play(planOf(scripted([], { play: asIs }), "easy"), set);
      expect(logOf(resumed).equals(logOf(whole))).toBe(true);
    },
  );
});

describe("where nothing comes of a request", () => {
  it("RC13 nothing that follows is recorded, whatever the agent does then", async () => {
    const going: Agent["play"] = async function* ({ journal }) {
      await journal.fetch(async () => undefined);
      yield LOOK;
      return { outcome: "finished" };
    };
    const result = await play(planOf(scripted([], { play: going }), "easy"), tempFolder());
    expect(result.outcome).toBe("cancelled");
    expect((await entriesOf(result.path)).map(({ kind }) => kind)).toEqual(["manifest"]);
  });

  it("what the asking throws is passed on, and the run can be taken up", async () => {
    const set = tempFolder();
    const broken = asking([{ calls: [LOOK] }], { before: () => Promise.reject(new Error("a bug in the client")) });
    await expect(play(planOf(broken.agent, "easy"), set)).rejects.toThrow("a bug in the client");
    const sound = asking([{ calls: [LOOK] }]);
    expect(await play(planOf(sound.agent, "easy"), set)).toMatchObject({ outcome: "stopped", skipped: false });
    expect(sound.asked).toEqual([1]);
  });

  it.each([
    ["a second fetch", (journal: AgentContext["journal"]) => journal.fetch(async () => NUDGE)],
    ["a line kept", async (journal: AgentContext["journal"]) => journal.keep(NUDGE)],
  ] as const)(
    "RC10 %s while one is under way is a fault of the agent's program: lines have one order",
    async (_, act) => {
      const hasty: Agent["play"] = async function* ({ journal }) {
        await journal.fetch(async () => {
          await act(journal);
          return NUDGE;
        });
        yield LOOK;
        return undefined;
      };
      await expect(play(planOf(scripted([], { play: hasty }), "easy"), tempFolder())).rejects.toThrow(
        /a fetch is still under way/,
      );
    },
  );
});
