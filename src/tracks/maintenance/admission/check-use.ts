/** Check 9: everything in the world is there for something, or says why it is there. */
import type { Case } from "../../../cases/index.ts";
import { compileCapability, entityIds, entityIdsOfType, getEntity, type World } from "../../../runtime/index.ts";
import type { Base } from "./base.ts";
import { isNamed } from "./check-prose.ts";
import { looksOf } from "./looks.ts";
import type { Problem } from "./problem.ts";

interface Uses {
  readonly capabilities: Set<string>;
  readonly entities: Set<string>;
  readonly places: Set<string>;
  /** `entity.field`. */
  readonly paths: Set<string>;
}

/** Everything that neither the reference nor the contract uses and `unused` does not explain. */
export function checkUse(base: Base): readonly Problem[] {
  const case_ = base.bench.case;
  const { world, unused } = case_;
  const uses = usesOf(base);
  const ids = [...uses.entities];
  const types = new Set([
    ...ids.flatMap((id) => getEntity(world.entities, id)?.type ?? []),
    ...typesOfCapabilities(case_, uses),
  ]);
  const fields = new Set([...uses.paths].flatMap((path) => fieldsOf(case_, path)));
  const told = case_.narratives.join("\n").toLowerCase();
  const explained = (name: string) => Object.hasOwn(unused, name);
  const missing = [
    ...Object.keys(world.capabilities)
      .filter((id) => !uses.capabilities.has(id))
      .map((id) => ({ what: `capability ${id}`, name: id })),
    ...Object.keys(world.types)
      .filter((id) => !types.has(id))
      .map((id) => ({ what: `type ${id}`, name: id })),
    ...Object.values(world.types)
      .flatMap((type) => (explained(type.id) ? [] : Object.keys(type.fields)).map((field) => `${type.id}.${field}`))
      .filter((name) => !fields.has(name))
      .map((name) => ({ what: `field ${name}`, name })),
    ...entityIds(world.entities)
      .filter((id) => !uses.entities.has(id))
      .map((id) => ({ what: `entity ${id}`, name: id })),
    ...Object.keys(world.map.places)
      .filter((id) => !uses.places.has(id) && !isWay(world, uses, id) && !isNamed(case_, id, told))
      .map((id) => ({ what: `place ${id}`, name: id })),
  ];
  return missing
    .filter(({ name }) => !explained(name))
    .map(({ what, name }): Problem => ({
      check: 9,
      message: `${what} is used by nothing: use it, take it out, or say under unused why it is there (${name}: …)`,
    }));
}

/** Whether a place lies on a way between two that are used: whoever goes from one to the other may come through. */
function isWay({ map }: World, { places }: Uses, id: string): boolean {
  const ends = map.links.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []));
  return new Set(ends.filter((end) => places.has(end))).size > 1;
}

function usesOf(base: Base): Uses {
  const { world, contract } = base.bench.case;
  const uses: Uses = { capabilities: new Set(), entities: new Set(), places: new Set(), paths: new Set() };
  const seeId = (id: unknown): void => {
    if (typeof id !== "string") return;
    if (getEntity(world.entities, id) !== undefined) uses.entities.add(id);
    if (Object.hasOwn(world.map.places, id)) uses.places.add(id);
  };
  const seePath = (path: string): void => {
    uses.paths.add(path);
    seeId(path.split(".")[0]);
  };
  const seeText = (text: string | undefined): void => {
    if (text === undefined) return;
    looksOf(world, text).paths.forEach(seePath);
    text.match(/[a-z][a-z0-9_]*/g)?.forEach(seeId);
  };
  for (const { record, before } of base.trace.steps.values()) {
    for (const trigger of record.triggers) {
      uses.capabilities.add(trigger.capability);
      Object.values(trigger.args).forEach(seeId);
      for (const read of trigger.reads) {
        const [, type, field] = /^([^.]+)\.\*\.(.+)$/.exec(read) ?? [];
        if (type === undefined) seePath(read);
        else entityIdsOfType(before.entities, type).forEach((id) => seePath(`${id}.${field ?? ""}`));
      }
      for (const write of trigger.writes) {
        seePath(write.path);
        if ("after" in write) [write.before, write.after].flat().forEach(seeId);
      }
    }
  }
  for (const { events, structures, probes } of contract.rounds) {
    for (const { involves, defining, given, accepts } of events) {
      involves.forEach(seeId);
      [...defining, ...accepts.flatMap((way) => Object.keys(way.defining))].forEach(seePath);
      [given, ...accepts.map((way) => way.given)].forEach(seeText);
    }
    for (const { level, reference, refusedWhen, allowedWhen } of structures) {
      if (level === "capability") uses.capabilities.add(reference);
      seeId(reference);
      for (const { paths, args } of [...refusedWhen, ...allowedWhen]) {
        Object.keys(paths).forEach(seePath);
        [...Object.values(paths).flat(), ...Object.values(args ?? {})].forEach(seeId);
      }
    }
    for (const { forbids, while: narrowed } of probes) {
      seeText(narrowed);
      if ("holds" in forbids) seeText(forbids.holds);
      else
        for (const [pattern, value] of Object.entries(forbids.changes))
          [pattern, JSON.stringify(value)].forEach((text) =>
            pattern.includes("*") || text !== pattern ? text.match(/[a-z][a-z0-9_]*/g)?.forEach(seeId) : seePath(text),
          );
    }
  }
  for (const id of uses.capabilities) mentionsOf(base.bench.case, id).forEach(seeId);
  for (const { expr } of world.invariants) seeText(expr);
  // What holds something that is used is used, and what holds that.
  for (const id of uses.entities) seeId(getEntity(world.entities, id)?.at);
  return uses;
}

function mentionsOf({ world }: Case, id: string): readonly string[] {
  const capability = world.capabilities[id];
  const compiled = capability === undefined ? undefined : compileCapability(world, capability);
  const texts =
    JSON.stringify([capability?.requires, capability?.effects, capability?.duration]).match(/[a-z][a-z0-9_]*/g) ?? [];
  return [
    ...(compiled?.ok === true ? compiled.value.mentions.entities : []),
    ...texts.filter((word) => Object.hasOwn(world.map.places, word)),
  ];
}

function typesOfCapabilities({ world }: Case, { capabilities }: Uses): readonly string[] {
  return [...capabilities].flatMap((id) =>
    Object.values(world.capabilities[id]?.params ?? {}).flatMap(({ type }) => type ?? []),
  );
}

/** The type and field of a path. */
function fieldsOf({ world }: Case, path: string): readonly string[] {
  const [id = "", field = ""] = path.split(".");
  const type = getEntity(world.entities, id)?.type;
  return type === undefined ? [] : [`${type}.${field}`];
}
