/**
 * What an agent may know of a deduction scenario: one world, in which nothing is that the agent may not see. Every
 * answer, hint and refusal of the session is made from this view; only the closing of a round reads the true world.
 */
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

/** A use of an action in words: `ring_bell {"who":"mara"}`. */
export function wordsOfUse({ action, args }: ActionUse): string {
  return Object.keys(args).length === 0 ? action : `${action} ${JSON.stringify(args)}`;
}
