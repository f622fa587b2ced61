import { availableParallelism } from "node:os";
import {
  loadCase,
  loadDeductionCase,
  printFault,
  type Case,
  type CaseFolder,
  type DeductionCase,
  type Fault,
  type Track,
} from "../../cases/index.ts";
import {
  countItems,
  deductionVerificationLines,
  escapeText,
  itemLines,
  verificationLines,
} from "../../report/index.ts";
import { TIERS, type Tier } from "../../runtime/index.ts";
import { mergeParts, type CaseVerification } from "../../tracks/index.ts";
import { countOf, tierOf, wordsOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { anyFolders } from "../cases/named.ts";
import { print, printJson } from "../output.ts";
import { caseRoots } from "../cases/of-track.ts";
import { UserError } from "../user-error.ts";
import { findDeduction, type DeductionFound } from "../verify/deduction.ts";
import { admissionFolder, checkAdmissions, writeAdmission, writeDeductionAdmission } from "../verify/record.ts";
import { findVerifications, type CaseFound } from "../verify/run.ts";

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
  const tiers = args.tier === undefined ? TIERS : inOrder(wordsOf("tier", args.tier).map(tierOf));
  const jobs = args.jobs === undefined ? availableParallelism() : countOf("jobs", args.jobs, MOST_JOBS);
  if (args.check && args.write) throw new UserError("--check and --write are two things: give one of them");
  if (args.write && tiers.length < TIERS.length)
    throw new UserError("--write keeps what was found in every tier", "leave --tier out");
  const all = args.ids === undefined || args.ids.length === 0;
  const folders = anyFolders(caseRoots(args.casesDir), all ? undefined : wordsOf("ids", args.ids ?? []));
  if (args.check) return checkAdmissions(args.casesDir, folders, all, args.json);
  const ofTrack = (track: Track) => folders.filter((folder) => folder.track === track);
  const [maintenance, deduction] = [ofTrack("maintenance"), ofTrack("deduction")];
  if (maintenance.length === 0) refuseTiers(args);
  const verified: Verified[] = [];
  const tell = (one: Verified): void => {
    verified.push(one);
    if (!args.json) print(one.lines);
  };
  await verifyMaintenance(maintenance, { args, tiers, jobs, tell });
  await verifyDeductionCases(deduction, { args, tell });
  return conclude(verified, args.json);
}

/** What is of maintenance alone says nothing of a deduction case, and is not passed over in silence. */
function refuseTiers({ tier, items }: VerifyArguments): void {
  const option = tier !== undefined ? "--tier" : items ? "--items" : undefined;
  if (option === undefined) return;
  throw new UserError(`${option} is of the track maintenance, and no case of it is to be verified`, "leave it out");
}

interface Verifying {
  readonly args: VerifyArguments;
  readonly tell: (one: Verified) => void;
}

async function verifyMaintenance(
  folders: readonly CaseFolder[],
  { args, tiers, jobs, tell }: Verifying & { readonly tiers: readonly Tier[]; readonly jobs: number },
): Promise<void> {
  const loaded = folders.map((folder) => ({ folder, result: loadCase(folder.directory) }));
  let told = 0;
  const tellNext = (one: Verified): void => {
    told += 1;
    tell(one);
  };
  /** Cases whose files have faults take no time: each is told of in its place. */
  const tellOfFaults = (): void => {
    while (told < loaded.length) {
      const { folder, result } = loaded[told] as (typeof loaded)[number];
      if (result.ok) return;
      tellNext(sayFaults(folder, result.error));
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
        tellNext(found.faults.length > 0 ? sayInternal(case_, found.faults) : sayFound(case_, tiers, found, args));
        tellOfFaults();
      },
    },
  );
}

async function verifyDeductionCases(folders: readonly CaseFolder[], { args, tell }: Verifying): Promise<void> {
  const loaded = folders.map((folder) => ({ folder, result: loadDeductionCase(folder.directory) }));
  const cases = loaded.flatMap(({ result }) => (result.ok ? [result.value] : []));
  for (const { folder, result } of loaded) if (!result.ok) tell(sayFaults(folder, result.error, "deduction"));
  await findDeduction(cases, { onCase: (case_, found) => tell(sayDeduction(case_, found, args)) });
}

function sayDeduction(case_: DeductionCase, found: DeductionFound, { write, casesDir }: VerifyArguments): Verified {
  if ("fault" in found) return sayInternal(case_, [found.fault], "deduction");
  const { verified } = found;
  const kept = write ? writeDeductionAdmission(admissionFolder(casesDir), case_, verified) : [];
  const problems = verified.problems.map(({ where, message, hint, check }) => ({ check, where, message, hint }));
  return {
    ok: verified.ok,
    lines: [...deductionVerificationLines(verified), ...kept],
    json: { case: case_.id, ok: verified.ok, track: "deduction", figures: verified.figures, problems },
  };
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
  { items, write, casesDir }: VerifyArguments,
): Verified {
  const found = mergeParts(case_, tiers, parts);
  const lines = [...verificationLines(found), ...(items ? itemLines(found, case_.contract) : [])];
  const kept = write ? writeAdmission(admissionFolder(casesDir), case_, found) : [];
  return { ok: found.ok, lines: [...lines, ...kept], json: jsonOf(found) };
}

/** What an entry of the JSON begins with; tiers are of maintenance alone. */
function headOf(id: string, track: Track): Readonly<Record<string, unknown>> {
  return track === "deduction" ? { case: id, ok: false, track } : { case: id, ok: false, tiers: {} };
}

function sayFaults({ id }: CaseFolder, faults: readonly Fault[], track: Track = "maintenance"): Verified {
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
    json: { ...headOf(id, track), problems },
  };
}

/** A fault of ours in one case; the others are verified all the same. */
function sayInternal(
  { id }: Pick<CaseFolder, "id">,
  faults: readonly string[],
  track: Track = "maintenance",
): Verified {
  const problems = [...new Set(faults)].map((fault) => ({ message: `internal error: ${fault}` }));
  return {
    ok: false,
    lines: problems.map(({ message }) => escapeText(`${id}: ${message}`)),
    json: { ...headOf(id, track), problems },
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
