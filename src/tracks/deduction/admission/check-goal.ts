/** Check 7. The goal needs foresight: who waits misses it, who acts at random mostly does, who looks ahead reaches it. */
import { isTrue } from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { findPlan, type Plan, type PlanFound } from "./plan.ts";
import { endOf, play, type Chooser, type Play } from "./play.ts";
import { chooseWait } from "./play.ts";
import type { Plays } from "./plays.ts";
import type { Checked, DeductionProblem } from "./problem.ts";

export interface GoalFigures {
  /** Folds in which waiting reaches it. */
  readonly waiting: readonly number[];
  /** Random plays that reach it, by fold, of so many each. */
  readonly random: readonly number[];
  readonly randomOf: number;
  /** By fold, how the planner fared. */
  readonly planner: readonly PlannerFigures[];
}

export interface PlannerFigures {
  readonly reaches: boolean;
  /** Worlds the beam kept: 1 is greedy, 0 the plan of another fold. */
  readonly width: number;
  /** Actions of the plan beside `wait`. */
  readonly actions: number;
  readonly nearest: number;
  readonly ticks: number;
}

const MOST_RANDOM = 0.2;
/** Ticks that the planner may roll in a fold. */
export const WORK = 100_000;

export interface GoalChecked extends Checked<GoalFigures> {
  /** The plans that reached it, played. */
  readonly planned: readonly Play[];
}

export function* checkGoal(
  bench: Bench,
  { waiting, random }: Plays,
  work: number = WORK,
): Generator<string, GoalChecked> {
  const { dynamics, goal, worlds } = bench;
  const reaches = (played: Play): boolean => {
    const end = endOf(dynamics, played);
    return end !== undefined && isTrue(goal, end);
  };
  const [found, known]: [PlanFound[], Plan[]] = [[], []];
  const keep = (fold: number, one: PlanFound): void => {
    found[fold] = one;
    if (one.plan !== undefined) known.push(one.plan);
  };
  for (const [i, world] of worlds.entries()) {
    keep(i, findPlan(bench, world, { work, known }));
    yield `fold ${i + 1}: planned`;
  }
  // What was found for a later fold may help an earlier one.
  for (const [i, world] of worlds.entries()) {
    const before = found[i];
    if (before?.plan !== undefined || known.length === 0) continue;
    const again = findPlan(bench, world, { work, known });
    const nearest = Math.max(again.nearest, before?.nearest ?? 0);
    keep(i, { ...again, nearest, ticks: again.ticks + (before?.ticks ?? 0) });
    yield `fold ${i + 1}: planned again`;
  }
  const planned = found.flatMap(({ plan }, i) => (plan === undefined ? [] : [playPlan(bench, i + 1, plan)]));
  const figures: GoalFigures = {
    waiting: waiting.filter(reaches).map(({ fold }) => fold),
    random: random.map((plays) => plays.filter(reaches).length),
    randomOf: random[0]?.length ?? 0,
    planner: found.map(({ plan, width, nearest, ticks }) => ({
      reaches: plan !== undefined,
      width,
      actions: [...(plan?.values() ?? [])].filter(({ action }) => action !== "wait").length,
      nearest,
      ticks,
    })),
  };
  return { figures, problems: problemsOf(figures), planned };
}

function playPlan({ dynamics, worlds }: Bench, fold: number, plan: Plan): Play {
  const world = worlds[fold - 1];
  if (world === undefined) throw new Error(`playPlan: there is no fold ${fold}`);
  const choose: Chooser = (legal, now) => {
    const wanted = plan.get(now.clock);
    const same = legal.find(({ use }) => wanted !== undefined && JSON.stringify(use) === JSON.stringify(wanted));
    return same ?? chooseWait(legal, now);
  };
  return play(dynamics, { fold, by: "planned", world, choose, until: dynamics.ticks });
}

function problemsOf({ waiting, random, randomOf, planner }: GoalFigures): readonly DeductionProblem[] {
  const [reached, all] = [random.reduce((sum, count) => sum + count, 0), randomOf * random.length];
  const lazy: readonly DeductionProblem[] = waiting.map((fold) => ({
    check: 7,
    where: `fold ${fold}`,
    message: "the goal is reached by waiting",
    hint: "let it take something that only an action brings about",
  }));
  const lucky: readonly DeductionProblem[] =
    reached <= MOST_RANDOM * all
      ? []
      : [
          {
            check: 7,
            where: "case",
            message: `${reached} of ${all} random plays reach the goal (by fold ${random.join(", ")} of ${randomOf}), more than ${MOST_RANDOM * 100} %`,
            hint: "let it take several things in their order, or one at the right time",
          },
        ];
  const stuck = planner.flatMap(({ reaches, nearest, ticks }, i): readonly DeductionProblem[] =>
    reaches
      ? []
      : [
          {
            check: 7,
            where: `fold ${i + 1}`,
            message: `a planner that looks ahead does not reach the goal: at its nearest ${nearest.toFixed(3)} of it holds, after ${ticks} ticks rolled`,
            hint: "make the goal easier to reach, or state it so that every step towards it can be told (conjuncts, comparisons of numbers)",
          },
        ],
  );
  return [...lazy, ...lucky, ...stuck];
}
