import {
  entityIds,
  getEntity,
  placeSeen,
  sameJson,
  sortChanges,
  type Changes,
  type Entity,
  type FieldValue,
} from "../../../runtime/index.ts";
import { answerAll, type Knowledge, type Predictor } from "./knowledge.ts";
import { nextPlace, nextValue } from "./next-value.ts";

/**
 * What was seen to change in the last interval changes again likewise; what came into being or is gone does not. Nothing
 * changes in the first round, nor in M1, where no change is ever seen.
 */
export const lastChange: Predictor = (knowledge, memory) => ({
  predictions: answerAll(knowledge.asked, changesOf(knowledge)),
  fires: [],
  memory,
});

function changesOf({ observed, dynamics, history }: Knowledge): Changes {
  const last = history.at(-1);
  if (last === undefined) return {};
  const changes: Record<string, FieldValue> = {};
  for (const id of entityIds(observed.entities)) {
    const was = getEntity(last.before.entities, id);
    const is = getEntity(last.after.entities, id) as Entity;
    if (was === undefined || was === is) continue;
    const [from, to] = [placeSeen(was), placeSeen(is)];
    const moved = typeof from === "string" && to !== undefined && from !== to;
    const place = moved ? nextPlace(observed, id, to) : undefined;
    if (place !== undefined) changes[`${id}.at`] = place;
    for (const [name, field] of Object.entries(dynamics.types[is.type]?.fields ?? {})) {
      const [before, after] = [was.fields[name], is.fields[name]];
      if (before === undefined || after === undefined || sameJson(before, after)) continue;
      const difference = typeof before === "number" && typeof after === "number" ? after - before : undefined;
      const next = nextValue(observed, field, after, { difference, turns: false });
      if (next !== undefined) changes[`${id}.${name}`] = next;
    }
  }
  return sortChanges(changes);
}
