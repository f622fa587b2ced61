/**
 * What the judge could look at when it judges a round: not only what the round's triggers read, but what they would
 * read on any state in which it tries them. A difference outside of it changes no verdict of the round. Errs on the
 * side of too much.
 */
import {
  compileCapability,
  entityIds,
  entityIdsOfType,
  getEntity,
  type Capability,
  type Field,
  type World,
} from "../../../runtime/index.ts";
import type {
  HeldEvent,
  RoundContract,
  StructureItem,
  Trace,
  TracedTrigger,
  TraceStep,
} from "../../../contracts/index.ts";
import type { Base } from "./base.ts";
import { looksOf } from "./looks.ts";

export interface Reach {
  /** Fields that may be looked at of any entity. */
  readonly fields: ReadonlySet<string>;
  /** Paths, but for `at`, that may be looked at besides. */
  readonly paths: ReadonlySet<string>;
  /** Entities whose `at` may be looked at. */
  readonly placed: ReadonlySet<string>;
}

export function isWithin({ fields, paths, placed }: Reach, id: string, field: string): boolean {
  return field === "at" ? placed.has(id) : fields.has(field) || paths.has(`${id}.${field}`);
}

/** The reach of a structure: of what its perturbations are held through, and of its use. */
export function reachOfStructure(
  item: StructureItem,
  base: Pick<Base, "trace" | "outcome">,
  use: HeldEvent,
): Reach | undefined {
  const since = [...item.refusedWhen, ...item.allowedWhen].flatMap(({ since }) =>
    since === undefined ? [] : (base.outcome.held.get(since)?.firstStep ?? []),
  );
  const from = Math.min(use.firstStep, ...since);
  const steps = [...base.trace.steps.values()].filter(
    ({ record }) => record.step >= from && record.step <= use.lastStep,
  );
  return reachOfSteps(steps, [], [item]);
}

/** The reach of a round that is played as in `trace`; undefined where the round has no steps. */
export function reachOf(round: RoundContract, trace: Trace): Reach | undefined {
  return reachOfSteps(trace.rounds.get(round.round) ?? [], conditionsOf(round), round.structures);
}

function reachOfSteps(
  steps: readonly TraceStep[],
  conditions: readonly string[],
  structures: readonly StructureItem[],
): Reach | undefined {
  const world = steps[0]?.before;
  if (world === undefined) return undefined;
  const [fields, paths, placed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const text of [...conditions, ...world.invariants.map(({ expr }) => expr)]) {
    const looks = looksOf(world, text);
    looks.fields.forEach((field) => fields.add(field));
    looks.paths.filter((path) => path.endsWith(".at")).forEach((path) => placed.add(path.slice(0, -".at".length)));
  }
  const swapped = structures.flatMap(({ refusedWhen, allowedWhen }) =>
    [...refusedWhen, ...allowedWhen].flatMap((one) => [
      ...Object.values(one.args ?? {}),
      ...Object.values(one.paths).flat(),
      ...Object.keys(one.paths).map((path) => path.split(".")[0]),
    ]),
  );
  for (const { before, record } of steps) {
    for (const trigger of record.triggers) {
      const capability = before.capabilities[trigger.capability] as Capability;
      const reach = reachOfCapability(
        before,
        capability,
        [...Object.values(trigger.args), ...swapped].filter((one) => typeof one === "string"),
      );
      reach.fields.forEach((field) => fields.add(field));
      reach.paths.forEach((path) => paths.add(path));
      reach.placed.forEach((id) => placed.add(id));
    }
  }
  return { fields, paths, placed };
}

function conditionsOf({ events, probes }: RoundContract): readonly string[] {
  return [
    ...events.flatMap(({ given, accepts }) => [given, ...accepts.map((way) => way.given)]),
    ...probes.flatMap((probe) => [probe.while, "holds" in probe.forbids ? probe.forbids.holds : undefined]),
  ].filter((text) => text !== undefined);
}

function allFields(world: World): ReadonlySet<string> {
  return new Set(Object.values(world.types).flatMap(({ fields }) => Object.keys(fields)));
}

function refFields(world: World): readonly string[] {
  return Object.values(world.types).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([id, field]) => (isRef(field) ? [id] : [])),
  );
}

function isRef(field: Field): field is Extract<Field, { kind: "ref" | "refs" }> {
  return field.kind === "ref" || field.kind === "refs";
}

/** The reach of one trigger, tried by itself on any state. */
export function reachOfTrigger({ step: { before }, trigger }: TracedTrigger): Reach {
  const args = Object.values(trigger.args).filter((arg) => typeof arg === "string");
  return reachOfCapability(before, before.capabilities[trigger.capability] as Capability, args);
}

function reachOfCapability(world: World, capability: Capability, args: readonly string[]): Reach {
  const compiled = compileCapability(world, capability);
  const everybody = new Set(entityIds(world.entities));
  if (!compiled.ok) return { fields: allFields(world), paths: new Set(), placed: everybody };
  const { mentions } = compiled.value;
  const referred = Object.values(world.types).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([id, field]) =>
      mentions.fields.has(id) && isRef(field) ? entityIdsOfType(world.entities, field.of) : [],
    ),
  );
  const roots = new Set(
    [
      ...args,
      ...mentions.entities,
      ...[...mentions.ranges].flatMap((type) => entityIdsOfType(world.entities, type)),
      ...referred,
    ].filter((id) => getEntity(world.entities, id) !== undefined),
  );
  const texts = JSON.stringify([capability.requires, capability.effects, capability.duration]);
  // What goes through places to further entities may end anywhere.
  if (/\.at\.|\binside\(|\bentity\(/.test(texts))
    return { fields: new Set([...mentions.fields, ...refFields(world)]), paths: new Set(), placed: everybody };
  // It starts from its roots, and every reference that it may follow leads to a root.
  const looked = [...mentions.fields, ...refFields(world)];
  const paths = new Set([...roots].flatMap((id) => looked.map((field) => `${id}.${field}`)));
  const writesPlace = capability.effects.some(
    (effect) => effect.set?.endsWith(".at") === true || effect.create !== undefined || effect.destroy !== undefined,
  );
  return { fields: new Set(), paths, placed: writesPlace ? withHolders(world, roots) : roots };
}

/** The entities, and all of the types that hold any of them, that hold those, and so on: a circle is looked for among them. */
function withHolders(world: World, roots: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(roots);
  const types = new Set<string>();
  for (const id of all) {
    const at = getEntity(world.entities, id)?.at ?? null;
    const type = at === null ? undefined : getEntity(world.entities, at)?.type;
    if (type === undefined || types.has(type)) continue;
    types.add(type);
    for (const other of entityIdsOfType(world.entities, type)) all.add(other);
  }
  return all;
}
