/** What stands in the way of a deletion: everything that used, holds or names what is to go. */
import { itemsFrom, type AppendLog } from "../append-log.ts";
import { compareText } from "../canonical.ts";
import type { Capability } from "../capability.ts";
import { compileCapability } from "../compile-capability.ts";
import { referencesOf } from "../merged-state.ts";
import type { StepRecord } from "../numbered.ts";
import type { AcceptedTrigger, Write } from "../record.ts";
import { entityIds, entityIdsOfType, getEntity } from "../state/index.ts";
import type { Level } from "../tier.ts";
import type { Entity, World } from "../world.ts";

/** Everything in the way of deleting `id`, in words; `without` is the world as it would be. */
export function obstaclesTo(
  level: Level,
  id: string,
  world: World,
  without: World,
  steps: AppendLog<StepRecord>,
): readonly string[] {
  return [
    ...usesOf(level, id, steps),
    ...holdersOf(level, id, world),
    ...capabilitiesBrokenBy(level, id, without, world),
    ...alongsides(level, id, world),
  ];
}

/**
 * The capabilities of `before` that mean nothing lawful any more in `after`, in words; `id` is the one item in which the
 * two differ. What a capability means turns on the ids and fields that it spells out: others are not compiled again.
 */
export function capabilitiesBrokenBy(level: Level, id: string, after: World, before: World): readonly string[] {
  const fields = [before, after].flatMap(({ types }) => Object.keys((level === "type" && types[id]?.fields) || {}));
  const words = [...new Set([id, ...fields])];
  return Object.keys(after.capabilities)
    .sort(compareText)
    .flatMap((other) => {
      const capability = after.capabilities[other];
      if (capability === undefined || before.capabilities[other] !== capability) return [];
      if (!words.some((word) => textOf(capability).includes(word))) return [];
      const compiled = compileCapability(after, capability);
      return compiled.ok || !compileCapability(before, capability).ok
        ? []
        : [`capability ${other} (${compiled.error.path ?? "it"}: ${compiled.error.message})`];
    });
}

const texts = new WeakMap<Capability, string>();

/** Everything that a capability spells out. */
function textOf(capability: Capability): string {
  const text = texts.get(capability) ?? JSON.stringify(capability);
  texts.set(capability, text);
  return text;
}

/** The accepted triggers that used it. */
function usesOf(level: Level, id: string, steps: AppendLog<StepRecord>): readonly string[] {
  const used: string[] = [];
  for (const step of itemsFrom(steps)) {
    if (step.kind !== "accepted") continue;
    for (const trigger of step.triggers) if (usedBy(level, id, trigger)) used.push(`trigger ${trigger.id}`);
  }
  return used;
}

function usedBy(level: Level, id: string, trigger: AcceptedTrigger): boolean {
  switch (level) {
    case "capability":
      return trigger.capability === id;
    case "entity":
      return (
        Object.values(trigger.args).includes(id) ||
        trigger.reads.some((path) => path.startsWith(`${id}.`) && !path.startsWith(`${id}.*`)) ||
        trigger.writes.some((write) => mentions(write, id))
      );
    case "type":
      return (
        trigger.reads.some((path) => path.startsWith(`${id}.*`)) ||
        trigger.writes.some(
          (write) => (write.kind === "create" || write.kind === "destroy") && write.entity.type === id,
        )
      );
  }
}

function mentions(write: Write, id: string): boolean {
  switch (write.kind) {
    case "create":
    case "destroy":
      return write.path === id || write.entity.at === id;
    case "insert":
    case "remove":
      return write.member === id || write.path.startsWith(`${id}.`);
    default:
      return write.before === id || write.after === id || write.path.startsWith(`${id}.`);
  }
}

/** What refers to it in the world as it stands. */
function holdersOf(level: Level, id: string, world: World): readonly string[] {
  switch (level) {
    case "capability":
      return [];
    case "entity":
      return entityIds(world.entities).flatMap((other) =>
        other === id
          ? []
          : referencesOf(world, getEntity(world.entities, other) as Entity)
              .filter(({ ids }) => ids.includes(id))
              .map(({ field }) => `${other}.${field}`),
      );
    case "type":
      return [
        ...entityIdsOfType(world.entities, id).map((entity) => `entity ${entity}`),
        ...Object.keys(world.types)
          .sort(compareText)
          .filter((type) => type !== id)
          .flatMap((type) => fieldsReferringTo(world, type, id)),
      ];
  }
}

function fieldsReferringTo(world: World, type: string, id: string): readonly string[] {
  const fields = world.types[type]?.fields ?? {};
  return Object.keys(fields)
    .sort(compareText)
    .filter((field) => {
      const spec = fields[field];
      return (spec?.kind === "ref" || spec?.kind === "refs") && spec.of === id;
    })
    .map((field) => `field ${field} of type ${type}`);
}

/** Other capabilities that count it with `alongside`. */
function alongsides(level: Level, id: string, world: World): readonly string[] {
  if (level !== "capability") return [];
  return Object.keys(world.capabilities)
    .sort(compareText)
    .filter(
      (other) => other !== id && textOf(world.capabilities[other] as Capability).includes(`alongside(\\"${id}\\")`),
    )
    .map((other) => `capability ${other} (alongside)`);
}
