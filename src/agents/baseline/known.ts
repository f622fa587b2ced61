/** From what was read to what a predictor knows, and from what it says to a submission. */
import type { Prediction } from "../../contracts/index.ts";
import {
  tableOf,
  type Changes,
  type Dynamics,
  type Entity,
  type Json,
  type Mode,
  type World,
} from "../../runtime/index.ts";
import type { Seen } from "./ask.ts";

/** The world as it was read: the places, types and actions of the case, with the entities as they are seen. */
export function observedOf(
  { world, dynamics }: { readonly world: World; readonly dynamics: Dynamics },
  entities: readonly Seen[],
  clock: number,
): World {
  // A place that is not seen is missing, as it is from what `observe` gives.
  return { ...world, clock, types: dynamics.types, entities: tableOf(entities as readonly Entity[]) };
}

/** What is submitted: an answer to everything that was asked. In M2 no action is to wait. */
export function submissionOf(mode: Mode, { predictions, fires }: Prediction): { readonly [key: string]: Json } {
  const { segment = {}, interval = {}, lookahead = {}, action, happening } = predictions;
  if (mode === "M1") return { predict: { segment: listOf(segment) }, fires };
  const counterfactuals = {
    ...(action && { action: listOf(action) }),
    ...(happening && { happening: listOf(happening) }),
  };
  const isAsked = Object.keys(counterfactuals).length > 0;
  return {
    predict: {
      interval: listOf(interval),
      lookahead: listOf(lookahead),
      ...(isAsked && { counterfactuals }),
    },
    fires,
  };
}

function listOf(changes: Changes): readonly { readonly path: string; readonly value: Json }[] {
  return Object.entries(changes).map(([path, value]) => ({ path, value }));
}
