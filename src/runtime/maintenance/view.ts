/**
 * What an agent may know of a scenario. A scenario carries more than that: later instalments, and with them how many
 * there are. Everything the six tools say of it passes through `viewOf`; nothing else reads those parts.
 */
import { allowanceOf, type Allowance, type Budgets } from "../budget.ts";
import type { Tier } from "../tier.ts";
import type { World } from "../world.ts";

/** One case of maintenance at one tier, ready to be played. */
export interface MaintenanceScenario {
  readonly track: "maintenance";
  readonly caseId: string;
  readonly tier: Tier;
  /** What one tick of the clock is: minute, hour, day. */
  readonly unit: string;
  /** The world as the tier hands it over. */
  readonly world: World;
  /** The instalments of the story, round by round from 1. */
  readonly narratives: readonly string[];
  readonly budgets: Budgets;
}

/** What is open once round `round` has begun. */
export interface View {
  readonly caseId: string;
  readonly tier: Tier;
  readonly unit: string;
  readonly round: number;
  /** The instalments of the rounds up to this one. */
  readonly instalments: readonly string[];
  readonly allowance: Allowance;
}

/** The view from round `round` (from 1); undefined where the case has no such round. */
export function viewOf(scenario: MaintenanceScenario, round: number): View | undefined {
  if (round < 1 || round > scenario.narratives.length) return undefined;
  const { caseId, tier, unit } = scenario;
  return {
    caseId,
    tier,
    unit,
    round,
    instalments: scenario.narratives.slice(0, round),
    allowance: allowanceOf(scenario.budgets, round),
  };
}
