/** How many combinations a rule ranges over, counted before any of them is made: what is too much is never begun. */
import { compareText } from "../canonical.ts";
import type { Capability, Param } from "../capability.ts";
import { LIMITS } from "../limits.ts";
import { countEntities, countOfType, entityIds } from "../state/index.ts";
import type { World } from "../world.ts";
import type { CompiledProcess } from "./process.ts";

/** Combinations of entities that a process is bound to; may be Infinity. */
export function combinationsOf({ entities }: World, bindings: CompiledProcess["bindings"]): number {
  return bindings.reduce((many, { type }) => many * countOfType(entities, type), 1);
}

/** Combinations of arguments that an action may have; may be Infinity. */
export function argumentsCount(world: World, { params }: Pick<Capability, "params">): number {
  return Object.values(params).reduce((many, param) => many * valuesCount(world, param), 1);
}

function valuesCount({ map, entities }: World, { type, kind, values }: Param): number {
  switch (kind) {
    case "place":
      return Object.keys(map.places).length;
    case "enum":
      return values?.length ?? 0;
    case "bool":
      return 2;
    case undefined:
      return type === undefined ? countEntities(entities) : countOfType(entities, type);
    default:
      return 0;
  }
}

const known = new WeakMap<readonly string[], { readonly of: World["capabilities"]; readonly id: string | undefined }>();

/** The first action that has more arguments than may be tried; looked for once as long as the same entities are there. */
export function actionWithTooMany(world: World): string | undefined {
  const ids = entityIds(world.entities);
  const there = known.get(ids);
  if (there?.of === world.capabilities) return there.id;
  const id = Object.keys(world.capabilities)
    .sort(compareText)
    .find((one) => argumentsCount(world, world.capabilities[one] as Capability) > LIMITS.actionArguments);
  known.set(ids, { of: world.capabilities, id });
  return id;
}

/** A count as a message says it: one that no longer is exact is said as what it is more than. */
export function sayCount(count: number): string {
  return Number.isSafeInteger(count) ? String(count) : `more than ${Number.MAX_SAFE_INTEGER}`;
}
