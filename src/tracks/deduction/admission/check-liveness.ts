/** Check 3. No rule is dead: every process fires, every entry happens, every action is possible at some time. */
import type { Bench } from "./bench.ts";
import type { Play } from "./play.ts";
import type { Checked, DeductionProblem } from "./problem.ts";

export interface LivenessFigures {
  /** Processes that fire in every fold, of all. */
  readonly inEveryFold: number;
  readonly processes: number;
  /** By process that does not: the folds in which it fires. */
  readonly inSome: Readonly<Record<string, readonly number[]>>;
}

/** Processes that fire in every fold are at least this share of all. */
const LEAST_SHARE = 0.8;

/**
 * `plays` are all that were made of the case: by waiting, at random, as planned. What writes sealed fields alone is not
 * told of when it fires; `writers` are the rules that were seen to change something.
 */
export function checkLiveness(
  { dynamics, worlds }: Bench,
  plays: readonly Play[],
  writers: ReadonlySet<string>,
): Checked<LivenessFigures> {
  const folds = worlds.map((_, i) => i + 1);
  const firedIn = folds.map((fold) => firedBy(plays.filter((played) => played.fold === fold)));
  const foldsOf = (id: string, sealed: boolean): readonly number[] =>
    sealed && writers.has(id) ? folds : folds.filter((_, i) => firedIn[i]?.has(id));
  const found = dynamics.processes.map(({ id, sealed }) => ({ id, folds: foldsOf(id, sealed) }));
  const everywhere = found.filter((one) => one.folds.length === folds.length).length;
  const some = found.filter((one) => one.folds.length < folds.length);
  const tooFew: readonly DeductionProblem[] =
    everywhere >= LEAST_SHARE * found.length
      ? []
      : [
          {
            check: 3,
            where: "case",
            message: `${everywhere} of ${found.length} processes fire in every fold; the others: ${some.map((one) => `${one.id} (${one.folds.join(", ") || "none"})`).join("; ")}`,
            hint: `let at least ${LEAST_SHARE * 100} % of them do so`,
          },
        ];
  const dead = found
    .filter((one) => one.folds.length === 0)
    .map(({ id }) => sayDead(`process ${id}`, "fires in no fold"));
  return {
    figures: {
      inEveryFold: everywhere,
      processes: found.length,
      inSome: Object.fromEntries(some.map((one) => [one.id, one.folds])),
    },
    problems: [...dead, ...(dead.length > 0 ? [] : tooFew), ...deadEntries(dynamics), ...deadActions(worlds, plays)],
  };
}

function firedBy(plays: readonly Play[]): ReadonlySet<string> {
  return new Set(plays.flatMap(({ spans }) => spans.flatMap(({ fired }) => [...fired])));
}

function sayDead(where: string, what: string): DeductionProblem {
  return {
    check: 3,
    where,
    message: `it ${what}, whether one waits, acts at random or as planned`,
    hint: "let it come about, or leave it out",
  };
}

function deadEntries({ schedule, ticks }: Bench["dynamics"]): readonly DeductionProblem[] {
  return schedule.flatMap(({ id, draft }) =>
    draft.at.some((at) => at <= ticks) ? [] : [sayDead(`schedule entry ${id}`, `never happens within ${ticks} ticks`)],
  );
}

function deadActions([world]: Bench["worlds"], plays: readonly Play[]): readonly DeductionProblem[] {
  const possible = new Set(
    plays.flatMap(({ spans }) => spans.flatMap(({ legal }) => legal.map(({ use }) => use.action))),
  );
  return Object.keys(world?.capabilities ?? {})
    .filter((id) => !possible.has(id))
    .sort()
    .map((id) => sayDead(`action ${id}`, "is possible at no decision point"));
}
