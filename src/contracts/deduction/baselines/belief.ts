/** The world as a player who knows the rules believes it to be, and how it goes on by them. */
import {
  defaultOf,
  entityIds,
  getEntity,
  placeOf,
  placeSeen,
  rollout,
  tableOf,
  visibilityOf,
  type Dynamics,
  type Entity,
  type FieldValue,
  type RolloutInput,
  type World,
} from "../../../runtime/index.ts";
import type { Knowledge } from "./knowledge.ts";

/**
 * What is seen, and where nothing is seen what was believed before; defaults where nothing was. Who is there is always
 * seen. Of whom more is seen than where they are, they are here.
 */
export function believe({ observed, dynamics, types }: Knowledge, before: World | null): World {
  const here = placeOf(observed, dynamics.character);
  const entities = entityIds(observed.entities).map((id): Entity => {
    const seen = getEntity(observed.entities, id) as Entity;
    const believed = before === null ? undefined : getEntity(before.entities, id);
    const fields: Record<string, FieldValue> = {};
    for (const [name, field] of Object.entries(types[seen.type]?.fields ?? {}))
      fields[name] = seen.fields[name] ?? believed?.fields[name] ?? defaultOf(field);
    return { ...seen, at: placeBelieved(dynamics, seen, believed, here), fields };
  });
  return { ...observed, types, entities: tableOf(entities) };
}

function placeBelieved(
  dynamics: Dynamics,
  seen: Entity,
  believed: Entity | undefined,
  here: string | null,
): string | null {
  const at = placeSeen(seen);
  if (at !== undefined) return at;
  const isHere = Object.keys(seen.fields).some((name) => visibilityOf(dynamics, seen.type, name) === "local");
  if (seen.id !== dynamics.character && isHere) return here;
  return believed?.at ?? null;
}

export interface BelievedFuture {
  readonly world: World;
  readonly fired: ReadonlySet<string>;
}

/** How often a rule that cannot go on is left out before the future is given up. */
const TRIES = 8;

/**
 * The future of a belief. A belief may be one that no rule was written for (nobody is where somebody must be): what
 * cannot happen in it is left out of the span, so that the rest of the rules still tell what they can. Where nothing
 * helps, only the clock goes on.
 */
export function rollBelief(dynamics: Dynamics, belief: World, input: RolloutInput): BelievedFuture {
  let [rules, possible] = [dynamics, input];
  for (let i = 0; i < TRIES; i += 1) {
    const future = rollout(rules, belief, possible);
    if (future.ok) return future.value;
    const by = new Set(future.error.by);
    const left = {
      ...rules,
      processes: rules.processes.filter(({ id }) => !by.has(id)),
      schedule: rules.schedule.filter(({ id }) => !by.has(id)),
    };
    const isRule = left.processes.length + left.schedule.length < rules.processes.length + rules.schedule.length;
    if (isRule) rules = left;
    else possible = { ...possible, actions: new Map() };
  }
  return { world: { ...belief, clock: belief.clock + input.ticks }, fired: new Set() };
}
