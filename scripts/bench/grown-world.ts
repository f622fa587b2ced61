/** A world of any size whose rules do the same work for each of its people: what is left to grow is the engine. */
import { buildWorld, compileDynamics, type Dynamics, type World } from "../../src/runtime/index.ts";

export interface GrownWorld {
  readonly world: World;
  readonly dynamics: Dynamics;
}

/** Three processes over `people` people in ten houses: a counter, a contagion from the house, a choice by threshold. */
export function growWorld(people: number): GrownWorld {
  const houses = Array.from({ length: 10 }, (_, i) => `house_${i}`);
  const place = (i: number): string => houses[i % houses.length] ?? "";
  const entities = [
    ...houses.map((id) => ({ id: `hearth_${id}`, type: "hearth", name: id, at: id, fields: {} })),
    ...Array.from({ length: people }, (_, i) => ({
      id: `person_${i}`,
      type: "person",
      name: `person ${i}`,
      at: place(i),
      fields: { hearth: `hearth_${place(i)}`, energy: i % 20 },
    })),
  ];
  const built = buildWorld({
    clock: 0,
    map: { places: Object.fromEntries(houses.map((id) => [id, id])), links: [] },
    types: {
      hearth: {
        id: "hearth",
        says: "",
        fields: { warmth: { kind: "int", min: 0, max: 20, default: 10 } },
      },
      person: {
        id: "person",
        says: "",
        fields: {
          energy: { kind: "int", min: 0, max: 20 },
          mood: { kind: "enum", values: ["calm", "cross"] },
          hearth: { kind: "ref", of: "hearth", default: null },
        },
      },
    },
    entities: Object.fromEntries(entities.map((entity) => [entity.id, entity])),
    capabilities: {},
    invariants: [],
  });
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join("\n"));
  const process = { says: "…", tells: "…", every: 1, phase: 0 } as const;
  const compiled = compileDynamics(built.value, {
    character: "person_0",
    processes: {
      tiring: {
        ...process,
        id: "tiring",
        name: "Tiring",
        for: { p: "person" },
        when: "(clock + p.energy) % 2 == 0",
        effects: [{ add: "p.energy", by: "p.energy > 0 ? -1 : 20" }],
        priority: 0,
      },
      warming: {
        ...process,
        id: "warming",
        name: "Warming",
        for: { h: "hearth" },
        effects: [{ add: "h.warmth", by: "clock % 20 < 10 ? 1 : -1" }],
        priority: 0,
      },
      temper: {
        ...process,
        id: "temper",
        name: "Temper",
        for: { p: "person" },
        when: "p.hearth.warmth < 12 && p.energy < 8 && clock % 4 == 0",
        effects: [{ set: "p.mood", expr: 'p.mood == "calm" ? "cross" : "calm"' }],
        priority: 1,
      },
    },
    schedule: {},
    visibility: {},
    creates: [],
    decision: 8,
    segment: 24,
    ticks: 96,
  });
  if (!compiled.ok) throw new Error(compiled.error.map(({ message }) => message).join("\n"));
  return { world: built.value, dynamics: compiled.value };
}
