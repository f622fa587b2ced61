/** What is played in the long log: the village in three tiers, the pond in two modes. */
import type { WorldParts } from "../../../src/runtime/build-world.ts";
import type { Mode } from "../../../src/runtime/deduction/scenario.ts";
import { TIERS, mayConstruct, type Tier } from "../../../src/runtime/tier.ts";
import { plainWorld } from "../../../src/runtime/world.ts";
import { pondScenario, type PondOptions } from "../toy-dynamics.ts";
import type { CaseParts } from "./long-log.ts";
import { partsWith } from "./village.ts";

/** The village with effects of every kind, decimals, sets, and rules that are often met and often not. */
export const villageParts = (): WorldParts =>
  partsWith({
    capabilities: {
      go: {
        params: { who: { type: "person" }, to: { kind: "place" } },
        requires: [{ expr: "linked(who.at, to)" }],
        effects: [{ set: "who.at", expr: "to" }],
        duration: "travelTicks(who.at, to)",
      },
      feast: {
        params: { n: { kind: "number" } },
        effects: [
          { add: "it.coins", by: 1, for: { each: "person", where: "it.at == mill" } },
          { set: "it.mood", value: "glad", for: { each: "person", where: "it.coins > 5" } },
          { add: "weavers.pot", by: "n" },
          {
            create: "jug",
            id: { expr: '"jug_of_" + clock' },
            at: "ann",
            fields: { owner: { expr: "bob" }, litres: { expr: "n / 3" }, label: "new" },
          },
        ],
      },
      tip: {
        params: { from: { type: "person" }, to: { type: "person" }, n: { kind: "int" } },
        requires: [{ expr: "from.coins >= n", says: "nobody gives what they have not" }],
        effects: [
          { add: "from.coins", by: "0 - n" },
          { add: "to.coins", by: "n" },
        ],
      },
      brew: { params: { n: { kind: "number" } }, effects: [{ add: "jug.litres", by: "n" }] },
      swap: {
        params: { who: { type: "person" } },
        effects: [
          { set: "who.friend", expr: "who.at == mill ? bob : who" },
          { remove: "weavers.members", expr: "who" },
          { set: "bag.at", expr: "who.at" },
        ],
      },
      join: { params: { who: { type: "person" } }, effects: [{ insert: "weavers.members", expr: "who" }], duration: 3 },
      fill: { params: { n: { kind: "number" } }, effects: [{ set: "cup.litres", expr: "n" }, { claim: "cup.at" }] },
      smash: { params: { what: {} }, effects: [{ destroy: "what" }] },
      clear: { effects: [{ destroy: "it", for: { each: "jug", where: 'it.label == "new"' } }], duration: 2 },
    },
    invariants: [{ expr: "all(person).all(p, p.coins <= 12)" }, { expr: "count(all(jug)) >= 2" }],
  });

const narratives = Array.from(
  { length: 8 },
  (_, i) => `Round ${i + 1}: the village goes on. ${"So it was told. ".repeat(i * 60)}`,
);

function inTier(tier: Tier): CaseParts {
  const world = villageParts();
  const given = {
    ...world,
    types: mayConstruct(tier, "type") ? {} : world.types,
    entities: mayConstruct(tier, "entity") ? {} : world.entities,
    capabilities: mayConstruct(tier, "capability") ? {} : world.capabilities,
    invariants: mayConstruct(tier, "type") ? [] : world.invariants,
  };
  return { track: "maintenance", tier, world: given, narratives };
}

function inMode(mode: Mode, options: PondOptions): CaseParts {
  const { world, dynamics, condition } = pondScenario({ mode, ...options });
  const { clock, map, types, entities, capabilities, invariants } = plainWorld(world) as unknown as WorldParts;
  const { character, processes, schedule, visibility, creates, actionTells, decision, segment, ticks } = dynamics;
  const drafts = <T extends { readonly id: string }>(compiled: readonly { readonly draft: T }[]): Record<string, T> =>
    Object.fromEntries(compiled.map(({ draft }) => [draft.id, draft]));
  return {
    track: "deduction",
    mode,
    condition,
    world: { clock, map, types, entities, capabilities, invariants },
    rules: {
      character,
      processes: drafts(processes),
      schedule: drafts(schedule),
      visibility,
      creates,
      actionTells,
      decision,
      segment,
      ticks,
    },
    goal: "weir.level > 9",
  };
}

/** By name, in the order in which they are played. */
export const longLogCases = (): Readonly<Record<string, CaseParts>> => ({
  ...Object.fromEntries(TIERS.map((tier) => [tier, inTier(tier)])),
  M1: inMode("M1", { ticks: 160 }),
  M2: inMode("M2", { ticks: 20 }),
  "M2, told by name": inMode("M2", { ticks: 12, condition: "naming" }),
});
