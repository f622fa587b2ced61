/**
 * From a run of deduction to its score. What the folder says of truth is not believed: the calls of the log are answered
 * again by a fresh runtime, and the rounds that were never closed are closed by it, unanswered.
 */
import { join } from "node:path";
import type { DeductionCase } from "../cases/index.ts";
import { scoreDeduction, type DeductionScore } from "../contracts/index.ts";
import { closeRest, isDeduction, succeed, type EffectRecord, type SpanRecord } from "../runtime/index.ts";
import { isDiskFault, RecordError } from "./error.ts";
import { isPlay } from "./entry.ts";
import { readEntries } from "./log-reader.ts";
import type { Manifest } from "./manifest.ts";
import type { Outcome } from "./outcome.ts";
import { Replayer } from "./replay.ts";
import { requireWorld } from "./read-run.ts";
import { LOG_FILE, type RunRecord } from "./run-folder.ts";
import { requireDeduction, scenarioOfRun } from "./scenario-of-run.ts";
import { writeScore } from "./score-file.ts";

type DeductionManifest = Extract<Manifest, { track: "deduction" }>;

/**
 * The score of a run whose log was replayed to its end. Where the rules contradict themselves in the rounds that were
 * never played, the run is excluded as one that met such a fault itself.
 */
export function scoreDeductionRun(
  case_: DeductionCase,
  record: RunRecord,
  { session, records }: Pick<Replayer, "session" | "records">,
  outcome: Outcome,
): DeductionScore {
  const { condition, mode, fold, agent } = requireManifest(record);
  if (!isDeduction(session)) throw new Error("scoreDeductionRun: a session of another track");
  const { world, dynamics, goal } = session.scenario;
  const rest: ReturnType<typeof closeRest> = outcome === "engine_fault" ? succeed([]) : closeRest(session);
  return scoreDeduction({
    case: case_.id,
    family: case_.family,
    condition,
    mode,
    fold,
    agent: agent.name,
    outcome: rest.ok ? outcome : "engine_fault",
    spans: records.filter(isSpan),
    rest: rest.ok ? rest.value : [],
    dynamics,
    world,
    goal,
  });
}

function isSpan(record: EffectRecord): record is SpanRecord {
  return record.kind === "span";
}

/** Replays the log of a run that has ended. Throws RecordError: `other_case`, `log_damaged` where an answer differs. */
async function replayRun(
  case_: DeductionCase,
  record: RunRecord,
): Promise<{
  readonly replayer: Replayer;
  readonly outcome: Outcome | undefined;
}> {
  requireWorld(case_, record);
  const replayer = new Replayer(scenarioOfRun(case_, record.manifest));
  let outcome: Outcome | undefined;
  for await (const entry of readEntries(join(record.path, LOG_FILE))) {
    replayer.take(entry);
    const [difference] = replayer.differences;
    if (difference !== undefined)
      throw new RecordError("log_damaged", {
        where: `${record.path}/${difference.where}`,
        what: `the runtime answers otherwise than the log says: ${difference.expected} instead of ${difference.seen}`,
        remedy: "`audit` says what differs; a run that was changed has no score",
      });
    if (entry.kind === "outcome") outcome = entry.outcome;
    else if (isPlay(entry)) outcome = undefined;
  }
  return { replayer, outcome };
}

/**
 * Scores a run's folder and writes the score; undefined where the run has not ended. `onUnwritten` is told where the disk
 * refuses the file, and the score is returned all the same; without it that is thrown. Throws RecordError.
 */
export async function scoreDeductionFolder(
  case_: DeductionCase,
  record: RunRecord,
  onUnwritten?: (error: RecordError) => void,
): Promise<DeductionScore | undefined> {
  const { replayer, outcome } = await replayRun(requireDeduction(case_, record.path), record);
  if (outcome === undefined) return undefined;
  const score = scoreDeductionRun(case_, record, replayer, outcome);
  try {
    writeScore(record.path, JSON.parse(JSON.stringify(score)));
  } catch (error) {
    if (onUnwritten === undefined || !(error instanceof RecordError) || !isDiskFault(error)) throw error;
    onUnwritten(error);
  }
  return score;
}

function requireManifest({ manifest, path }: RunRecord): DeductionManifest {
  if (manifest.track === "deduction") return manifest;
  throw new RecordError("bad_manifest", {
    where: path,
    what: `a run of the track ${manifest.track}`,
    remedy: "It is scored from judgments: `worldagent judge`, then `worldagent score`",
  });
}
