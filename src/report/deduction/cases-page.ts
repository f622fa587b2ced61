/** The part of docs/deduction-cases.md that is made from the records of admissions: what each case is, and what was found of it. */
import type { DeductionAdmission } from "../../tracks/index.ts";
import { markdownTable, withPart } from "../markdown.ts";

/** The page with its tables made anew. Throws where its marks are missing. */
export function withDeductionCases(page: string, records: readonly DeductionAdmission[]): string {
  return withPart(page, "cases/admission", linesOf(records.toSorted((a, b) => (a.case < b.case ? -1 : 1))));
}

function linesOf(records: readonly DeductionAdmission[]): readonly string[] {
  return [
    markdownTable(
      [
        "case",
        "title",
        "entities",
        "fields",
        "processes",
        "entries",
        "actions",
        "ticks",
        "processes that fire in every fold",
      ],
      records.map(({ case: id, title, figures: { sizes, liveness } }) => [
        `\`${id}\``,
        title,
        sizes.entities,
        sizes.fields,
        sizes.processes,
        sizes.entries,
        sizes.actions,
        sizes.ticks,
        `${liveness.inEveryFold} of ${liveness.processes}`,
      ]),
    ),
    "\nSpans by how many fields change in them (of those that are not quiet), over all folds:\n\n",
    markdownTable(
      ["case", "spans", "n", "quiet", "1–2", "3–6", "7–12", "more", "mean"],
      records.flatMap(({ case: id, figures: { quiet } }) =>
        (["segments", "waiting", "random"] as const).map((kind) => {
          const { spans, quiet: none, shares, mean } = quiet[kind];
          const parts = (["1-2", "3-6", "7-12", "13+"] as const).map((size) => percent(shares[size]));
          return [`\`${id}\``, SPANS[kind], spans, percent(none), ...parts, mean.toFixed(1)];
        }),
      ),
    ),
    "\nThe goal, and what can be done:\n\n",
    markdownTable(
      ["case", "waiting", "random plays", "planner", "its actions, fold by fold", "possible actions beside wait"],
      records.map(({ case: id, figures: { goal, choice } }) => {
        const { waiting, random, randomOf, planner } = goal;
        const plays = random.length * randomOf;
        return [
          `\`${id}\``,
          `${waiting.length} of ${random.length} folds`,
          `${random.reduce((sum, one) => sum + one, 0)} of ${plays}`,
          `${planner.filter(({ reaches }) => reaches).length} of ${planner.length} folds`,
          planner.map(({ actions }) => actions).join(", "),
          `${choice.legal.least} to ${choice.legal.most}, ${choice.legal.mean.toFixed(1)} on the mean`,
        ];
      }),
    ),
    "\nHidden fields, and the first visible field each shows itself in:\n\n",
    markdownTable(
      ["case", "hidden, and where it shows"],
      records.map(({ case: id, figures: { hidden } }) => [
        `\`${id}\``,
        Object.entries(hidden.shown)
          .map(([field, shows]) => `${field} → ${shows[0] ?? ""}`)
          .join("; "),
      ]),
    ),
  ];
}

const SPANS = {
  segments: "M1 segments, waiting",
  waiting: "M2 intervals, waiting",
  random: "M2 intervals, random play",
} as const;

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
