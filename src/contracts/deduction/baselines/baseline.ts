/** The baselines that ship, by name: the floor and the ceiling beside every model. */
import { everything } from "./everything.ts";
import type { Predictor } from "./knowledge.ts";
import { lastChange } from "./last-change.ts";
import { persist } from "./persist.ts";
import { rules } from "./rules.ts";

export const BASELINE_NAMES = ["persist", "everything", "last-change", "rules"] as const;
export type BaselineName = (typeof BASELINE_NAMES)[number];

export const BASELINES: Readonly<Record<BaselineName, Predictor>> = {
  persist,
  everything,
  "last-change": lastChange,
  rules,
};
