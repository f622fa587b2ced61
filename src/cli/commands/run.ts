import { basename, resolve } from "node:path";
import { AGENTS } from "../../agents/index.ts";
import { escapeText, scoreLines } from "../../report/index.ts";
import { readRunFolder, readRunProgress, RecordError, runPath } from "../../records/index.ts";
import {
  judgeRecord,
  nameOfPlan,
  planSet,
  playSet,
  readSet,
  scoreSet,
  type Agent,
  type JudgedRun,
  type PlayedRun,
  type RunPlan,
  type ScoredRun,
  type SetPlan,
} from "../../tracks/index.ts";
import type { Tier } from "../../runtime/index.ts";
import { agentOf, caseFolders, casesFolder, countOf, loadAll, tierOf, wordsOf } from "../choose.ts";
import { SetDisplay } from "../display.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { listenForInterrupt } from "../interrupt.ts";
import { note, print, printJson } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { UserError } from "../user-error.ts";

export interface RunArguments {
  readonly track: string;
  readonly cases: readonly string[];
  readonly tier: readonly string[];
  readonly agent: readonly string[];
  readonly repeats: number;
  readonly concurrency: number;
  readonly out: string;
  readonly judge: string;
  readonly resume: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

const JUDGES = ["exact", "none"] as const;
const MOST_RUNS = 100_000;

/** Plays a set, and judges and scores it where the judge applies. */
export async function run(args: RunArguments): Promise<ExitCode> {
  if (args.track !== "maintenance") throw new UserError(`there is no track "${args.track}"`, "there is: maintenance");
  const judge = JUDGES.find((one) => one === args.judge);
  if (judge === undefined) throw new UserError(`there is no judge "${args.judge}"`, `there are: ${JUDGES.join(", ")}`);
  const concurrency = countOf("concurrency", args.concurrency, 64);
  const plan = planOf(args);
  const { plans } = plan;
  for (const { agent, tier, why } of plan.refused) note(`${agent} does not play ${tier}: ${why}; left out`);
  if (plans.length === 0) throw new UserError("no run is left to play");
  await sayResumption(plans, args.out, args.resume);

  const display = new SetDisplay(plans.length, process.stderr, process.env, () => performance.now());
  const interrupt = listenForInterrupt(() =>
    display.say("Stopping after the call under way; Ctrl-C again stops at once."),
  );
  const unjudged: JudgedRun[] = [];
  let played: readonly PlayedRun[];
  try {
    played = await playSet(plans, args.out, readSurroundings(), {
      concurrency,
      signal: interrupt.signal,
      onEvent: (event) => display.take(event),
      ...(judge === "exact"
        ? { afterRun: async (one: RunPlan, done: PlayedRun) => judgePlayed(one, done, display, unjudged) }
        : {}),
    });
  } finally {
    interrupt.release();
    display.close();
  }
  for (const { cause } of played) debug(cause);
  const scored = judge === "exact" ? await scorePlayed(plans, args.out) : [];
  const faults = sayFaults(unjudged, scored);
  if (args.json) printJson(resultOf(args.out, played, scored));
  else if (judge === "exact") print(scoreLines(scored));
  else print(Object.entries(countOutcomes(played)).map(([outcome, n]) => `${outcome}: ${n}`));
  if (interrupt.signal.aborted)
    note(`Stopped. To go on, give the same command again; what was played is kept in ${args.out}.`);
  return codeOf(played, interrupt.signal.aborted, faults > 0);
}

function planOf(args: RunArguments): SetPlan {
  const tiers: readonly Tier[] = wordsOf("tier", args.tier).map(tierOf);
  const agents: readonly Agent[] = wordsOf("agent", args.agent).map((word) => agentOf(word, AGENTS));
  for (const agent of agents) {
    const reasons = tiers.map((tier) => agent.refusesTier?.(tier));
    if (reasons.every((why) => why !== undefined))
      throw new UserError(`${agent.name} does not play ${tiers.join(", ")}`, reasons[0]);
  }
  const words = wordsOf("cases", args.cases);
  const repeats = countOf("repeats", args.repeats, 10_000);
  const folders = caseFolders(casesFolder(args.casesDir), words);
  const runs = folders.length * tiers.length * agents.length * repeats;
  if (runs > MOST_RUNS) throw new UserError(`that is ${runs} runs, and a set holds at most ${MOST_RUNS}`);
  return planSet({ cases: loadAll(folders), tiers, agents, repeats });
}

/** Says in one line what of the set is there already. */
async function sayResumption(plans: readonly RunPlan[], out: string, asked: boolean): Promise<void> {
  let [begun, finished] = [0, 0];
  // One after the other: a large set has more runs than a process may have files open.
  for (const plan of plans) {
    const { state } = await readRunProgress(runPath(out, nameOfPlan(plan).run));
    if (state === "sealed") finished += 1;
    else if (state !== "absent") begun += 1;
  }
  if (finished + begun > 0) {
    note(`In ${out}: ${begun} begun ${begun === 1 ? "run goes" : "runs go"} on, ${finished} finished left alone.`);
  } else if (asked) note(`In ${out} nothing was begun yet: every run is new.`);
}

/** Judges a run that was played. Says at once why it is not judged, but each reason only once: it may be the case's. */
async function judgePlayed(
  plan: RunPlan,
  played: PlayedRun,
  display: SetDisplay,
  unjudged: JudgedRun[],
): Promise<void> {
  if (played.outcome === null || played.outcome === "cancelled" || played.cause !== undefined) return;
  const judged = await judgeAtOnce(plan, played);
  if (judged.status === "judged" || judged.why === undefined) return;
  if (!unjudged.some(({ why }) => why === judged.why)) display.say(`${played.run} is not judged: ${judged.why}`);
  unjudged.push(judged);
}

async function judgeAtOnce(plan: RunPlan, { path, run }: PlayedRun): Promise<JudgedRun> {
  try {
    return await judgeRecord(plan.case, await readRunFolder(path), { onlyMissing: true });
  } catch (error) {
    if (error instanceof RecordError) return { run, status: "fault", why: error.message };
    throw error;
  }
}

/** Says in a line how many runs a fault kept from being judged, and why others have no score. Returns how many these are. */
function sayFaults(unjudged: readonly JudgedRun[], scored: readonly ScoredRun[]): number {
  const faults = unjudged.filter(({ status }) => status === "fault");
  for (const { cause } of [...faults, ...scored]) debug(cause);
  const reasons = new Set(faults.map(({ why }) => why)).size;
  if (faults.length > reasons)
    note(`${faults.length} runs are not judged, by the ${reasons === 1 ? "fault" : "faults"} said above.`);
  const known = new Set(faults.map(({ run }) => run));
  const unscored = scored.filter(({ run, faulty }) => faulty === true && !known.has(run));
  for (const { run, why } of unscored) note(escapeText(`${run} is not scored: ${why ?? ""}`));
  return faults.length + unscored.length;
}

/** The scores of the runs of this command; those of other runs in the set are theirs who asked for them. */
async function scorePlayed(plans: readonly RunPlan[], out: string): Promise<readonly ScoredRun[]> {
  const asked = new Set<string>(plans.map((plan) => nameOfPlan(plan).run));
  const { records, unbegun } = await readSet(out);
  const ours = { records: records.filter(({ id }) => asked.has(id)), unbegun: unbegun.filter((id) => asked.has(id)) };
  return await scoreSet(ours, new Map(plans.map(({ case: case_ }) => [case_.id, case_])));
}

function resultOf(out: string, played: readonly PlayedRun[], scored: readonly ScoredRun[]): unknown {
  const scores = new Map(scored.map(({ run, score }) => [run, score]));
  return {
    set: basename(resolve(out)),
    path: out,
    planned: played.length,
    outcomes: countOutcomes(played),
    runs: played.map(({ run, case: case_, tier, agent, repeat, outcome, skipped, detail, fault }) => {
      const score = scores.get(run);
      return {
        run,
        case: case_,
        tier,
        agent,
        repeat,
        outcome,
        skipped,
        ...(detail === undefined ? {} : { detail }),
        ...(fault === undefined ? {} : { fault }),
        ...(score === undefined
          ? {}
          : { judge: score.judge, completion: score.completion.rate, relation: score.relation.rate }),
      };
    }),
  };
}

/** How many runs ended how. Runs that could not be played have not ended. */
function countOutcomes(played: readonly PlayedRun[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of played) if (outcome !== null) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function codeOf(played: readonly PlayedRun[], interrupted: boolean, faulty: boolean): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (played.some(({ outcome }) => outcome === "endpoint_fault")) return EXIT.endpointFault;
  if (faulty || played.some(({ outcome }) => outcome === "engine_fault")) return EXIT.failed;
  return played.some(({ outcome }) => outcome === null) ? EXIT.wrongUse : EXIT.done;
}
