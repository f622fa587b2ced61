/** A run of the town, recorded as every run is: hash-chained lines, each call with its answer, record and digest. */
import { loadCase, scenarioOf, type Case } from "../../src/cases/index.ts";
import { beginRun, type Manifest, type RecordedRun } from "../../src/records/index.ts";
import { digestOfWorld } from "../../src/runtime/index.ts";
import { townOf, type TownOptions } from "./town.ts";

const HORN = new URL("../../test/fixtures/cases/horn", import.meta.url).pathname;

/** A case whose world is the town; its contract is that of another and is never looked at. */
export function caseOfTown(options: TownOptions): Case {
  const loaded = loadCase(HORN);
  if (!loaded.ok) throw new Error("the horn case has faults");
  const world = townOf(options);
  const easy = { stepsPerRound: 1_000_000, callsPerRound: 1_000_000 };
  return {
    ...loaded.value,
    id: "town",
    world,
    worldDigest: digestOfWorld(world),
    narratives: ["A day in the town."],
    budgets: { easy },
  };
}

export async function recordTown(folder: string, case_: Case, sync: boolean): Promise<RecordedRun> {
  const scenario = scenarioOf(case_, "easy");
  const manifest: Manifest = {
    v: 1,
    track: "maintenance",
    case: case_.id,
    tier: "easy",
    worldDigest: case_.worldDigest,
    repeat: 1,
    agent: { name: "bench", settings: {} },
    budgets: JSON.parse(JSON.stringify(scenario.budgets)) as Manifest["budgets"],
    packageVersion: "0.0.0",
    gitCommit: null,
    nodeVersion: process.versions.node,
    platform: "bench",
    start: "2026-01-01T00:00:00.000Z",
  };
  return await beginRun(folder, manifest, scenario, { sync });
}
