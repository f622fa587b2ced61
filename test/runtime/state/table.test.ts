import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/runtime/canonical.ts";
import { sha256 } from "../../../src/runtime/digest.ts";
import {
  changeEntities,
  containmentBound,
  countEntities,
  countOfType,
  deepestContainment,
  digestOfEntities,
  digestOfRetired,
  entitiesOf,
  entityIds,
  entityIdsAfter,
  entityIdsOfType,
  getEntity,
  isRetired,
  mayReferTo,
  NO_RETIRED_IDS,
  retire,
  retiredIds,
  tableOf,
  valueOf,
  type EntityChange,
  type EntityTable,
} from "../../../src/runtime/state/index.ts";
import type { Entity } from "../../../src/runtime/world.ts";

function entity(id: string, type = "crate", more: Partial<Entity> = {}): Entity {
  return { id, type, name: id, at: null, fields: { weight: 1 }, ...more };
}

const many = (count: number): readonly Entity[] => Array.from({ length: count }, (_, i) => entity(`n${i}`));
const NAMES = Array.from({ length: 400 }, (_, i) => `n${i}`);

/** Everything a table says of itself, however it came to be. */
function tellingOf(table: EntityTable): unknown {
  return {
    entities: entitiesOf(table),
    digest: digestOfEntities(table),
    ids: entityIds(table),
    count: countEntities(table),
    types: ["crate", "jug"].map((type) => [entityIdsOfType(table, type), countOfType(table, type)]),
    deepest: deepestContainment(table),
  };
}

/** A table told by its entities alone. */
const anewFrom = (entities: Iterable<Entity>): EntityTable => tableOf(structuredClone([...entities]).reverse());

const id = fc.constantFrom(...NAMES);
const change: fc.Arbitrary<EntityChange> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), id, field: fc.constant("weight"), value: fc.integer() }),
  fc.record({
    kind: fc.constant("set" as const),
    id,
    field: fc.constant("at"),
    value: fc.oneof(fc.constantFrom(null, "mill"), id),
  }),
  fc.record({ kind: fc.constant("rename" as const), id, name: fc.string() }),
  fc.record({ kind: fc.constant("delete" as const), id }),
  fc
    .record({ id, type: fc.constantFrom("crate", "jug") })
    .map((one) => ({ kind: "put" as const, entity: entity(one.id, one.type) })),
);
/** Some rounds of few changes, and some in which whole crowds come or go. */
const round: fc.Arbitrary<readonly EntityChange[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(change, { maxLength: 8 }) },
  fc.nat(300).map((from) => NAMES.slice(from, from + 90).map((one) => ({ kind: "put" as const, entity: entity(one) }))),
  fc.nat(300).map((from) => NAMES.slice(from, from + 90).map((one) => ({ kind: "delete" as const, id: one }))),
);

describe("the table of entities", () => {
  it("RT12 RT65 is the same whatever the order in which entities came", () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/), { maxLength: 150, size: "max" });
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.constantFrom("crate", "jug")), (list, types) => {
        const all = list.map((one) => entity(one, types.next().value));
        expect(tellingOf(tableOf(all))).toEqual(tellingOf(tableOf(all.toReversed())));
        expect(entityIds(tableOf(all))).toEqual(list.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it("RT12 lists ids in the order of their characters, by type too", () => {
    const table = tableOf([entity("b10"), entity("b9"), entity("a_z"), entity("az", "jug"), entity("a")]);
    expect(entityIds(table)).toEqual(["a", "a_z", "az", "b10", "b9"]);
    expect(entityIdsOfType(table, "crate")).toEqual(["a", "a_z", "b10", "b9"]);
    expect(entityIdsOfType(table, "cart")).toEqual([]);
    expect(entityIdsOfType(table, "constructor")).toEqual([]);
    expect(countEntities(table)).toBe(5);
  });

  it("RT9 reaches no prototype", () => {
    const table = tableOf([entity("a", "crate", { fields: { tostring: 1, valueof: 2 } })]);
    for (const one of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(getEntity(table, one)).toBeUndefined();
      expect(valueOf(entity("a"), one)).toBeUndefined();
    }
    expect(valueOf(getEntity(table, "a") as Entity, "tostring")).toBe(1);
    expect(valueOf(entity("a", "crate", { at: "mill" }), "at")).toBe("mill");
  });

  it("RT65 RT66 changed round by round is the table built anew, its digest and its listings too, while crowds come and go", () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 10, size: "max" }), fc.boolean(), (rounds, isIndexed) => {
        let table = tableOf([entity("n1"), entity("n2", "jug")]);
        if (isIndexed) mayReferTo((table = changeEntities(table, many(70).map(putting))), ["n1"]);
        const model = new Map<string, Entity>(entitiesOf(table).map((one) => [one.id, structuredClone(one)]));
        for (const one of rounds) {
          const changes = lawfulOf(one, model);
          const before = canonicalJson(tellingOf(table));
          const next = changeEntities(table, changes);
          expect(canonicalJson(tellingOf(table))).toBe(before);
          for (const change of changes) applyTo(model, change);
          table = next;
          expect(tellingOf(table)).toEqual(tellingOf(anewFrom(model.values())));
          for (const target of ["n1", "n7", "n150"])
            expect(mayReferTo(table, [target])).toEqual(expect.arrayContaining([...holding(model, target)]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("RT12 the root is SHA-256 over the digests of the entities in order, where they lie in one bucket", () => {
    const all = many(64);
    const sorted = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(digestOfEntities(tableOf(all))).toBe(sha256(sorted.map((one) => sha256(canonicalJson(one))).join("\n")));
    expect(digestOfEntities(tableOf(many(65)))).not.toBe(digestOfEntities(tableOf(all)));
  });

  it("RT65 every value of every entity of a large world shows in the root", () => {
    const table = tableOf(many(3_000));
    const roots = new Set(
      ["n0", "n17", "n1234", "n2999"].flatMap((one) => [
        digestOfEntities(changeEntities(table, [{ kind: "set", id: one, field: "weight", value: 2 }])),
        digestOfEntities(changeEntities(table, [{ kind: "set", id: one, field: "at", value: "mill" }])),
        digestOfEntities(changeEntities(table, [{ kind: "rename", id: one, name: "x" }])),
        digestOfEntities(changeEntities(table, [{ kind: "delete", id: one }])),
      ]),
    );
    expect(roots.add(digestOfEntities(table)).size).toBe(17);
    const back = changeEntities(changeEntities(table, [{ kind: "set", id: "n5", field: "weight", value: 2 }]), [
      { kind: "set", id: "n5", field: "weight", value: 1 },
    ]);
    expect(digestOfEntities(back)).toBe(digestOfEntities(table));
  });

  it("RT66 shares what a change leaves alone, in small worlds and in large ones", () => {
    for (const count of [5, 5_000]) {
      const table = tableOf(many(count));
      const next = changeEntities(table, [{ kind: "set", id: "n1", field: "weight", value: 2 }]);
      expect(getEntity(next, "n2")).toBe(getEntity(table, "n2"));
      expect(entityIds(next)).toBe(entityIds(table));
      expect(entityIdsOfType(next, "crate")).toBe(entityIdsOfType(table, "crate"));
      expect(changeEntities(table, [{ kind: "set", id: "n1", field: "weight", value: 1 }])).toBe(table);
    }
  });

  it("RT40 goes on listing after any id, whether it is there or not", () => {
    const table = changeEntities(tableOf(many(2_000)), [{ kind: "delete", id: "n1000" }]);
    for (const after of ["", "m", "n1000", "n1500", "n999", "z"]) {
      const expected = entityIds(table).filter((one) => one > after);
      expect([...entityIdsAfter(table, undefined, after)]).toEqual(expected);
      expect([...entityIdsAfter(table, "crate", after)]).toEqual(expected);
    }
    expect([...entityIdsAfter(table, "jug", "")]).toEqual([]);
  });

  it("RT12 a change of what is not there is a fault of ours and throws", () => {
    expect(() => changeEntities(tableOf([]), [{ kind: "set", id: "a", field: "weight", value: 2 }])).toThrow(
      "no entity a",
    );
  });

  it("RT65 keeps entities in the spelling in which they are hashed, whatever the order of their keys", () => {
    const loose = { fields: { b: 1, a: [] }, type: "crate", id: "x", at: null, name: "X" } satisfies Entity;
    const kept = getEntity(tableOf([loose]), "x");
    expect(JSON.stringify(kept)).toBe(canonicalJson(loose));
    expect(Object.isFrozen(kept) && Object.isFrozen(kept?.fields)).toBe(true);
  });
});

describe("containment", () => {
  it("RT20 in a circle does not hang the question how deep it is", () => {
    const table = tableOf([
      entity("a", "crate", { at: "b" }),
      entity("b", "crate", { at: "a" }),
      entity("c", "crate", { at: "b" }),
    ]);
    expect(Number.isFinite(deepestContainment(table))).toBe(true);
  });

  it("RT20 is never deeper than its bound, which follows every move, coming and going", () => {
    const few = fc.constantFrom("a", "b", "c", "d", "e");
    const move = fc.oneof(
      fc.record({ kind: fc.constant("move" as const), id: few, to: fc.oneof(fc.constant("mill"), few) }),
      fc.record({ kind: fc.constantFrom("come" as const, "go" as const), id: few, to: fc.constant("mill") }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
        let table = tableOf(["a", "b", "c"].map((one) => entity(one, "crate", { at: "mill" })));
        for (const { kind, id: one, to } of moves) {
          const isThere = getEntity(table, one) !== undefined;
          const isHolder = entitiesOf(table).some(({ at }) => at === one);
          if (kind === "come")
            table = changeEntities(table, isThere ? [] : [putting(entity(one, "crate", { at: to }))]);
          else if (kind === "go")
            table = changeEntities(table, isHolder || !isThere ? [] : [{ kind: "delete", id: one }]);
          else if (isThere && one < to && (to === "mill" || getEntity(table, to) !== undefined))
            table = changeEntities(table, [{ kind: "set", id: one, field: "at", value: to }]);
          const held = entitiesOf(table).filter(({ at }) => at !== null && getEntity(table, at) !== undefined);
          expect(containmentBound(table)).toBe(held.length + 1);
          expect(deepestContainment(table)).toBeLessThanOrEqual(containmentBound(table));
        }
      }),
    );
  });
});

describe("retired ids", () => {
  it("RT6 RT65 are known one by one, listed in order, and hashed whatever the order in which they went", () => {
    const all = NAMES.slice(0, 200);
    const atOnce = retire(NO_RETIRED_IDS, all);
    const oneByOne = all.toReversed().reduce((now, one) => retire(now, [one]), NO_RETIRED_IDS);
    expect(retiredIds(oneByOne)).toEqual(all.toSorted());
    expect(digestOfRetired(oneByOne)).toBe(digestOfRetired(atOnce));
    expect(digestOfRetired(retire(NO_RETIRED_IDS, all.slice(1)))).not.toBe(digestOfRetired(atOnce));
    expect([isRetired(atOnce, "n3"), isRetired(atOnce, "n300"), isRetired(NO_RETIRED_IDS, "n3")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

function putting(one: Entity): EntityChange {
  return { kind: "put", entity: one };
}

/** Changes that a step might make: of what is there, and none to what it takes away. */
function lawfulOf(changes: readonly EntityChange[], model: ReadonlyMap<string, Entity>): readonly EntityChange[] {
  const idOf = (one: EntityChange) => (one.kind === "put" ? one.entity.id : one.id);
  const gone = new Set(changes.flatMap((one) => (one.kind === "delete" ? [one.id] : [])));
  const isThere = (id: unknown) => typeof id !== "string" || id === "mill" || (model.has(id) && !gone.has(id));
  return changes.filter((one) => {
    if (one.kind === "delete") return true;
    if (gone.has(idOf(one))) return false;
    return one.kind === "put" || (model.has(one.id) && (one.kind === "rename" || isThere(one.value)));
  });
}

/** Who holds an id somewhere. */
function holding(model: ReadonlyMap<string, Entity>, target: string): readonly string[] {
  if (!model.has(target)) return [];
  return [...model.values()].flatMap((one) => (one.at === target ? [one.id] : []));
}

/** The change, done plainly. */
function applyTo(model: Map<string, Entity>, change: EntityChange): void {
  if (change.kind === "put") model.set(change.entity.id, change.entity);
  else if (change.kind === "delete") model.delete(change.id);
  else {
    const before = model.get(change.id) as Entity;
    if (change.kind === "rename") model.set(change.id, { ...before, name: change.name });
    else if (change.field === "at") model.set(change.id, { ...before, at: change.value as string | null });
    else model.set(change.id, { ...before, fields: { ...before.fields, [change.field]: change.value } });
  }
}
