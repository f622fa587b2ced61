import { entitiesOf, retire } from "../../src/runtime/state/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/runtime/canonical.ts";
import { isLinked, travelTicks } from "../../src/runtime/travel.ts";
import {
  digestOfWorld,
  mapSchema,
  plainWorld,
  typeSchema,
  type World,
  type WorldMap,
} from "../../src/runtime/world.ts";
import { accepted, having, submit, village, villageWith } from "./support/village.ts";

describe("the digest of a world", () => {
  it("RT12 is that of every other world with the same canonical JSON, and of none with another", () => {
    const variant = fc.record({
      clock: fc.integer({ min: 0, max: 2 }),
      coins: fc.integer({ min: 0, max: 2 }),
      place: fc.constantFrom("mill", "ford", null),
      label: fc.constantFrom("", "0", "null"),
    });
    const make = ({
      clock,
      coins,
      place,
      label,
    }: {
      clock: number;
      coins: number;
      place: string | null;
      label: string;
    }) =>
      villageWith(
        { dan: { type: "person", at: place, fields: { coins } }, mug: { type: "jug", fields: { label } } },
        { clock },
      );
    fc.assert(
      fc.property(variant, variant, (a, b) => {
        const [one, other] = [make(a), make(b)];
        expect(digestOfWorld(one) === digestOfWorld(other)).toBe(
          canonicalJson(plainWorld(one)) === canonicalJson(plainWorld(other)),
        );
      }),
    );
  });

  it("RT12 tells apart worlds that differ in any one part", () => {
    const world = having(village(), { act: { effects: [{ destroy: "bag" }] } });
    const other: readonly World[] = [
      world,
      { ...world, clock: 1 },
      { ...world, map: { ...world.map, links: [] } },
      { ...world, types: { ...world.types, cart: typeSchema.parse({ id: "cart" }) } },
      { ...world, capabilities: {} },
      {
        ...world,
        capabilities: { act: { ...(world.capabilities["act"] as World["capabilities"][string]), version: 2 } },
      },
      { ...world, invariants: [{ expr: "true", says: "" }] },
      { ...world, retired: retire(world.retired, ["old"]) },
      villageWith({ dan: { type: "person" } }),
      accepted(submit(world, [{ capability: "act" }])).world,
    ];
    expect(new Set(other.map(digestOfWorld)).size).toBe(other.length);
  });

  it("RT1 RT6 a world in which something is gone is not the world in which it never was", () => {
    const world = having(village(), {
      act: { effects: [{ create: "crate", id: "chest" }] },
      undo: { effects: [{ destroy: "it", for: { each: "crate", where: 'it.name == "chest"' } }] },
    });
    const made = accepted(submit(world, [{ capability: "act" }])).world;
    const gone = accepted(submit(made, [{ capability: "undo" }])).world;
    expect(canonicalJson(entitiesOf(gone.entities))).toBe(canonicalJson(entitiesOf(world.entities)));
    expect(digestOfWorld({ ...gone, clock: 0 })).not.toBe(digestOfWorld(world));
  });
});

describe("travel", () => {
  const PLACES = ["a", "b", "c", "d", "e", "f"];
  const place = fc.constantFrom(...PLACES);
  const link = fc.record({ from: place, to: place, bothWays: fc.boolean(), ticks: fc.integer({ min: 1, max: 9 }) });
  const places = Object.fromEntries(PLACES.map((id) => [id, ""]));

  /** All shortest ways, plainly (Floyd and Warshall). */
  function plainly(map: WorldMap): (from: string, to: string) => number {
    const way = new Map<string, number>();
    const get = (a: string, b: string) => (a === b ? 0 : (way.get(a + b) ?? Infinity));
    for (const { from, to, bothWays, ticks } of map.links) {
      way.set(from + to, Math.min(get(from, to), ticks));
      if (bothWays) way.set(to + from, Math.min(get(to, from), ticks));
    }
    for (const k of PLACES)
      for (const i of PLACES) for (const j of PLACES) way.set(i + j, Math.min(get(i, j), get(i, k) + get(k, j)));
    return get;
  }

  it("RT14 takes the shortest way there is, in the directions the links allow", () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 12 }), (links) => {
        const map = mapSchema.parse({ places, links });
        const expected = plainly(map);
        for (const from of PLACES) {
          for (const to of PLACES) expect(travelTicks(map, from, to) ?? Infinity).toBe(expected(from, to));
        }
      }),
    );
  });

  it("RT3 RT14 linked is a direct way in its direction", () => {
    const map = mapSchema.parse({
      places,
      links: [
        { from: "a", to: "b" },
        { from: "c", to: "b", bothWays: true },
      ],
    });
    const asked = [
      ["a", "b"],
      ["b", "a"],
      ["b", "c"],
      ["c", "b"],
      ["a", "c"],
      ["a", "a"],
    ] as const;
    expect(asked.map(([from, to]) => isLinked(map, from, to))).toEqual([true, false, true, true, false, false]);
  });
});
