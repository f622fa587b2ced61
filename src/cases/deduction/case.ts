import type { CompiledExpression, Dynamics, World } from "../../runtime/index.ts";

/** The initial-state variants of a case are numbered from 1. */
export const FOLDS = [1, 2, 3, 4, 5] as const;

/** What the character is to bring about, judged over the true world at the last tick. */
export interface Goal {
  readonly says: string;
  readonly expr: string;
  readonly holds: CompiledExpression;
}

/** A deduction case as it was loaded and found without fault. Frozen. */
export interface DeductionCase {
  readonly track: "deduction";
  readonly id: string;
  readonly title: string;
  readonly family: string;
  readonly variant: "base" | "alternate";
  readonly version: number;
  readonly canary: string;
  /** What one tick of the clock is called. */
  readonly unit: string;
  /** What is told in both conditions. */
  readonly intro: string;
  readonly goal: Goal;
  readonly dynamics: Dynamics;
  /** The true world at the beginning, by fold; its capabilities are the actions. */
  readonly worlds: Readonly<Record<number, World>>;
  readonly worldDigest: string;
  readonly contractDigest: string;
  readonly directory: string;
}
