import {
  CONDITIONS,
  deductionBudgets,
  MODES,
  plannedRounds,
  type Condition,
  type DeductionScenario,
  type Mode,
} from "../../runtime/index.ts";
import type { DeductionCase } from "./case.ts";

/** How a deduction case is played: what is told, with or without feedback, from which initial state. */
export interface DeductionHow {
  readonly condition: Condition;
  readonly mode: Mode;
  readonly fold: number;
}

/** A deduction case ready to be played. The number of the fold is not in it. Throws where there is no such fold, condition or mode. */
export function deductionScenarioOf(case_: DeductionCase, { condition, mode, fold }: DeductionHow): DeductionScenario {
  const world = case_.worlds[fold];
  if (world === undefined) throw new Error(`deductionScenarioOf: ${case_.id} has no fold ${fold}`);
  // What is not known to be open would otherwise be told as if it were.
  if (!CONDITIONS.includes(condition) || !MODES.includes(mode))
    throw new Error(`deductionScenarioOf: there is no condition ${condition} or no mode ${mode}`);
  const { id, unit, intro, goal, dynamics } = case_;
  return {
    track: "deduction",
    caseId: id,
    condition,
    mode,
    unit,
    intro,
    goal: { says: goal.says, holds: goal.holds },
    world,
    dynamics,
    budgets: deductionBudgets(plannedRounds(dynamics, mode)),
  };
}
