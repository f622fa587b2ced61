/** What admission found of a case, as tables and a line for each problem. */
import { ITEM_KINDS, itemsOf, type CaseContract, type ItemKind } from "../contracts/index.ts";
import { TIERS, type Tier } from "../runtime/index.ts";
import {
  MUTANT_KINDS,
  sayKiller,
  type CaseVerification,
  type MutantKind,
  type TierVerification,
} from "../tracks/index.ts";
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
  { head: "overkills", align: "right", cell: ({ overkills }) => String(overkills) },
  { head: "items that survive", cell: ({ unkilled }) => (unkilled.length === 0 ? "none" : unkilled.join(", ")) },
];

/** Items that count in a tier. */
export function countItems({ items }: TierVerification): number {
  return ITEM_KINDS.reduce((sum, kind) => sum + items[kind], 0);
}

export function verificationLines(verified: CaseVerification): readonly string[] {
  const { problems } = verified;
  const rows = rowsOf(verified);
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const said = problems.map(({ check, tier, item, message }) => {
    const where = [tier, item].filter((part) => part !== undefined).join(" ");
    return `  check ${check}${where === "" ? "" : ` ${where}`}: ${message}`;
  });
  return [
    `${verified.case}: ${verified.ok ? "proves itself" : count}`,
    ...tableLines(COLUMNS, rows).map((line) => `  ${line}`),
    ...mutantLines(rows).map((line) => `  ${line}`),
    ...cheatLines(verified).map((line) => `  ${line}`),
    ...said,
  ].map(escapeText);
}

function rowsOf(verified: CaseVerification): readonly Row[] {
  return TIERS.flatMap((tier): readonly Row[] => {
    const line = verified.tiers[tier];
    return line === undefined ? [] : [{ ...line, tier }];
  });
}

/** By kind, the mutants made and killed: `made` alone where all of them are. */
function mutantLines(rows: readonly Row[]): readonly string[] {
  const kinds = MUTANT_KINDS.filter((kind) => rows.some(({ byMutant }) => byMutant[kind] !== undefined));
  const cell = ({ byMutant }: Row, kind: MutantKind): string => {
    const { made = 0, killed = 0 } = byMutant[kind] ?? {};
    return made === killed ? String(made) : `${killed}/${made}`;
  };
  if (kinds.length === 0) return [];
  return tableLines<Row>(
    [
      { head: "mutants", cell: ({ tier }) => tier },
      ...kinds.map((kind): Column<Row> => ({ head: kind, align: "right", cell: (row) => cell(row, kind) })),
    ],
    rows,
  );
}

/** The cheats are mutants of the whole play: what each earned, of what the reference earns. */
function cheatLines({ cheats }: CaseVerification): readonly string[] {
  const rate = ({ passed, of }: { readonly passed: number; readonly of: number }) => `${passed}/${of}`;
  return tableLines(
    [
      { head: "cheat", cell: ({ cheat }) => cheat },
      { head: "completion", align: "right", cell: ({ completion }) => rate(completion) },
      { head: "relation", align: "right", cell: ({ relation }) => rate(relation) },
    ],
    cheats,
  );
}

interface ItemRow {
  readonly item: string;
  readonly kind: ItemKind;
  readonly tiers: string;
  readonly killer: string;
}

/** Every item that counts, with the mutant that shows that it can fail; tiers in which it is the same one stand together. */
export function itemLines(verified: CaseVerification, contract: CaseContract): readonly string[] {
  const rows = itemsOf(contract).flatMap(({ id, kind }): readonly ItemRow[] => {
    const killers = new Map<string, Tier[]>();
    for (const { tier, kills, unkilled } of rowsOf(verified)) {
      const kill = kills[id];
      if (kill === undefined && !unkilled.includes(id)) continue;
      const killer =
        kill === undefined ? "no mutant" : `${sayKiller(kill)}${kill.isAimed ? "" : " (aimed at another)"}`;
      killers.set(killer, [...(killers.get(killer) ?? []), tier]);
    }
    return [...killers].map(([killer, tiers]) => ({ item: id, kind, tiers: tiers.join(" "), killer }));
  });
  const columns: readonly Column<ItemRow>[] = [
    { head: "item", cell: ({ item }) => item },
    { head: "kind", cell: ({ kind }) => kind },
    { head: "tiers", cell: ({ tiers }) => tiers },
    { head: "killed by", cell: ({ killer }) => killer },
  ];
  return tableLines(columns, rows).map((line) => `  ${line}`);
}
