/** A run's folder, read as it is judged and scored. */
import { join } from "node:path";
import { worldOfTier, type AnyCase, type Case } from "../cases/index.ts";
import { buildTrace, type Trace } from "../contracts/index.ts";
import type { EffectRecord } from "../runtime/index.ts";
import { isPlay } from "./entry.ts";
import { RecordError } from "./error.ts";
import { readEntries } from "./log-reader.ts";
import type { Manifest } from "./manifest.ts";
import type { Outcome } from "./outcome.ts";
import { LOG_FILE, type RunRecord } from "./run-folder.ts";

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
      remedy: "Nobody judges it: its score follows from its log",
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
    else if (isPlay(entry)) outcome = "unfinished";
  }
  const trace = buildTrace(worldOfTier(case_.world, manifest.tier), records);
  if (!trace.ok) {
    const { where, expected, seen } = trace.error;
    throw new RecordError("log_damaged", {
      where: `${record.logPath} ${where}`,
      what: `expected ${expected}, seen ${seen}`,
      remedy: "Its log does not fit its case: `audit` says where",
    });
  }
  const rounds = case_.contract.rounds.length;
  return { manifest, trace: trace.value, roundsPlayed: Math.min(trace.value.ends.length + 1, rounds), outcome, log };
}

/** Refuses a case that has another world than the run was played in. Throws RecordError `other_case`. */
export function requireWorld(case_: AnyCase, record: RunRecord): void {
  const { worldDigest } = record.manifest;
  if (worldDigest === case_.worldDigest) return;
  throw new RecordError("other_case", {
    where: record.path,
    what: `it was run on ${record.manifest.case} with world digest ${worldDigest}, and that case has ${case_.worldDigest} now`,
    remedy: "Name the folder that holds the version of the case it was run on: --cases-dir DIR",
    facts: { case: case_.id, savedDigest: worldDigest, plannedDigest: case_.worldDigest },
  });
}

/**
 * Whether the ids of a run's world are its agent's own, so that it has to be settled who is who. The reference is derived
 * from the case and keeps its ids.
 */
export function hasOwnIds({ manifest: { tier, agent } }: ReadRun): boolean {
  return tier === "extreme" && agent.name !== "reference";
}

/** Whether nothing was ever done in a run: then no judge needs to be asked, and every item fails. */
export function isIdle({ trace }: ReadRun): boolean {
  return trace.triggers.size === 0;
}
