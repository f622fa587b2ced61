/** One tick: what the schedule brings, then the processes by priority. Pure and exact. */
import { freeze } from "immer";
import type { Capability } from "../capability.ts";
import { operationsOf, type Operation } from "../effects.ts";
import { evaluate, type Environment, type Value } from "../expression/index.ts";
import { entityIdsOfType } from "../state/index.ts";
import { LIMITS } from "../limits.ts";
import { show } from "../value-check.ts";
import type { World } from "../world.ts";
import { actionWithTooMany, argumentsCount, combinationsOf, sayCount } from "./combinations.ts";
import type { Dynamics, DynamicsFault, Happening } from "./dynamics.ts";
import { mergeNaturally, type NaturalWrite } from "./merge-naturally.ts";
import type { CompiledEntry, CompiledProcess } from "./process.ts";
import type { Result } from "../errors.ts";

/** What was written at once: by the schedule (priority null) or by the processes of one priority. */
export interface MergedWrites {
  readonly tick: number;
  readonly priority: number | null;
  readonly writes: readonly NaturalWrite[];
}

export interface TickOptions {
  /** What does not happen, where it otherwise would. */
  readonly omit?: Happening | undefined;
  /** Told of each process or entry that fires, with the entities it is bound to. */
  readonly onFire?: ((kind: Happening["kind"], id: string, entities: readonly string[]) => void) | undefined;
  /** Told of what was written at once. */
  readonly onMerge?: ((merged: MergedWrites) => void) | undefined;
}

export interface Ticked {
  readonly world: World;
  /** Instances of processes that were looked at. */
  readonly instances: number;
}

/** The world one tick later. `clock` is the tick that is computed while it is. */
export function tick(dynamics: Dynamics, before: World, options: TickOptions = {}): Result<Ticked, DynamicsFault> {
  let world: World = freeze({ ...before, clock: before.clock + 1 });
  const { clock } = world;
  const due = entriesAt(dynamics).get(clock);
  if (due !== undefined) {
    const moment = new Moment(world, options);
    for (const entry of due) moment.enter(entry.id, entry.effects);
    const next = moment.close(null);
    if (!next.ok) return next;
    world = next.value;
  }
  let instances = 0;
  for (const processes of dueAt(dynamics, clock)) {
    const moment = new Moment(world, options);
    for (const process of processes) instances += moment.run(process, LIMITS.tickInstances - instances);
    const next = moment.close((processes[0] as CompiledProcess).draft.priority);
    if (!next.ok) return next;
    world = next.value;
  }
  const tooMany = actionWithTooMany(world);
  if (tooMany !== undefined) return { ok: false, error: faultOfArguments(world, tooMany) };
  return { ok: true, value: { world, instances } };
}

function faultOfArguments(world: World, id: string): DynamicsFault {
  const { clock, capabilities } = world;
  const many = sayCount(argumentsCount(world, capabilities[id] as Capability));
  const message = `at tick ${clock}, ${id} has ${many} possible arguments, more than ${LIMITS.actionArguments}`;
  return { kind: "state", tick: clock, by: [id], message };
}

type Due = readonly (readonly CompiledProcess[])[];

const dueByTick = new WeakMap<Dynamics, Map<number, Due>>();

/** The processes that are due at a tick, those of one priority together, priorities ascending. */
function dueAt(dynamics: Dynamics, clock: number): Due {
  const known = dueByTick.get(dynamics) ?? new Map<number, Due>();
  dueByTick.set(dynamics, known);
  const there = known.get(clock);
  if (there !== undefined) return there;
  const due = dynamics.processes.filter(({ draft: { phase, every } }) => (clock - phase) % every === 0);
  const groups: CompiledProcess[][] = [];
  for (const process of due) {
    const last = groups.at(-1);
    if (last?.[0]?.draft.priority === process.draft.priority) last.push(process);
    else groups.push([process]);
  }
  if (clock <= LIMITS.caseTicks) known.set(clock, groups);
  return groups;
}

const entriesByTick = new WeakMap<Dynamics, ReadonlyMap<number, readonly CompiledEntry[]>>();

function entriesAt(dynamics: Dynamics): ReadonlyMap<number, readonly CompiledEntry[]> {
  const known = entriesByTick.get(dynamics);
  if (known !== undefined) return known;
  const byTick = new Map<number, CompiledEntry[]>();
  for (const entry of dynamics.schedule) for (const at of entry.at) byTick.set(at, [...(byTick.get(at) ?? []), entry]);
  entriesByTick.set(dynamics, byTick);
  return byTick;
}

/** Everything that happens at once: read from one state, merged when all is gathered. */
class Moment {
  readonly #world: World;
  readonly #options: TickOptions;
  readonly #operations: (readonly Operation[])[] = [];
  readonly #by: string[] = [];
  #fault: DynamicsFault | undefined;

  constructor(world: World, options: TickOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** An entry of the schedule. */
  enter(id: string, effects: CompiledProcess["effects"]): void {
    const { omit, onFire } = this.#options;
    if (omit?.kind === "entry" && omit.id === id) return;
    onFire?.("entry", id, []);
    this.#gather(id, effects, { world: this.#world, variables: {} });
  }

  /** All instances of a process; returns how many there were. None at all where there are more than `most`. */
  run(process: CompiledProcess, most: number): number {
    const { bindings, id } = process;
    if (this.#fault !== undefined) return 0;
    const many = combinationsOf(this.#world, bindings);
    if (many > most) {
      const { clock } = this.#world;
      const limit = `the processes of one tick may look at ${LIMITS.tickInstances}, of which ${most} are left`;
      const message = `at tick ${clock}, ${id} has ${sayCount(many)} combinations of entities; ${limit}`;
      this.#fault = { kind: "state", tick: clock, by: [id], message };
      return 0;
    }
    const [first, second, ...rest] = bindings;
    const variables: Record<string, Value> = {};
    const env: Environment = { world: this.#world, variables };
    if (first === undefined) return this.#instance(process, env, []);
    let count = 0;
    const bind = (position: number, bound: readonly string[]): void => {
      const binding = bindings[position];
      if (binding === undefined) {
        count += this.#instance(process, env, bound);
        return;
      }
      for (const id of entityIdsOfType(this.#world.entities, binding.type)) {
        variables[binding.name] = id;
        bind(position + 1, [...bound, id]);
      }
    };
    if (second !== undefined || rest.length > 0) bind(0, []);
    else {
      for (const id of entityIdsOfType(this.#world.entities, first.type)) {
        variables[first.name] = id;
        count += this.#instance(process, env, [id]);
      }
    }
    return count;
  }

  #instance(process: CompiledProcess, env: Environment, bound: readonly string[]): number {
    const { where, when, id } = process;
    if (where !== undefined && !holds(where, env)) return 1;
    if (when !== undefined && !holds(when, env)) return 1;
    const { omit, onFire } = this.#options;
    if (omit?.kind === "process" && omit.id === id && (omit.entity === null || bound.includes(omit.entity))) return 1;
    onFire?.("process", id, bound);
    this.#gather(id, process.effects, env);
    return 1;
  }

  #gather(id: string, effects: CompiledProcess["effects"], env: Environment): void {
    if (this.#fault !== undefined) return;
    const operations = operationsOf(effects, env);
    if (!operations.ok) {
      const { clock } = this.#world;
      const message = `at tick ${clock}, ${id}${sayBound(env)}: ${operations.error.message}`;
      this.#fault = { kind: "effect", tick: clock, by: [id], message };
      return;
    }
    this.#operations.push(operations.value);
    this.#by.push(id);
  }

  close(priority: number | null): Result<World, DynamicsFault> {
    if (this.#fault !== undefined) return { ok: false, error: this.#fault };
    if (this.#operations.length === 0) return { ok: true, value: this.#world };
    const merged = mergeNaturally(this.#world, this.#operations, this.#by);
    if (!merged.ok) return merged;
    this.#options.onMerge?.({ tick: this.#world.clock, priority, writes: merged.value.writes });
    return { ok: true, value: merged.value.world };
  }
}

function holds(condition: NonNullable<CompiledProcess["when"]>, env: Environment): boolean {
  const met = evaluate(condition, env);
  return met.ok && met.value === true;
}

function sayBound({ variables }: Environment): string {
  const bound = Object.entries(variables).map(([name, value]) => `${name} = ${show(value)}`);
  return bound.length === 0 ? "" : ` (${bound.join(", ")})`;
}
