/** Check 4. The folds are five worlds: they begin differently, and go on differently where nobody acts. */
import { digestOf, digestOfWorld } from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { spansWithin, type Play } from "./play.ts";
import type { Checked, DeductionProblem } from "./problem.ts";

export interface FoldFigures {
  readonly folds: number;
  readonly states: number;
  readonly rollouts: number;
}

export function checkFolds({ dynamics, worlds }: Bench, waiting: readonly Play[]): Checked<FoldFigures> {
  const states = worlds.map(digestOfWorld);
  const truths = waiting.map((played) => digestOf(spansWithin(dynamics, played).map(({ changes }) => changes)));
  return {
    figures: { folds: worlds.length, states: new Set(states).size, rollouts: new Set(truths).size },
    problems: [
      ...twins(states, "begin with the same state", "vary more under `folds.vary`, or take another seed"),
      ...twins(truths, "change the same fields to the same values where nobody acts", "vary what the rules turn on"),
    ],
  };
}

function twins(digests: readonly string[], what: string, hint: string): readonly DeductionProblem[] {
  return digests.flatMap((digest, i): readonly DeductionProblem[] => {
    const first = digests.indexOf(digest);
    return first === i
      ? []
      : [{ check: 4, where: `fold ${i + 1}`, message: `folds ${first + 1} and ${i + 1} ${what}`, hint }];
  });
}
