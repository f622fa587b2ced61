/** Mutants of persons and things: one argument of an event's trigger is another entity of the same type. */
import { getEntity, entityIdsOfType, type Arg } from "../../../../runtime/index.ts";
import type { RoundContract } from "../../../../contracts/index.ts";
import { playAct } from "../play.ts";
import type { Base } from "../base.ts";
import { actsOf, realises, stepAct, withRound, type Act } from "../script.ts";
import { itemOf, type Mutant } from "./mutant.ts";

/**
 * For each entity argument of each event's triggers one mutant: with the first other entity of its type with which the
 * step is accepted, or, where it never is, with the first other one.
 */
export function wrongMutants(base: Base, round: RoundContract): readonly Mutant[] {
  const acts = actsOf(base.script, round.round);
  return round.events.flatMap(({ id }) =>
    acts.flatMap((act, position) => {
      if (act.kind !== "step" || !realises(act, id)) return [];
      return act.step.triggers.flatMap((trigger, k) => {
        if (!trigger.realises.includes(id)) return [];
        return Object.entries(trigger.args).flatMap(([param, value]): readonly Mutant[] => {
          const swapped = swap(base, round.round, act, position, k, param, value);
          if (swapped === undefined) return [];
          const script = withRound(base.script, round.round, acts.map((one, i) => (i === position ? swapped.act : one)));
          return [{ kind: "wrong", says: `${id} with ${swapped.other} for ${String(value)}`, over: trigger.realises.map(itemOf), script, stripped: false }];
        });
      });
    }),
  );
}

function swap(base: Base, round: number, act: Extract<Act, { kind: "step" }>, position: number, k: number, param: string, value: Arg): { readonly act: Act; readonly other: string } | undefined {
  const state = base.states[round - 1]?.[position];
  const entities = state?.session.world.entities;
  const type = entities && typeof value === "string" ? getEntity(entities, value)?.type : undefined;
  if (state === undefined || entities === undefined || type === undefined) return undefined;
  const { triggers, ...rest } = act.step;
  const taken = Object.values(triggers[k]?.args ?? {});
  const others = entityIdsOfType(entities, type).filter((other) => !taken.includes(other));
  const swapped = others.map((other) => ({ other, act: stepAct(triggers.map((one, i) => (i === k ? { ...one, args: { ...one.args, [param]: other } } : one)), rest) }));
  return swapped.find((one) => playAct(state, one.act).error === undefined) ?? swapped[0];
}
