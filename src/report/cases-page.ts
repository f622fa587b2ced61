/** The part of docs/cases.md that is made from the records of admissions: what each case is, and what was proved of it. */
import { ITEM_KINDS } from "../contracts/index.ts";
import { TIERS, type Tier } from "../runtime/index.ts";
import { MUTANT_KINDS, type AdmissionRecord } from "../tracks/index.ts";
import { markdownTable as table, withPart } from "./markdown.ts";

/** The page with what is between its marks made anew. Throws where the marks are missing: the page is ours. */
export function withCases(page: string, records: readonly AdmissionRecord[]): string {
  return withPart(page, "cases/admission", casesLines(records));
}

function casesLines(records: readonly AdmissionRecord[]): readonly string[] {
  const sorted = records.toSorted((a, b) => (a.case < b.case ? -1 : 1));
  return [
    table(
      ["case", "title", "family", "size", "rounds", "items of three tiers"],
      sorted.map((one) => [
        `\`${one.case}\``,
        one.title,
        one.family,
        one.stratum,
        one.rounds,
        sum(TIERS.map((tier) => itemsIn(one, tier))),
      ]),
    ),
    "\nItems by kind and tier, and the mutants that showed of each item that it can fail:\n\n",
    table(
      ["case", "tier", ...ITEM_KINDS, "items", "mutants", "killed", "overkills", "items that survive"],
      sorted.flatMap((one) =>
        TIERS.map((tier) => {
          const { items, mutants, killed, overkills } = one.tiers[tier];
          const counts = ITEM_KINDS.map((kind) => items[kind]);
          return [`\`${one.case}\``, tier, ...counts, itemsIn(one, tier), mutants, killed, overkills, "none"];
        }),
      ),
    ),
    "\nMutants of all tiers by kind; where some fail nothing that counts, killed/made:\n\n",
    table(
      ["case", ...MUTANT_KINDS],
      sorted.map((one) => [`\`${one.case}\``, ...MUTANT_KINDS.map((kind) => killedOf(one, kind))]),
    ),
    "\nCheats in hard: what each earns of the reference's completion and relation:\n\n",
    table(
      ["case", ...(sorted[0]?.cheats.map(({ cheat }) => cheat) ?? [])],
      sorted.map((one) => [
        `\`${one.case}\``,
        ...one.cheats.map(({ completion: c, relation: r }) => `${c.passed}/${c.of}, ${r.passed}/${r.of}`),
      ]),
    ),
  ];
}

function itemsIn({ tiers }: AdmissionRecord, tier: Tier): number {
  return sum(ITEM_KINDS.map((kind) => tiers[tier].items[kind]));
}

function killedOf({ tiers }: AdmissionRecord, kind: (typeof MUTANT_KINDS)[number]): string {
  const lines = TIERS.flatMap((tier) => tiers[tier].byMutant[kind] ?? []);
  const [made, killed] = [sum(lines.map((line) => line.made)), sum(lines.map((line) => line.killed))];
  return made === killed ? String(made) : `${killed}/${made}`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
