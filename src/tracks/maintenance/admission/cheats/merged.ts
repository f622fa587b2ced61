/** Cheats of few triggers: steps merged into one capability each, and everything at once. */
import {
  entityIdsOfType,
  LIMITS,
  type CapabilityDraft,
  type FieldValue,
  type Write,
} from "../../../../runtime/index.ts";
import type { TraceStep } from "../../../../contracts/index.ts";
import type { Base } from "../base.ts";
import { constructAct, madeBy, stepAct, type Act, type Script } from "../script.ts";
import { everybody, setterOf } from "./setters.ts";

type Effects = CapabilityDraft["effects"];

/** What some steps come to, as effects that simply set it, as many as a capability may have. */
function effectsOf(steps: readonly TraceStep[], which: "before" | "after"): Effects {
  const writes = steps.flatMap(({ record }) => record.triggers.flatMap((trigger) => trigger.writes));
  const values = new Map<string, FieldValue>();
  for (const write of writes) {
    if (!("after" in write) || (which === "before" && values.has(write.path))) continue;
    values.set(write.path, which === "before" ? write.before : write.after);
  }
  const sets = [...values].map(([path, value]): Effects[number] => ({ set: path, value: value as string }));
  const made = which === "before" ? [] : writes.flatMap((write) => ("entity" in write ? [existence(write)] : []));
  return [...made, ...sets].slice(0, LIMITS.effectsPerCapability);
}

function existence(write: Extract<Write, { entity: unknown }>): Effects[number] {
  if (write.kind === "destroy") return { destroy: write.path };
  const { type, name, at, fields } = write.entity;
  return { create: type, id: write.path, name, at, fields };
}

/** The steps of the reference two by two, each pair as one capability with everybody as an argument. */
export function mega(base: Base): Script {
  const { params, args } = everybody(base.bench.case, LIMITS.paramsPerCapability);
  return base.script.map((acts, i) => {
    const steps = base.trace.rounds.get(i + 1) ?? [];
    const pairs = steps.flatMap((_, k) => (k % 2 === 0 ? [steps.slice(k, k + 2)] : []));
    const merged = pairs.flatMap((pair, k) => doing(`mega_${i + 1}_${k + 1}`, effectsOf(pair, "after"), params, args));
    return [...foundations(acts), ...merged];
  });
}

/** What is constructed besides capabilities. */
function foundations(acts: readonly Act[]): readonly Act[] {
  return acts.filter((act) => act.kind === "call" && madeBy(act)?.level !== "capability");
}

function doing(
  id: string,
  effects: Effects,
  params: CapabilityDraft["params"] = {},
  args: Readonly<Record<string, string>> = {},
): readonly Act[] {
  const capability: CapabilityDraft = { id, says: "", params, requires: [], effects, duration: 1 };
  return [constructAct("capability", capability), stepAct([{ capability: id, args, realises: [] }])];
}

/** How often everything is done at once and undone. */
const TIMES = 5;

/** In every round: everything at once and undone, five times over; then step by step backwards; then forwards by everybody. */
export function spam(base: Base): Script {
  const { world } = base.bench.case;
  const built = new Set<string>();
  return base.script.map((acts, i) => {
    const steps = base.trace.rounds.get(i + 1) ?? [];
    const [all, undo] = [
      doing(`everything_${i + 1}`, effectsOf(steps, "after")),
      doing(`undo_${i + 1}`, effectsOf(steps, "before")),
    ];
    const [again, undone] = [all.slice(1), undo.slice(1)];
    const own = acts.flatMap((act) =>
      act.kind === "step" ? act.step.triggers.map(({ capability }) => capability) : [],
    );
    const tools = [...new Set(own)]
      .filter((id) => !built.has(id))
      .map((id) => constructAct("capability", setterOf(world.capabilities[id] as (typeof world.capabilities)[string])));
    for (const id of own) built.add(id);
    const forwards = acts.filter((act) => act.kind === "step");
    const flood = Array.from({ length: TIMES - 1 }, () => [...again, ...undone]).flat();
    return [
      ...foundations(acts),
      ...tools,
      ...all,
      ...undo,
      ...flood,
      ...[...forwards].reverse(),
      ...undone,
      ...forwards.map((act) => byEverybody(base, act)),
    ];
  });
}

/** The step with each trigger also by everybody else who could stand in an argument that its writes do not turn on. */
function byEverybody({ bench: { case: case_ } }: Base, act: Act): Act {
  if (act.kind !== "step") return act;
  const { triggers, ...rest } = act.step;
  const more = triggers.flatMap((trigger) => {
    const capability = case_.world.capabilities[trigger.capability];
    if (capability === undefined || capability.effects.some(({ add }) => add !== undefined)) return [];
    const written = JSON.stringify(capability.effects);
    const free = Object.keys(capability.params).find(
      (name) => capability.params[name]?.type !== undefined && !new RegExp(`\\b${name}\\b`).test(written),
    );
    if (free === undefined) return [];
    const others = entityIdsOfType(case_.world.entities, capability.params[free]?.type ?? "").filter(
      (id) => id !== trigger.args[free],
    );
    return others.map((other) => ({ ...trigger, args: { ...trigger.args, [free]: other } }));
  });
  return stepAct([...triggers, ...more].slice(0, LIMITS.triggersPerStep), rest);
}
