import { writeFileSync } from "node:fs";
import type { Case } from "../../cases/index.ts";
import { caseLines, casePage, escapeText, summaryOf } from "../../report/index.ts";
import { caseFolders, casesFolder, loadAll, tierOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";
import { kindAt } from "../paths.ts";
import { UserError } from "../user-error.ts";

export interface ShowArguments {
  readonly id: string;
  readonly round?: number | undefined;
  readonly tier?: string | undefined;
  /** A file; empty for stdout. */
  readonly html?: string | undefined;
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Prints a case as a book, or as an agent of a tier would be given it. */
export async function show(args: ShowArguments): Promise<ExitCode> {
  const tier = args.tier === undefined ? undefined : tierOf(args.tier);
  if (args.json && args.html !== undefined) throw new UserError("--json and --html exclude each other");
  const cases = loadAll(caseFolders(casesFolder(args.casesDir), [args.id]));
  for (const case_ of cases) requireRound(case_, args.round);
  const choice = { round: args.round, tier };
  if (args.json) printJson(caseJson(onlyOne(cases, "--json"), args.round));
  else if (args.html !== undefined) writePage(args.html, casePage(onlyOne(cases, "--html"), choice));
  else for (const case_ of cases) print(caseLines(case_, { ...choice, columns: process.stdout.columns }));
  return EXIT.done;
}

function requireRound(case_: Case, round: number | undefined): void {
  const rounds = case_.narratives.length;
  if (round === undefined) return;
  if (!Number.isInteger(round))
    throw new UserError("--round takes a whole number", `${case_.id} has rounds 1 to ${rounds}`);
  if (round < 1 || round > rounds)
    throw new UserError(`${case_.id} has no round ${round}`, `it has rounds 1 to ${rounds}`);
}

function onlyOne(cases: readonly Case[], option: string): Case {
  const [case_] = cases;
  if (case_ === undefined || cases.length > 1) throw new UserError(`${option} shows one case`, "name it by its id");
  return case_;
}

function caseJson(case_: Case, round: number | undefined): unknown {
  const rounds = case_.narratives.map((narrative, i) => ({
    round: i + 1,
    narrative,
    contract: case_.contract.rounds[i],
    reference: case_.reference[i],
  }));
  return { ...summaryOf(case_), rounds: rounds.filter((one) => round === undefined || one.round === round) };
}

/** The page to a file, or to stdout; what it writes over is a page made before, or nothing. */
function writePage(file: string, page: string): void {
  if (file === "") {
    process.stdout.write(page);
    return;
  }
  if (kindAt(file) === "folder") throw new UserError(`${file} is a folder`, "name the file that the page becomes");
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw new UserError(`${file} cannot be written`, error instanceof Error ? error.message : String(error));
  }
  note(`Written: ${escapeText(file)}`);
}
