import { listCases, loadAnyCase, printFault, type AnyCase } from "../../cases/index.ts";
import {
  deductionSummaryOf,
  escapeText,
  summaryOf,
  tableLines,
  type CaseSummary,
  type DeductionSummary,
} from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { note, print, printJson } from "../output.ts";
import { caseRoots } from "../cases/of-track.ts";

interface CommonArguments {
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Lists the cases of both tracks. Those with faults are named on stderr and the command ends with 2. */
export async function listAll(args: CommonArguments): Promise<ExitCode> {
  const folders = caseRoots(args.casesDir).flatMap(listCases);
  const loaded = folders.map(({ directory }) => loadAnyCase(directory));
  const cases = loaded.flatMap((one) => (one.ok ? [one.value] : []));
  const faults = loaded.flatMap((one) => (one.ok ? [] : one.error));
  const summaries = cases.map((case_) => (case_.track === "deduction" ? deductionSummaryOf(case_) : summaryOf(case_)));
  if (args.json) printJson(summaries);
  else print(summaries.length === 0 ? ["There are no cases without fault."] : tablesOf(cases));
  for (const fault of faults) note(escapeText(printFault(fault)));
  return faults.length === 0 ? EXIT.done : EXIT.wrongUse;
}

/** A table for each track: they are counted in different things. */
function tablesOf(cases: readonly AnyCase[]): readonly string[] {
  const maintenance = cases.flatMap((case_) => (case_.track === "maintenance" ? [summaryOf(case_)] : []));
  const deduction = cases.flatMap((case_) => (case_.track === "deduction" ? [deductionSummaryOf(case_)] : []));
  const gap = maintenance.length > 0 && deduction.length > 0 ? [""] : [];
  return [...tableLines(COLUMNS, maintenance), ...gap, ...tableLines(DEDUCTION_COLUMNS, deduction)];
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

const DEDUCTION_COLUMNS: Parameters<typeof tableLines<DeductionSummary>>[0] = [
  { head: "id", cell: ({ id }) => id },
  { head: "title", cell: ({ title }) => title },
  { head: "family", cell: ({ family }) => family },
  { head: "variant", cell: ({ variant }) => variant },
  { head: "version", align: "right", cell: ({ version }) => String(version) },
  { head: "ticks", align: "right", cell: ({ ticks }) => String(ticks) },
  { head: "rounds M1/M2", align: "right", cell: ({ segments, rounds }) => `${segments}/${rounds}` },
  { head: "entities", align: "right", cell: ({ entities }) => String(entities) },
  { head: "fields", align: "right", cell: ({ fields }) => String(fields) },
  { head: "processes", align: "right", cell: ({ processes }) => String(processes) },
  { head: "actions", align: "right", cell: ({ actions }) => String(actions) },
  { head: "world digest", cell: ({ digest }) => digest.slice(0, 12) },
];
