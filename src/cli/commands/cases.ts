import { listCases, loadCase, printFault } from "../../cases/index.ts";
import { escapeText, summaryOf, tableLines, type CaseSummary } from "../../report/index.ts";
import { casesFolder } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";

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
