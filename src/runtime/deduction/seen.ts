import { compareText, sameJson } from "../canonical.ts";
import { entityIds, getEntity, valueOf } from "../state/index.ts";
import type { Entity, World } from "../world.ts";
import type { SeenChange } from "./answers.ts";
import type { ClosedRound } from "./sources.ts";

/** What the agent saw to change between two worlds as they are seen: values seen at both ends, and what came and went. */
export function seenBetween(before: World, after: World): Omit<NonNullable<ClosedRound["seen"]>, "action"> {
  const was = entityIds(before.entities);
  const is = entityIds(after.entities);
  return {
    changes: was.flatMap((id) => changesOf(getEntity(before.entities, id), getEntity(after.entities, id))),
    came: is.filter((id) => getEntity(before.entities, id) === undefined),
    went: was.filter((id) => getEntity(after.entities, id) === undefined),
  };
}

function changesOf(was: Entity | undefined, is: Entity | undefined): readonly SeenChange[] {
  if (was === undefined || is === undefined || was === is) return [];
  return ["at", ...Object.keys(is.fields)].sort(compareText).flatMap((field) => {
    const before = valueOf(was, field);
    const after = valueOf(is, field);
    if (before === undefined || after === undefined || sameJson(before, after)) return [];
    return [{ path: `${is.id}.${field}`, before, after } as SeenChange];
  });
}
