/** The exact future of a world by its rules. Worlds are never changed, so every rollout runs on a fork that costs nothing. */
import type { Result } from "../errors.ts";
import type { World } from "../world.ts";
import { applyAction } from "./action.ts";
import type { ActionUse, Dynamics, DynamicsFault } from "./dynamics.ts";
import { tick, type TickOptions } from "./tick.ts";

export interface RolloutInput extends Pick<TickOptions, "onMerge" | "omit"> {
  /** How many ticks go by. */
  readonly ticks: number;
  /** Actions by the tick at which they are chosen; they take effect before the next one. They are known to be possible. */
  readonly actions?: ReadonlyMap<number, ActionUse>;
}

export interface Rollout {
  readonly world: World;
  /** Processes whose `when` held at least once; those that write sealed fields alone are left out. */
  readonly fired: ReadonlySet<string>;
  /** Instances of processes that were looked at. */
  readonly instances: number;
}

/** The world `ticks` ticks after `world`. Pure: the same arguments, the same answer. */
export function rollout(dynamics: Dynamics, world: World, input: RolloutInput): Result<Rollout, DynamicsFault> {
  const { ticks, actions, omit, onMerge } = input;
  const sealed = sealedOf(dynamics);
  const fired = new Set<string>();
  const options: TickOptions = {
    omit,
    onMerge,
    onFire: (kind, id) => {
      if (kind === "process" && !sealed.has(id)) fired.add(id);
    },
  };
  let [now, instances] = [world, 0];
  for (let i = 0; i < ticks; i += 1) {
    const use = actions?.get(now.clock);
    if (use !== undefined) {
      const done = applyAction(now, use);
      if (!done.ok) return done;
      now = done.value;
    }
    const next = tick(dynamics, now, options);
    if (!next.ok) return next;
    now = next.value.world;
    instances += next.value.instances;
  }
  return { ok: true, value: { world: now, fired, instances } };
}

const sealedIds = new WeakMap<Dynamics, ReadonlySet<string>>();

function sealedOf(dynamics: Dynamics): ReadonlySet<string> {
  const known = sealedIds.get(dynamics);
  if (known !== undefined) return known;
  const sealed = new Set([...dynamics.processes, ...dynamics.schedule].filter((one) => one.sealed).map(({ id }) => id));
  sealedIds.set(dynamics, sealed);
  return sealed;
}
