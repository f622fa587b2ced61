import * as z from "zod";

/** How much of the world is prebuilt: everything; all but capabilities; only the map. */
export const TIERS = ["easy", "hard", "extreme"] as const;
export const tierSchema = z.enum(TIERS);
export type Tier = (typeof TIERS)[number];

/** What can be constructed. */
export const LEVELS = ["type", "entity", "capability"] as const;
export type Level = (typeof LEVELS)[number];

const CONSTRUCTIBLE: Readonly<Record<Tier, readonly Level[]>> = {
  easy: [],
  hard: ["capability"],
  extreme: ["type", "entity", "capability"],
};

/** The levels an agent constructs in a tier, in the order in which they build on one another. */
export function constructibleLevels(tier: Tier): readonly Level[] {
  return CONSTRUCTIBLE[tier];
}

export function mayConstruct(tier: Tier, level: Level): boolean {
  return CONSTRUCTIBLE[tier].includes(level);
}
