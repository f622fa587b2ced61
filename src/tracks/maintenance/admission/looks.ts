/** What a condition over a world looks at. */
import {
  compileCondition,
  entityIdsOfType,
  getEntity,
  mentionsOfExpressions,
  type World,
} from "../../../runtime/index.ts";
import { valueAt } from "../../../contracts/index.ts";

export interface Looks {
  /** Every path it may look at, of the entities it names, ranges over, or finds them inside of. */
  readonly paths: readonly string[];
  readonly fields: readonly string[];
}

/** Empty where the condition cannot be compiled in this world. */
export function looksOf(world: World, text: string): Looks {
  const compiled = compileCondition(world, text);
  if (!compiled.ok) return { paths: [], fields: [] };
  const mentions = mentionsOfExpressions([compiled.value]);
  const named = [
    ...mentions.entities,
    ...[...mentions.ranges].flatMap((type) => entityIdsOfType(world.entities, type)),
  ];
  const holders = mentions.fields.has("at") ? named.flatMap((id) => holdersOf(world, id)) : [];
  const fields = [...mentions.fields].sort();
  const paths = [...new Set([...named, ...holders])].sort().flatMap((id) => fields.map((field) => `${id}.${field}`));
  return { paths: paths.filter((path) => valueAt(world, path) !== undefined), fields };
}

/** Who holds an entity, who holds that, and so on. */
function holdersOf(world: World, id: string): readonly string[] {
  const at = getEntity(world.entities, id)?.at ?? null;
  return at === null || getEntity(world.entities, at) === undefined ? [] : [at, ...holdersOf(world, at)];
}
