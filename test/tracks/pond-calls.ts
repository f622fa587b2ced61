/** What a player of the mill pond does: reads, is refused once, acts, foretells some of what comes, and leaves gaps. */
import type { Json } from "../../src/runtime/index.ts";

export interface PondCall {
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
}

const READING: readonly PondCall[] = [
  { tool: "help", input: {} },
  { tool: "get_context", input: {} },
  { tool: "read_data", input: { from: "entities" } },
];

/** A prediction of a field that there is not. */
const REFUSED: PondCall = { tool: "commit_step", input: { predict: { interval: [{ path: "pond.depth", value: 3 }] } } };

const change = (path: string, value: Json): { readonly path: string; readonly value: Json } => ({ path, value });
const walk = (to: string): { readonly [key: string]: Json } => ({ action: "walk", args: { to } });

/** Four decisions: to the pond, back, wait, wait; what the second lacks is refused once, then taken as it is. */
const M2: readonly PondCall[] = [
  ...READING,
  REFUSED,
  {
    tool: "commit_step",
    input: {
      action: walk("pond_side"),
      predict: { interval: [change("tilda.at", "pond_side"), change("granary.flour", 4)], lookahead: [] },
      fires: ["spring", "turning", "baking"],
    },
  },
  { tool: "end_round", input: {} },
  { tool: "read_data", input: { from: "entities", type: "person" } },
  { tool: "commit_step", input: { action: walk("mill"), predict: { interval: [change("tilda.at", "mill")] } } },
  { tool: "commit_step", input: { action: walk("mill"), predict: { interval: [change("tilda.at", "mill")] } } },
  { tool: "end_round", input: {} },
  {
    tool: "commit_step",
    input: {
      predict: {
        interval: [change("pond.level", 20)],
        lookahead: [change("pond.level", 20)],
        counterfactuals: { action: [change("tilda.at", "pond_side")], happening: [] },
      },
      fires: [],
    },
  },
  { tool: "end_round", input: {} },
  {
    tool: "commit_step",
    input: { predict: { interval: [], lookahead: [], counterfactuals: { action: [], happening: [] } }, fires: [] },
  },
  { tool: "end_round", input: {} },
];

const M1: readonly PondCall[] = [
  ...READING,
  { tool: "commit_step", input: { predict: { segment: [change("pond.level", 2)] }, fires: ["spring"] } },
  { tool: "end_round", input: {} },
  { tool: "commit_step", input: { predict: { segment: [change("pond.inflow", 4)] }, fires: ["spring", "baking"] } },
  { tool: "end_round", input: {} },
  { tool: "commit_step", input: { predict: { segment: [] }, fires: [] } },
  { tool: "end_round", input: {} },
];

/** The calls of a whole run of the mill pond, fold 1. */
export const POND_CALLS = { M1, M2 } as const;
