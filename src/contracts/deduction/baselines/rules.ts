import {
  changesBetween,
  LOOKAHEAD_TICKS,
  WAIT,
  type ActionUse,
  type Changes,
  type Happening,
  type World,
} from "../../../runtime/index.ts";
import { believe, rollBelief } from "./belief.ts";
import type { Knowledge, Predictions, Predictor } from "./knowledge.ts";
import { submittable } from "./submittable.ts";

/**
 * Runs the published rules on what was seen: a belief that begins at the defaults of what is not seen, goes on by the
 * rules under what was done, and is overwritten by each observation. With everything seen it is exact.
 */
export const rules: Predictor = (knowledge, memory) => {
  const { dynamics, from, to, action } = knowledge;
  const arrived = memory.belief === null ? null : rollTo(knowledge, memory.belief, from);
  // In M1 what is seen is the initial world, in every round.
  const belief = arrived === null || knowledge.observed.clock === from ? believe(knowledge, arrived) : arrived;
  const future = rollBelief(dynamics, belief, { ticks: to - from, actions: new Map([[from, action]]) });
  const changes = changesBetween(dynamics, belief, future.world);
  const { asked } = knowledge;
  const predictions: Predictions = {
    ...(asked.segment && { segment: changes }),
    ...(asked.interval && { interval: changes }),
    ...(asked.lookahead && { lookahead: lookAhead(knowledge, belief, future.world) }),
    ...(memory.belief && arrived && counterfactuals(knowledge, memory.belief, arrived)),
  };
  return {
    predictions: Object.fromEntries(
      Object.entries(predictions).map(([kind, changes]) => [kind, submittable(knowledge, changes)]),
    ),
    fires: [...future.fired].sort(),
    memory: { belief },
  };
};

/** The last belief, gone on to tick `to` under what was done since. */
function rollTo({ dynamics, history }: Knowledge, belief: World, to: number): World {
  const actions = new Map(history.filter(({ from }) => from >= belief.clock).map((past) => [past.from, past.action]));
  return rollBelief(dynamics, belief, { ticks: to - belief.clock, actions }).world;
}

/** The end of the interval is on the way: from there the rest is waited. */
function lookAhead({ dynamics, from, to, action }: Knowledge, belief: World, end: World): Changes {
  const rest = from + LOOKAHEAD_TICKS - to;
  const [start, ticks] = rest < 0 ? [belief, LOOKAHEAD_TICKS] : [end, rest];
  const { world } = rollBelief(dynamics, start, { ticks, actions: new Map([[from, action]]) });
  return changesBetween(dynamics, belief, world);
}

/** Both forks are compared with where the same belief came to: what was believed wrongly is no consequence of either. */
function counterfactuals(knowledge: Knowledge, before: World, arrived: World): Predictions {
  const { dynamics, asked, history } = knowledge;
  const { clock } = before;
  const done = history.at(-1)?.action ?? WAIT;
  const fork = (action: ActionUse, omit?: Happening) =>
    changesBetween(
      dynamics,
      arrived,
      rollBelief(dynamics, before, { ticks: arrived.clock - clock, actions: new Map([[clock, action]]), omit }).world,
    );
  return {
    ...(asked.action && { action: fork(asked.action) }),
    ...(asked.happening && { happening: fork(done, asked.happening) }),
  };
}
