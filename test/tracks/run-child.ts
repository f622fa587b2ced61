/**
 * A process that plays, judges and scores one run, to be killed on the way:
 *
 *     node run-child.js CASE SET AGENT HOW MS
 *
 * Each call that is not yet in the log takes MS milliseconds longer than it must, so that a kill falls inside a run.
 * HOW is a tier, or of a case of deduction its condition, mode and fold: open.M2.1.
 * Prints `begun` before it touches the set, `call` after the first new call, `done` at the end, or one line of error.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../src/agents/index.ts";
import { loadAnyCase, type AnyCase } from "../../src/cases/index.ts";
import {
  judgeFolder,
  readRunFolder,
  RecordError,
  runIdOf,
  scoreDeductionFolder,
  scoreFolder,
} from "../../src/records/index.ts";
import type { Condition, Mode, Tier } from "../../src/runtime/index.ts";
import { manifestOf, playRun, type Agent, type RunPlan } from "../../src/tracks/index.ts";

const [directory = "", set = "", agentName = "", how = "easy", ms = "0"] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function countLogged(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 2 : 0;
}

function planOf(case_: AnyCase, agent: Agent): RunPlan {
  const { track } = case_;
  if (track === "maintenance") return { track, case: case_, tier: how as Tier, agent, repeat: 1 };
  const [condition, mode, fold] = how.split(".") as [Condition, Mode, string];
  return { track, case: case_, condition, mode, fold: Number(fold), agent, repeat: 1 };
}

async function main(): Promise<void> {
  const loaded = loadAnyCase(directory);
  const agent = AGENTS.find(({ name }) => name === agentName);
  if (!loaded.ok || agent === undefined) throw new Error(`no such case or agent: ${directory} ${agentName}`);
  const plan = planOf(loaded.value, agent);
  const surroundings = {
    packageVersion: "0.1.0",
    gitCommit: null,
    nodeVersion: "20.20.0",
    platform: "linux-x64",
    now: () => new Date().toISOString(),
  };
  const logged = countLogged(join(set, runIdOf(manifestOf(plan, surroundings)), "log.jsonl"));
  say("begun");
  const { path } = await playRun(plan, set, surroundings, {
    onCall: ({ calls }) => {
      if (calls <= logged) return;
      if (calls === logged + 1) say("call");
      pause(Number(ms));
    },
  });
  const record = await readRunFolder(path);
  if (plan.track === "maintenance") {
    await judgeFolder(plan.case, record);
    await scoreFolder(plan.case, record);
  } else await scoreDeductionFolder(plan.case, record);
  say("done");
}

try {
  await main();
} catch (error) {
  say(error instanceof RecordError ? `${error.code} ${error.message}` : String(error));
  process.exitCode = 1;
}
