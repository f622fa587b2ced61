/** What is to be played, whichever track it is of. */
import { runIdOf, type RunId, type RunKey } from "../../records/index.ts";
import { deductionNameOf, type DeductionName, type DeductionPlan } from "../deduction/plan.ts";
import { maintenanceNameOf, type MaintenanceName, type MaintenancePlan } from "../maintenance/plan.ts";

export type RunPlan = MaintenancePlan | DeductionPlan;

/** Which run a plan is, in plain values. */
export type RunName = MaintenanceName | DeductionName;

/** What of a plan makes the id of its run. */
export function keyOfPlan(plan: RunPlan): RunKey {
  const agent = { name: plan.agent.name };
  if (plan.track === "maintenance") {
    const { track, tier, repeat } = plan;
    return { track, case: plan.case.id, tier, agent, repeat };
  }
  const { track, condition, mode, fold, repeat } = plan;
  return { track, case: plan.case.id, condition, mode, fold, agent, repeat };
}

/** The id of the run a plan is of. Throws RecordError `bad_name` where a part of it could not stand in a path. */
export function idOfPlan(plan: RunPlan): RunId {
  return runIdOf(keyOfPlan(plan));
}

/** Throws RecordError `bad_name` where a part of the name could not stand in a path. */
export function nameOfPlan(plan: RunPlan): RunName {
  return nameOfKey(keyOfPlan(plan));
}

/** The name of the run that a manifest, or another key, is of. */
export function nameOfKey(key: RunKey): RunName {
  const run = runIdOf(key);
  return key.track === "maintenance" ? maintenanceNameOf(run, key) : deductionNameOf(run, key);
}
