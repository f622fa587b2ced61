import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idleAgent } from "../../src/agents/idle.ts";
import { addSetAgent, readPlanned } from "../../src/records/index.ts";
import { planSet, playSet, requireFit, type Agent, type RunPlan, type SetResult } from "../../src/tracks/index.ts";
import { thrown } from "../records/fixtures.ts";
import { asking, END } from "./asking-agent.ts";
import { changedHorn, entriesOf, horn, surroundings, tempFolder } from "./run-fixture.ts";

const plansOf = (agents: readonly Agent[], repeats = 1, case_ = horn): readonly RunPlan[] =>
  planSet({ track: "maintenance", cases: [case_], tiers: ["easy"], agents, repeats }).plans;

const playIn = async (set: string, plans: readonly RunPlan[]): Promise<SetResult> =>
  await playSet(plans, set, surroundings, { sync: false });

/** The names of everything in a folder, at any depth. */
const treeOf = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }).map(String).sort();

describe("the folder of a set is its ledger", () => {
  it("RC17 a command that is given again does only what is missing; repeats and agents that are added amend the set", async () => {
    const set = tempFolder();
    const [first, second] = [asking([{ calls: [END] }]), asking([{ calls: [END] }])];
    await playIn(set, plansOf([first.agent]));
    const result = await playIn(set, plansOf([second.agent, idleAgent], 2));
    expect(result.runs.map(({ run, outcome, skipped }) => `${run} ${outcome} ${skipped}`)).toEqual([
      "horn.easy.asking.1 finished true",
      "horn.easy.asking.2 finished false",
      "horn.easy.idle.1 finished false",
      "horn.easy.idle.2 finished false",
    ]);
    expect([first.asked, second.asked]).toEqual([[1], [1]]);
    expect(readPlanned(set)).toEqual(result.runs.map(({ run }) => run));
  });

  it("RC18 a planned case that the set knows in another version is refused before anything is played or written", async () => {
    const set = tempFolder();
    await playIn(set, plansOf([idleAgent]));
    const before = treeOf(set);
    const other = changedHorn("rounds/01.yaml", "They tell that part correctly.", "They tell that part well enough.");
    const { agent, asked } = asking([{ calls: [END] }]);
    // Not the run that is there, but another of the same set.
    const error = await thrown("other_case", () => playIn(set, plansOf([agent], 1, other)));
    expect(error.facts).toEqual({ case: "horn", savedDigest: horn.worldDigest, plannedDigest: other.worldDigest });
    expect([asked, treeOf(set)]).toEqual([[], before]);
  });

  it("RC18 a planned agent that the set knows with other settings is refused, with both values", async () => {
    const set = tempFolder();
    const warm = { settings: { temperature: 0.7, model: "m" } };
    await playIn(set, plansOf([asking([{ calls: [END] }], warm).agent]));
    const before = treeOf(set);
    const { agent, asked } = asking([{ calls: [END] }], { settings: { temperature: 0, model: "m" } });
    const plans = plansOf([idleAgent, agent], 2);
    const error = await thrown("other_manifest", () => playIn(set, plans));
    expect(error.message).toContain("agent.settings.temperature was 0.7 and is 0");
    expect([asked, treeOf(set)]).toEqual([[], before]);
    await thrown("other_manifest", () => requireFit(plans, set));
    // Under another name it is another agent.
    expect((await playIn(set, plansOf([{ ...agent, name: "cold" }]))).runs[0]?.outcome).toBe("finished");
  });

  it("RC17 RC18 an agent that the set's ledger has with other settings is refused before it has a run", async () => {
    const set = tempFolder();
    addSetAgent(set, { name: "asking", settings: { temperature: 1 }, preflight: null });
    const { agent, asked } = asking([{ calls: [END] }], { settings: { temperature: 0 } });
    const error = await thrown("other_agent", () => playIn(set, plansOf([agent])));
    expect(error.message).toContain("the agent asking has other settings in this set: temperature was 1 and is 0");
    expect([asked, treeOf(set)]).toEqual([[], ["agents", join("agents", "asking.json")]]);
    expect((await playIn(set, plansOf([{ ...agent, settings: { temperature: 1 } }]))).runs[0]?.outcome).toBe(
      "finished",
    );
  });

  it("RC18 runs of other cases and agents may be whatever they are", async () => {
    const set = tempFolder();
    await playIn(set, plansOf([asking([{ calls: [END] }], { settings: { v: 1 } }).agent]));
    await expect(requireFit(plansOf([idleAgent]), set)).resolves.toBeUndefined();
    await expect(requireFit([], set)).resolves.toBeUndefined();
  });

  it("RC18 a run whose manifest cannot be read is named at its turn, and the others are played", async () => {
    const set = tempFolder();
    await playIn(set, plansOf([idleAgent]));
    writeFileSync(join(set, "horn.easy.idle.1", "manifest.json"), "{");
    const { runs } = await playIn(set, plansOf([idleAgent], 2));
    expect(runs.map(({ outcome }) => outcome)).toEqual([null, "finished"]);
    expect(runs[0]?.fault).toContain("manifest.json: it is not JSON");
  });

  it.each([
    ["other things", ["notes.txt", "src"], "it holds other things and no runs (notes.txt, src)"],
    ["many other things", ["a", "b", "c", "d", "e"], "it holds other things and no runs (a, b, c and 2 more)"],
    ["the files of a run", ["log.jsonl"], "it is the folder of a run and not of a set: it holds a log.jsonl"],
  ] as const)("RC18 a folder with %s is refused, and nothing is written there", async (_, names, says) => {
    const folder = tempFolder();
    for (const name of names) writeFileSync(join(folder, name), "");
    const error = await thrown("not_a_set", () => playIn(folder, plansOf([idleAgent])));
    expect(error.message).toBe(`${folder}: ${says}. Name a folder that is new, empty, or a set of runs.`);
    expect(treeOf(folder)).toEqual(names);
  });

  it("RC18 an empty folder is a set, with what systems hide in it; so is one with a report beside its runs", async () => {
    const set = tempFolder();
    writeFileSync(join(set, ".DS_Store"), "");
    await playIn(set, plansOf([idleAgent]));
    writeFileSync(join(set, "report.html"), "");
    mkdirSync(join(set, "judge-cache"));
    rmSync(join(set, "planned.json"));
    expect((await playIn(set, plansOf([idleAgent]))).runs[0]?.skipped).toBe(true);
  });

  it("RC17 holds no line of one run in another's log", async () => {
    const set = tempFolder();
    const agents = ["a", "b"].map((name) => asking([{ calls: [END] }], { name }).agent);
    await playSet(plansOf(agents, 3), set, surroundings, { sync: false, concurrency: 4 });
    for (const run of readPlanned(set)) {
      const [first] = await entriesOf(join(set, run));
      expect(first).toMatchObject({ kind: "manifest", manifest: { agent: { name: run.split(".")[2] } } });
      expect(readFileSync(join(set, run, "log.jsonl"), "utf8").match(/"kind":"answer"/g)).toHaveLength(1);
    }
  });
});
