/** Where the means of deduction come from: how much changed, how far it can be seen, how long ago the start was. */
import {
  SCORED_VISIBILITIES,
  SIZES,
  type DeductionGroup,
  type GroupReading,
  type ReadingKind,
} from "../../contracts/index.ts";
import { sayLevel } from "../means.ts";
import { sayNumber } from "../rates.ts";
import { tableLines, type Column } from "../table.ts";

/** What stands in brackets beside a figure, and how its digits came about. */
export const DIGITS = "(n spans; cut to two digits, not rounded)";

/** What a mean of a group is over, from the inside out. */
export const OVER_ALL = `over spans, folds, cases, families ${DIGITS}`;

/** Kinds that have strata, in the order of a mode's tables. */
const KINDS = ["segment", "interval", "lookahead", "counterfactual"] as const satisfies readonly ReadingKind[];

interface StratumRow {
  readonly group: DeductionGroup;
  readonly kind: (typeof KINDS)[number];
  readonly reading: GroupReading;
}

/** By number of changed fields and by visibility, over all families of an agent; then the decay by segment. */
export function strataLines(groups: readonly DeductionGroup[]): readonly string[] {
  const widest = widestOf(groups).filter(({ scored }) => scored > 0);
  const rows = widest.flatMap((group) =>
    KINDS.flatMap((kind): readonly StratumRow[] => {
      const reading = group.readings[kind];
      return reading === undefined || reading.planned === 0 ? [] : [{ group, kind, reading }];
    }),
  );
  if (rows.length === 0) return [];
  const columns: readonly Column<StratumRow>[] = [
    { head: "agent", cell: ({ group }) => group.agent },
    { head: "told", cell: ({ group }) => group.condition },
    { head: "reading", cell: ({ kind }) => kind },
    ...SIZES.map((size): Column<StratumRow> => ({
      head: size,
      align: "right",
      cell: ({ reading }) => sayLevel(reading.bySize[size]),
    })),
    ...SCORED_VISIBILITIES.map((visibility): Column<StratumRow> => ({
      head: visibility,
      align: "right",
      cell: ({ reading }) => sayLevel(reading.byVisibility[visibility].f1),
    })),
    { head: "silent", align: "right", cell: ({ reading }) => `${reading.unanswered}/${reading.planned}` },
  ];
  return [
    "F1 by how many fields changed, and of the public, the local and the hidden ones among them,",
    OVER_ALL,
    ...tableLines(columns, rows),
    ...decayLines(widest),
  ];
}

/** The groups over all families of their agent, or over its only one. */
function widestOf(groups: readonly DeductionGroup[]): readonly DeductionGroup[] {
  const keyOf = ({ agent, condition, mode }: DeductionGroup): string => `${agent} ${condition} ${mode}`;
  const overAll = new Set(groups.filter(({ family }) => family === null).map(keyOf));
  return groups.filter((group) => group.family === null || !overAll.has(keyOf(group)));
}

/** Segments that stand in one table. */
const SEGMENTS_SHOWN = 8;

/** What is foretold from the first state alone is foretold the worse, the later it is. */
function decayLines(groups: readonly DeductionGroup[]): readonly string[] {
  const rows = groups.filter(({ readings }) => (readings.segment?.byRound.length ?? 0) > 0);
  const last = Math.max(
    0,
    ...rows.flatMap(({ readings }) => readings.segment?.byRound.map(({ round }) => round) ?? []),
  );
  if (last < 2) return [];
  const numbers = Array.from({ length: last }, (_, i) => i + 1);
  const tables = Array.from({ length: Math.ceil(last / SEGMENTS_SHOWN) }, (_, i) =>
    numbers.slice(i * SEGMENTS_SHOWN, (i + 1) * SEGMENTS_SHOWN),
  );
  return tables.flatMap((shown, i) => {
    const columns: readonly Column<DeductionGroup>[] = [
      { head: "agent", cell: ({ agent }) => agent },
      { head: "told", cell: ({ condition }) => condition },
      ...shown.map((round): Column<DeductionGroup> => ({
        head: `${round}`,
        align: "right",
        cell: ({ readings }) => sayLevel(readings.segment?.byRound.find((one) => one.round === round)?.f1),
      })),
    ];
    const title = i === 0 ? ["", `M1 segment F1, segment by segment, ${OVER_ALL}`] : [""];
    return [...title, ...tableLines(columns, rows)];
  });
}

/** Where a fault left runs without figures, what they would make of the means if each counted 0; and how runs ended. */
export function faultLines(groups: readonly DeductionGroup[]): readonly string[] {
  const widest = widestOf(groups);
  const rows = widest.flatMap((group) =>
    KINDS.flatMap((kind) => {
      const f1 = group.readings[kind]?.f1;
      const asZero = f1?.asZero ?? undefined;
      return f1 === undefined || asZero === undefined ? [] : [{ group, kind, leftOut: f1.leftOut, asZero }];
    }),
  );
  const conventions = tableLines(
    [
      { head: "agent", cell: ({ group }) => group.agent },
      { head: "told", cell: ({ group }) => group.condition },
      { head: "reading", cell: ({ kind }) => kind },
      { head: "faults", align: "right", cell: ({ group }) => `${group.faults}/${group.planned}` },
      { head: "left out", align: "right", cell: ({ leftOut }) => sayLevel(leftOut) },
      { head: "as 0", align: "right", cell: ({ asZero }) => sayNumber(asZero.mean) },
    ],
    rows,
  );
  const ended = widest.filter(({ planned, outcomes }) => outcomes["finished"] !== planned);
  const endings = ended.map(
    ({ agent, condition, mode, planned, scored, outcomes }) =>
      `${agent}, ${condition} ${mode}: ${scored} scored of ${planned} planned: ${Object.entries(outcomes)
        .map(([outcome, n]) => `${outcome} ${n}`)
        .join(", ")}`,
  );
  if (conventions.length === 0) return endings;
  const title = ["Faults left runs without figures: F1 with them left out, and with each as 0,", OVER_ALL];
  return [...title, ...conventions, ...endings];
}
