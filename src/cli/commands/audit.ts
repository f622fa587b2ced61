import { basename } from "node:path";
import type { Case } from "../../cases/index.ts";
import { readManifest, RecordError, type RunAudit } from "../../records/index.ts";
import { escapeText, evidenceLines, sayRate } from "../../report/index.ts";
import { auditFolder, isRunFolder, runFoldersIn, type CasesById } from "../../tracks/index.ts";
import { casesFolder, casesOfRuns } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { noRuns, requireFolder } from "../open-set.ts";
import { print, printJson } from "../output.ts";

export interface AuditArguments {
  readonly set: string;
  readonly tree: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Audits a set or one run. Ends with 1 where anything differs. */
export async function audit(args: AuditArguments): Promise<ExitCode> {
  requireFolder(args.set);
  const folders = runFoldersIn(args.set);
  if (folders.length === 0) throw noRuns(args.set);
  const cases = casesOfRuns(casesFolder(args.casesDir), folders.flatMap(caseOfRun));
  const audits: RunAudit[] = [];
  for (const folder of folders) {
    const one = await auditFolder(folder, cases, isRunFolder(args.set) ? undefined : basename(folder));
    if (!args.json) print(auditLines(one, cases, args.tree));
    // The worlds of a long run are not kept for the sake of the runs that follow.
    audits.push({ ...one, read: undefined, settled: undefined });
  }
  const ok = audits.every((one) => one.ok);
  if (args.json)
    printJson({ ok, runs: audits.map(({ run, ok: sound, differences }) => ({ run, ok: sound, differences })) });
  else
    print([
      audits.length === 1 ? (ok ? "The audit found nothing." : "The audit found differences.") : totalLine(audits),
    ]);
  return ok ? EXIT.done : EXIT.failed;
}

function totalLine(audits: readonly RunAudit[]): string {
  const bad = audits.filter(({ ok }) => !ok).length;
  return bad === 0
    ? `${audits.length} runs audited: no differences.`
    : `${audits.length} runs audited: ${bad} with differences.`;
}

/** The case a run says it is of; a manifest that cannot be read is the audit's to report. */
function caseOfRun(folder: string): readonly string[] {
  try {
    return [readManifest(folder).case];
  } catch (error) {
    if (error instanceof RecordError) return [];
    throw error;
  }
}

/** One line for a run, then a line for each difference; with `tree` its evidence. */
export function auditLines(one: RunAudit, cases: CasesById, tree: boolean): readonly string[] {
  const [first] = one.scores;
  const scores =
    first === undefined
      ? "not judged"
      : `completion ${sayRate(first.score.completion)}, relation ${sayRate(first.score.relation)}, judge ${first.score.judge}`;
  const count = one.differences.length;
  const head = `${one.run}: ${count === 0 ? `ok, ${scores}` : `${count} ${count === 1 ? "difference" : "differences"}`}`;
  const differences = one.differences.map(
    ({ kind, where, expected, seen }) => `  ${kind} at ${where}: expected ${expected}, seen ${seen}`,
  );
  return [
    ...[head, ...differences].map(escapeText),
    ...(tree ? treeLines(one, cases.get(one.read?.manifest.case ?? "")) : []),
  ];
}

function treeLines({ scores: [first], settled, read }: RunAudit, case_: Case | undefined): readonly string[] {
  if (first === undefined || settled === undefined || read === undefined || case_ === undefined) return [];
  return evidenceLines({ case: case_, score: first.score, settled, trace: read.trace }).map((line) => `  ${line}`);
}
