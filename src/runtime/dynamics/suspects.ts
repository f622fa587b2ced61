/**
 * What may be behind the changes that the character saw, by what the rules say that they write: found from what is seen and
 * from the rules alone. Whether it was so, or another rule, or nothing that anybody could see, does not show in it.
 */
import { sameJson } from "../canonical.ts";
import type { CompiledEffect } from "../compile-effect.ts";
import { entityIds, getEntity } from "../state/index.ts";
import type { World } from "../world.ts";
import type { Dynamics, Happening } from "./dynamics.ts";
import { observe, placeSeen } from "./observe.ts";
import type { CompiledProcess } from "./process.ts";

/** A change that was seen: a field of an entity, or (no field) that it came or went. */
interface SeenChange {
  readonly id: string;
  readonly type: string;
  readonly field: string | undefined;
}

/** Entries and processes that were due between two decision points and may have written what was seen to change. */
export function suspectsOf(
  dynamics: Dynamics,
  { before, after }: { readonly before: World; readonly after: World },
): readonly Happening[] {
  const seen = seenChanges(observe(dynamics, before), observe(dynamics, after));
  const found = new Map<string, Happening>();
  const add = (happening: Happening): void => void found.set(JSON.stringify(happening), happening);
  const [from, to] = [before.clock, after.clock];
  for (const { id, at, effects, sealed } of dynamics.schedule) {
    const isDue = [...at].some((tick) => tick > from && tick <= to);
    if (!sealed && isDue && seen.some((change) => effects.some((effect) => mayWrite(effect, change))))
      add({ kind: "entry", id });
  }
  for (const process of dynamics.processes) {
    if (process.sealed || !isDueWithin(process, from, to)) continue;
    for (const change of seen) {
      const writing = process.effects.filter((effect) => mayWrite(effect, change, process));
      if (writing.length === 0) continue;
      const isBound = writing.some((effect) => baseOf(effect)?.kind === "param");
      add({ kind: "process", id: process.id, entity: isBound && change.field !== undefined ? change.id : null });
    }
  }
  return [...found.values()];
}

function isDueWithin({ draft: { every, phase } }: CompiledProcess, from: number, to: number): boolean {
  for (let tick = from + 1; tick <= to; tick += 1) if ((tick - phase) % every === 0) return true;
  return false;
}

/** What differs between two states as they are seen, where it is seen in both. */
function seenChanges(before: World, after: World): readonly SeenChange[] {
  const changes: SeenChange[] = [];
  for (const id of new Set([...entityIds(before.entities), ...entityIds(after.entities)])) {
    const was = getEntity(before.entities, id);
    const is = getEntity(after.entities, id);
    if (was === undefined || is === undefined) {
      changes.push({ id, type: (was ?? is)?.type ?? "", field: undefined });
      continue;
    }
    const [from, to] = [placeSeen(was), placeSeen(is)];
    if (from !== undefined && to !== undefined && from !== to) changes.push({ id, type: is.type, field: "at" });
    for (const [field, value] of Object.entries(is.fields)) {
      const old = was.fields[field];
      if (old !== undefined && !sameJson(old, value)) changes.push({ id, type: is.type, field });
    }
  }
  return changes;
}

function baseOf(effect: CompiledEffect) {
  if ("target" in effect) return effect.target.base;
  return "base" in effect ? effect.base : undefined;
}

/** Whether an effect, by what it names, may have made a change. */
function mayWrite(effect: CompiledEffect, { id, type, field }: SeenChange, process?: CompiledProcess): boolean {
  if (effect.verb === "claim") return false;
  if (effect.verb === "create") return field === undefined && effect.type === type;
  if (effect.verb === "destroy" ? field !== undefined : effect.target.field !== field) return false;
  const base = baseOf(effect);
  switch (base?.kind) {
    case "entity":
      return base.name === id;
    case "it":
      return effect.for?.each === type;
    case "param":
      return process?.bindings.find(({ name }) => name === base.name)?.type === type;
    case undefined:
      return false;
  }
}
