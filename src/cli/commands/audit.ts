import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { AnyCase } from "../../cases/index.ts";
import { MODEL_AUDITORS } from "../../judges/index.ts";
import { readManifest } from "../../records/index.ts";
import { deductionLine, escapeText, evidenceLines, sayRate } from "../../report/index.ts";
import { auditFolder, auditPlan, isRunFolder, runFoldersIn, type FolderAudit } from "../../tracks/index.ts";
import { debug, EXIT, type ExitCode } from "../exit.ts";
import { noRuns } from "../open-set.ts";
import { note, print, printJson } from "../output.ts";
import { requireSetFolder } from "../paths.ts";
import { caseRoots, casesOfRuns } from "../cases/of-track.ts";

export interface AuditArguments {
  readonly set: string;
  readonly tree: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Audits a set or one run. Ends with 1 where anything differs. */
export async function audit(args: AuditArguments): Promise<ExitCode> {
  requireSetFolder(args.set);
  const folders = runFoldersIn(args.set);
  const { planned, missing } = auditPlan(args.set);
  if (folders.length === 0 && missing.length === 0) throw noRuns(args.set);
  const cases = folders.length === 0 ? new Map() : casesOfRuns(caseRoots(args.casesDir), folders.flatMap(caseOfRun));
  const audits: (FolderAudit & { readonly evidence: readonly string[] })[] = [];
  const take = (one: FolderAudit): void => {
    const evidence = args.tree ? treeLines(one, cases.get(one.read?.manifest.case ?? "")) : [];
    if (!args.json) print([...auditLines(one), ...evidence.map((line) => `  ${line}`)]);
    debug(one.cause);
    // The worlds of a long run are not kept for the sake of the runs that follow.
    audits.push({ ...one, evidence: args.json ? evidence : [], read: undefined, settled: undefined });
  };
  for (const folder of folders) {
    take(await auditFolder(folder, cases, isRunFolder(args.set) ? undefined : basename(folder), MODEL_AUDITORS));
    // Lets the event loop turn: else Ctrl-C would be heard only after the last run.
    await setImmediate();
  }
  for (const one of missing) take(one);
  const ok = audits.every((one) => one.ok);
  if (planned === null && missing.length === 0 && !isRunFolder(args.set))
    note(`${args.set} has no planned.json: whether runs were taken away cannot be told.`);
  if (args.json) printJson({ ok, planned, runs: audits.map((one) => auditJson(one, args.tree)) });
  else print([totalLine(audits.slice(0, folders.length), missing)]);
  return ok ? EXIT.done : EXIT.failed;
}

function auditJson(one: FolderAudit & { readonly evidence: readonly string[] }, tree: boolean): unknown {
  const { run, ok, differences, notes, scores, open, evidence } = one;
  const judges = scores.map(({ set, score }) => ({ set: set ?? null, judge: score.judge }));
  return {
    run,
    ok,
    differences,
    notes,
    judges,
    ...(open === undefined ? {} : { open }),
    ...(tree ? { evidence } : {}),
  };
}

function totalLine(audits: readonly FolderAudit[], missing: readonly FolderAudit[]): string {
  const bad = audits.filter(({ ok }) => !ok).length;
  if (missing.length === 0 && audits.length === 1)
    return bad === 0 ? "The audit found nothing." : "The audit found differences.";
  const runs = `${audits.length} ${audits.length === 1 ? "run" : "runs"} audited`;
  const found = bad === 0 ? "no differences" : `${bad} with differences`;
  const lacking = missing.length === 0 ? "" : "; what was planned is not all there";
  return `${runs}: ${found}${lacking}.`;
}

/** The case a run says it is of; a manifest that cannot be read, for whatever reason, is the audit's to report. */
function caseOfRun(folder: string): readonly string[] {
  try {
    return [readManifest(folder).case];
  } catch {
    return [];
  }
}

/** One line for a run, then a line for each difference. */
export function auditLines(one: FolderAudit): readonly string[] {
  const [first, ...others] = one.scores;
  const scores =
    first === undefined
      ? sayUnjudged(one)
      : `completion ${sayRate(first.score.completion)}, relation ${sayRate(first.score.relation)}, judge ${first.score.judge}${others.map(sayOther).join("")}`;
  const count = one.differences.length;
  const found = `${count} ${count === 1 ? "difference" : "differences"}`;
  const head = `${one.run}: ${count === 0 ? `ok, ${scores}` : one.open === undefined ? found : `${one.open}, ${found}`}`;
  const differences = one.differences.map(
    ({ kind, where, expected, seen }) => `  ${kind} at ${where}: expected ${expected}, seen ${seen}`,
  );
  return [head, ...differences, ...one.notes.map((text) => `  note: ${text}`)].map(escapeText);
}

/** What there is to say of a run without judgments; one of deduction that goes on has an outcome at most. */
function sayUnjudged({ deduction, open }: FolderAudit): string {
  if (open !== undefined) return `${open}: it goes on, and has no score yet`;
  return deduction === undefined ? "not judged" : deductionLine(deduction);
}

/** Another set of judgments that was audited. */
function sayOther({ set, score }: FolderAudit["scores"][number]): string {
  return `; as ${set ?? "unnamed"} judge ${score.judge}: ${sayRate(score.completion)}, ${sayRate(score.relation)}`;
}

function treeLines({ scores: [first], settled, read }: FolderAudit, case_: AnyCase | undefined): readonly string[] {
  if (first === undefined || settled === undefined || read === undefined || case_?.track !== "maintenance") return [];
  return evidenceLines({ case: case_, score: first.score, settled, trace: read.trace });
}
