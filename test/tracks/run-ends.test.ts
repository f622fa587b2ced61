import { describe, expect, it } from "vitest";
import type { Rate } from "../../src/contracts/index.ts";
import { auditRun } from "../../src/records/index.ts";
import type { AgentCall } from "../../src/tracks/index.ts";
import {
  cutRun,
  entriesOf,
  horn,
  lineEnds,
  logOf,
  play,
  playAndScore,
  planOf,
  scripted,
  tempFolder,
} from "./run-fixture.ts";

const END: AgentCall = { tool: "end_round", input: {} };
const LOOK: AgentCall = { tool: "get_context", input: {} };

function rates(rate: Rate): readonly [number, number, number | null] {
  return [rate.passed, rate.scored, rate.rate];
}

describe("how a run ends", () => {
  it("CT21 RC8 an agent that stops early is `stopped`, and all it did not play is not passed", async () => {
    const { result, score } = await playAndScore(planOf(scripted([LOOK]), "easy"), tempFolder());
    expect(result).toMatchObject({ outcome: "stopped", detail: "the agent stopped before the case was finished" });
    expect([score.outcome, rates(score.completion), rates(score.relation)]).toEqual(["stopped", [0, 11, 0], [0, 9, 0]]);
  });

  it("RC8 an agent may say itself how it ended", async () => {
    const ended = scripted([], {
      async *play() {
        yield LOOK;
        return { outcome: "blocked" as const, detail: { by: "a filter" } };
      },
    });
    const result = await play(planOf(ended, "easy"), tempFolder());
    expect(result).toMatchObject({ outcome: "blocked", detail: { by: "a filter" } });
    expect((await entriesOf(result.path)).at(-2)).toMatchObject({
      kind: "outcome",
      outcome: "blocked",
      detail: { by: "a filter" },
    });
  });

  it("RC8 RT45 an agent that goes on asking is ended by its budget, with its setting and the measured value; it is audited clean", async () => {
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
    const answers = (await entriesOf(result.path)).flatMap((entry) =>
      entry.kind === "call" ? [(entry.answer as { ok: boolean }).ok] : [],
    );
    expect(answers).toEqual([false, false, false, false, false, false, false, true, true]);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
    // … and is the same when the run is taken up at each line.
    for (const end of lineEnds(logOf(result))) {
      const resumed = await play(planOf(scripted([...inputs, END]), "easy"), cutRun(result, end));
      expect(logOf(resumed).equals(logOf(result))).toBe(true);
    }
  });
});
