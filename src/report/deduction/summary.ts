/** A deduction case in figures: what `cases list` says of it. */
import type { DeductionCase } from "../../cases/index.ts";
import { type World, countEntities, entityIds, getEntity, plannedRounds } from "../../runtime/index.ts";

export interface DeductionSummary {
  readonly id: string;
  readonly track: "deduction";
  readonly title: string;
  readonly family: string;
  readonly variant: string;
  readonly version: number;
  /** The world digest: what a run is of. */
  readonly digest: string;
  readonly contractDigest: string;
  readonly ticks: number;
  /** Rounds in M2: its decision points. */
  readonly rounds: number;
  /** Rounds in M1. */
  readonly segments: number;
  readonly folds: number;
  readonly entities: number;
  /** Fields of all entities together, sealed ones left out. */
  readonly fields: number;
  readonly processes: number;
  readonly entries: number;
  readonly actions: number;
}

export function deductionSummaryOf(case_: DeductionCase): DeductionSummary {
  const { dynamics, worlds } = case_;
  const world = worlds[1] as World;
  return {
    id: case_.id,
    track: "deduction",
    title: case_.title,
    family: case_.family,
    variant: case_.variant,
    version: case_.version,
    digest: case_.worldDigest,
    contractDigest: case_.contractDigest,
    ticks: dynamics.ticks,
    rounds: plannedRounds(dynamics, "M2"),
    segments: plannedRounds(dynamics, "M1"),
    folds: Object.keys(worlds).length,
    entities: countEntities(world.entities),
    fields: countFields(case_, world),
    processes: dynamics.processes.length,
    entries: dynamics.schedule.length,
    actions: Object.keys(world.capabilities).length,
  };
}

function countFields({ dynamics }: DeductionCase, { entities }: World): number {
  return entityIds(entities).reduce((sum, id) => {
    const type = getEntity(entities, id)?.type ?? "";
    return sum + Object.keys(dynamics.types[type]?.fields ?? {}).length;
  }, 0);
}
