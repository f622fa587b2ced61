/** Part of check 2: whoever acts is there from the first tick to the last. */
import { applyAction, getEntity, rollout, type Dynamics, type Entity, type World } from "../../../runtime/index.ts";
import type { Play } from "./play.ts";
import type { DeductionProblem } from "./problem.ts";

/** When the character goes, and by which rules where they can be told. */
export interface Gone {
  readonly tick: number;
  readonly rules: readonly string[];
}

/** When the character goes in a play; undefined where it stays. */
export function goneIn(dynamics: Dynamics, { spans, broken }: Play): Gone | undefined {
  const span = spans.find(({ after }) => !isThere(dynamics, after)) ?? broken;
  return span === undefined ? undefined : goneWithin(dynamics, span);
}

export function sayGone({ character }: Dynamics, { fold, by }: Play, { tick, rules }: Gone): DeductionProblem {
  const whose = rules.length === 0 ? "" : `, destroyed by ${rules.join(" or ")}`;
  return {
    check: 2,
    where: rules.length === 0 ? character : rules.join(", "),
    message: `in fold ${fold}, ${by}, the character ${character} is gone at tick ${tick}${whose}`,
    hint: "let nothing destroy the entity that the agent acts as",
  };
}

function isThere({ character }: Dynamics, { entities }: World): boolean {
  return getEntity(entities, character) !== undefined;
}

/** A span gone through once more, tick by tick, as far as it can be. */
function goneWithin(dynamics: Dynamics, { from, to, action, before }: NonNullable<Play["broken"]>): Gone | undefined {
  const acted = applyAction(before, action);
  if (!acted.ok) return undefined;
  if (!isThere(dynamics, acted.value)) return { tick: from, rules: [action.action] };
  for (let now = acted.value; now.clock < to;) {
    const next = rollout(dynamics, now, { ticks: 1 });
    if (!next.ok) return undefined;
    const { world, fired } = next.value;
    if (!isThere(dynamics, world)) return { tick: world.clock, rules: destroyersAt(dynamics, now, world.clock, fired) };
    now = world;
  }
  return undefined;
}

type Process = Dynamics["processes"][number];

/** The rules that fired then and have an effect that may destroy the character. */
function destroyersAt(dynamics: Dynamics, before: World, tick: number, fired: ReadonlySet<string>): readonly string[] {
  const { type } = getEntity(before.entities, dynamics.character) as Entity;
  const mayDestroy = (effect: Process["effects"][number], bindings: Process["bindings"]): boolean => {
    if (effect.verb !== "destroy") return false;
    const { kind, name } = effect.base;
    if (kind === "entity") return name === dynamics.character;
    if (kind === "it") return effect.for?.each === type;
    return bindings.some((bound) => bound.name === name && bound.type === type);
  };
  const entries = dynamics.schedule.filter(
    ({ at, effects }) => at.has(tick) && effects.some((effect) => mayDestroy(effect, [])),
  );
  const processes = dynamics.processes.filter(
    ({ id, effects, bindings }) => fired.has(id) && effects.some((effect) => mayDestroy(effect, bindings)),
  );
  return [...entries, ...processes].map(({ id }) => id);
}
