/** From a run's folder and its case to judgments and a score. No engine run, no model call. */
import type { Case } from "../cases/index.ts";
import {
  deriveMarks,
  judgeExactly,
  playReference,
  scoreSettledRun,
  settleRun,
  type CaseMarks,
  type ModelJudge,
  type RunToSettle,
  type Score,
  type SettledRun,
} from "../contracts/index.ts";
import { digestOf } from "../runtime/index.ts";
import { isDiskFault, RecordError } from "./error.ts";
import { readJudgments, writeJudgments, type JudgmentHeader, type JudgmentSet } from "./judgment-file.ts";
import { faultOfLines, requireKnownJudge, type KnownJudge } from "./known-judge.ts";
import { hasOwnIds, isIdle, readRun, type ReadRun } from "./read-run.ts";
import type { RunRecord } from "./run-folder.ts";
import { writeScore } from "./score-file.ts";

const marksOfCase = new WeakMap<Case, CaseMarks>();

/** The marks of a case, from its reference in the full world. Throws where the reference is refused: such a case is not admitted. */
export function marksOf(case_: Case): CaseMarks {
  const known = marksOfCase.get(case_);
  if (known !== undefined) return known;
  const played = playReference(case_.world, case_.reference);
  if (!played.ok)
    throw brokenCase(
      case_,
      `round ${played.error.round}, reference step ${played.error.step + 1} is refused: ${played.error.error.message}`,
    );
  const marks = deriveMarks(case_.contract, played.value);
  if (!marks.ok) throw brokenCase(case_, marks.error.map(({ message }) => message).join("; "));
  marksOfCase.set(case_, marks.value);
  return marks.value;
}

function brokenCase(case_: Case, what: string): RecordError {
  return new RecordError("bad_file", {
    where: case_.directory,
    what,
    remedy: `Run "worldagent cases verify ${case_.id}"`,
  });
}

/** The marks by which the audit knows what the story turns on; none where an agent made the ids of its world itself. */
export function marksFor(case_: Case, run: ReadRun): CaseMarks | undefined {
  return hasOwnIds(run) ? undefined : marksOf(case_);
}

/** Why the exact judge cannot judge a run, or undefined where it can. */
export function faultOfExact(run: ReadRun): string | undefined {
  if (!hasOwnIds(run) || isIdle(run)) return undefined;
  return "in extreme the agent's world has ids of its own, which the exact judge cannot know; it judges only the reference there";
}

/** Judges a run with the exact judge. */
export function judgeRunExactly(case_: Case, run: ReadRun): JudgmentSet {
  return {
    header: {
      v: 1,
      kind: "judgments",
      judge: { name: "exact", v: 1 },
      case: case_.id,
      worldDigest: case_.worldDigest,
      contractDigest: case_.contractDigest,
      log: run.log,
    },
    judgments: judgeExactly(case_.contract, marksOf(case_), case_.world, run.trace, run.roundsPlayed),
  };
}

/** The judgments of a run after the audit, and the score that follows. */
export interface ScoredSet {
  readonly settled: SettledRun;
  readonly score: Score;
}

/** The score of a run from a set of judgments. Throws RecordError where the set is of another log or contract. */
export function scoreOf(case_: Case, run: ReadRun, set: JudgmentSet): Score {
  return settleAndScore(case_, run, set).score;
}

/** As scoreOf, with what the audit made of each judgment. */
export function settleAndScore(case_: Case, run: ReadRun, set: JudgmentSet): ScoredSet {
  requireOfThisRun(case_, run, set.header);
  const judge = requireKnownJudge(set.header.judge["name"], `judgments of ${run.manifest.case}`);
  const why = faultOfExact(run);
  if (judge === "exact" && why !== undefined) throw notOfJudge(run, `they say to be of the judge exact: ${why}`);
  const { tier, agent } = run.manifest;
  const toSettle: RunToSettle = {
    case: case_.id,
    tier,
    agent: agent.name,
    contract: case_.contract,
    trace: run.trace,
    judgments: set.judgments,
    identities: hasOwnIds(run) ? (set.identities ?? []) : undefined,
    roundsPlayed: run.roundsPlayed,
    outcome: run.outcome,
    judge,
    marks: marksFor(case_, run),
  };
  const settled = settleRun(toSettle);
  const model = judge === "exact" ? undefined : modelJudgeOf(case_, run, set, judge, toSettle);
  return { settled, score: scoreSettledRun({ ...toSettle, model, grounded: true }, settled) };
}

function requireOfThisRun(case_: Case, run: ReadRun, header: JudgmentHeader): void {
  const mismatch = [
    ["log", header.log, run.log],
    ["contract digest", header.contractDigest, case_.contractDigest],
    ["world digest", header.worldDigest, case_.worldDigest],
  ].find(([, judged, now]) => judged !== now);
  if (mismatch === undefined) return;
  const [what, judged, now] = mismatch;
  throw new RecordError("other_case", {
    where: `judgments of ${run.manifest.case}`,
    what: `they are of another ${what}: ${judged}, and now it is ${now}`,
    remedy: "Judge the run again into a new set: --as NAME",
  });
}

/** What the score of a model's set says beside. Where the exact judge applies, it judges again: nobody's word is taken for it. */
function modelJudgeOf(
  case_: Case,
  run: ReadRun,
  set: JudgmentSet,
  judge: Exclude<KnownJudge, "exact">,
  toSettle: RunToSettle,
): ModelJudge {
  const why = faultOfExact(run);
  const exact = why === undefined ? judgeRunExactly(case_, run) : undefined;
  const fault = faultOfLines(judge, set.judgments, exact?.judgments ?? why);
  if (fault !== undefined) throw notOfJudge(run, fault);
  const { model } = set.header.judge;
  return {
    judgedBy: { model: typeof model === "string" ? model : null, settings: digestOf(set.header.judge) },
    exact: exact && settleRun({ ...toSettle, judgments: exact.judgments, identities: undefined }),
    looksAgain: judge === "exact+model",
  };
}

/** The error for judgments that cannot be of the judge they name. */
function notOfJudge(run: ReadRun, what: string): RecordError {
  return new RecordError("unknown_judge", {
    where: `judgments of ${run.manifest.case}`,
    what,
    remedy: "Judge the run again into a new set: --as NAME",
  });
}

/** Judges a run's folder with the exact judge and writes the set. Returns why not, where the judge does not apply. */
export async function judgeFolder(
  case_: Case,
  record: RunRecord,
  name?: string,
): Promise<{ readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string }> {
  const run = await readRun(case_, record);
  const why = faultOfExact(run);
  if (why !== undefined) return { ok: false, why };
  return { ok: true, path: writeJudgments(record.path, judgeRunExactly(case_, run), name) };
}

/**
 * Scores a run's folder from its judgments and writes the score; undefined where there are no judgments of that name.
 * `onUnwritten` is told where the disk refuses the file, and the score is returned all the same; without it that is thrown.
 */
export async function scoreFolder(
  case_: Case,
  record: RunRecord,
  name?: string,
  onUnwritten?: (error: RecordError) => void,
): Promise<Score | undefined> {
  const set = await readJudgments(record.path, name);
  if (set === undefined) return undefined;
  const score = scoreOf(case_, await readRun(case_, record), set);
  try {
    writeScore(record.path, JSON.parse(JSON.stringify(score)), name);
  } catch (error) {
    if (onUnwritten === undefined || !(error instanceof RecordError) || !isDiskFault(error)) throw error;
    onUnwritten(error);
  }
  return score;
}
