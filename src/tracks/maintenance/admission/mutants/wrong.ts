/** Mutants of persons and things: one argument of an event's trigger is another entity of the same type. */
import { getEntity, entityIdsOfType, type Arg } from "../../../../runtime/index.ts";
import type { EventId, RoundContract } from "../../../../contracts/index.ts";
import { playAct } from "../play.ts";
import type { Base } from "../base.ts";
import { actsOf, realises, stepAct, withRound, type Act } from "../script.ts";
import { itemOf, type Mutant } from "./mutant.ts";

/**
 * For each event one mutant: with the first wrong entity with which its step is accepted, or, where none is, with the
 * first wrong one. A wrong one that is refused leaves the event out, as dropping it does.
 */
export function wrongMutants(base: Base, round: RoundContract): readonly Mutant[] {
  const acts = actsOf(base.script, round.round);
  return round.events.flatMap(({ id }) => {
    const all = acts.flatMap((act, position) =>
      act.kind === "step" && realises(act, id) ? wrongsOf(base, round, id, act, position) : [],
    );
    const chosen = all.find(({ isAccepted }) => isAccepted) ?? all[0];
    return chosen === undefined ? [] : [chosen.mutant];
  });
}

interface Wrong {
  readonly mutant: Mutant;
  readonly isAccepted: boolean;
}

function wrongsOf(
  base: Base,
  round: RoundContract,
  event: EventId,
  act: Extract<Act, { kind: "step" }>,
  position: number,
): readonly Wrong[] {
  const acts = actsOf(base.script, round.round);
  return act.step.triggers.flatMap((trigger, k) => {
    if (!trigger.realises.includes(event)) return [];
    return Object.entries(trigger.args).flatMap(([param, value]): readonly Wrong[] => {
      const swapped = swap(base, round.round, act, position, k, param, value);
      if (swapped === undefined) return [];
      const script = withRound(
        base.script,
        round.round,
        acts.map((one, i) => (i === position ? swapped.act : one)),
      );
      const says = `${event} with ${swapped.other} for ${String(value)}`;
      return [
        {
          mutant: { kind: "wrong", says, over: trigger.realises.map(itemOf), script, stripped: false },
          isAccepted: swapped.isAccepted,
        },
      ];
    });
  });
}

function swap(
  base: Base,
  round: number,
  act: Extract<Act, { kind: "step" }>,
  position: number,
  k: number,
  param: string,
  value: Arg,
): { readonly act: Act; readonly other: string; readonly isAccepted: boolean } | undefined {
  const state = base.states[round - 1]?.[position];
  const entities = state?.session.world.entities;
  const type = entities && typeof value === "string" ? getEntity(entities, value)?.type : undefined;
  if (state === undefined || entities === undefined || type === undefined) return undefined;
  const { triggers, ...rest } = act.step;
  const taken = Object.values(triggers[k]?.args ?? {});
  const others = entityIdsOfType(entities, type).filter((other) => !taken.includes(other));
  const swapped = others.map((other) => ({
    other,
    act: stepAct(
      triggers.map((one, i) => (i === k ? { ...one, args: { ...one.args, [param]: other } } : one)),
      rest,
    ),
  }));
  const accepted = swapped.find((one) => playAct(state, one.act).error === undefined);
  const chosen = accepted ?? swapped[0];
  return chosen && { ...chosen, isAccepted: accepted !== undefined };
}
