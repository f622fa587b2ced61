/**
 * From a run of deduction to its score. What the folder says of truth is not believed: the calls of the log are answered
 * again by a fresh runtime, and the rounds that were never closed are closed by it, unanswered.
 */
import { existsSync } from "node:fs";
import type { DeductionCase } from "../cases/index.ts";
import { scoreDeduction, type DeductionScore } from "../contracts/index.ts";
import { closeRest, isDeduction, succeed, type EffectRecord, type SpanRecord } from "../runtime/index.ts";
import { auditLog, type SoundLog } from "./audit-log.ts";
import type { Difference } from "./difference.ts";
import { isDiskFault, RecordError } from "./error.ts";
import { checkLog, damagedLog } from "./log-reader.ts";
import type { Manifest } from "./manifest.ts";
import { staysOpen, type Outcome } from "./outcome.ts";
import type { Replayer } from "./replay.ts";
import { requireWorld } from "./read-run.ts";
import type { RunRecord } from "./run-folder.ts";
import { requireDeduction } from "./scenario-of-run.ts";
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

/**
 * The log of a run as its audit finds it; undefined where the run goes on. Throws RecordError: `other_case`, `log_damaged`
 * where the audit finds a difference, since whoever changes a log does not change it for a worse score.
 */
async function replayRun(case_: DeductionCase, record: RunRecord): Promise<SoundLog | undefined> {
  requireWorld(case_, record);
  const { state, outcome, logPath } = record;
  if (state === "begun" || (state === "ended" && outcome !== undefined && staysOpen(outcome))) {
    if (!existsSync(logPath)) return undefined;
    // A killed process may leave a torn line behind; only a forger leaves one behind the seal.
    const { faults } = await checkLog(logPath);
    const misplaced = faults.find(({ kind }) => kind === "misplaced");
    if (misplaced !== undefined) throw damagedLog(logPath, misplaced);
    return undefined;
  }
  const differences: Difference[] = [];
  const log = await auditLog(case_, record, differences);
  const [first] = differences;
  if (first === undefined) return log;
  throw new RecordError("log_damaged", {
    where: `${record.path}/${first.where}`,
    what: `the record is not what its case and its calls make it: expected ${first.expected}, seen ${first.seen}`,
    remedy: "`audit` says what differs; a run that was changed has no score",
  });
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
  const log = await replayRun(requireDeduction(case_, record.path), record);
  if (log === undefined || log.outcome === "unfinished") return undefined;
  const score = scoreDeductionRun(case_, record, log.replayer, log.outcome);
  try {
    writeScore(record.path, JSON.parse(JSON.stringify(score)), undefined, undefined, "deduction");
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
