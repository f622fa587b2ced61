/**
 * What an agent may know of a deduction scenario: one world, in which nothing is that the agent may not see. Every
 * answer, hint and refusal of the session is made from this view; only the closing of a round reads the true world.
 */
import { EFFECT_VERBS, type Effect } from "../capability.ts";
import { lookUp } from "../ids.ts";
import type { ActionUse, Dynamics } from "../dynamics/dynamics.ts";
import { observe, placeSeen, unsealed, visibilityOf } from "../dynamics/observe.ts";
import type { CompiledEntry, CompiledProcess } from "../dynamics/process.ts";
import type { Visibility } from "../dynamics/visibility.ts";
import type { Entity, World } from "../world.ts";
import type { Condition, Mode } from "./scenario.ts";

export interface DeductionView {
  readonly condition: Condition;
  readonly mode: Mode;
  /** As the agent sees it: sealed fields are in no type, unseen values are missing, an unseen `at` too. */
  readonly world: World;
  /** Processes and entries the agent is told of, by id. */
  readonly processes: readonly CompiledProcess[];
  readonly schedule: readonly CompiledEntry[];
  readonly creates: Dynamics["creates"];
  readonly actionTells: Dynamics["actionTells"];
  /** Effects of a rule as they are told: without what they do to sealed fields. */
  readonly toldEffects: (effects: readonly Effect[]) => readonly Effect[];
  /** Whether something may have come into being, or gone, that the agent could not see (later segments of M1). */
  readonly mayHaveChanged: boolean;
  readonly visibility: (type: string, field: string) => Visibility;
  /** The fields of an entity of the view whose values are not seen, `at` among them, in order. */
  readonly unseen: (entity: Entity) => readonly string[];
}

/** What of a session the view needs. */
export interface Viewable {
  readonly scenario: {
    readonly condition: Condition;
    readonly mode: Mode;
    readonly world: World;
    readonly dynamics: Dynamics;
  };
  readonly round: number;
  /** The true world now. */
  readonly world: World;
}

/** M1 shows the initial state in every segment, all but what is sealed; M2 what the character sees now. */
export function deductionView({ scenario, round, world }: Viewable): DeductionView {
  const { condition, mode, dynamics } = scenario;
  const seen = mode === "M1" ? unsealed(dynamics, scenario.world) : observe(dynamics, world);
  const told = <T extends { readonly id: string; readonly sealed: boolean }>(rules: readonly T[]): readonly T[] =>
    rules.filter(({ sealed }) => !sealed).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    condition,
    mode,
    world: seen,
    processes: told(dynamics.processes),
    schedule: told(dynamics.schedule),
    creates: dynamics.creates,
    actionTells: dynamics.actionTells,
    toldEffects: (effects) => effectsWithout(sealedFields(dynamics), effects),
    mayHaveChanged: mode === "M1" && round > 1,
    visibility: (type, field) => visibilityOf(dynamics, type, field),
    unseen: (entity) => [
      ...(placeSeen(entity) === undefined ? ["at"] : []),
      ...Object.keys(lookUp(seen.types, entity.type)?.fields ?? {})
        .filter((field) => !Object.hasOwn(entity.fields, field))
        .sort(),
    ],
  };
}

/** One name is sealed in every type that has it, so that a name alone tells. */
function sealedFields({ visibility }: Dynamics): ReadonlySet<string> {
  const all = Object.values(visibility).flatMap((fields) => Object.entries(fields));
  return new Set(all.filter(([, seen]) => seen === "sealed").map(([field]) => field));
}

function effectsWithout(sealed: ReadonlySet<string>, effects: readonly Effect[]): readonly Effect[] {
  if (sealed.size === 0) return effects;
  const writes = (effect: Effect) => EFFECT_VERBS.map((verb) => effect[verb]?.split(".").at(1) ?? "");
  return effects
    .filter((effect) => !writes(effect).some((field) => sealed.has(field)))
    .map((effect) => {
      if (effect.fields === undefined) return effect;
      const told = Object.entries(effect.fields).filter(([field]) => !sealed.has(field));
      return { ...effect, fields: Object.fromEntries(told) };
    });
}

/** A use of an action in words: `ring_bell {"who":"mara"}`. */
export function wordsOfUse({ action, args }: ActionUse): string {
  return Object.keys(args).length === 0 ? action : `${action} ${JSON.stringify(args)}`;
}
