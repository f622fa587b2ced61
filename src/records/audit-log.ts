/** The audit of a log: its chain, its manifest, its budgets, and every call answered again. Whatever the track. */
import { join } from "node:path";
import type { AnyCase } from "../cases/index.ts";
import { sameJson, type Scenario, type Session } from "../runtime/index.ts";
import { compareText } from "./compare-text.ts";
import { differencesOfJson, MOST, showJson, type Difference } from "./difference.ts";
import { isPlay, type LogEntry } from "./entry.ts";
import { checkLog } from "./log-reader.ts";
import { withoutTime } from "./manifest.ts";
import { endOfSession, staysOpen, type Outcome } from "./outcome.ts";
import { Replayer } from "./replay.ts";
import { LOG_FILE, MANIFEST_FILE, prettyManifest, type RunRecord } from "./run-folder.ts";
import { scenarioOfRun } from "./scenario-of-run.ts";

/** A log that was found sound, as the runtime itself plays it. */
export interface SoundLog {
  readonly replayer: Replayer;
  /** How it ended; a run that was killed, or goes on, has not. */
  readonly outcome: Outcome | "unfinished";
}

/**
 * Chain, manifest and replay; what differs is added to `differences`. Undefined where the log is not sound enough to be
 * judged or scored again. Throws RecordError where the case is of another track.
 */
export async function auditLog(
  case_: AnyCase,
  record: RunRecord,
  differences: Difference[],
): Promise<SoundLog | undefined> {
  const { manifest } = record;
  const scenario = scenarioOfRun(case_, manifest);
  compareText(join(record.path, MANIFEST_FILE), prettyManifest(manifest), "manifest", MANIFEST_FILE, differences);
  auditBudgets(scenario, record, differences);
  const replayer = new Replayer(scenario);
  let last: OutcomeEntry | undefined;
  /** The last outcome, where nobody played on after it. */
  let end: OutcomeEntry | undefined;
  const check = await checkLog(join(record.path, LOG_FILE), (entry) => {
    if (entry.kind === "outcome") last = end = entry;
    else if (isPlay(entry)) end = undefined;
    if (entry.kind === "manifest" && !sameJson(entry.manifest, withoutTime(manifest))) {
      for (const one of differencesOfJson(entry.manifest, withoutTime(manifest), 5)) {
        differences.push({
          kind: "manifest",
          where: `manifest.json ${one.path}`,
          expected: one.expected,
          seen: one.seen,
        });
      }
    }
    if (replayer.differences.length === 0) replayer.take(entry);
  });
  for (const fault of check.faults.slice(0, MOST)) {
    differences.push({
      kind: "chain",
      where: `${fault.file}:${fault.line}`,
      expected: fault.expected,
      seen: `${fault.kind}: ${fault.seen}`,
    });
  }
  // What a damaged log replays to follows from the damage.
  if (check.faults.length > 0) return undefined;
  const ended = end?.outcome;
  auditEnd(check.sealed, ended, differences);
  differences.push(...replayer.differences.slice(0, MOST));
  if (replayer.differences.length > 0) return undefined;
  auditOutcome(replayer.session, last, differences);
  const stands = ended !== undefined && (check.sealed || staysOpen(ended));
  return { replayer, outcome: stands ? ended : "unfinished" };
}

/** A seal stands behind every outcome that is for good, and behind nothing else. */
function auditEnd(sealed: boolean, end: Outcome | undefined, differences: Difference[]): void {
  const open = end !== undefined && staysOpen(end);
  if (sealed ? end !== undefined && !open : open) return;
  differences.push({
    kind: "chain",
    where: LOG_FILE,
    expected: sealed ? "an outcome that is for good before the seal" : "a seal on the last line",
    seen: sealed ? showJson(end) : "an unfinished run: resume it, or it is not to be compared",
  });
}

export type OutcomeEntry = Extract<LogEntry, { kind: "outcome" }>;

/** The budgets a run was given are its case's: the chain alone would not tell. */
function auditBudgets({ budgets }: Scenario, { manifest }: RunRecord, differences: Difference[]): void {
  for (const one of differencesOfJson(budgets, manifest.budgets, MOST)) {
    differences.push({
      kind: "manifest",
      where: `manifest.json budgets.${one.path}`,
      expected: one.expected,
      seen: one.seen,
    });
  }
}

/** What only the world can say: a log may claim it only where its calls led there. */
const OF_THE_WORLD: ReadonlySet<Outcome> = new Set(["finished", "limit", "engine_fault"]);

/** Compares the outcome a log claims with where its calls led; what differs is added. */
export function auditOutcome(session: Session, ended: OutcomeEntry | undefined, differences: Difference[]): void {
  if (ended === undefined) return;
  const { seq, outcome, detail } = ended;
  const expected = endOfSession(session);
  if (expected === undefined) {
    if (!OF_THE_WORLD.has(outcome)) return;
    differences.push({
      kind: "replay",
      where: `log.jsonl:${seq + 1} outcome`,
      expected: "an outcome of a run that was left before its end",
      seen: showJson(outcome),
    });
    return;
  }
  for (const one of differencesOfJson(expected, { outcome, ...(detail === undefined ? {} : { detail }) }, MOST)) {
    differences.push({
      kind: "replay",
      where: `log.jsonl:${seq + 1} ${one.path}`,
      expected: one.expected,
      seen: one.seen,
    });
  }
}
