/** Judging and scoring what a command has just played. */
import { escapeText } from "../../report/index.ts";
import { readRunFolder, RecordError } from "../../records/index.ts";
import {
  idOfPlan,
  judgeRecord,
  readSet,
  scoreRun,
  scoreSet,
  sortRuns,
  type JudgedRun,
  type PlayedRun,
  type RunPlan,
  type ScoredRun,
} from "../../tracks/index.ts";
import { sayCommand } from "../called-as.ts";
import { debug } from "../exit.ts";
import { note } from "../output.ts";

/**
 * Judges a run that was played. `say` is told at once why it is not judged, but each reason only once: it may be the
 * case's. What is not judged is added to `unjudged`.
 */
export async function judgePlayed(
  plan: RunPlan,
  played: PlayedRun,
  say: (line: string) => void,
  unjudged: JudgedRun[],
): Promise<void> {
  const { outcome } = played;
  // A run that an endpoint's fault ended is taken up again, and has no last line to judge up to.
  if (outcome === null || outcome === "cancelled" || outcome === "endpoint_fault") return;
  if (played.cause !== undefined) return;
  const judged = await judgeAtOnce(plan, played);
  if (judged.status === "judged" || judged.why === undefined) return;
  if (!unjudged.some(({ why }) => why === judged.why)) say(`${played.run} is not judged: ${judged.why}`);
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

/**
 * Says in a line how many runs a fault kept from being judged, why others have no score, and what a model could judge of
 * the set `out`. Returns how many faults there were.
 */
export function sayUnjudged(unjudged: readonly JudgedRun[], scored: readonly ScoredRun[], out: string): number {
  if (unjudged.some(({ status }) => status === "left"))
    note(
      `A model can judge what the exact judge cannot: ${sayCommand(["judge", out, "--judge", "model", "--model", "NAME"])}`,
    );
  const faults = unjudged.filter(({ status }) => status === "fault");
  for (const { cause } of [...faults, ...scored]) debug(cause);
  const reasons = new Set(faults.map(({ why }) => why)).size;
  if (faults.length > reasons)
    note(`${faults.length} runs are not judged, by the ${reasons === 1 ? "fault" : "faults"} said above.`);
  const known = new Set(faults.map(({ run }) => run));
  const unscored = scored.filter(({ run, faulty }) => faulty === true && !known.has(run));
  sayWhyUnscored(unscored);
  return faults.length + unscored.length;
}

/** Says of each run why it has no score, and in one line how many scores the disk would not keep. */
export function sayWhyUnscored(scored: readonly ScoredRun[]): void {
  const told = scored.filter(({ why }) => why !== undefined);
  for (const { run, why, score } of told)
    if (score === undefined) note(escapeText(`${run} is not scored: ${why ?? ""}`));
  const unkept = told.filter(({ score }) => score !== undefined);
  const [first] = unkept;
  if (first === undefined) return;
  const which = unkept.length === 1 ? "1 score is" : `${unkept.length} scores are`;
  note(escapeText(`${which} not kept: ${first.why ?? ""}`));
}

/**
 * Scores a run that nobody judges as soon as it has ended: while it is fresh, its truth need not be worked out a second
 * time. One that goes on later has no score yet.
 */
export async function scorePlayedRun(plan: RunPlan, played: PlayedRun): Promise<ScoredRun | undefined> {
  if (played.outcome === null || played.outcome === "cancelled" || played.cause !== undefined) return undefined;
  try {
    return await scoreRun(await readRunFolder(played.path), plan.case);
  } catch (error) {
    // What is wrong with its folder is said when the set is scored.
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

/**
 * The scores of the runs of this command; those of other runs in the set are theirs who asked for them. What is known
 * already is not made again.
 */
export async function scorePlayed(
  plans: readonly RunPlan[],
  out: string,
  known: readonly ScoredRun[] = [],
): Promise<readonly ScoredRun[]> {
  const left = new Set<string>(plans.map(idOfPlan));
  for (const { run } of known) left.delete(run);
  if (left.size === 0) return sortRuns(known);
  const { records, unbegun } = await readSet(out);
  const ours = { records: records.filter(({ id }) => left.has(id)), unbegun: unbegun.filter((id) => left.has(id)) };
  const rest = await scoreSet(ours, new Map(plans.map(({ case: case_ }) => [case_.id, case_])));
  return sortRuns([...known, ...rest]);
}
