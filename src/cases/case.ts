import type { CaseContract } from "../contracts/index.ts";
import type { World } from "../runtime/index.ts";
import type { CaseBudgets, ReferenceStep, Stratum } from "./schema.ts";

/** A maintenance case as it was loaded and found without fault. Frozen. */
export interface Case {
  readonly track: "maintenance";
  readonly id: string;
  readonly title: string;
  readonly family: string;
  readonly stratum: Stratum;
  readonly version: number;
  readonly canary: string;
  /** What one tick of the clock is called. */
  readonly unit: string;
  /** The full world, as easy sees it. */
  readonly world: World;
  /** Round by round from 1. */
  readonly narratives: readonly string[];
  readonly contract: CaseContract;
  /** The steps of the reference solution, round by round. */
  readonly reference: readonly (readonly ReferenceStep[])[];
  /** What nothing uses (a type, an entity, a capability, a place, type.field), each with why it is there. */
  readonly unused: Readonly<Record<string, string>>;
  readonly budgets?: CaseBudgets;
  readonly worldDigest: string;
  readonly contractDigest: string;
  readonly directory: string;
}
