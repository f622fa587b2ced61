/** Worlds of one's own to try things on: counterfactuals, never seen by the session whose world was forked. */
import { freeze } from "immer";
import { applyConstruction } from "./apply-record.ts";
import type { Trigger } from "./capability.ts";
import type { Result } from "./errors.ts";
import type { AcceptedStep, Construction } from "./record.ts";
import { changeEntities, getEntity } from "./state/index.ts";
import { commitStep, type StepInput } from "./step.ts";
import type { World } from "./world.ts";

/** What a step of a fork is: a step without triggers may take no time here. */
export interface ForkedStep extends Omit<StepInput, "triggers" | "advance"> {
  readonly triggers: readonly Trigger[];
  readonly advance?: number;
}

/** A course of its own that begins at a world. It shares with that world whatever it does not write. */
export interface Fork {
  /** The world as it stands in this fork. */
  readonly world: World;
  /** Takes a step by the rules of every step; refused, the fork stands where it stood. The record has no digest. */
  step(input: ForkedStep): Result<AcceptedStep>;
  /** Makes, mends or deletes what was made, mended or deleted elsewhere; what is not here is not mended. */
  construct(record: Pick<Construction, "op" | "item">): void;
  /** Sets the clock, as where another course's time is kept. */
  setClock(clock: number): void;
}

/** Forks a world. Costs nothing: worlds are frozen and persistent, so there is nothing to copy. */
export function fork(world: World): Fork {
  let now = world;
  let steps = 0;
  return {
    get world() {
      return now;
    },
    step({ triggers, until, advance = 0 }) {
      const input = { triggers, until, advance: triggers.length === 0 ? Math.max(advance, 1) : advance };
      const outcome = commitStep(now, input, { step: steps + 1, round: 1 }, { undigested: true });
      if (!outcome.ok) return outcome;
      steps += 1;
      now = outcome.value.world;
      return { ok: true, value: outcome.value.record };
    },
    construct({ op, item }) {
      now =
        op === "update" && item.level === "entity" ? renamed(now, item.id, item.now) : applyConstruction(now, { item });
    },
    setClock(clock) {
      if (clock !== now.clock) now = freeze({ ...now, clock });
    },
  };
}

/**
 * The world with an entity's name mended. A record keeps the whole entity as it was there: here it may have fared
 * otherwise, or never have been.
 */
function renamed(world: World, id: string, recorded: { readonly name: string } | null): World {
  if (recorded === null || getEntity(world.entities, id) === undefined) return world;
  return freeze({ ...world, entities: changeEntities(world.entities, [{ kind: "rename", id, name: recorded.name }]) });
}
