import {
  compareCases,
  compareDeductionCases,
  MOST_SHARED_CAPABILITIES,
  type SharedContent,
  type SharedRules,
} from "../../cases/index.ts";
import { escapeText } from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { splitTracks } from "../cases/named.ts";
import { print, printJson } from "../output.ts";
import { allFolders, caseRoots, loadAnyCases } from "../cases/of-track.ts";

export interface CompareArguments {
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/**
 * Says what cases share. Ends with 1 where two share a sentence or more capabilities than a handful, or where two
 * variants of a family differ in numbers alone.
 */
export async function compare(args: CompareArguments): Promise<ExitCode> {
  const cases = loadAnyCases(allFolders(caseRoots(args.casesDir)));
  const { maintenance, deduction } = splitTracks(cases);
  const shared = compareCases(maintenance);
  const rules = compareDeductionCases(deduction);
  const [bad, badRules] = [shared, rules].map((pairs) => pairs.filter(({ isTooMuch }) => isTooMuch).length);
  const isGood = bad === 0 && badRules === 0;
  if (args.json) printJson({ ok: isGood, cases: cases.map(({ id }) => id), shared: [...shared, ...rules] });
  else
    print([
      ...shared.flatMap(linesOf),
      ...rules.flatMap(linesOfRules),
      ...(maintenance.length > 0 || deduction.length === 0 ? [closingLine(maintenance.length, bad ?? 0)] : []),
      ...(deduction.length > 0 ? [closingRules(deduction.length, badRules ?? 0)] : []),
    ]);
  return isGood ? EXIT.done : EXIT.failed;
}

function linesOf({ cases, sentences, capabilities }: SharedContent): readonly string[] {
  return [
    `${cases.join(" and ")}:`,
    ...(capabilities.length === 0 ? [] : [`  ${capabilities.length} capabilities alike: ${capabilities.join(", ")}`]),
    ...sentences.map((sentence) => `  both say: ${escapeText(sentence)}`),
  ];
}

function linesOfRules({ cases, sentences, processes, actions, faults }: SharedRules): readonly string[] {
  return [
    `${cases.join(" and ")}:`,
    ...(processes.length === 0 ? [] : [`  ${processes.length} processes alike: ${processes.join(", ")}`]),
    ...(actions.length === 0 ? [] : [`  ${actions.length} actions alike: ${actions.join(", ")}`]),
    ...sentences.map((sentence) => `  both say: ${escapeText(sentence)}`),
    ...faults.map((fault) => `  too much: ${fault}`),
  ];
}

function closingLine(count: number, bad: number): string {
  return bad === 0
    ? `No two of ${count} cases share a sentence or more than ${MOST_SHARED_CAPABILITIES} capabilities.`
    : `${bad} pairs of ${count} cases share a sentence or more than ${MOST_SHARED_CAPABILITIES} capabilities.`;
}

function closingRules(count: number, bad: number): string {
  return bad === 0
    ? `No two of ${count} deduction cases tell the same, and variants differ in more than numbers.`
    : `${bad} pairs of ${count} deduction cases tell the same, or differ in numbers alone.`;
}
