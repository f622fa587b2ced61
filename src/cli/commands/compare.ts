import { compareCases, listCases, MOST_SHARED_CAPABILITIES, type SharedContent } from "../../cases/index.ts";
import { escapeText } from "../../report/index.ts";
import { casesFolder, loadAll } from "../choose.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { print, printJson } from "../output.ts";

export interface CompareArguments {
  readonly json: boolean;
  readonly casesDir?: string | undefined;
}

/** Says what cases share. Ends with 1 where two share a sentence, or more capabilities than a handful. */
export async function compare(args: CompareArguments): Promise<ExitCode> {
  const cases = loadAll(listCases(casesFolder(args.casesDir)));
  const shared = compareCases(cases);
  const bad = shared.filter(({ isTooMuch }) => isTooMuch).length;
  if (args.json) printJson({ ok: bad === 0, cases: cases.map(({ id }) => id), shared });
  else print([...shared.flatMap(linesOf), closingLine(cases.length, bad)]);
  return bad === 0 ? EXIT.done : EXIT.failed;
}

function linesOf({ cases, sentences, capabilities }: SharedContent): readonly string[] {
  return [
    `${cases.join(" and ")}:`,
    ...(capabilities.length === 0 ? [] : [`  ${capabilities.length} capabilities alike: ${capabilities.join(", ")}`]),
    ...sentences.map((sentence) => `  both say: ${escapeText(sentence)}`),
  ];
}

function closingLine(count: number, bad: number): string {
  return bad === 0
    ? `No two of ${count} cases share a sentence or more than ${MOST_SHARED_CAPABILITIES} capabilities.`
    : `${bad} pairs of ${count} cases share a sentence or more than ${MOST_SHARED_CAPABILITIES} capabilities.`;
}
