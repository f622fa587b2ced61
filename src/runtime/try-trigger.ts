import type { Trigger } from "./capability.ts";
import { succeed, type Result } from "./errors.ts";
import { mergeOperations } from "./merge.ts";
import { applyMerged } from "./merged-state.ts";
import type { Write } from "./record.ts";
import { resolveTrigger } from "./resolve.ts";
import { evaluateTrigger, type TriggerOptions } from "./trigger.ts";
import type { World } from "./world.ts";
import { writesOf } from "./writes.ts";

/** What a trigger did when it was tried by itself. */
export interface Trial {
  readonly writes: readonly Write[];
  readonly reads: readonly string[];
  /** Requirements that did not hold, by position and part; none unless they were stripped. */
  readonly unmet: readonly string[];
}

/**
 * Tries one trigger by itself on any world, without invariants: what it would write, or why it is refused (by a
 * requirement, or by a range or reference of its own writes). `options.alongside` still counts the triggers that stood
 * beside it, so that a rule about what is done together is not refused for being tried alone.
 */
export function tryTrigger(world: World, trigger: Trigger, options: TriggerOptions): Result<Trial> {
  const resolved = resolveTrigger(world, trigger);
  if (!resolved.ok) return resolved;
  const outcome = evaluateTrigger(world, resolved.value, options);
  if (!outcome.ok) {
    const { reads: _, ...error } = outcome.error;
    return { ok: false, error };
  }
  const { merged, faults } = mergeOperations(world, [outcome.value.operations]);
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, error: fault.error };
  const applied = applyMerged(world, merged);
  if (!applied.ok) return { ok: false, error: (applied.error[0] as (typeof applied.error)[number]).error };
  return succeed({
    writes: writesOf(world, outcome.value.operations, applied.value),
    reads: outcome.value.reads,
    unmet: outcome.value.unmet,
  });
}
