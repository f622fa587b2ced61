/** A town of any size in which the same doings cost the same work: what is left to grow is the engine. */
import { budgetsFrom, buildWorld, openSession, type Json, type Session, type World } from "../../src/runtime/index.ts";

/** Entities: half of them people, each with a thing of their own. */
export interface TownOptions {
  readonly entities: number;
  /** With a rule that everybody must keep. */
  readonly lawful?: boolean;
}

const TYPES = {
  person: {
    id: "person",
    says: "Somebody",
    fields: {
      coins: { kind: "int", min: 0, default: 5 },
      mood: { kind: "enum", values: ["calm", "cross"], default: "calm" },
      awake: { kind: "bool", default: true },
    },
  },
  item: {
    id: "item",
    says: "Something",
    fields: { weight: { kind: "number", digits: 1, default: 1 }, label: { kind: "text", default: "" } },
  },
} as const;

const CAPABILITIES = {
  go: {
    says: "Goes somewhere",
    params: { who: { type: "person" }, to: { kind: "place" } },
    requires: [
      { expr: "who.awake", says: "" },
      { expr: "linked(who.at, to)", says: "" },
    ],
    effects: [{ set: "who.at", expr: "to" }],
  },
  give: {
    says: "Gives something away",
    params: { giver: { type: "person" }, thing: { type: "item" }, taker: { type: "person" } },
    requires: [
      { expr: "thing.at == giver", says: "" },
      { expr: "giver.at == taker.at", says: "" },
    ],
    effects: [{ set: "thing.at", expr: "taker" }],
  },
  earn: {
    says: "Earns",
    params: { who: { type: "person" }, n: { kind: "int" } },
    requires: [{ expr: "n > 0", says: "" }],
    effects: [{ add: "who.coins", by: "n" }],
  },
  look_into: {
    says: "Marks something that is in the town",
    params: { thing: { type: "item" } },
    requires: [{ expr: "inside(thing, hall) || inside(thing, yard)", says: "" }],
    effects: [{ set: "thing.label", expr: 'thing.label == "x" ? "y" : "x"' }],
  },
  make: {
    says: "Makes something",
    params: { n: { kind: "int" } },
    requires: [],
    effects: [{ create: "item", id: { expr: '"new_" + n' }, at: "hall", fields: {} }],
  },
  burn: {
    says: "Burns something",
    params: { thing: { type: "item" } },
    requires: [],
    effects: [{ destroy: "thing" }],
  },
} as const;

export function townOf({ entities: count, lawful = false }: TownOptions): World {
  const entities = Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? { id: `person_${i}`, type: "person", name: `Person ${i}`, at: "hall", fields: {} }
      : { id: `item_${i}`, type: "item", name: `Item ${i}`, at: `person_${i - 1}`, fields: {} },
  );
  const capabilities = Object.entries(CAPABILITIES).map(([id, one]) => [id, { id, duration: 1, version: 1, ...one }]);
  const built = buildWorld({
    clock: 0,
    map: {
      places: { hall: "A hall", yard: "A yard" },
      links: [{ from: "hall", to: "yard", bothWays: true, ticks: 1 }],
    },
    types: TYPES as never,
    entities: Object.fromEntries(entities.map((entity) => [entity.id, entity])),
    capabilities: Object.fromEntries(capabilities) as never,
    invariants: lawful ? [{ expr: "all(person).all(p, p.coins >= 0)", says: "Nobody owes" }] : [],
  });
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join("\n"));
  return built.value;
}

/** More calls than any bench makes. */
export const ENDLESS = 100_000_000;

export function sessionIn(world: World): Session {
  return openSession({
    track: "maintenance",
    caseId: "town",
    tier: "easy",
    unit: "minute",
    world,
    narratives: ["A day in the town."],
    budgets: budgetsFrom([{ steps: ENDLESS, calls: ENDLESS }]),
  });
}

/** What is done in step `i` of a bench, as the input of a call of commit_step. */
export type Doing = (i: number) => Json;

const step = (...triggers: readonly Json[]): Json => ({ triggers });
const [ANN, BOB, CAT] = ["person_0", "person_2", "person_4"] as const;

export const DOINGS = {
  "a field of one": (i) => step({ capability: "earn", args: { who: ANN, n: 1 + (i % 2) } }),
  "a move, a gift, a wage": (i) =>
    step(
      { capability: "go", args: { who: ANN, to: i % 2 === 0 ? "yard" : "hall" } },
      { capability: "give", args: { giver: i % 2 === 0 ? BOB : CAT, thing: "item_3", taker: i % 2 === 0 ? CAT : BOB } },
      { capability: "earn", args: { who: BOB, n: 1 } },
    ),
  "a move, and where something is": (i) =>
    step(
      { capability: "go", args: { who: ANN, to: i % 2 === 0 ? "yard" : "hall" } },
      { capability: "look_into", args: { thing: "item_1" } },
    ),
  "something comes or goes": (i) =>
    i % 2 === 0
      ? step({ capability: "make", args: { n: i } })
      : step({ capability: "burn", args: { thing: `new_${i - 1}` } }),
} as const satisfies Readonly<Record<string, Doing>>;
