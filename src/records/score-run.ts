/** From a run's folder and its case to judgments and a score. No engine run, no model call. */
import { join } from "node:path";
import type { Case } from "../cases/index.ts";
import { worldOfTier } from "../cases/index.ts";
import {
  buildTrace,
  deriveMarks,
  judgeExactly,
  playReference,
  scoreJudgedRun,
  type CaseMarks,
  type Score,
  type Trace,
} from "../contracts/index.ts";
import type { EffectRecord } from "../runtime/index.ts";
import { RecordError } from "./error.ts";
import { readJudgments, writeJudgments, type JudgmentSet } from "./judgment-file.ts";
import { readEntries } from "./log-reader.ts";
import type { Manifest } from "./manifest.ts";
import type { Outcome } from "./outcome.ts";
import { LOG_FILE, type RunRecord } from "./run-folder.ts";
import { writeScore } from "./score-file.ts";

type MaintenanceManifest = Extract<Manifest, { track: "maintenance" }>;

/** A run as it is judged and scored. */
export interface ReadRun {
  readonly manifest: MaintenanceManifest;
  readonly trace: Trace;
  /** Rounds that were begun. */
  readonly roundsPlayed: number;
  /** How it ended; a run that was killed, or goes on, has not. */
  readonly outcome: Outcome | "unfinished";
  /** The hash of the last line of its log. */
  readonly log: string;
}

/** Reads a run from its folder. Throws RecordError: `other_case` where the case has another world now, `log_damaged`. */
export async function readRun(case_: Case, record: RunRecord): Promise<ReadRun> {
  const { manifest } = record;
  if (manifest.track !== "maintenance") {
    throw new RecordError("bad_manifest", {
      where: record.path,
      what: `a run of the track ${manifest.track}`,
      remedy: "Score it with that track's command",
    });
  }
  requireWorld(case_, record);
  const records: EffectRecord[] = [];
  let outcome: ReadRun["outcome"] = "unfinished";
  let log = "";
  for await (const entry of readEntries(join(record.path, LOG_FILE))) {
    log = entry.hash;
    if (entry.kind === "call" && entry.record !== undefined) records.push(entry.record);
    if (entry.kind === "outcome") outcome = entry.outcome;
  }
  const trace = buildTrace(worldOfTier(case_.world, manifest.tier), records);
  if (!trace.ok) {
    const { where, expected, seen } = trace.error;
    throw new RecordError("log_damaged", {
      where: `${record.logPath} ${where}`,
      what: `expected ${expected}, seen ${seen}`,
      remedy: "Audit the run: its log does not fit its case",
    });
  }
  const rounds = case_.contract.rounds.length;
  return { manifest, trace: trace.value, roundsPlayed: Math.min(trace.value.ends.length + 1, rounds), outcome, log };
}

function requireWorld(case_: Case, record: RunRecord): void {
  const { worldDigest } = record.manifest;
  if (worldDigest === case_.worldDigest) return;
  throw new RecordError("other_case", {
    where: record.path,
    what: `it was run on ${record.manifest.case} with world digest ${worldDigest}, and that case has ${case_.worldDigest} now`,
    remedy: "Score it with the version of the case it was run on",
    facts: { case: case_.id, savedDigest: worldDigest, plannedDigest: case_.worldDigest },
  });
}

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
  const { tier, agent } = run.manifest;
  return tier === "extreme" && agent.name !== "reference" ? undefined : marksOf(case_);
}

/** Why the exact judge cannot judge a run, or undefined where it can. */
export function faultOfExact(run: ReadRun): string | undefined {
  const { tier, agent } = run.manifest;
  if (tier !== "extreme" || agent.name === "reference" || run.trace.steps.size === 0) return undefined;
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

/** The score of a run from a set of judgments. Throws RecordError where the set is of another log or contract. */
export function scoreOf(case_: Case, run: ReadRun, set: JudgmentSet): Score {
  const { header, judgments } = set;
  const mismatch = [
    ["log", header.log, run.log],
    ["contract digest", header.contractDigest, case_.contractDigest],
    ["world digest", header.worldDigest, case_.worldDigest],
  ].find(([, judged, now]) => judged !== now);
  if (mismatch !== undefined) {
    const [what, judged, now] = mismatch;
    throw new RecordError("other_case", {
      where: `judgments of ${run.manifest.case}`,
      what: `they are of another ${what}: ${judged}, and now it is ${now}`,
      remedy: "Judge the run again into a new set: --as NAME",
    });
  }
  const { tier, agent } = run.manifest;
  const judge = requireKnownJudge(header.judge["name"], run);
  return scoreJudgedRun({
    case: case_.id,
    tier,
    agent: agent.name,
    contract: case_.contract,
    trace: run.trace,
    judgments,
    roundsPlayed: run.roundsPlayed,
    outcome: run.outcome,
    judge,
    marks: marksFor(case_, run),
  });
}

/** The judges this version can answer for. Whoever else a file names has said nothing that could be checked. */
const KNOWN_JUDGES: readonly string[] = ["exact"];

function requireKnownJudge(name: unknown, run: ReadRun): string {
  if (typeof name === "string" && KNOWN_JUDGES.includes(name)) return name;
  throw new RecordError("unknown_judge", {
    where: `judgments of ${run.manifest.case}`,
    what: `they say to be of the judge ${JSON.stringify(name) ?? "nobody"}, which this version does not know`,
    remedy: `Judges are: ${KNOWN_JUDGES.join(", ")}. Judge the run again into a new set: --as NAME`,
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

/** Scores a run's folder from its judgments and writes the score; undefined where there are no judgments of that name. */
export async function scoreFolder(case_: Case, record: RunRecord, name?: string): Promise<Score | undefined> {
  const set = await readJudgments(record.path, name);
  if (set === undefined) return undefined;
  const score = scoreOf(case_, await readRun(case_, record), set);
  writeScore(record.path, JSON.parse(JSON.stringify(score)), name);
  return score;
}
