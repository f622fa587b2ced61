import { writeFileSync } from "node:fs";
import type { AnyCase, Case, DeductionCase } from "../../cases/index.ts";
import {
  caseLines,
  casePage,
  deductionCaseLines,
  deductionSummaryOf,
  escapeText,
  summaryOf,
} from "../../report/index.ts";
import { entityIds, getEntity } from "../../runtime/index.ts";
import { tierOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { anyFolders } from "../cases/named.ts";
import { note, print, printJson } from "../output.ts";
import { kindAt } from "../paths.ts";
import { caseRoots, loadAnyCases } from "../cases/of-track.ts";
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
  const all = loadAnyCases(anyFolders(caseRoots(args.casesDir), [args.id]));
  const cases = all.map((case_) =>
    case_.track === "deduction" ? requirePlain(case_, args) : requireRound(case_, args.round),
  );
  const choice = { round: args.round, tier };
  const { columns } = process.stdout;
  if (args.json) printJson(anyJson(onlyOne(cases, "--json"), args.round));
  else if (args.html !== undefined)
    writePage(args.html, casePage(requireMaintenance(onlyOne(cases, "--html")), choice));
  else
    for (const case_ of cases)
      print(
        case_.track === "deduction" ? deductionCaseLines(case_, columns) : caseLines(case_, { ...choice, columns }),
      );
  return EXIT.done;
}

/** A deduction case has no rounds to be told, and nothing is withheld by tiers. */
function requirePlain(case_: DeductionCase, { round, tier, html }: ShowArguments): DeductionCase {
  const option = round !== undefined ? "--round" : tier !== undefined ? "--tier" : html !== undefined ? "--html" : "";
  if (option === "") return case_;
  throw new UserError(
    `${case_.id} is of the track deduction, and ${option} is of maintenance`,
    "leave it out: the case is shown as text",
  );
}

function requireMaintenance(case_: AnyCase): Case {
  if (case_.track === "maintenance") return case_;
  throw new UserError(`${case_.id} is of the track deduction, which has no page`, "leave --html out");
}

function requireRound(case_: Case, round: number | undefined): Case {
  const rounds = case_.narratives.length;
  if (round === undefined) return case_;
  if (!Number.isInteger(round))
    throw new UserError("--round takes a whole number", `${case_.id} has rounds 1 to ${rounds}`);
  if (round < 1 || round > rounds)
    throw new UserError(`${case_.id} has no round ${round}`, `it has rounds 1 to ${rounds}`);
  return case_;
}

function onlyOne(cases: readonly AnyCase[], option: string): AnyCase {
  const [case_] = cases;
  if (case_ === undefined || cases.length > 1) throw new UserError(`${option} shows one case`, "name it by its id");
  return case_;
}

function anyJson(case_: AnyCase, round: number | undefined): unknown {
  return case_.track === "deduction" ? deductionJson(case_) : caseJson(case_, round);
}

/** What is in the case; the worlds of the folds by their entities. */
function deductionJson(case_: DeductionCase): unknown {
  const { intro, goal, dynamics, worlds } = case_;
  const { map, types, capabilities } = worlds[1] ?? {};
  return {
    ...deductionSummaryOf(case_),
    intro,
    goal: { says: goal.says, expr: goal.expr },
    character: dynamics.character,
    map,
    types,
    visibility: dynamics.visibility,
    worlds: Object.fromEntries(
      Object.entries(worlds).map(([fold, { entities }]) => [
        fold,
        entityIds(entities).map((id) => getEntity(entities, id)),
      ]),
    ),
    processes: dynamics.processes.map(({ draft, sealed }) => ({ ...draft, sealed })),
    schedule: dynamics.schedule.map(({ draft, sealed }) => ({ ...draft, sealed })),
    actions: Object.values(capabilities ?? {}).map((action) => ({ ...action, tells: dynamics.actionTells[action.id] })),
    creates: dynamics.creates,
  };
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
