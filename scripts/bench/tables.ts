/** The figures of a bench as tables, each beside its goal (docs/performance.md). */
import { tableLines, type Column } from "../../src/report/index.ts";
import type { Growth, Measured } from "./measure.ts";
import type { ReadGrowth } from "./reads.ts";
import type { RolloutBench } from "./rollout.ts";
import type { LongRun } from "./runs.ts";
import type { StackBench } from "./stack.ts";
import type { StepGrowth } from "./steps.ts";

/** What a rollout must reach, in instances a second. */
const ROLLOUT_GOAL = 300_000;

const count = (value: number): string => Math.round(value).toLocaleString("en-GB");
const micros = (perSecond: number): string => (1e6 / perSecond).toFixed(1);
const ratioOf = (value: number): string => value.toFixed(2);
const spread = ([low, high]: readonly [number, number], say: (value: number) => string): string =>
  `${say(low)} to ${say(high)}`;
/** Of a time the quartiles stand the other way round. */
const spreadOfTime = ([low, high]: readonly [number, number]): string => `${micros(high)} to ${micros(low)}`;

const speed = (what: string): readonly Column<Measured>[] => [
  { head: what, align: "right", cell: ({ perSecond }) => count(perSecond) },
  { head: "middle half of rounds", align: "right", cell: ({ quartiles }) => spread(quartiles, count) },
];
const time = (head: string): readonly Column<Measured>[] => [
  { head, align: "right", cell: ({ perSecond }) => micros(perSecond) },
  { head: "middle half of rounds", align: "right", cell: ({ quartiles }) => spreadOfTime(quartiles) },
];
const ratio = (head: string): readonly Column<Growth>[] => [
  { head, align: "right", cell: (one) => ratioOf(one.ratio) },
  { head: "spread", align: "right", cell: (one) => spread(one.ratioSpread, ratioOf) },
];

export function linesOfStack({ written, synced, parts }: StackBench): readonly string[] {
  const columns = (name: string): readonly Column<Growth>[] => [
    { head: name, cell: (one) => one.name },
    ...time("µs a step"),
    ...ratio("cost, ours being 1"),
  ];
  return [
    "A step of three triggers among 20 entities: check, guard, change, line of log, digest",
    ...tableLines(columns("lines handed to the system"), written),
    "",
    ...tableLines(columns("lines on disk before the next step"), synced),
    "",
    "Without a log: the digest is still made by us and by hand; the libraries do part of a step and neither check, digest nor keep",
    ...tableLines(columns("in memory"), parts),
    "",
    ...tableLines(
      [
        { head: "", cell: ([what]) => what },
        ...["worldagent", "by hand", "xstate", "json-rules-engine"].map((head, i): Column<readonly string[]> => ({
          head,
          cell: (row) => row[i + 1] ?? "",
        })),
      ] as readonly Column<readonly string[]>[],
      DOES,
    ),
  ];
}

/** What each does of a step, and does not. */
const DOES: readonly (readonly string[])[] = [
  ["checks the call", "yes, with hints", "yes", "no", "no"],
  ["guards", "typed, bounded expressions", "code", "code", "JSON conditions"],
  ["refuses several triggers as one", "yes", "yes", "no, one by one", "no effects"],
  ["conflicts, ranges, references", "yes", "no", "no", "no"],
  ["what was read and written", "yes", "patches only", "no", "no"],
  ["a line that is chained to the last", "yes", "a line", "no", "no"],
  ["a digest of the state", "Merkle, incremental", "of the whole JSON", "no", "no"],
  ["replay from the log", "yes, answers too", "by patches", "no", "no"],
];

export function linesOfSteps(grown: readonly StepGrowth[]): readonly string[] {
  const rows = grown.flatMap(({ doing, sizes }) => sizes.map((size) => ({ ...size, doing })));
  return [
    "A step as the world grows (goal: at most 1.3 times the cost at 20)",
    ...tableLines<Growth & { readonly doing: string }>(
      [
        { head: "step", cell: ({ doing }) => doing },
        { head: "world", cell: ({ name }) => name },
        ...time("µs"),
        ...ratio("cost, at 20 being 1"),
      ],
      rows,
    ),
  ];
}

export function linesOfReads(grown: readonly ReadGrowth[]): readonly string[] {
  const rows = grown.flatMap(({ query, sizes }) => sizes.map((size) => ({ ...size, query })));
  return [
    "A page of read_data as the world grows (goal: by id and type flat; by an expression linear and under 50,000 µs)",
    ...tableLines<Growth & { readonly query: string }>(
      [
        { head: "query", cell: ({ query }) => query },
        { head: "world", cell: ({ name }) => name },
        ...time("µs"),
        ...ratio("cost, at 20 being 1"),
      ],
      rows,
    ),
  ];
}

export function linesOfCalls(calls: readonly Measured[]): readonly string[] {
  return [
    "A call from its text to the text of its answer, no protocol",
    ...tableLines<Measured>([{ head: "call", cell: ({ name }) => name }, ...time("µs")], calls),
  ];
}

export function linesOfRuns(runs: readonly LongRun[]): readonly string[] {
  const figure = (head: string, cell: (run: LongRun) => string): Column<LongRun> => ({ head, align: "right", cell });
  return [
    "Replay and audit of a run of three triggers a step (goal: 1,000 steps under 1 s of process time after start-up)",
    ...tableLines(
      [
        figure("steps", ({ steps }) => count(steps)),
        figure("entities", ({ entities }) => count(entities)),
        figure("played, s", ({ playedSeconds }) => playedSeconds.toFixed(2)),
        figure("audited, s", ({ auditedSeconds }) => auditedSeconds.toFixed(2)),
        figure("heap a step, bytes", ({ heapBytesPerStep }) => count(heapBytesPerStep)),
        figure("log a step, bytes", ({ logBytesPerStep }) => count(logBytesPerStep)),
        figure("peak of the process, MB", ({ peakMegabytes }) => count(peakMegabytes)),
      ],
      runs,
    ),
  ];
}

export function linesOfRollouts({ cases, byEntities, byTicks }: RolloutBench): readonly string[] {
  return [
    "Rollouts of the shipped cases, all folds, waiting",
    ...tableLines<Measured>(
      [
        { head: "case", cell: ({ name }) => name },
        ...speed("instances/s"),
        {
          head: `${count(ROLLOUT_GOAL)} or more`,
          cell: ({ perSecond }) => (perSecond >= ROLLOUT_GOAL ? "yes" : "no"),
        },
      ],
      cases,
    ),
    "",
    "Growth by entities: the cost of an instance, that among 20 people being 1",
    ...tableLines<Growth>(
      [{ head: "world", cell: ({ name }) => name }, ...speed("instances/s"), ...ratio("cost of one")],
      byEntities,
    ),
    "",
    "Growth by ticks: the cost of a tick, that of a rollout of 100 being 1",
    ...tableLines<Growth>(
      [{ head: "rollout", cell: ({ name }) => name }, ...speed("ticks/s"), ...ratio("cost of one")],
      byTicks,
    ),
  ];
}
