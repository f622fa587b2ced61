/** What a tier withholds, constructed before it is first needed. */
import {
  compareText,
  compileCapability,
  compileCondition,
  defaultOf,
  getEntity,
  entityIdsOfType,
  mayConstruct,
  mentionsOfExpressions,
  sameJson,
  type Capability,
  type Entity,
  type EntityType,
  type Json,
  type Tier,
} from "../runtime/index.ts";
import type { RoundContract } from "../contracts/index.ts";
import type { Case } from "./case.ts";
import type { Call } from "./solution.ts";

type Solved = Pick<Case, "world" | "contract" | "reference">;
type Input = { readonly [key: string]: Json };

/**
 * By round, and in it by step: the constructions to make just before that step. The last entry of a round comes after
 * its steps. What a round's contract speaks of is there before the round's first step.
 */
export function deriveConstructions(case_: Solved, tier: Tier): readonly (readonly (readonly Call[])[])[] {
  const builder = new Builder(case_, tier);
  return case_.reference.map((steps, i) => {
    const before = steps.map((step, k) => {
      if (k === 0) builder.needContract(case_.contract.rounds[i] as RoundContract);
      for (const { capability, args } of step.triggers) {
        builder.needCapability(capability);
        for (const name of Object.keys(args).sort(compareText)) builder.needEntity(args[name]);
      }
      return builder.take();
    });
    return [...before, builder.take()];
  });
}

/** Constructs each thing once, after all that it refers to. */
class Builder {
  readonly #case: Solved;
  readonly #tier: Tier;
  readonly #built = new Set<string>();
  /** Fields of a type that wait for a type which is still being built. */
  readonly #deferred = new Map<string, string[]>();
  #calls: Call[] = [];

  constructor(case_: Solved, tier: Tier) {
    this.#case = case_;
    this.#tier = tier;
  }

  /** The constructions that were needed since the last call. */
  take(): readonly Call[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  needCapability(id: string): void {
    const capability = this.#case.world.capabilities[id];
    if (!mayConstruct(this.#tier, "capability") || capability === undefined || !this.#begin(`capability ${id}`)) return;
    const compiled = compileCapability(this.#case.world, capability);
    if (!compiled.ok) throw new Error(`deriveConstructions: ${id}: ${compiled.error.message}`);
    const { mentions } = compiled.value;
    for (const type of sorted(mentions.types)) this.needType(type);
    for (const type of sorted(mentions.ranges))
      for (const entity of entityIdsOfType(this.#case.world.entities, type)) this.needEntity(entity);
    for (const entity of sorted(mentions.entities)) this.needEntity(entity);
    this.#construct({ op: "create", capability: draftOf(capability) });
  }

  needEntity(id: unknown): void {
    const entity = typeof id === "string" ? getEntity(this.#case.world.entities, id) : undefined;
    if (!mayConstruct(this.#tier, "entity") || entity === undefined || !this.#begin(`entity ${entity.id}`)) return;
    this.needType(entity.type);
    this.needEntity(entity.at);
    const type = this.#case.world.types[entity.type] as EntityType;
    for (const field of Object.keys(type.fields).sort(compareText)) {
      const kind = type.fields[field]?.kind;
      if (kind === "ref") this.needEntity(entity.fields[field]);
      if (kind === "refs") for (const member of entity.fields[field] as readonly string[]) this.needEntity(member);
    }
    this.#construct({ op: "create", entity: entityDraft(entity, type) });
  }

  needType(id: string): void {
    const type = this.#case.world.types[id];
    if (!mayConstruct(this.#tier, "type") || type === undefined || !this.#begin(`type ${id}`)) return;
    const later: string[] = [];
    for (const field of Object.keys(type.fields).sort(compareText)) {
      const spec = type.fields[field];
      if (spec?.kind !== "ref" && spec?.kind !== "refs") continue;
      if (spec.of !== id && !this.#isBuilt(spec.of)) this.needType(spec.of);
      if (spec.of !== id && !this.#isBuilt(spec.of)) {
        later.push(field);
        this.#deferred.set(spec.of, [...(this.#deferred.get(spec.of) ?? []), id]);
      }
    }
    this.#construct({ op: "create", type: { ...type, fields: without(type.fields, later) } as unknown as Json });
    this.#built.add(`done ${id}`);
    for (const waiting of this.#deferred.get(id) ?? [])
      this.#construct({ op: "update", type: this.#case.world.types[waiting] as unknown as Json });
  }

  /** All that a round's contract speaks of. */
  needContract(contract: RoundContract): void {
    const paths = [
      ...contract.events.flatMap((event) => [
        ...event.defining,
        ...event.accepts.flatMap((way) => Object.keys(way.defining)),
      ]),
      ...contract.structures.flatMap((item) =>
        [...item.refusedWhen, ...item.allowedWhen].flatMap((one) => Object.keys(one.paths)),
      ),
      ...contract.probes.flatMap((probe) => ("changes" in probe.forbids ? Object.keys(probe.forbids.changes) : [])),
    ];
    const ids = [
      ...contract.events.flatMap((event) => event.involves),
      ...contract.structures.flatMap((item) => [
        item.reference,
        ...[...item.refusedWhen, ...item.allowedWhen].flatMap((one) => [
          ...Object.values(one.paths),
          ...Object.values(one.args ?? {}),
        ]),
      ]),
      ...paths.map((path) => path.split(".")[0]),
      ...expressionsOf(contract).flatMap((text) => {
        const compiled = compileCondition(this.#case.world, text);
        return compiled.ok ? [...mentionsOfExpressions([compiled.value]).entities] : [];
      }),
    ];
    for (const id of sorted(new Set(ids.filter((one) => typeof one === "string")))) this.needEntity(id);
  }

  #begin(what: string): boolean {
    if (this.#built.has(what)) return false;
    this.#built.add(what);
    return true;
  }

  #isBuilt(type: string): boolean {
    return this.#built.has(`done ${type}`);
  }

  #construct(input: Input): void {
    this.#calls.push({ tool: "construct", input });
  }
}

function expressionsOf(contract: RoundContract): readonly string[] {
  return [
    ...contract.events.flatMap((event) => [event.given, ...event.accepts.map((way) => way.given)]),
    ...contract.probes.flatMap((probe) => [probe.while, "holds" in probe.forbids ? probe.forbids.holds : undefined]),
  ].filter((text) => text !== undefined);
}

function sorted(set: ReadonlySet<string>): readonly string[] {
  return [...set].sort(compareText);
}

function without<T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

function draftOf(capability: Capability): Json {
  const { version: _, ...draft } = capability;
  return draft as unknown as Json;
}

/** An entity as it is constructed: only what differs from the defaults of its type. */
function entityDraft(entity: Entity, type: EntityType): Json {
  const fields = Object.entries(entity.fields).filter(([field, value]) => {
    const spec = type.fields[field];
    return spec !== undefined && !sameJson(value, defaultOf(spec));
  });
  return {
    id: entity.id,
    type: entity.type,
    name: entity.name,
    at: entity.at,
    fields: Object.fromEntries(fields) as Json,
  };
}
