import { freeze } from "immer";
import type { Capability, CapabilityDraft } from "./capability.ts";
import { compareText } from "./canonical.ts";
import { compiledCapability } from "./compile-capability.ts";
import { makeEntity } from "./entity-check.ts";
import { nearestWord, suggest, type ToolError } from "./errors.ts";
import { defaultOf, describeField, type Field } from "./field.ts";
import { compileInvariant } from "./invariant-check.ts";
import { evaluate } from "./expression/index.ts";
import { LIMITS } from "./limits.ts";
import { NO_RETIRED_IDS, changeEntities, tableOf } from "./state/index.ts";
import { checkFieldValue, circleFrom } from "./value-check.ts";
import type { Entity, EntityDraft, EntityType, Invariant, World, WorldMap } from "./world.ts";

/** The parts a world is built of, as a case file states them. */
export interface WorldParts {
  readonly clock: number;
  readonly map: WorldMap;
  readonly types: Readonly<Record<string, EntityType>>;
  readonly entities: Readonly<Record<string, EntityDraft>>;
  readonly capabilities: Readonly<Record<string, CapabilityDraft>>;
  readonly invariants: readonly Invariant[];
}

/** What is wrong with a part, and where: `["capabilities", "open_valve", "requires", 1, "expr"]`. */
export interface WorldFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

export type BuiltWorld =
  | { readonly ok: true; readonly value: World }
  | { readonly ok: false; readonly error: readonly WorldFault[] };

/** Builds a world from its parts, or lists all that is wrong with them. */
export function buildWorld(parts: WorldParts): BuiltWorld {
  const faults: WorldFault[] = [];
  const report = (path: readonly (string | number)[], error: Pick<ToolError, "message" | "hint" | "path">) =>
    faults.push({
      path: [...path, ...splitPath(error.path)],
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  const over = (what: "types" | "entities" | "capabilities") => {
    const count = Object.keys(parts[what]).length;
    if (count > LIMITS[what]) report([what], { message: `${count} ${what}; at most ${LIMITS[what]}` });
  };
  over("types");
  over("entities");
  over("capabilities");
  checkMap(parts.map, report);
  const bare: World = {
    clock: parts.clock,
    map: parts.map,
    types: parts.types,
    entities: tableOf([]),
    capabilities: {},
    invariants: [],
    retired: NO_RETIRED_IDS,
  };
  for (const id of sortedKeys(parts.types))
    checkType(bare, parts.types[id] as EntityType, (path, error) => report(["types", id, ...path], error));
  if (faults.length > 0) return { ok: false, error: faults };
  const populated = { ...bare, entities: populate(bare, parts.entities, report) };
  if (faults.length > 0) return { ok: false, error: faults };
  const capabilities: Record<string, Capability> = {};
  for (const id of sortedKeys(parts.capabilities)) {
    const draft = parts.capabilities[id] as CapabilityDraft;
    const capability = { ...draft, version: 1 };
    const compiled = compiledCapability(populated, capability);
    if (compiled.ok) capabilities[id] = capability;
    else report(["capabilities", id], compiled.error);
  }
  // Compiled invariants are remembered by object: each world has its own.
  const invariants = parts.invariants.map((invariant) => ({ ...invariant }));
  invariants.forEach((invariant, i) => {
    const compiled = compileInvariant(populated, invariant);
    if (!compiled.ok) return report(["invariants", i, "expr"], compiled.error);
    const holds = evaluate(compiled.value.expression, { world: populated, variables: {} });
    if (holds.ok && holds.value === true) return undefined;
    return report(["invariants", i, "expr"], {
      message: `the invariant does not hold at the beginning: ${invariant.expr}${holds.ok ? "" : ` (${holds.reason})`}`,
    });
  });
  if (faults.length > 0) return { ok: false, error: faults };
  return { ok: true, value: freeze({ ...populated, capabilities, invariants }, true) };
}

type Report = (path: readonly (string | number)[], error: Pick<ToolError, "message" | "hint" | "path">) => void;

function sortedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).sort(compareText);
}

/** `requires[1].expr` → `["requires", 1, "expr"]`. */
function splitPath(path: string | undefined): readonly (string | number)[] {
  if (path === undefined) return [];
  return [...path.matchAll(/[^.[\]]+/g)].map(([part]) => (/^[0-9]+$/.test(part) ? Number(part) : part));
}

function checkMap(map: WorldMap, report: Report): void {
  const places = Object.keys(map.places);
  map.links.forEach((link, i) => {
    for (const end of ["from", "to"] as const) {
      if (Object.hasOwn(map.places, link[end])) continue;
      report(["map", "links", i, end], {
        message: `there is no place "${link[end]}"`,
        hint: suggest(link[end], places),
      });
    }
  });
}

/** Checks a type's fields: bounds, defaults, and that references name types that exist. */
export function checkType(world: World, type: EntityType, report: Report): void {
  const types = [...Object.keys(world.types), type.id];
  if (Object.keys(type.fields).length > LIMITS.fieldsPerType)
    report(["fields"], { message: `more than ${LIMITS.fieldsPerType} fields` });
  for (const id of sortedKeys(type.fields)) {
    const field = type.fields[id] as Field;
    const path = ["fields", id];
    if (field.kind === "ref" || field.kind === "refs") {
      if (!types.includes(field.of))
        report([...path, "of"], { message: `there is no type "${field.of}"`, hint: suggest(field.of, types) });
      continue;
    }
    if (
      (field.kind === "int" || field.kind === "number") &&
      field.min !== undefined &&
      field.max !== undefined &&
      field.min > field.max
    ) {
      report(path, { message: `min ${field.min} is above max ${field.max}` });
      continue;
    }
    if (field.kind === "enum" && new Set(field.values).size !== field.values.length) {
      report([...path, "values"], { message: "a word stands twice" });
    }
    const checked = checkFieldValue(world, field, defaultOf(field));
    if (!checked.ok)
      report([...path, "default"], {
        message: `default: ${checked.error.message}`,
        hint: checked.error.hint ?? `the field is ${describeField(field)}`,
      });
  }
}

/** All entities. They may refer to one another in any order, so they are put in twice: bare, then checked. */
function populate(world: World, drafts: Readonly<Record<string, EntityDraft>>, report: Report): World["entities"] {
  const ids = sortedKeys(drafts);
  const known: Entity[] = [];
  for (const id of ids) {
    const draft = drafts[id] as EntityDraft;
    if (Object.hasOwn(world.types, draft.type))
      known.push({ id, type: draft.type, name: draft.name, at: null, fields: {} });
    else {
      const hint = nearestWord(draft.type, Object.keys(world.types));
      report(["entities", id, "type"], {
        message: `there is no type "${draft.type}"`,
        hint: hint && `did you mean "${hint}"?`,
      });
    }
  }
  const around = { ...world, entities: tableOf(known) };
  const made: Entity[] = [];
  for (const { id } of known) {
    const entity = makeEntity(around, drafts[id] as EntityDraft);
    if (entity.ok) made.push(entity.value);
    else report(["entities", id], entity.error);
  }
  const table = changeEntities(
    around.entities,
    made.map((entity) => ({ kind: "put", entity }) as const),
  );
  const safe = new Set<string>();
  for (const { id } of made) {
    const circle = circleFrom(table, id, safe);
    if (circle !== undefined)
      report(["entities", id, "at"], { message: `${circle.slice(0, 6).join(" in ")}: nothing is inside itself` });
  }
  return table;
}
