import { listCases, loadCase, printFault } from "../../cases/index.ts";
import { caseLines, escapeText, summaryOf, tableLines, type CaseSummary } from "../../report/index.ts";
import { caseFolders, casesFolder, loadAll, tierOf } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";
import { UserError } from "../user-error.ts";

interface CommonArguments {
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Lists the cases. Those with faults are named on stderr and the command ends with 2. */
export async function listAll(args: CommonArguments): Promise<ExitCode> {
  const loaded = listCases(casesFolder(args.casesDir)).map(({ directory }) => loadCase(directory));
  const summaries = loaded.flatMap((one) => (one.ok ? [summaryOf(one.value)] : []));
  const faults = loaded.flatMap((one) => (one.ok ? [] : one.error));
  if (args.json) printJson(summaries);
  else print(summaries.length === 0 ? ["There are no cases without fault."] : tableLines(COLUMNS, summaries));
  for (const fault of faults) note(escapeText(printFault(fault)));
  return faults.length === 0 ? EXIT.done : EXIT.wrongUse;
}

const COLUMNS: Parameters<typeof tableLines<CaseSummary>>[0] = [
  { head: "id", cell: ({ id }) => id },
  { head: "title", cell: ({ title }) => title },
  { head: "family", cell: ({ family }) => family },
  { head: "stratum", cell: ({ stratum }) => stratum },
  { head: "version", align: "right", cell: ({ version }) => String(version) },
  { head: "rounds", align: "right", cell: ({ rounds }) => String(rounds) },
  { head: "items", align: "right", cell: ({ items }) => String(items) },
  {
    head: "scored easy/hard/extreme",
    align: "right",
    cell: ({ scored }) => `${scored.easy}/${scored.hard}/${scored.extreme}`,
  },
  { head: "world digest", cell: ({ digest }) => digest.slice(0, 12) },
];

export interface ShowArguments extends CommonArguments {
  readonly id: string;
  readonly round?: number | undefined;
  readonly tier?: string | undefined;
}

/** Prints one case. */
export async function show(args: ShowArguments): Promise<ExitCode> {
  const tier = args.tier === undefined ? undefined : tierOf(args.tier);
  const cases = loadAll(caseFolders(casesFolder(args.casesDir), [args.id]));
  for (const case_ of cases) {
    const rounds = case_.narratives.length;
    if (args.round === undefined) continue;
    if (!Number.isInteger(args.round))
      throw new UserError("--round takes a whole number", `${case_.id} has rounds 1 to ${rounds}`);
    if (args.round < 1 || args.round > rounds)
      throw new UserError(`${case_.id} has no round ${args.round}`, `it has rounds 1 to ${rounds}`);
  }
  const choice = {
    ...(args.round === undefined ? {} : { round: args.round }),
    ...(tier === undefined ? {} : { tier }),
  };
  if (args.json) {
    const [case_] = cases;
    if (case_ === undefined || cases.length > 1) throw new UserError("--json shows one case", "name it by its id");
    const rounds = case_.narratives.map((narrative, i) => ({
      round: i + 1,
      narrative,
      contract: case_.contract.rounds[i],
      reference: case_.reference[i],
    }));
    printJson({
      ...summaryOf(case_),
      rounds: rounds.filter(({ round }) => args.round === undefined || round === args.round),
    });
  } else for (const case_ of cases) print(caseLines(case_, choice));
  return EXIT.done;
}
