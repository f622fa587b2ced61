import {
  defaultOf,
  entityIds,
  getEntity,
  sortChanges,
  valueOf,
  placeSeen,
  type Changes,
  type Entity,
  type FieldValue,
} from "../../../runtime/index.ts";
import { answerAll, toldProcesses, type Knowledge, type Predictor } from "./knowledge.ts";
import { firstPlace, nextPlace, nextValue } from "./next-value.ts";

/**
 * Every field of every entity changes, but those that are sealed; a field that is not seen begins at the default of its
 * type. Where nothing is seen of the changes (M1), what it said of one segment goes on in the next.
 */
export const everything: Predictor = (knowledge, memory) => ({
  predictions: answerAll(knowledge.asked, changesOf(knowledge)),
  fires: toldProcesses(knowledge.dynamics),
  memory,
});

function changesOf(knowledge: Knowledge): Changes {
  const { observed, dynamics } = knowledge;
  const times = knowledge.mode === "M1" ? knowledge.round : 1;
  const changes: Record<string, FieldValue> = {};
  for (const id of entityIds(observed.entities)) {
    const entity = getEntity(observed.entities, id) as Entity;
    const place = placeAfter(knowledge, entity, times);
    if (place !== undefined) changes[`${id}.at`] = place;
    for (const [name, field] of Object.entries(dynamics.types[entity.type]?.fields ?? {})) {
      let value = valueOf(entity, name) ?? defaultOf(field);
      let difference = lastDifference(knowledge, id, name);
      let isOther = false;
      for (let i = 0; i < times; i += 1) {
        const next = nextValue(observed, field, value, { difference, turns: true });
        isOther = next !== undefined;
        if (next === undefined) break;
        difference = typeof next === "number" && typeof value === "number" ? next - value : undefined;
        value = next;
      }
      if (isOther) changes[`${id}.${name}`] = value;
    }
  }
  return sortChanges(changes);
}

/** What is known to be nowhere stays there; of whom it is not known where they are, the first place is said. */
function placeAfter({ observed }: Knowledge, entity: Entity, times: number): string | undefined {
  const { id } = entity;
  const at = placeSeen(entity);
  let place: string | undefined = at === undefined ? firstPlace(observed) : nextPlace(observed, id, at);
  for (let i = 1; i < times && place !== undefined; i += 1) place = nextPlace(observed, id, place);
  return place;
}

/** By how much a number changed in the last interval, where it was seen at both ends. */
function lastDifference({ history }: Knowledge, id: string, name: string): number | undefined {
  const last = history.at(-1);
  if (last === undefined) return undefined;
  const [was, is] = [last.before, last.after].map((world) => getEntity(world.entities, id)?.fields[name]);
  return typeof was === "number" && typeof is === "number" ? is - was : undefined;
}
