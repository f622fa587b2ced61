/** The maintenance track: every case in every tier by every agent, so many times over. */
import type { Case } from "../../cases/index.ts";
import type { RunId, RunKey } from "../../records/index.ts";
import type { Tier } from "../../runtime/index.ts";
import type { Agent } from "../agent.ts";
import { repeatsOf, type Refusal, type SetPlan } from "../play/set-plan.ts";

export interface MaintenancePlan {
  readonly track: "maintenance";
  readonly case: Case;
  readonly tier: Tier;
  readonly agent: Agent;
  /** From 1. */
  readonly repeat: number;
}

/** Which run a plan is, in plain values. */
export interface MaintenanceName {
  readonly track: "maintenance";
  readonly run: RunId;
  readonly case: string;
  readonly tier: Tier;
  readonly agent: string;
  readonly repeat: number;
}

/** What a set of this track is made of; `repeats` is how many runs of one kind, from 1. */
export interface MaintenanceAxes {
  readonly track: "maintenance";
  readonly cases: readonly Case[];
  readonly tiers: readonly Tier[];
  readonly agents: readonly Agent[];
  readonly repeats: number;
}

export function maintenanceNameOf(run: RunId, key: Extract<RunKey, { track: "maintenance" }>): MaintenanceName {
  const { track, tier, agent, repeat } = key;
  return { track, run, case: key.case, tier, agent: agent.name, repeat };
}

/** Every run of a set, case by case, and the pairs of agent and tier that are left out. */
export function planMaintenance({ track, cases, tiers, agents, repeats }: MaintenanceAxes): SetPlan<MaintenancePlan> {
  const refused = agents.flatMap((agent) =>
    tiers.flatMap((tier): readonly Refusal[] => {
      const why = agent.refuses?.({ track, tier });
      return why === undefined ? [] : [{ agent: agent.name, what: tier, why }];
    }),
  );
  const plays = (agent: Agent, tier: Tier): boolean =>
    !refused.some((pair) => pair.agent === agent.name && pair.what === tier);
  const plans = cases.flatMap((case_) =>
    tiers.flatMap((tier) =>
      agents
        .filter((agent) => plays(agent, tier))
        .flatMap((agent) =>
          repeatsOf(repeats).map((repeat): MaintenancePlan => ({ track, case: case_, tier, agent, repeat })),
        ),
    ),
  );
  return { plans, refused };
}
