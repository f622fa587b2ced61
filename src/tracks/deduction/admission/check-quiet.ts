/** Check 5. Few spans are quiet, and spans of all sizes occur. */
import { changesBetween, rollout, type Dynamics, type World } from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { spansWithin, type Play } from "./play.ts";
import type { Plays } from "./plays.ts";
import type { Checked, DeductionProblem } from "./problem.ts";

/** Strata by the number of changed fields: the least and the most of each. */
export const STRATA = { "1-2": [1, 2], "3-6": [3, 6], "7-12": [7, 12], "13+": [13, Infinity] } as const;
export type StratumName = keyof typeof STRATA;
const NAMES = Object.keys(STRATA) as readonly StratumName[];

export interface SpanShares {
  readonly spans: number;
  /** Of all spans. */
  readonly quiet: number;
  /** Of those that are not quiet. */
  readonly shares: Readonly<Record<StratumName, number>>;
  readonly mean: number;
}

export interface QuietFigures {
  /** M1: segments, where nobody acts. */
  readonly segments: SpanShares;
  /** M2: intervals, where one waits and where one acts at random. */
  readonly waiting: SpanShares;
  readonly random: SpanShares;
  /** Both together, each with the same weight. */
  readonly intervals: Readonly<Record<StratumName, number>>;
}

const MOST_QUIET = 0.1;
const MOST_OF_ONE = 0.6;
const LEAST_OF_EACH = 0.05;

export function checkQuiet({ dynamics, worlds }: Bench, { waiting, random }: Plays): Checked<QuietFigures> {
  const intervalsOf = (plays: readonly Play[]): readonly number[] =>
    plays.flatMap((played) => spansWithin(dynamics, played).map(({ changes }) => Object.keys(changes).length));
  const segments = sharesOf(worlds.flatMap((world) => segmentsOf(dynamics, world)));
  const waited = sharesOf(intervalsOf(waiting));
  const acted = sharesOf(intervalsOf(random.flat()));
  const intervals = byStratum((name) => (waited.shares[name] + acted.shares[name]) / 2);
  const quiet = [
    sayQuiet("segments", segments),
    sayQuiet("intervals where one waits", waited),
    sayQuiet("intervals where one acts at random", acted),
  ].flat();
  return {
    figures: { segments, waiting: waited, random: acted, intervals },
    problems: [...quiet, ...sayLopsided(intervals)],
  };
}

/** The number of changed fields of each segment of a fold in which nobody acts, as far as no fault ends it. */
function segmentsOf(dynamics: Dynamics, first: World): readonly number[] {
  const counts: number[] = [];
  for (let before = first; before.clock < dynamics.ticks;) {
    const rolled = rollout(dynamics, before, { ticks: dynamics.segment });
    if (!rolled.ok) break;
    counts.push(Object.keys(changesBetween(dynamics, before, rolled.value.world)).length);
    before = rolled.value.world;
  }
  return counts;
}

/** What spans with so many changes are, as shares. */
export function sharesOf(counts: readonly number[]): SpanShares {
  const changing = counts.filter((count) => count > 0);
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  return {
    spans: counts.length,
    quiet: share(counts.length - changing.length, counts.length),
    shares: byStratum((name) => {
      const [least, most] = STRATA[name];
      return share(changing.filter((count) => count >= least && count <= most).length, changing.length);
    }),
    mean: share(
      counts.reduce((sum, count) => sum + count, 0),
      counts.length,
    ),
  };
}

function byStratum(share: (name: StratumName) => number): Readonly<Record<StratumName, number>> {
  return Object.fromEntries(NAMES.map((name) => [name, share(name)])) as Record<StratumName, number>;
}

function sayQuiet(what: string, { quiet, spans }: SpanShares): readonly DeductionProblem[] {
  if (quiet <= MOST_QUIET) return [];
  const hint = "let slow processes take turns by their phases, or let more of them go on";
  return [
    { check: 5, where: "case", message: `${percent(quiet)} of ${spans} ${what} change nothing, more than 10 %`, hint },
  ];
}

function sayLopsided(intervals: QuietFigures["intervals"]): readonly DeductionProblem[] {
  return NAMES.flatMap((name): readonly DeductionProblem[] => {
    const share = intervals[name];
    if (share <= MOST_OF_ONE && share >= LEAST_OF_EACH) return [];
    const bound = share > MOST_OF_ONE ? "more than 60 %" : "less than 5 %";
    return [
      {
        check: 5,
        where: "case",
        message: `${percent(share)} of the intervals change ${sayStratum(name)} fields, ${bound}`,
        hint: "spread the rules over time: some every tick, some by day, some only now and then",
      },
    ];
  });
}

export function sayStratum(name: StratumName): string {
  const [least, most] = STRATA[name];
  return most === Infinity ? `${least} or more` : `${least} to ${most}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
