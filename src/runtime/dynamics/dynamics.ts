/** The rules by which a world goes on, compiled; what a rollout needs beside the state. */
import type { Args } from "../capability.ts";
import type { EntityType } from "../world.ts";
import type { CreatedPattern } from "./created-ids.ts";
import type { CompiledEntry, CompiledProcess } from "./process.ts";
import type { Visibility } from "./visibility.ts";

export interface Dynamics {
  /** The entity that an agent acts as. */
  readonly character: string;
  /** Sorted by priority, then id. */
  readonly processes: readonly CompiledProcess[];
  /** Sorted by id. */
  readonly schedule: readonly CompiledEntry[];
  /** By type and field; `at` among the fields. */
  readonly visibility: Readonly<Record<string, Readonly<Record<string, Visibility>>>>;
  /** The types without their sealed fields: as everybody but the author knows them. */
  readonly types: Readonly<Record<string, EntityType>>;
  readonly creates: readonly CreatedPattern[];
  /** What each action does with every number, in words: told where rules are open. */
  readonly actionTells: Readonly<Record<string, string>>;
  /** Ticks from one decision point to the next (M2). */
  readonly decision: number;
  /** Ticks of a segment (M1). */
  readonly segment: number;
  /** Ticks of the case. */
  readonly ticks: number;
}

/** What the character does at a decision point: one of the world's capabilities with arguments, or to wait. */
export interface ActionUse {
  readonly action: string;
  readonly args: Args;
}

export const WAIT_ID = "wait";
/** Always possible, and does nothing. */
export const WAIT: ActionUse = Object.freeze({ action: WAIT_ID, args: Object.freeze({}) });

/** Something that happened by itself: an entry of the schedule, or a process, for one of the entities it was bound to. */
export type Happening =
  | { readonly kind: "entry"; readonly id: string }
  | { readonly kind: "process"; readonly id: string; readonly entity: string | null };

/** What is wrong with the rules of a case, met while they were run. No fault of whoever plays. */
export interface DynamicsFault {
  /** `conflict`: effects of one moment contradict; `effect`: an effect has no value; `state`: what comes out is no state. */
  readonly kind: "conflict" | "effect" | "state";
  readonly tick: number;
  /** Ids of the processes, entries or actions it was met in. */
  readonly by: readonly string[];
  /** One sentence that says all of this. */
  readonly message: string;
}
