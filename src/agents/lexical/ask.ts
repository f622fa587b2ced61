/** Calls within a budget, and what the tools tell of a world. */
import * as z from "zod";
import type { AgentCall } from "../../tracks/index.ts";
import { capabilitySchema, LIMITS, type CapabilityDraft, type ToolAnswer } from "../../runtime/index.ts";

/** A stretch of an agent's play that comes to a `T`. */
export type Play<T> = AsyncGenerator<AgentCall, T, ToolAnswer>;

/** What may still be spent of a round. `ask` counts it down. */
export interface Purse {
  calls: number;
  steps: number;
}

/** Makes a call and pays for it; undefined, and no call, where the budget does not cover it. */
export async function* ask(purse: Purse, tool: string, input: AgentCall["input"]): Play<ToolAnswer | undefined> {
  const steps = tool === "commit_step" ? 1 : 0;
  if (purse.calls < 1 || purse.steps < steps) return undefined;
  purse.calls -= 1;
  purse.steps -= steps;
  return yield { tool, input };
}

/** Opens the eyes on a round: its whole story, and what it may spend. The call that ends the round is kept back. */
export async function* readStory(): Play<{ readonly text: string; readonly purse: Purse }> {
  const purse: Purse = { calls: 1, steps: 0 };
  let text = "";
  let input: { readonly round?: number; readonly cursor?: string } = {};
  for (;;) {
    const answer = yield* ask(purse, "get_context", input);
    if (answer === undefined || !("narrative" in answer)) return { text, purse };
    const { narrative, budgets } = answer;
    text += narrative.text;
    purse.calls = Math.min(budgets.roundCalls.left, budgets.runCalls.left) - 1;
    purse.steps = budgets.roundSteps.left;
    if (narrative.cursor === undefined) return { text, purse };
    input = { round: narrative.round, cursor: narrative.cursor };
  }
}

const placeSchema = z.object({ kind: z.literal("place"), id: z.string(), says: z.string() });
const linkSchema = z.object({ kind: z.literal("link"), from: z.string(), to: z.string(), bothWays: z.boolean() });
const entitySchema = z.object({ id: z.string(), type: z.string(), name: z.string(), at: z.string().nullable() });

/** An entity as far as this agent looks at it. */
export type Seen = Readonly<z.infer<typeof entitySchema>>;

/** What the agent knows of a world. `at` is kept up with the changes that steps report. */
export interface Known {
  readonly places: ReadonlyMap<string, string>;
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly capabilities: readonly CapabilityDraft[];
  readonly entities: ReadonlyMap<string, Seen>;
  readonly at: Map<string, string | null>;
}

/** Reads the map, the capabilities and the entities, as far as the purse goes. What was cut is passed over. */
export async function* readWorld(purse: Purse): Play<Known> {
  const map = yield* readAll(purse, "map");
  const capabilities = yield* readAll(purse, "capabilities");
  const entities = parseAll(yield* readAll(purse, "entities"), entitySchema);
  const neighbours = new Map<string, string[]>();
  const link = (from: string, to: string): void => void neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
  for (const { from, to, bothWays } of parseAll(map, linkSchema)) {
    link(from, to);
    if (bothWays) link(to, from);
  }
  return {
    places: new Map(parseAll(map, placeSchema).map(({ id, says }) => [id, says])),
    neighbours,
    capabilities: parseAll(capabilities.map(withoutVersion), capabilitySchema),
    entities: new Map(entities.map((entity) => [entity.id, entity])),
    at: new Map(entities.map(({ id, at }) => [id, at])),
  };
}

async function* readAll(purse: Purse, from: string): Play<readonly object[]> {
  const entries: object[] = [];
  let cursor: { readonly cursor?: string } = {};
  for (;;) {
    const answer = yield* ask(purse, "read_data", { from, limit: LIMITS.pageEntries, ...cursor });
    if (answer === undefined || !("entries" in answer)) return entries;
    entries.push(...answer.entries);
    if (answer.cursor === undefined) return entries;
    cursor = { cursor: answer.cursor };
  }
}

function withoutVersion(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== "version"));
}

function parseAll<T>(entries: readonly object[], schema: z.ZodType<T>): readonly T[] {
  return entries.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The place an entity is at, through whoever holds it; undefined where it is nowhere. */
export function placeOf(known: Known, id: string): string | undefined {
  let at: string | null | undefined = id;
  for (let depth = 0; depth < 20 && at !== null && at !== undefined; depth += 1) {
    if (known.places.has(at)) return at;
    at = known.at.get(at);
  }
  return undefined;
}
