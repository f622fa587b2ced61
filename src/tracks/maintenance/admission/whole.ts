/** What is checked of a case as a whole: its words, its reference, who does nothing, who cheats. */
import { solutionOf, type Call, type Case } from "../../../cases/index.ts";
import type { Tier } from "../../../runtime/index.ts";
import { baseOf, type Workbench } from "./workbench.ts";
import { checkCheats, type CheatScore } from "./check-cheats.ts";
import { checkDefiningPaths, checkLeaks } from "./check-prose.ts";
import { checkTwofold } from "./check-twofold.ts";
import { checkUse } from "./check-use.ts";
import { playCalls } from "./play.ts";
import type { Problem } from "./problem.ts";

/** What was found of a case as a whole. */
export interface WholeChecked {
  readonly problems: readonly Problem[];
  /** In hard, what each cheat earns beside the reference; none where hard is left out or unsound. */
  readonly cheats: readonly CheatScore[];
}

/** Yields in words what it comes to next. */
export function* checkWhole(bench: Workbench, tiers: readonly Tier[]): Generator<string, WholeChecked> {
  const case_ = bench.case;
  yield "words";
  const problems: Problem[] = [...checkLeaks(case_), ...checkDefiningPaths(bench), ...checkRulesTold(case_)];
  const easy = baseOf(bench, "easy");
  problems.push(...checkTwofold(easy), ...checkUse(easy));
  const cheats: CheatScore[] = [];
  for (const tier of tiers) {
    yield `${tier}: reference and idle play`;
    const unsound = [...checkReference(case_, tier), ...checkIdle(case_, tier)];
    problems.push(...unsound);
    // Hard leaves the capabilities to the agent and keeps the ids: there cheats can be made and judged.
    if (tier !== "hard" || unsound.some(({ check }) => check === 1)) continue;
    for (const found of checkCheats(baseOf(bench, tier))) {
      yield `${tier}: ${found.score.cheat}`;
      problems.push(...found.problems);
      cheats.push(found.score);
    }
  }
  return { problems, cheats };
}

/** Check 1: the reference solution is accepted in full and everything holds. */
function checkReference(case_: Case, tier: Tier): readonly Problem[] {
  const { score, refused } = playCalls(case_, tier, solutionOf(case_, tier));
  const turnedAway = refused.map(({ round, call, error }): Problem => ({
    check: 1,
    tier,
    message: `round ${round}: the reference's ${call.tool} is refused: ${error.message}`,
  }));
  const failed = score.items
    .filter((item) => item.scored && item.status !== "pass")
    .map(({ id, reason }): Problem => ({ check: 1, tier, item: id, message: `the reference fails it: ${reason}` }));
  const empty = (["completion", "relation"] as const)
    .filter((which) => score[which].scored === 0)
    .map((which): Problem => ({ check: 1, tier, message: `nothing counts towards ${which}` }));
  return [...turnedAway, ...failed, ...empty];
}

/** Check 2: who does nothing, or only ends every round, scores 0 on every component. */
function checkIdle(case_: Case, tier: Tier): readonly Problem[] {
  const plays: readonly (readonly [string, readonly (readonly Call[])[]])[] = [
    ["an agent that does nothing", [[]]],
    ["an agent that ends every round at once", case_.narratives.map(() => [])],
  ];
  return plays.flatMap(([who, rounds]) => {
    const { items } = playCalls(case_, tier, rounds).score;
    return items
      .filter(({ scored, status }) => scored && status !== "fail")
      .map(({ id }): Problem => ({ check: 2, tier, item: id, message: `${who} does not fail it` }));
  });
}

/** Check 8, as far as loading leaves it open: every rule and every relation points at words of the narrative. */
function checkRulesTold({ contract }: Case): readonly Problem[] {
  return contract.rounds.flatMap(({ structures, relations }) => [
    ...structures.flatMap(({ id, refusedWhen }) =>
      refusedWhen
        .filter(({ told }) => told === undefined)
        .map((): Problem => ({
          check: 8,
          item: id,
          message: "a state it must refuse points at no words of the narrative",
        })),
    ),
    ...relations
      .filter(({ told }) => told.trim() === "")
      .map(({ id }): Problem => ({ check: 8, item: id, message: "it points at no words of the narrative" })),
  ]);
}
