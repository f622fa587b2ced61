import { availableParallelism } from "node:os";
import { listCases, loadCase, printFault, type Case, type CaseFolder, type Fault } from "../../cases/index.ts";
import { countItems, escapeText, itemLines, verificationLines } from "../../report/index.ts";
import { TIERS, type Tier } from "../../runtime/index.ts";
import { mergeParts, type CaseVerification } from "../../tracks/index.ts";
import { caseFolders, casesFolder, countOf, tierOf, wordsOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";
import { checkAdmissions, writeAdmission } from "../verify-record.ts";
import { findVerifications, type CaseFound } from "../verify-run.ts";

export interface VerifyArguments {
  readonly ids?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly jobs?: number | undefined;
  readonly items: boolean;
  readonly write: boolean;
  readonly check: boolean;
  readonly cache?: string | undefined;
  readonly noCache: boolean;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** What is printed of one case, and its entry in the JSON. */
interface Verified {
  readonly ok: boolean;
  readonly lines: readonly string[];
  readonly json: unknown;
}

const MOST_JOBS = 64;

/** Makes cases prove themselves. Ends with 1 where one does not. */
export async function verify(args: VerifyArguments): Promise<ExitCode> {
  const root = casesFolder(args.casesDir);
  const tiers = args.tier === undefined ? TIERS : inOrder(wordsOf("tier", args.tier).map(tierOf));
  const jobs = args.jobs === undefined ? availableParallelism() : countOf("jobs", args.jobs, MOST_JOBS);
  if (args.check && args.write) throw new UserError("--check and --write are two things: give one of them");
  if (args.write && tiers.length < TIERS.length)
    throw new UserError("--write keeps what was found in every tier", "leave --tier out");
  const all = args.ids === undefined || args.ids.length === 0;
  const folders = all ? listCases(root) : caseFolders(root, wordsOf("ids", args.ids ?? []));
  if (args.check) return checkAdmissions(root, folders, all, args.json);
  const loaded = folders.map((folder) => ({ folder, result: loadCase(folder.directory) }));
  const verified: Verified[] = [];
  const tell = (one: Verified): void => {
    verified.push(one);
    if (!args.json) print(one.lines);
  };
  /** Cases whose files have faults take no time: each is told of in its place. */
  const tellOfFaults = (): void => {
    while (verified.length < loaded.length) {
      const { folder, result } = loaded[verified.length] as (typeof loaded)[number];
      if (result.ok) return;
      tell(sayFaults(folder, result.error));
    }
  };
  tellOfFaults();
  await findVerifications(
    loaded.flatMap(({ result }) => (result.ok ? [result.value] : [])),
    {
      tiers,
      jobs,
      cache: args.noCache ? false : args.cache,
      onCase: (case_, found) => {
        tell(found.faults.length > 0 ? sayInternal(case_, found.faults) : sayFound(case_, tiers, found, args, root));
        tellOfFaults();
      },
    },
  );
  return conclude(verified, args.json);
}

function inOrder(tiers: readonly Tier[]): readonly Tier[] {
  return TIERS.filter((tier) => tiers.includes(tier));
}

function conclude(verified: readonly Verified[], json: boolean): ExitCode {
  const bad = verified.filter(({ ok }) => !ok).length;
  if (json) printJson({ ok: bad === 0, cases: verified.map((one) => one.json) });
  else if (verified.length > 1)
    print([bad === 0 ? "Every case proves itself." : `${bad} of ${verified.length} cases do not prove themselves.`]);
  return bad === 0 ? EXIT.done : EXIT.failed;
}

function sayFound(
  case_: Case,
  tiers: readonly Tier[],
  { parts }: CaseFound,
  { items, write }: VerifyArguments,
  root: string,
): Verified {
  const found = mergeParts(case_, tiers, parts);
  const lines = [...verificationLines(found), ...(items ? itemLines(found, case_.contract) : [])];
  const kept = write ? writeAdmission(root, case_, found) : [];
  return { ok: found.ok, lines: [...lines, ...kept], json: jsonOf(found) };
}

function sayFaults({ id }: CaseFolder, faults: readonly Fault[]): Verified {
  const problems = faults.map(({ file, line, column, message, hint }) => ({
    file,
    line,
    column,
    message,
    ...(hint === undefined ? {} : { hint }),
  }));
  return {
    ok: false,
    lines: [`${id}: its files have faults`, ...faults.map((fault) => escapeText(printFault(fault)))],
    json: { case: id, ok: false, tiers: {}, problems },
  };
}

/** A fault of ours in one case; the others are verified all the same. */
function sayInternal({ id }: Pick<CaseFolder, "id">, faults: readonly string[]): Verified {
  const problems = [...new Set(faults)].map((fault) => ({ message: `internal error: ${fault}` }));
  return {
    ok: false,
    lines: problems.map(({ message }) => escapeText(`${id}: ${message}`)),
    json: { case: id, ok: false, tiers: {}, problems },
  };
}

function jsonOf(found: CaseVerification): unknown {
  const tiers = Object.fromEntries(
    Object.entries(found.tiers).map(([tier, line]) => [
      tier,
      { ...line, items: countItems(line), itemsByKind: line.items },
    ]),
  );
  return { case: found.case, ok: found.ok, tiers, cheats: found.cheats, problems: found.problems };
}
