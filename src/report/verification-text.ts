/** What admission found of a case, as a table and a line for each problem. */
import { ITEM_KINDS } from "../contracts/index.ts";
import { TIERS, type Tier } from "../runtime/index.ts";
import type { CaseVerification, TierVerification } from "../tracks/index.ts";
import { escapeText } from "./escape.ts";
import { tableLines, type Column } from "./table.ts";

interface Row extends TierVerification {
  readonly tier: Tier;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "tier", cell: ({ tier }) => tier },
  ...ITEM_KINDS.map((kind): Column<Row> => ({ head: kind, align: "right", cell: ({ items }) => String(items[kind]) })),
  { head: "items", align: "right", cell: (row) => String(countItems(row)) },
  { head: "mutants", align: "right", cell: ({ mutants }) => String(mutants) },
  { head: "killed", align: "right", cell: ({ killed }) => String(killed) },
  { head: "items that survive", cell: ({ unkilled }) => (unkilled.length === 0 ? "none" : unkilled.join(", ")) },
];

/** Items that count in a tier. */
export function countItems({ items }: TierVerification): number {
  return ITEM_KINDS.reduce((sum, kind) => sum + items[kind], 0);
}

export function verificationLines(verified: CaseVerification): readonly string[] {
  const { problems } = verified;
  const rows = TIERS.flatMap((tier): readonly Row[] => {
    const line = verified.tiers[tier];
    return line === undefined ? [] : [{ ...line, tier }];
  });
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const said = problems.map(({ check, tier, item, message }) => {
    const where = [tier, item].filter((part) => part !== undefined).join(" ");
    return `  check ${check}${where === "" ? "" : ` ${where}`}: ${message}`;
  });
  return [
    `${verified.case}: ${verified.ok ? "proves itself" : count}`,
    ...tableLines(COLUMNS, rows).map((line) => `  ${line}`),
    ...said,
  ].map(escapeText);
}
