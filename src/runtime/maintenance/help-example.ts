/**
 * The worked toy world of `help`: its parts, the calls that play its story in each tier, and the answers that the text
 * quotes. A test plays the calls through a real session and compares the answers.
 */
import type { JsonObject } from "../admit.ts";
import type { CapabilityDraft } from "../capability.ts";
import type { Json } from "../canonical.ts";
import { constructibleLevels, type Tier } from "../tier.ts";
import type { ToolName } from "../tools.ts";
import type { EntityDraft, EntityType, WorldMap } from "../world.ts";

export const TOY_STORY =
  "Nobody heats an empty kettle. The kitchen was cold when Ana went in to heat the kettle, and it took its time; Ben swept the yard meanwhile, and when the yard was done he came in to her, before the water boiled.";

export const TOY_MAP: WorldMap = {
  places: { kitchen: "the kitchen", yard: "the yard before it" },
  links: [{ from: "yard", to: "kitchen", bothWays: true, ticks: 1 }],
};

export const TOY_TYPES: readonly EntityType[] = [
  { id: "person", says: "Somebody", fields: {} },
  {
    id: "kettle",
    says: "A kettle and what is in it",
    fields: { hot: { kind: "bool", default: false }, litres: { kind: "number", digits: 1, min: 0, default: 0 } },
  },
  { id: "floor", says: "Ground to sweep", fields: { swept: { kind: "bool", default: false } } },
];

export const TOY_ENTITIES: readonly EntityDraft[] = [
  { id: "ana", type: "person", name: "Ana", at: "yard", fields: {} },
  { id: "ben", type: "person", name: "Ben", at: "yard", fields: {} },
  { id: "kettle", type: "kettle", name: "the kettle", at: "kitchen", fields: { litres: 2 } },
  { id: "yard_floor", type: "floor", name: "the floor of the yard", at: "yard", fields: {} },
];

export const TOY_CAPABILITIES: readonly CapabilityDraft[] = [
  {
    id: "go",
    says: "Somebody goes to a place next to where they are",
    params: { who: { type: "person" }, to: { kind: "place" } },
    requires: [{ expr: "linked(who.at, to)" }],
    effects: [{ set: "who.at", expr: "to" }],
    duration: "travelTicks(who.at, to)",
  },
  {
    id: "heat",
    says: "Somebody heats a kettle beside them",
    params: { who: { type: "person" }, k: { type: "kettle" } },
    requires: [{ expr: "who.at == k.at" }, { expr: "k.litres > 0", says: "nobody heats an empty kettle" }],
    effects: [{ set: "k.hot", value: true }],
    duration: 4,
  },
  {
    id: "sweep",
    says: "Somebody sweeps the ground they stand on",
    params: { who: { type: "person" }, what: { type: "floor" } },
    requires: [{ expr: "who.at == what.at" }],
    effects: [{ set: "what.swept", value: true }],
    duration: 2,
  },
];

/** A call of the example, with the answer where the text quotes it. */
export interface ToyCall {
  readonly tool: ToolName;
  readonly input: JsonObject;
  readonly answer?: Json;
}

/** What the agent constructs before it acts, in this tier. */
export function toyConstructs(tier: Tier): readonly ToyCall[] {
  const items = { type: TOY_TYPES, entity: TOY_ENTITIES, capability: TOY_CAPABILITIES };
  return constructibleLevels(tier).flatMap((level) =>
    items[level].map((item): ToyCall => ({
      tool: "construct",
      input: { op: "create", [level]: item as unknown as Json },
    })),
  );
}

const go = (who: string, to: string): Json => ({ capability: "go", args: { who, to } });
const heat: Json = { capability: "heat", args: { who: "ana", k: "kettle" } };
const sweep: Json = { capability: "sweep", args: { who: "ben", what: "yard_floor" } };

/** The mistake: the second trigger needs what the first only does in the same step. */
export const TOY_MISTAKE: ToyCall = {
  tool: "commit_step",
  input: { triggers: [go("ana", "kitchen"), heat] },
  answer: {
    ok: false,
    error: {
      code: "requirement_not_met",
      message:
        'trigger 2 (heat): requirement not met: who.at == k.at is false; with k = "kettle", who = "ana"; who.at = "yard"; k.at = "kitchen"; nothing of this step happened',
      path: "triggers[1].requires[0]",
      hint: "requirements see the world before the step: submit this one afterwards, in a step of its own",
      failures: [
        {
          trigger: 2,
          capability: "heat",
          code: "requirement_not_met",
          message:
            'requires[0]: requirement not met: who.at == k.at is false; with k = "kettle", who = "ana"; who.at = "yard"; k.at = "kitchen"',
          hint: "requirements see the world before the step: submit this one afterwards, in a step of its own",
        },
      ],
    },
  },
};

/** The story, mended: one step alone, two doings at once of which the longer goes on, a third beside it, a wait. */
export const TOY_STEPS: readonly ToyCall[] = [
  {
    tool: "commit_step",
    input: { triggers: [go("ana", "kitchen")] },
    answer: {
      ok: true,
      step: 1,
      start: 0,
      clock: 1,
      triggers: [{ id: "t1_1", capability: "go", start: 0, end: 1 }],
      changes: [{ trigger: "t1_1", path: "ana.at", before: "yard", after: "kitchen" }],
    },
  },
  {
    tool: "commit_step",
    input: { triggers: [heat, sweep], until: "first" },
    answer: {
      ok: true,
      step: 2,
      start: 1,
      clock: 3,
      triggers: [
        { id: "t2_1", capability: "heat", start: 1, end: 5 },
        { id: "t2_2", capability: "sweep", start: 1, end: 3 },
      ],
      changes: [
        { trigger: "t2_1", path: "kettle.hot", before: false, after: true },
        { trigger: "t2_2", path: "yard_floor.swept", before: false, after: true },
      ],
    },
  },
  { tool: "commit_step", input: { triggers: [go("ben", "kitchen")] } },
  { tool: "commit_step", input: { advance: 1 } },
];
