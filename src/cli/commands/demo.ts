import { AGENTS } from "../../agents/index.ts";
import type { AnyCase, Track } from "../../cases/index.ts";
import { readRunFolder, runPath, type RunRecord } from "../../records/index.ts";
import { scoreLines } from "../../report/index.ts";
import {
  auditFolder,
  judgeRecord,
  nameOfPlan,
  planSet,
  playSet,
  scoreSet,
  type FolderAudit,
  type RunPlan,
} from "../../tracks/index.ts";
import { compareText, MODES, TIERS } from "../../runtime/index.ts";
import { sayCommand } from "../called-as.ts";
import { agentOf } from "../choose.ts";
import { clearOldRuns } from "../clear-old-runs.ts";
import { SetDisplay } from "../display.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note, print, printJson } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { allFolders, caseRoots, loadAnyCases } from "../cases/of-track.ts";
import { auditLines } from "./audit.ts";
import { scoreJson } from "./score.ts";

export interface DemoArguments {
  readonly out: string;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** The cases that the README prints; of other folders the first of each track is played. */
const SHOWN: ReadonlySet<string> = new Set(["ark_001", "ashspring_base"]);

/** What plays in the demo. One case of each track shows the whole path, and the README prints it. */
const EVERYWHERE = ["reference", "idle"];
const IN_EASY = ["lexical"];
const BASELINES = ["persist", "everything", "last-change", "rules"];

/** Plays the built-in agents on real cases, judges, scores and audits them. No key, no network. */
export async function demo(args: DemoArguments): Promise<ExitCode> {
  const folders = allFolders(caseRoots(args.casesDir));
  const firstOf = (track: Track) => {
    const ofTrack = folders.filter((folder) => folder.track === track);
    return [ofTrack.find(({ id }) => SHOWN.has(id)) ?? ofTrack[0]].flatMap((one) => one ?? []);
  };
  const cases = loadAnyCases([...firstOf("maintenance"), ...firstOf("deduction")]);
  const plans = plansOf(cases);
  clearOldRuns(args.out, plans.map(nameOfPlan));
  note(
    `Playing ${plans.length} runs into ${args.out}: ${cases.map(({ id }) => id).join(", ")}; no key and no network is needed.`,
  );
  if (!(await playAll(plans, args.out))) return EXIT.interrupted;

  // The set may hold other runs than these, which are not the demo's to speak of.
  const records: RunRecord[] = [];
  const ids = plans.map((plan) => nameOfPlan(plan).run).sort(compareText);
  for (const id of ids) records.push(await readRunFolder(runPath(args.out, id)));
  const byId = new Map(cases.map((case_) => [case_.id, case_]));
  const scored = await scoreSet({ records, unbegun: [] }, byId);
  const audits: FolderAudit[] = [];
  for (const record of records) audits.push(await auditFolder(record.path, byId, record.id));
  for (const { cause } of [...scored, ...audits]) debug(cause);
  const sound = audits.every((one) => one.ok);
  const ok = sound && scored.every((run) => run.score !== undefined);
  if (args.json) {
    const runs = audits.map(({ run, ok: one, differences }) => ({ run, ok: one, differences }));
    printJson({ ok, ...scoreJson(scored), audit: { ok: sound, runs } });
  } else {
    const shown = records.find(({ manifest }) => manifest.agent.name === "lexical") ?? records[0];
    print([
      ...scoreLines(scored),
      "",
      "Audit (log, replay, bindings, relations and scores, each done again and compared):",
      ...audits.flatMap((one) => auditLines(one).map((line) => `  ${line}`)),
      "",
      "What to look at next:",
      ...nextLines(shown?.path ?? args.out, cases[0]?.id ?? "", args.casesDir),
    ]);
  }
  return ok ? EXIT.done : EXIT.failed;
}

/** Plays and judges; false where Ctrl-C stopped it. */
async function playAll(plans: readonly RunPlan[], out: string): Promise<boolean> {
  const display = new SetDisplay(plans.length, process.stderr, process.env, () => performance.now());
  const interrupt = listenForInterrupt(() =>
    display.say("Stopping after the call under way; Ctrl-C again stops at once."),
  );
  try {
    await playSet(plans, out, readSurroundings(), {
      signal: interrupt.signal,
      onEvent: (event) => display.take(event),
      afterRun: async (plan, { path, outcome }) => {
        if (outcome !== null && outcome !== "cancelled") await judgeRecord(plan.case, await readRunFolder(path));
      },
    });
  } finally {
    interrupt.release();
    display.close();
  }
  if (interrupt.signal.aborted) note("Stopped. The same command begins the demo anew.");
  return !interrupt.signal.aborted;
}

function plansOf(cases: readonly AnyCase[]): readonly RunPlan[] {
  const agents = (names: readonly string[]) => names.map((name) => agentOf(name, AGENTS));
  return cases.flatMap((case_): readonly RunPlan[] => {
    const { track } = case_;
    if (track === "maintenance") {
      const own = { track, cases: [case_], repeats: 1 };
      const everywhere = planSet({ ...own, tiers: TIERS, agents: agents(EVERYWHERE) });
      const inEasy = planSet({ ...own, tiers: ["easy"], agents: agents(IN_EASY) });
      return [...everywhere.plans, ...inEasy.plans];
    }
    const forms = { conditions: ["open"], modes: MODES, folds: [1] } as const;
    return planSet({ track, cases: [case_], ...forms, agents: agents(BASELINES), repeats: 1 }).plans;
  });
}

function nextLines(path: string, id: string, casesDir: string | undefined): readonly string[] {
  const next: readonly (readonly [readonly string[], string])[] = [
    [["audit", path, "--tree"], "every item with its evidence"],
    [["cases", "show", id, "--round", "1"], "the story, what is asked of it, a solution"],
    [["play", "--case", id, "--tier", "hard", "--out", "runs/mine"], "play it yourself"],
  ];
  return next.map(([words, says]) => `  ${sayCommand(words, casesDir)}    ${says}`);
}
