import { getEntity, sameJson } from "../runtime/index.ts";
import { splitPath } from "./path.ts";
import type { Trace, TracedTrigger } from "./trace.ts";

export interface Provenance {
  readonly path: string;
  /** The last triggers, all of one step, that wrote the path before it was read. */
  readonly writers: readonly TracedTrigger[];
}

type WritersOfPath = ReadonlyMap<string, readonly (readonly TracedTrigger[])[]>;
const writersOfTrace = new WeakMap<Trace, WritersOfPath>();

/** By path, the triggers that changed it, a group a step, in the order of the steps. */
function writersIn(trace: Trace): WritersOfPath {
  const known = writersOfTrace.get(trace);
  if (known) return known;
  const writers = new Map<string, TracedTrigger[][]>();
  for (const step of trace.steps.values()) {
    const inStep = new Map<string, TracedTrigger[]>();
    for (const trigger of step.record.triggers) {
      for (const write of trigger.writes) {
        if (!("after" in write) || sameJson(write.before, write.after)) continue;
        const group = inStep.get(write.path) ?? [];
        if (!group.some((one) => one.trigger.id === trigger.id)) group.push({ trigger, step });
        inStep.set(write.path, group);
      }
    }
    for (const [path, group] of inStep) writers.set(path, [...(writers.get(path) ?? []), group]);
  }
  writersOfTrace.set(trace, writers);
  return writers;
}

/**
 * The triggers that a trigger directly depends on: for every path it read, the last that wrote it. `all(type)` reads
 * the field of each entity of the type.
 */
export function lastWritersOf(trace: Trace, traced: TracedTrigger): readonly Provenance[] {
  const writers = writersIn(trace);
  const { step, trigger } = traced;
  const paths = trigger.reads.flatMap((read): readonly string[] => {
    const ranged = /^([^.]+)\.\*\.(.+)$/.exec(read);
    if (ranged === null) return [read];
    const [, type, field] = ranged;
    return [...writers.keys()].filter(
      (path) => splitPath(path).field === field && getEntity(step.before.entities, splitPath(path).id)?.type === type,
    );
  });
  return [...new Set(paths)].sort().flatMap((path) => {
    const groups = (writers.get(path) ?? []).filter(([first]) => first !== undefined && first.step.order < step.order);
    const last = groups.at(-1);
    return last === undefined ? [] : [{ path, writers: last }];
  });
}
