import { setImmediate } from "node:timers/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import { readRunFolder, RecordError, spendingOfSet, type AnswerBody } from "../../src/records/index.ts";
import {
  planSet,
  playSet,
  type Agent,
  type Clock,
  type RunPlan,
  type SetEvent,
  type SetOptions,
  type SetResult,
  type SetStop,
} from "../../src/tracks/index.ts";
import { asking, END, LOOK, SERVER_ERROR, USAGE, type AskingAgent, type AskingOptions } from "./asking-agent.ts";
import { entriesOf, horn, scripted, surroundings, tempFolder } from "./run-fixture.ts";

function plansOf(agents: readonly Agent[], repeats = 1): readonly RunPlan[] {
  return planSet({ track: "maintenance", cases: [horn], tiers: ["easy"], agents, repeats }).plans;
}

async function playAll(plans: readonly RunPlan[], set: string, options: SetOptions = {}): Promise<SetResult> {
  return await playSet(plans, set, surroundings, { sync: false, ...options });
}

const outcomesOf = ({ runs }: SetResult): readonly unknown[] => runs.map(({ outcome }) => outcome);

/** Asks three times, and is finished. */
const three = (options: AskingOptions = {}): AskingAgent =>
  asking([{ calls: [LOOK] }, { calls: [LOOK] }, { calls: [END] }], options);

describe("lanes", () => {
  it("RC14 go on at once, each with as many runs as it bears, those of agents without one with the set's", async () => {
    const now = new Map<string, number>();
    const most = new Map<string, number>();
    const add = (lane: string, n: number): void => {
      now.set(lane, (now.get(lane) ?? 0) + n);
      most.set(lane, Math.max(most.get(lane) ?? 0, now.get(lane) ?? 0));
    };
    // The first wave waits until as many are there as may be: were there fewer, it would wait for ever.
    const wave = 2 + 1 + 3;
    let begun = 0;
    let whenAll = (): void => {};
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const counted = (name: string, lane?: Agent["lane"]): Agent =>
      scripted([], {
        name,
        ...(lane === undefined ? {} : { lane }),
        async *play() {
          add(lane?.name ?? "local", 1);
          begun += 1;
          if (begun === wave) whenAll();
          await all;
          for (let i = 0; i < 5; i += 1) await setImmediate();
          add(lane?.name ?? "local", -1);
          yield LOOK;
          return undefined;
        },
      });
    const wide = { name: "wide.example", concurrency: 2 };
    const agents = [
      counted("a", wide),
      counted("b", wide),
      counted("c", { name: "narrow.example", concurrency: 1 }),
      counted("d"),
      counted("e"),
    ];
    const result = await playAll(plansOf(agents, 4), tempFolder(), { concurrency: 3 });
    expect(outcomesOf(result)).toEqual(Array.from({ length: 20 }, () => "stopped"));
    expect([...most]).toEqual([
      ["wide.example", 2],
      ["narrow.example", 1],
      ["local", 3],
    ]);
  });

  it("RC14 of one name bear what the strictest of their agents says", async () => {
    let now = 0;
    let most = 0;
    const counted = (name: string, concurrency: number): Agent =>
      scripted([], {
        name,
        lane: { name: "one.example", concurrency },
        async *play() {
          now += 1;
          most = Math.max(most, now);
          for (let i = 0; i < 5; i += 1) await setImmediate();
          now -= 1;
          yield LOOK;
          return undefined;
        },
      });
    await playAll(plansOf([counted("a", 8), counted("b", 1)], 3), tempFolder());
    expect(most).toBe(1);
  });
});

describe("the stop of a set", () => {
  it("RC15 is the end of one run that every other would meet: why is in the result, and nothing new is begun", async () => {
    const set = tempFolder();
    const done = plansOf([idleAgent]);
    await playAll(done, set);
    const end = { outcome: "endpoint_fault", detail: { kind: "auth" }, stopsSet: "the key is refused" } as const;
    const refused = asking([{ calls: [], fault: { ...SERVER_ERROR, kind: "auth" } }], { end: () => end });
    const stops: SetStop[] = [];
    const result = await playAll([...plansOf([refused.agent], 3), ...done], set, {
      onStop: (stop) => stops.push(stop),
    });
    const stop = { kind: "fault", run: "horn.easy.asking.1", agent: "asking", why: "the key is refused" };
    expect(result.stop).toEqual(stop);
    expect(stops).toEqual([stop]);
    expect(refused.asked).toEqual([1]);
    // A run that was finished before is what it was.
    expect(outcomesOf(result)).toEqual(["endpoint_fault", "cancelled", "cancelled", "finished"]);
    expect(result.runs[3]).toMatchObject({ run: "horn.easy.idle.1", skipped: true });
    expect(JSON.stringify(await entriesOf(join(set, "horn.easy.asking.1")))).not.toContain("the key is refused");
  });

  it("RC13 lets the answers under way be heard, in every lane, and leaves the runs open", async () => {
    const set = tempFolder();
    const stop = new AbortController();
    let waiting = 0;
    let whenBoth = (): void => {};
    const both = new Promise<void>((resolve) => {
      whenBoth = resolve;
    });
    const before = async (request: number): Promise<void> => {
      if (request !== 2) return;
      waiting += 1;
      if (waiting === 2) whenBoth();
      await both;
      stop.abort();
    };
    const [a, b] = ["a", "b"].map((name) => three({ name, lane: { name, concurrency: 1 }, before })) as [
      AskingAgent,
      AskingAgent,
    ];
    const stopped = await playAll(plansOf([a.agent, b.agent]), set, { signal: stop.signal });
    expect([outcomesOf(stopped), stopped.stop]).toEqual([["cancelled", "cancelled"], { kind: "interrupted" }]);
    for (const { path } of stopped.runs) {
      expect(await readRunFolder(path)).toMatchObject({ state: "begun" });
      const kinds = (await entriesOf(path)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "answer")).toHaveLength(2);
      expect(kinds).not.toContain("outcome");
    }
    const [again, other] = [three({ name: "a" }), three({ name: "b" })];
    const resumed = await playAll(plansOf([again.agent, other.agent]), set);
    expect(outcomesOf(resumed)).toEqual(["finished", "finished"]);
    expect([a.asked, b.asked, again.asked, other.asked]).toEqual([[1, 2], [1, 2], [3], [3]]);
    expect(resumed.stop).toBeUndefined();
  });

  it("RC13 before the first run plays none, and names each of them", async () => {
    const set = tempFolder();
    const agent = three();
    const result = await playAll(plansOf([agent.agent], 2), set, { signal: AbortSignal.abort() });
    expect([outcomesOf(result), result.stop, agent.asked]).toEqual([
      ["cancelled", "cancelled"],
      { kind: "interrupted" },
      [],
    ]);
    expect(existsSync(join(set, "horn.easy.asking.1"))).toBe(false);
  });

  it("a disk that fails one run stops the set, and what was played is in the result", async () => {
    const full = scripted([], {
      name: "full",
      play: () => {
        throw new RecordError("disk_full", { where: "/set", what: "the disk is full", remedy: "Make room" });
      },
    });
    const agent = three({ lane: { name: "other", concurrency: 1 } });
    const plans = [...plansOf([full]), ...plansOf([agent.agent], 5)];
    const result = await playAll(plans, tempFolder());
    expect(result.stop).toEqual({ kind: "disk", run: "horn.easy.full.1", why: "/set: the disk is full. Make room." });
    expect(result.runs[0]).toMatchObject({ outcome: null, faultCode: "disk_full" });
    expect(outcomesOf(result).slice(1)).toContain("cancelled");
    expect(agent.asked.length).toBeLessThanOrEqual(3);
  });
});

describe("the budgets of a set", () => {
  it("RC16 of tokens: counts what earlier commands spent, asks nothing more where it is reached, and leaves runs open", async () => {
    const set = tempFolder();
    const first = three();
    const one = await playAll(plansOf([first.agent], 2), set, { budgets: { tokens: 400 } });
    expect(one.stop).toEqual({ kind: "budget", which: "set_tokens", setting: 400, measured: 400 });
    expect([outcomesOf(one), first.asked]).toEqual([
      ["finished", "cancelled"],
      [1, 2, 3, 1],
    ]);
    expect(await readRunFolder(join(set, "horn.easy.asking.2"))).toMatchObject({ state: "begun" });
    expect([one.spent, one.before?.answers]).toMatchObject([{ answers: 4, tokens: 400 }, 0]);

    // The same again: nothing can be asked, and what is finished is left alone.
    const second = three();
    const two = await playAll(plansOf([second.agent], 2), set, { budgets: { tokens: 400 } });
    expect([outcomesOf(two), second.asked, two.stop]).toEqual([["finished", "cancelled"], [], one.stop]);

    // With more room it goes on, and pays for no answer again.
    const third = three();
    const more = await playAll(plansOf([third.agent], 2), set, { budgets: { tokens: 601 } });
    expect([outcomesOf(more), third.asked, more.stop]).toEqual([["finished", "finished"], [2, 3], undefined]);
    expect([more.before?.tokens, more.spent.tokens]).toEqual([400, 200]);
  });

  it("RC16 that is reached by the last answer stops nothing", async () => {
    const result = await playAll(plansOf([three().agent]), tempFolder(), { budgets: { tokens: 300 } });
    expect([outcomesOf(result), result.stop]).toEqual([["finished"], undefined]);
  });

  it("RC16 of tokens: takes an estimate where the endpoint tells none, and says how many are", async () => {
    const agent = three({ usage: null, answer: { estimatedTokens: 150 } });
    const result = await playAll(plansOf([agent.agent]), tempFolder(), { budgets: { tokens: 300 } });
    expect(result.stop).toEqual({ kind: "budget", which: "set_tokens", setting: 300, measured: 300 });
    expect(result.spent).toMatchObject({ answers: 2, tokens: 300, estimated: 2, untold: 0 });
  });

  it("RC16 of cost: goes by the price of each agent, and counts apart what has none", async () => {
    const set = tempFolder();
    const costOf: SetOptions["costOf"] = ({ usage }, { name }) =>
      name === "free" || usage === null ? null : usage.total / 100;
    const [free, dear] = [three({ name: "free" }), three({ name: "dear" })];
    const result = await playAll(plansOf([free.agent, dear.agent]), set, { costOf, budgets: { costUsd: 2 } });
    expect(result.stop).toEqual({ kind: "budget", which: "set_cost", setting: 2, measured: 2 });
    expect([free.asked, dear.asked]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    expect(result.spent).toMatchObject({ answers: 5, costUsd: 2, unpriced: 3 });
    // What a later command reads from the logs is what was counted.
    expect(await spendingOfSet(set, costOf)).toEqual(result.spent);
  });

  it("RC16 of wall time: is enforced from outside, while an agent waits for an answer", async () => {
    const set = tempFolder();
    let fire = (): void => {};
    let nowMs = 1000;
    const calls: string[] = [];
    const clock: Clock = {
      nowMs: () => nowMs,
      after: (ms, then) => {
        calls.push(`after ${ms}`);
        fire = then;
        return () => calls.push("taken back");
      },
    };
    const before = (request: number): void => {
      if (request !== 2) return;
      nowMs += 60_250;
      fire();
    };
    const agent = three({ before });
    const result = await playAll(plansOf([agent.agent], 2), set, { clock, budgets: { wallMs: 60_000 } });
    expect(result.stop).toEqual({ kind: "budget", which: "set_wall", setting: 60_000, measured: 60_250 });
    expect([outcomesOf(result), agent.asked]).toEqual([
      ["cancelled", "cancelled"],
      [1, 2],
    ]);
    expect(calls).toEqual(["after 60000", "taken back"]);
    // No budget of tokens or cost asked what was spent before.
    expect(result.before).toBeUndefined();
  });

  it("RC16 of wall time is taken back where the set ends before", async () => {
    const calls: string[] = [];
    const clock: Clock = { nowMs: () => 0, after: () => () => calls.push("taken back") };
    const result = await playAll(plansOf([three().agent]), tempFolder(), { clock, budgets: { wallMs: 1 } });
    expect([outcomesOf(result), result.stop, calls]).toEqual([["finished"], undefined, ["taken back"]]);
  });
});

describe("the events of a set", () => {
  it("RC16 tell of each answer with its tokens and its cost, null where they are not known, and which were given again", async () => {
    const set = tempFolder();
    const stop = new AbortController();
    const events: SetEvent[] = [];
    const options: SetOptions = {
      onEvent: (event) => events.push(event),
      costOf: ({ request }: AnswerBody) => (request === 1 ? 0.5 : null),
    };
    const first = asking([{ calls: [LOOK] }, { calls: [END] }], {
      before: (n) => (n === 1 ? stop.abort() : undefined),
    });
    await playAll(plansOf([first.agent]), set, { ...options, signal: stop.signal });
    const second = asking([{ calls: [LOOK] }, { calls: [END] }], { usage: null });
    await playAll(plansOf([second.agent]), set, options);
    const run = {
      track: "maintenance",
      run: "horn.easy.asking.1",
      case: "horn",
      tier: "easy",
      agent: "asking",
      repeat: 1,
    };
    expect(events.filter(({ kind }) => kind === "answer")).toEqual([
      { kind: "answer", run, replayed: false, tokens: USAGE.total, estimated: false, costUsd: 0.5 },
      { kind: "answer", run, replayed: true, tokens: USAGE.total, estimated: false, costUsd: 0.5 },
      { kind: "answer", run, replayed: false, tokens: null, estimated: false, costUsd: null },
    ]);
  });
});
