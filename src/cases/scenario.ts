import {
  budgetsFrom,
  tableOf,
  type Budgets,
  type MaintenanceScenario,
  type Tier,
  type World,
} from "../runtime/index.ts";
import type { Case } from "./case.ts";
import { solutionOf } from "./solution.ts";

/** The world as a tier hands it over: easy all of it, hard all but capabilities, extreme only the map. */
export function worldOfTier(world: World, tier: Tier): World {
  switch (tier) {
    case "easy":
      return world;
    case "hard":
      return { ...world, capabilities: {} };
    case "extreme":
      return { ...world, types: {}, entities: tableOf([]), capabilities: {}, invariants: [] };
  }
}

/** The budgets of a case at a tier: by the published formula from its reference solution, unless the case states them. */
export function budgetsOf(case_: Pick<Case, "world" | "contract" | "reference" | "budgets">, tier: Tier): Budgets {
  const solution = solutionOf(case_, tier);
  const formula = budgetsFrom(
    solution.map((calls) => ({
      calls: calls.length,
      steps: calls.filter(({ tool }) => tool === "commit_step").length,
    })),
  );
  const stated = case_.budgets?.[tier];
  if (stated === undefined) return formula;
  const rounds = formula.rounds.map(({ steps, calls }) => ({
    steps: stated.stepsPerRound ?? steps,
    calls: stated.callsPerRound ?? calls,
  }));
  return { rounds, runCalls: Math.max(formula.runCalls, 2 * rounds.reduce((sum, { calls }) => sum + calls, 0)) };
}

/** A case at a tier, ready to be played. Nothing of its contract or reference is in it. */
export function scenarioOf(case_: Case, tier: Tier): MaintenanceScenario {
  return {
    track: "maintenance",
    caseId: case_.id,
    tier,
    unit: case_.unit,
    world: worldOfTier(case_.world, tier),
    narratives: case_.narratives,
    budgets: budgetsOf(case_, tier),
  };
}
