/** Check 1. A case is large enough to be a world, and small enough to be read. */
import type { Dynamics, Entity, World } from "../../../runtime/index.ts";
import { countEntities, entityIds, getEntity } from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import type { Checked, DeductionProblem } from "./problem.ts";

export interface SizeFigures {
  readonly entities: number;
  /** Fields of all entities together, sealed ones and places left out. */
  readonly fields: number;
  readonly processes: number;
  readonly entries: number;
  readonly actions: number;
  readonly ticks: number;
}

/** The least and the most of each. */
export const SIZES = {
  entities: [15, 40],
  fields: [60, 200],
  processes: [12, 30],
  ticks: [96, 240],
} as const;

export function checkSizes({ dynamics, worlds }: Pick<Bench, "dynamics" | "worlds">): Checked<SizeFigures> {
  const [world] = worlds;
  if (world === undefined) throw new Error("checkSizes: a case without folds");
  const figures: SizeFigures = {
    entities: countEntities(world.entities),
    fields: countFields(dynamics, world),
    processes: dynamics.processes.length,
    entries: dynamics.schedule.length,
    actions: Object.keys(world.capabilities).length,
    ticks: dynamics.ticks,
  };
  const problems = (Object.keys(SIZES) as (keyof typeof SIZES)[]).flatMap((what): readonly DeductionProblem[] => {
    const [least, most] = SIZES[what];
    const count = figures[what];
    if (count >= least && count <= most) return [];
    const hint = count < least ? "let there be more" : "let there be fewer";
    return [{ check: 1, where: "case", message: `it has ${count} ${what}, not ${least} to ${most}`, hint }];
  });
  return { figures, problems };
}

function countFields({ types }: Dynamics, { entities }: World): number {
  const fieldsOf = (id: string): number => {
    const { type } = getEntity(entities, id) as Entity;
    return Object.keys(types[type]?.fields ?? {}).length;
  };
  return entityIds(entities).reduce((sum, id) => sum + fieldsOf(id), 0);
}
