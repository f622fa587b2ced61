/** How far a path of a prediction or a truth can be seen: the strata by visibility. */
import {
  DESTROYED,
  entityIds,
  fitsCreated,
  getEntity,
  splitPath,
  type Dynamics,
  type SpanRecord,
  type Visibility,
  type World,
} from "../../runtime/index.ts";

/**
 * The visibility of every path that a run of this world can name. That an entity exists is public, so the path `<id>`
 * of one that comes or goes is, too. Ids are never used again: an entity's type is that of the initial world, or of the
 * truth in which it came into being, or where it never did, one that its id fits. Throws for any other path: the
 * session refuses those.
 */
export function visibilityOfPaths(
  { visibility, creates }: Dynamics,
  world: World,
  spans: readonly SpanRecord[],
): (path: string) => Visibility {
  const typeOf = new Map(entityIds(world.entities).map((id) => [id, getEntity(world.entities, id)?.type ?? ""]));
  for (const { truth } of spans) {
    for (const changes of Object.values(truth)) {
      for (const [id, value] of Object.entries(changes ?? {}))
        if (splitPath(id).field === "" && value !== DESTROYED && !typeOf.has(id)) typeOf.set(id, String(value));
    }
  }
  return (path) => {
    const { id, field } = splitPath(path);
    if (field === "") return "public";
    const known = typeOf.get(id);
    const types = known === undefined ? creates.filter((one) => fitsCreated([one], one.type, id)) : [{ type: known }];
    const found = types.map(({ type }) => visibility[type]?.[field]).find((one) => one !== undefined);
    if (found === undefined) throw new Error(`visibilityOfPaths: no field ${path} in this world`);
    return found;
  };
}
