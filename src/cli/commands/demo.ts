import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { AGENTS } from "../../agents/index.ts";
import { listCases } from "../../cases/index.ts";
import { parseRunId, readRunFolder } from "../../records/index.ts";
import { scoreLines } from "../../report/index.ts";
import { auditFolder, judgeRecord, planSet, playSet, readSet, scoreSet } from "../../tracks/index.ts";
import { TIERS } from "../../runtime/index.ts";
import { agentOf, casesFolder, loadAll } from "../choose.ts";
import { SetDisplay } from "../display.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { UserError } from "../user-error.ts";
import { auditLines } from "./audit.ts";
import { scoreJson } from "./score.ts";

export interface DemoArguments {
  readonly out: string;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Cases the demo plays; more would keep a newcomer waiting. */
const MOST_CASES = 3;

/** Plays the built-in agents on real cases, judges, scores and audits them. No key, no network. */
export async function demo(args: DemoArguments): Promise<ExitCode> {
  const folders = listCases(casesFolder(args.casesDir)).slice(0, MOST_CASES);
  if (folders.length === 0) throw new UserError("there are no cases to play");
  const cases = loadAll(folders);
  clearOld(args.out);
  const everywhere = planSet({
    cases,
    tiers: TIERS,
    agents: ["reference", "idle"].map((name) => agentOf(name, AGENTS)),
    repeats: 1,
  });
  const inEasy = planSet({ cases, tiers: ["easy"], agents: [agentOf("lexical", AGENTS)], repeats: 1 });
  const plans = [...everywhere.plans, ...inEasy.plans];
  note(
    `Playing ${plans.length} runs into ${args.out}: ${cases.map(({ id }) => id).join(", ")}; no key and no network is needed.`,
  );
  const display = new SetDisplay(plans.length, process.stderr, process.env, () => performance.now());
  await playSet(plans, args.out, readSurroundings(), {
    onEvent: (event) => display.take(event),
    afterRun: async (plan, { path }) => void (await judgeRecord(plan.case, await readRunFolder(path))),
  });
  display.close();
  const set = await readSet(args.out);
  const byId = new Map(cases.map((case_) => [case_.id, case_]));
  const scored = await scoreSet(set, byId);
  const audits = [];
  for (const record of set.records) audits.push(await auditFolder(record.path, byId, record.id));
  const ok = audits.every((one) => one.ok) && scored.every((run) => run.score !== undefined);
  if (args.json) {
    printJson({
      ok,
      ...(scoreJson(scored) as object),
      audit: {
        ok: audits.every((one) => one.ok),
        runs: audits.map(({ run, ok: sound, differences }) => ({ run, ok: sound, differences })),
      },
    });
  } else {
    const shown = set.records.find(({ manifest }) => manifest.agent.name === "lexical") ?? set.records[0];
    const command = commandAsCalled();
    print([
      ...scoreLines(scored),
      "",
      "Audit (log, replay, bindings, relations and scores, each done again and compared):",
      ...audits.flatMap((one) => auditLines(one, byId, false).map((line) => `  ${line}`)),
      "",
      "What to look at next:",
      `  ${command} audit ${shown?.path ?? args.out} --tree    every item with its evidence`,
      `  ${command} cases show ${cases[0]?.id ?? ""} --round 1 --tier hard    the story, its contract, what an agent is given`,
      `  ${command} play --case ${cases[0]?.id ?? ""} --tier hard --out runs/mine    play it yourself`,
    ]);
  }
  return ok ? EXIT.done : EXIT.failed;
}

/** How the reader can call the program: by its name where it is installed, else as it was called now. */
function commandAsCalled(): string {
  const script = process.argv[1] ?? "";
  return basename(script) === "worldagent" ? "worldagent" : `node ${relative(process.cwd(), script)}`;
}

/** Removes the demo's old set. Anything else that lies there is somebody's, and stays. */
function clearOld(out: string): void {
  const stat = statSync(out, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new UserError(`${out} is no folder`);
  const names = readdirSync(out);
  const foreign = names.find((name) => name !== "planned.json" && parseRunId(name) === undefined);
  if (foreign !== undefined) throw new UserError(`${out} holds ${foreign}, which is not the demo's`, "move it away");
  for (const name of names) rmSync(join(out, name), { recursive: true, force: true });
}
