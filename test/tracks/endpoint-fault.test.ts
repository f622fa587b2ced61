import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditRun, readRunFolder } from "../../src/records/index.ts";
import { figuresOf } from "../../src/report/figures.ts";
import { byTrack } from "../../src/report/set-table.ts";
import { judgeRecord, readSet, replayRecord, scoreSet, type RunResult } from "../../src/tracks/index.ts";
import { asking, END, LOOK, SERVER_ERROR, type AskingAgent, type Turn } from "./asking-agent.ts";
import { cutRun, entriesOf, horn, lineEnds, logOf, play, planOf, tempFolder } from "./run-fixture.ts";

const SOUND: readonly Turn[] = [{ calls: [LOOK] }, { calls: [LOOK] }, { calls: [END] }];
/** The same, but for a fault in place of the second answer. */
const FAULTY: readonly Turn[] = [{ calls: [LOOK] }, { calls: [], fault: SERVER_ERROR }];

async function playTurns(turns: readonly Turn[], set: string): Promise<RunResult & Pick<AskingAgent, "asked">> {
  const { agent, asked } = asking(turns);
  return { ...(await play(planOf(agent, "easy"), set)), asked };
}

const kindsOf = async (result: Pick<RunResult, "path">): Promise<string> =>
  (await entriesOf(result.path)).map(({ kind }) => kind).join(" ");

describe("a run that ends on a fault of its endpoint", () => {
  it("RC12 has the fault and the outcome in its log and no seal, and is sound for an audit and a replay", async () => {
    const result = await playTurns(FAULTY, tempFolder());
    expect(result).toMatchObject({ outcome: "endpoint_fault", detail: { kind: "server_error" }, asked: [1, 2] });
    expect(await kindsOf(result)).toBe("manifest message message answer call fault outcome");
    const record = await readRunFolder(result.path);
    expect(record).toMatchObject({ state: "ended", outcome: "endpoint_fault" });
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
    expect(await replayRecord(horn, record)).toMatchObject({ ok: true, calls: 1 });
  });

  it("RC12 RC11 is taken up by the next command, which asks that request and no answered one again", async () => {
    const set = tempFolder();
    await playTurns(FAULTY, set);
    expect(await playTurns(FAULTY, set)).toMatchObject({ outcome: "endpoint_fault", asked: [2] });
    const last = await playTurns(SOUND, set);
    expect(last).toMatchObject({ outcome: "finished", skipped: false, asked: [2, 3] });
    expect(await kindsOf(last)).toBe(
      "manifest message message answer call fault outcome fault outcome answer call answer call outcome seal",
    );
    const record = await readRunFolder(last.path);
    expect(await auditRun(horn, record)).toMatchObject({ ok: true, differences: [] });
    expect(await playTurns(SOUND, set)).toMatchObject({ outcome: "finished", skipped: true, asked: [] });
  });

  it("RC12 RC11 killed at any line after it was taken up, it goes on to the same bytes", async () => {
    const first = tempFolder();
    await playTurns(FAULTY, first);
    const whole = await playTurns(SOUND, first);
    const log = logOf(whole);
    const ends = lineEnds(log);
    // From the outcome of the first command on.
    for (const end of ends.slice(6)) {
      const set = cutRun(whole, end);
      const before = (await entriesOf(join(set, whole.run))).flatMap((e) => (e.kind === "answer" ? [e.request] : []));
      const resumed = await playTurns(SOUND, set);
      expect([...before, ...resumed.asked]).toEqual([1, 2, 3]);
      expect({ end, same: logOf(resumed).equals(log) }).toEqual({ end, same: true });
    }
  });

  it("RC12 killed between the fault and the outcome it asks nothing, and writes the outcome alone", async () => {
    const whole = await playTurns(FAULTY, tempFolder());
    const set = cutRun(whole, lineEnds(logOf(whole))[5] ?? 0);
    const resumed = await playTurns(FAULTY, set);
    expect(resumed).toMatchObject({ outcome: "endpoint_fault", asked: [] });
    expect(logOf(resumed).equals(logOf(whole))).toBe(true);
  });

  it("RC12 RC8 stands in tables with that outcome, counts as a fault under both conventions, and is not judged", async () => {
    const set = tempFolder();
    const { path } = await playTurns(FAULTY, set);
    const why = "it ended on a fault of its endpoint, and goes on when the set is run again";
    const cases = new Map([[horn.id, horn]]);
    expect(await judgeRecord(horn, await readRunFolder(path))).toEqual({
      run: "horn.easy.asking.1",
      status: "left",
      why,
    });
    const scored = await scoreSet(await readSet(set), cases);
    expect(scored).toMatchObject([{ run: "horn.easy.asking.1", outcome: "endpoint_fault", why }]);
    expect(scored[0]?.faulty).toBeUndefined();
    expect(figuresOf(byTrack(scored).maintenance, "exact")).toMatchObject([
      {
        planned: 1,
        scored: 0,
        outcomes: [{ outcome: "endpoint_fault", runs: 1 }],
        faultsAsFailures: { completion: 0, relation: 0 },
        faultsLeftOut: { completion: null, relation: null },
      },
    ]);
  });

  it("RC12 is unfinished from the moment it was taken up", async () => {
    const set = tempFolder();
    await playTurns(FAULTY, set);
    const stop = new AbortController();
    const { agent } = asking(SOUND, { before: () => stop.abort() });
    await play(planOf(agent, "easy"), set, { signal: stop.signal });
    expect(await scoreSet(await readSet(set), new Map([[horn.id, horn]]))).toMatchObject([
      { outcome: "unfinished", why: "it is not finished; the command that played it goes on with it" },
    ]);
  });

  it.each(["blocked", "context_overflow", "stopped"] as const)(
    "RC12 is sealed all the same where the agent makes %s of it: that is its end for good",
    async (outcome) => {
      const set = tempFolder();
      const { agent } = asking(FAULTY, { end: () => ({ outcome }) });
      const result = await play(planOf(agent, "easy"), set);
      expect(await kindsOf(result)).toBe("manifest message message answer call fault outcome seal");
      expect(await play(planOf(agent, "easy"), set)).toMatchObject({ outcome, skipped: true });
    },
  );
});
