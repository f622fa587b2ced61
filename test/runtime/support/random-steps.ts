/** Random steps in the village, for properties: many are accepted, many conflict, many break a rule. */
import fc from "fast-check";
import type { World } from "../../../src/runtime/world.ts";
import { having, submit, village, type LooseTrigger } from "./village.ts";

const PEOPLE = ["ann", "bob", "cat"];
const PLACES = ["mill", "ford", "inn", "isle"];
const THINGS = [...PEOPLE, "jug", "cup", "box", "bag", "weavers"];

/** The village with a capability for every effect, some with rules, and two invariants. */
export const randomWorld = having(
  village({ invariants: [{ expr: "all(person).all(p, p.coins <= 60)" }, { expr: "jug.litres + cup.litres <= 9" }] }),
  {
    go: {
      params: { who: { type: "person" }, to: { kind: "place" } },
      requires: [{ expr: "linked(who.at, to)" }],
      effects: [{ set: "who.at", expr: "to" }],
      duration: "travelTicks(who.at, to)",
    },
    put: { params: { what: {}, into: {} }, effects: [{ set: "what.at", expr: "into" }], duration: 2 },
    pour: { params: { into: { type: "jug" }, n: { kind: "number" } }, effects: [{ add: "into.litres", by: "n" }] },
    fill: {
      params: { into: { type: "jug" }, n: { kind: "number" } },
      effects: [{ set: "into.litres", expr: "n" }, { claim: "into.at" }],
    },
    join: { params: { who: { type: "person" } }, effects: [{ insert: "weavers.members", expr: "who" }] },
    leave: { params: { who: { type: "person" } }, effects: [{ remove: "weavers.members", expr: "who" }], duration: 3 },
    befriend: {
      params: { who: { type: "person" }, whom: { type: "person" } },
      requires: [{ expr: "who.friend != whom" }],
      effects: [{ set: "who.friend", expr: "whom" }],
    },
    feast: {
      effects: [
        { add: "it.coins", by: 7, for: { each: "person", where: "it.at == mill" } },
        { set: "it.mood", value: "glad", for: { each: "person" } },
      ],
      duration: 4,
    },
    weave: {
      params: { n: { kind: "int" } },
      effects: [{ create: "crate", id: { expr: '"roll_" + n' }, at: "mill", fields: { weight: { expr: "n / 3" } } }],
    },
    smash: { params: { what: {} }, effects: [{ destroy: "what" }] },
    empty: {
      params: { what: { type: "crate" } },
      effects: [{ destroy: "what" }, { set: "it.at", expr: "what.at", for: { each: "crate", where: "it.at == what" } }],
    },
    whisper: {
      params: { who: { type: "person" } },
      requires: [{ expr: "who.friend.awake" }],
      effects: [{ set: "jug.label", expr: 'jug.label + "."' }],
    },
    lift: {
      params: { what: { type: "crate" }, n: { kind: "number" } },
      requires: [{ expr: 'alongside("lift") <= 1', says: "two at most lift together" }],
      effects: [
        { add: "what.weight", by: "n" },
        { set: "what.at", expr: "inn" },
      ],
    },
    own: {
      params: { who: { type: "person" }, mood: { kind: "enum", values: ["calm", "glad", "cross"] } },
      requires: [{ expr: "who.awake" }],
      effects: [
        { set: "who.mood", expr: "mood" },
        { set: "it.owner", expr: "who", for: { each: "jug", where: "it.litres > 1 && it.at != who" } },
        { set: "it.home", expr: "who.at", for: { each: "jug", where: "it.owner == who" } },
      ],
    },
    enlist: {
      effects: [
        { insert: "weavers.members", expr: "it", for: { each: "person", where: "it.at == mill" } },
        { set: "weavers.pot", expr: "count(all(person)) * 7 / count(weavers.members)" },
      ],
      duration: "1 + count(weavers.members)",
    },
    nap: { params: { who: { type: "person" } }, effects: [{ set: "who.awake", value: false }, { claim: "who.mood" }] },
    pack: {
      params: { n: { kind: "int" }, into: {} },
      effects: [{ create: "crate", id: { expr: '"pack_" + n' }, at: "into" }, { claim: "box.weight" }],
    },
  },
);

const person = fc.constantFrom(...PEOPLE);
const thing = fc.constantFrom(...THINGS);
const crate = fc.constantFrom("box", "bag", "roll_1", "roll_2");
const jug = fc.constantFrom("jug", "cup");
const litres = fc.oneof(fc.constantFrom(0.1, 0.2, 1.005, -0.5, 3), fc.double({ noNaN: true, min: -6, max: 6 }));

/** A trigger that is well formed; whether it may happen is the world's to say. */
export const randomTrigger: fc.Arbitrary<LooseTrigger> = fc.oneof(
  fc.record({ who: person, to: fc.constantFrom(...PLACES) }).map((args) => ({ capability: "go", args })),
  fc.record({ what: thing, into: thing }).map((args) => ({ capability: "put", args })),
  fc.record({ into: jug, n: litres }).map((args) => ({ capability: "pour", args })),
  fc.record({ into: jug, n: litres }).map((args) => ({ capability: "fill", args })),
  fc.record({ who: person }).map((args) => ({ capability: "join", args })),
  fc.record({ who: person }).map((args) => ({ capability: "leave", args })),
  fc.record({ who: person, whom: person }).map((args) => ({ capability: "befriend", args })),
  fc.constant({ capability: "feast" }),
  fc.record({ n: fc.integer({ min: 1, max: 4 }) }).map((args) => ({ capability: "weave", args })),
  fc.record({ what: thing }).map((args) => ({ capability: "smash", args })),
  fc.record({ what: crate }).map((args) => ({ capability: "empty", args })),
  fc.record({ who: person }).map((args) => ({ capability: "whisper", args })),
  fc.record({ what: crate, n: litres }).map((args) => ({ capability: "lift", args })),
  fc
    .record({ who: person, mood: fc.constantFrom("calm", "glad", "cross", "wild") })
    .map((args) => ({ capability: "own", args })),
  fc.constant({ capability: "enlist" }),
  fc.record({ who: person }).map((args) => ({ capability: "nap", args })),
  fc
    .record({ n: fc.integer({ min: 1, max: 4 }), into: fc.oneof(thing, crate) })
    .map((args) => ({ capability: "pack", args })),
  fc.constantFrom({ capability: "fly" }, { capability: "join" }, { capability: "join", args: { who: "nobody" } }),
);

/** Up to eight triggers of a step; on the whole they are refused. */
export const randomTriggers: fc.Arbitrary<readonly LooseTrigger[]> = fc.array(randomTrigger, {
  minLength: 1,
  maxLength: 8,
  size: "max",
});

/** Those of `triggers` that are accepted together in `world`, taken one after the other. */
export function acceptedOf(world: World, triggers: readonly LooseTrigger[]): readonly LooseTrigger[] {
  return triggers.reduce<readonly LooseTrigger[]>(
    (kept, one) => (submit(world, [...kept, one]).ok ? [...kept, one] : kept),
    [],
  );
}

export interface RandomStep {
  readonly triggers: readonly LooseTrigger[];
  readonly until?: "first";
  readonly advance: number;
}

export const randomStep: fc.Arbitrary<RandomStep> = fc.record(
  {
    triggers: fc.array(randomTrigger, { maxLength: 4 }),
    until: fc.constant("first" as const),
    advance: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ["triggers", "advance"] },
);

/** Several steps after one another. */
export const randomPlay: fc.Arbitrary<readonly RandomStep[]> = fc.array(randomStep, { minLength: 1, maxLength: 8 });
