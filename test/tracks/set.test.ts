import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/index.ts";
import { loadCase } from "../../src/cases/index.ts";
import { acquireLock, addPlanned, readPlanned, requireRunId } from "../../src/records/index.ts";
import {
  auditFolder,
  judgeRecord,
  planSet,
  playSet,
  readSet,
  scoreSet,
  type Agent,
  type SetEvent,
  type Surroundings,
} from "../../src/tracks/index.ts";
import { TIERS } from "../../src/runtime/index.ts";

const loaded = loadCase(fileURLToPath(new URL("../fixtures/cases/horn", import.meta.url)));
if (!loaded.ok) throw new Error("the fixture has faults");
const horn = loaded.value;
const agent = (name: string) => AGENTS.find((one) => one.name === name) as Agent;
const surroundings: Surroundings = {
  packageVersion: "0.0.0",
  gitCommit: null,
  nodeVersion: "20",
  platform: "test",
  now: () => "2025-01-02T03:04:05.678Z",
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function setFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "worldagent-tracks-"));
  folders.push(folder);
  return join(folder, "set");
}

const broken: Agent = {
  name: "broken",
  says: "throws",
  settings: {},
  async *play() {
    yield { tool: "get_context" };
    throw new TypeError("a fault of ours");
  },
};

describe("a plan", () => {
  it("is every case, tier, agent and repeat in this order, but for tiers an agent does not play", () => {
    const { plans, refused } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: TIERS,
      agents: [agent("lexical"), agent("idle")],
      repeats: 2,
    });
    const tiersOfIdle = TIERS.filter((tier) => tier !== "easy").flatMap((tier) => [`${tier} idle 1`, `${tier} idle 2`]);
    expect(plans.map((plan) => `${plan.tier} ${plan.agent.name} ${plan.repeat}`)).toEqual([
      "easy lexical 1",
      "easy lexical 2",
      "easy idle 1",
      "easy idle 2",
      ...tiersOfIdle,
    ]);
    expect(refused.map((pair) => `${pair.agent} ${pair.what}`)).toEqual(["lexical hard", "lexical extreme"]);
  });
});

describe("playing a set", () => {
  it("RC8 gives every planned run an outcome, in the order of the plan, whatever befalls one of them", async () => {
    const folder = setFolder();
    const { plans } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: ["easy"],
      agents: [agent("idle"), broken, agent("reference")],
      repeats: 1,
    });
    addPlanned(folder, []);
    const events: string[] = [];
    const { runs: played } = await playSet(plans, folder, surroundings, {
      sync: false,
      concurrency: 3,
      onEvent: (event: SetEvent) => events.push(event.kind),
    });
    expect(played.map(({ run, outcome, fault }) => [run, outcome, fault])).toEqual([
      ["horn.easy.idle.1", "finished", undefined],
      ["horn.easy.broken.1", "engine_fault", "a fault of ours"],
      ["horn.easy.reference.1", "finished", undefined],
    ]);
    expect(["begun", "call", "done"].map((kind) => events.filter((one) => one === kind).length)).toEqual([
      3,
      1 + 1 + 16,
      3,
    ]);
  });

  it("RC9 passes over a run that is held, says by whom, and plays the others", async () => {
    const folder = setFolder();
    const { plans } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: ["easy"],
      agents: [agent("idle")],
      repeats: 2,
    });
    mkdirSync(join(folder, "horn.easy.idle.1"), { recursive: true });
    const lock = acquireLock(join(folder, "horn.easy.idle.1"));
    const { runs } = await playSet(plans, folder, surroundings, { sync: false });
    const [held, free] = runs;
    lock.release();
    expect([held?.outcome, free?.outcome]).toEqual([null, "finished"]);
    expect(held?.fault).toContain("the run is held by this process already");
  });

  it("RC8 keeps a run that was planned and never begun among the planned ones", async () => {
    const folder = setFolder();
    const stop = new AbortController();
    const { plans } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: ["easy"],
      agents: [agent("idle")],
      repeats: 3,
    });
    const { runs: played, stop: why } = await playSet(plans, folder, surroundings, {
      sync: false,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === "done") stop.abort();
      },
    });
    expect(played.map(({ outcome }) => outcome)).toEqual(["finished", "cancelled", "cancelled"]);
    expect(why).toEqual({ kind: "interrupted" });
    const scored = await scoreSet(await readSet(folder), new Map([[horn.id, horn]]));
    expect(scored.map(({ run, outcome, why }) => [run, outcome, why])).toEqual([
      ["horn.easy.idle.1", "finished", "it has no judgments"],
      ["horn.easy.idle.2", "unfinished", "it was planned and never begun"],
      ["horn.easy.idle.3", "unfinished", "it was planned and never begun"],
    ]);
  });
});

describe("a fault of ours in one run", () => {
  /** The horn case without what judging and scoring need of it, but for its digests: to use it breaks something. */
  const brittle = new Proxy(horn, {
    get: (target, key) => {
      if (key === "contract" || key === "reference") throw new TypeError("a fault of ours");
      return Reflect.get(target, key) as unknown;
    },
  });

  it("RC6 is a difference of that run in an audit, and no exception", async () => {
    const folder = setFolder();
    const { plans } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: ["easy"],
      agents: [agent("idle")],
      repeats: 1,
    });
    await playSet(plans, folder, surroundings, { sync: false });
    const path = join(folder, "horn.easy.idle.1");
    const { ok, differences, cause } = await auditFolder(path, new Map([["horn", brittle]]), "horn.easy.idle.1");
    const expected = "an audit that comes to its end";
    expect([ok, differences]).toEqual([
      false,
      [{ kind: "fault", where: "horn.easy.idle.1", expected, seen: "a fault of ours" }],
    ]);
    expect(cause).toBeInstanceOf(TypeError);
  });

  it("RC8 is said of that run where it is judged and scored, and no exception", async () => {
    const folder = setFolder();
    const { plans } = planSet({
      track: "maintenance",
      cases: [horn],
      tiers: ["easy"],
      agents: [agent("idle")],
      repeats: 1,
    });
    await playSet(plans, folder, surroundings, { sync: false });
    const set = await readSet(folder);
    const [record] = set.records;
    if (record === undefined) throw new Error("the run is not there");
    const why = "internal error: a fault of ours";
    expect(await judgeRecord(brittle, record)).toMatchObject({ run: record.id, status: "fault", why });
    expect(await judgeRecord(horn, record)).toEqual({ run: record.id, status: "judged" });
    expect(await scoreSet(set, new Map([["horn", brittle]]))).toMatchObject([
      { outcome: "finished", why, faulty: true },
    ]);
    await expect(judgeRecord(horn, record, { as: "../x" })).rejects.toThrow(/cannot name a set of judgments/);
    await expect(scoreSet(set, new Map([["horn", horn]]), "../x")).rejects.toThrow(/cannot name a set of judgments/);
  });
});

describe("what is planned in a set", () => {
  it("is added to, each run once, sorted", () => {
    const folder = setFolder();
    const [a, b, c] = ["a.easy.x.1", "b.easy.x.1", "c.easy.x.1"].map(requireRunId) as never as [never, never, never];
    addPlanned(folder, [c, a]);
    addPlanned(folder, [b, a]);
    expect(readPlanned(folder)).toEqual(["a.easy.x.1", "b.easy.x.1", "c.easy.x.1"]);
    expect(readFileSync(join(folder, "planned.json"), "utf8")).toBe(
      '{\n  "v": 1,\n  "runs": [\n    "a.easy.x.1",\n    "b.easy.x.1",\n    "c.easy.x.1"\n  ]\n}\n',
    );
  });

  it("is refused where the file holds something else", () => {
    const folder = setFolder();
    addPlanned(folder, []);
    for (const text of ["{", '{"v":1,"runs":["../x"]}', '{"v":2,"runs":[]}']) {
      writeFileSync(join(folder, "planned.json"), text);
      expect(() => readPlanned(folder)).toThrow(/planned\.json: it is no list of planned runs: .* Delete it/);
    }
  });
});
