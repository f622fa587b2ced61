import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import {
  changeEntities,
  countEntities,
  deepestContainment,
  digestOfEntities,
  entityIds,
  entityIdsOfType,
  getEntity,
  tableOf,
  valueOf,
  type EntityChange,
} from "../../src/runtime/state.ts";
import type { Entity } from "../../src/runtime/world.ts";

function entity(id: string, type = "crate", more: Partial<Entity> = {}): Entity {
  return { id, type, name: id, at: null, fields: { weight: 1 }, ...more };
}

describe("the table of entities", () => {
  it("RT12 is the same whatever the order in which entities came", () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/), { maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.constantFrom("crate", "jug")), (list, types) => {
        const all = list.map((id) => entity(id, types.next().value));
        const [one, other] = [tableOf(all), tableOf([...all].reverse())];
        expect(canonicalJson(one)).toBe(canonicalJson(other));
        expect(digestOfEntities(one)).toBe(digestOfEntities(other));
        expect(entityIds(one)).toEqual([...list].sort());
      }),
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
    for (const id of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(getEntity(table, id)).toBeUndefined();
      expect(valueOf(entity("a"), id)).toBeUndefined();
    }
    expect(valueOf(getEntity(table, "a") as Entity, "tostring")).toBe(1);
    expect(valueOf(entity("a", "crate", { at: "mill" }), "at")).toBe("mill");
  });

  it("RT12 changed step by step is the table built anew, and its digest too", () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const change: fc.Arbitrary<EntityChange> = fc.oneof(
      fc.record({ kind: fc.constant("set" as const), id, field: fc.constant("weight"), value: fc.integer() }),
      fc.record({
        kind: fc.constant("set" as const),
        id,
        field: fc.constant("at"),
        value: fc.constantFrom(null, "mill"),
      }),
      fc.record({ kind: fc.constant("rename" as const), id, name: fc.string() }),
      fc.record({ kind: fc.constant("delete" as const), id }),
      fc
        .record({ id, type: fc.constantFrom("crate", "jug") })
        .map((one) => ({ kind: "put" as const, entity: entity(one.id, one.type) })),
    );
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), (rounds) => {
        let table = tableOf([entity("a"), entity("b", "jug")]);
        const model = new Map<string, Entity>(Object.entries(structuredClone(table.byId)));
        for (const round of rounds) {
          const lawful = round.filter((one) => one.kind === "put" || one.kind === "delete" || model.has(one.id));
          const ids = new Set(lawful.flatMap((one) => (one.kind === "delete" ? [one.id] : [])));
          const changes = lawful.filter(
            (one) => one.kind === "delete" || !ids.has(one.kind === "put" ? one.entity.id : one.id),
          );
          const before = canonicalJson(table);
          const next = changeEntities(table, changes);
          expect(canonicalJson(table)).toBe(before);
          for (const one of changes) applyTo(model, one);
          table = next;
          const anew = tableOf(structuredClone([...model.values()]));
          expect(canonicalJson(anew)).toBe(canonicalJson(table));
          expect(digestOfEntities(anew)).toBe(digestOfEntities(table));
          expect(deepestContainment(anew)).toBe(deepestContainment(table));
        }
      }),
    );
  });

  it("RT12 shares what a change leaves alone", () => {
    const table = tableOf([entity("a"), entity("b")]);
    const next = changeEntities(table, [{ kind: "set", id: "a", field: "weight", value: 2 }]);
    expect(next.byId["b"]).toBe(table.byId["b"]);
    expect(next.ids).toBe(table.ids);
    expect(next.byType).toBe(table.byType);
  });

  it("RT12 a change of what is not there is a fault of ours and throws", () => {
    expect(() => changeEntities(tableOf([]), [{ kind: "set", id: "a", field: "weight", value: 2 }])).toThrow(
      "no entity a",
    );
  });

  it("RT20 containment in a circle does not hang the question how deep it is", () => {
    const table = tableOf([
      entity("a", "crate", { at: "b" }),
      entity("b", "crate", { at: "a" }),
      entity("c", "crate", { at: "b" }),
    ]);
    expect(Number.isFinite(deepestContainment(table))).toBe(true);
  });
});

/** The change, done plainly. */
function applyTo(model: Map<string, Entity>, change: EntityChange): void {
  if (change.kind === "put") model.set(change.entity.id, change.entity);
  else if (change.kind === "delete") model.delete(change.id);
  else {
    const known = model.get(change.id) as Entity;
    if (change.kind === "rename") model.set(change.id, { ...known, name: change.name });
    else if (change.field === "at") model.set(change.id, { ...known, at: change.value as string | null });
    else model.set(change.id, { ...known, fields: { ...known.fields, [change.field]: change.value } });
  }
}
