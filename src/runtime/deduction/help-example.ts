/**
 * The worked toy world of `help` in deduction: its parts, the calls that play it in each mode, and the answers that the
 * text quotes. A test plays the calls through a real session and compares the answers.
 */
import type { JsonObject } from "../admit.ts";
import type { WorldParts } from "../build-world.ts";
import type { Json } from "../canonical.ts";
import type { DynamicsParts } from "../dynamics/compile-dynamics.ts";
import type { ToolName } from "../tools.ts";
import type { Mode } from "./scenario.ts";

/** Which questions are asked turns on it. */
export const TOY_CASE_ID = "toy";
export const TOY_INTRO = "Ana is in the kitchen; on the stove stands a kettle.";
export const TOY_GOAL = { says: "At the end the kettle boils: its heat is 100.", expr: "kettle.heat == 100" };

const STOKE = {
  id: "stoke",
  says: "Put 3 pieces of wood into the stove (takes 1 tick); Ana must be where the stove is.",
  params: {},
  requires: [{ expr: "ana.at == stove.at", says: "Ana must be where the stove is" }],
  effects: [{ add: "stove.wood", by: 3 }],
  duration: 1,
};

export const TOY_WORLD: WorldParts = {
  clock: 0,
  map: { places: { kitchen: "the kitchen" }, links: [] },
  types: {
    person: { id: "person", says: "Somebody", fields: {} },
    stove: {
      id: "stove",
      says: "A stove, and the pieces of wood in it",
      fields: { wood: { kind: "int", min: 0, max: 9, default: 0 } },
    },
    kettle: {
      id: "kettle",
      says: "A kettle: how hot it is, and how much scale is in it",
      fields: {
        heat: { kind: "int", min: 0, max: 100, default: 0 },
        scale: { kind: "int", min: 0, max: 50, default: 0 },
      },
    },
  },
  entities: {
    ana: { id: "ana", type: "person", name: "Ana", at: "kitchen", fields: {} },
    stove: { id: "stove", type: "stove", name: "the stove", at: "kitchen", fields: { wood: 2 } },
    kettle: { id: "kettle", type: "kettle", name: "the kettle", at: "kitchen", fields: { heat: 30 } },
  },
  capabilities: { stoke: STOKE },
  invariants: [],
};

export const TOY_RULES: DynamicsParts = {
  character: "ana",
  processes: {
    burning: {
      id: "burning",
      name: "Burning down",
      says: "The wood in the stove burns down.",
      tells: "Every 2 ticks the stove loses 1 piece of wood, while there is any.",
      every: 2,
      phase: 0,
      for: {},
      when: "stove.wood > 0",
      effects: [{ add: "stove.wood", by: -1 }],
      priority: 0,
    },
    heating: {
      id: "heating",
      name: "Heating",
      says: "While wood burns the kettle grows hotter and scale settles in it.",
      tells: "Every tick, after the burning, while there is wood: the kettle gains 20 heat and 1 scale.",
      every: 1,
      phase: 0,
      for: {},
      when: "stove.wood > 0",
      effects: [
        { add: "kettle.heat", by: 20 },
        { add: "kettle.scale", by: 1 },
      ],
      priority: 10,
    },
  },
  schedule: {},
  visibility: {
    person: { at: "public" },
    stove: { at: "public", wood: "local" },
    kettle: { at: "public", heat: "public", scale: "hidden" },
  },
  creates: [],
  decision: 4,
  segment: 4,
  ticks: 8,
};

/** A call of the example, with the answer where the text quotes it. */
export interface ToyCall {
  readonly tool: ToolName;
  readonly input: JsonObject;
  readonly answer?: Json;
}

const change = (path: string, value: Json): Json => ({ path, value });

const RANGE_ANSWER = (part: string): Json => ({
  ok: false,
  error: {
    code: "out_of_range",
    message: "kettle.heat: 110 is out of range",
    path: `predict.${part}[0].value`,
    hint: "the field is whole number from 0 to 100",
  },
});

const NOTE = "it stands until another commit_step replaces it, whole; end_round closes the round with it";

const FIRST_INTERVAL = [change("kettle.heat", 100), change("kettle.scale", 4), change("stove.wood", 3)];
const FIRST_LOOKAHEAD = [change("kettle.heat", 100), change("kettle.scale", 9), change("stove.wood", 0)];
const stoke: Json = { action: "stoke", args: {} };

/** The mistake of each mode: 30 + 4 × 20 is not what comes out. */
export const TOY_MISTAKE: Readonly<Record<Mode, ToyCall>> = {
  M1: {
    tool: "commit_step",
    input: { predict: { segment: [change("kettle.heat", 110)] } },
    answer: RANGE_ANSWER("segment"),
  },
  M2: {
    tool: "commit_step",
    input: {
      action: stoke,
      predict: { interval: [change("kettle.heat", 110)], lookahead: FIRST_LOOKAHEAD },
    },
    answer: RANGE_ANSWER("interval"),
  },
};

/** The mended submission, the end of the round, and what follows. */
export const TOY_CALLS: Readonly<Record<Mode, readonly ToyCall[]>> = {
  M1: [
    {
      tool: "commit_step",
      input: {
        predict: { segment: [change("kettle.heat", 90), change("kettle.scale", 3), change("stove.wood", 0)] },
        fires: ["burning", "heating"],
      },
      answer: { ok: true, round: 1, predicted: { segment: 3 }, fires: 2, missing: [], note: NOTE },
    },
    {
      tool: "end_round",
      input: {},
      answer: {
        ok: true,
        round: 1,
        clock: 4,
        finished: false,
        next: { round: 2, asked: { segment: { from: 4, to: 8 } } },
      },
    },
    {
      tool: "commit_step",
      input: { predict: { segment: [] }, fires: [] },
      answer: { ok: true, round: 2, predicted: { segment: 0 }, fires: 0, missing: [], note: NOTE },
    },
  ],
  M2: [
    {
      tool: "commit_step",
      input: {
        action: stoke,
        predict: { interval: FIRST_INTERVAL, lookahead: FIRST_LOOKAHEAD },
        fires: ["burning", "heating"],
      },
      answer: {
        ok: true,
        round: 1,
        action: stoke,
        predicted: { interval: 3, lookahead: 3 },
        fires: 2,
        missing: [],
        interval: { from: 0, to: 4 },
        note: NOTE,
      },
    },
    {
      tool: "end_round",
      input: {},
      answer: {
        ok: true,
        round: 1,
        clock: 4,
        finished: false,
        next: {
          round: 2,
          asked: {
            action: true,
            interval: {
              from: 4,
              to: "the next decision point: the first multiple of 4 at or after 4 + the action's ticks, at most 8; 8 for wait",
            },
            lookahead: { from: 4, to: 52 },
            counterfactuals: {
              action: {
                instead: { action: "wait", args: {} },
                says: "had you chosen wait at tick 0 instead of stoke: every field whose value now, at tick 4, would differ, with the value it would have",
              },
              happening: {
                kind: "process",
                id: "heating",
                entity: null,
                says: 'had "Heating" (heating) not fired since tick 0 (if it did at all): every field whose value now, at tick 4, would differ, with the value it would have',
              },
            },
          },
          legal: {
            count: 2,
            shown: [
              { action: "wait", args: {}, next: 8 },
              { action: "stoke", args: {}, next: 8 },
            ],
          },
          changed: {
            count: 2,
            shown: [
              { path: "kettle.heat", before: 30, after: 100 },
              { path: "stove.wood", before: 2, after: 3 },
            ],
            came: [],
            went: [],
          },
        },
      },
    },
    {
      tool: "commit_step",
      input: {
        predict: {
          interval: [change("kettle.scale", 8), change("stove.wood", 1)],
          lookahead: [change("kettle.scale", 9), change("stove.wood", 0)],
          counterfactuals: {
            action: [change("kettle.heat", 90), change("kettle.scale", 3), change("stove.wood", 0)],
            happening: [change("kettle.heat", 30), change("kettle.scale", 0)],
          },
        },
        fires: ["burning", "heating"],
      },
      answer: {
        ok: true,
        round: 2,
        action: { action: "wait", args: {} },
        predicted: { interval: 2, lookahead: 2, counterfactuals: { action: 3, happening: 2 } },
        fires: 2,
        missing: [],
        interval: { from: 4, to: 8 },
        note: NOTE,
      },
    },
  ],
};
