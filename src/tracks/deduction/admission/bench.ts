/** A case laid out for its admission: its rules, the first state of each fold, its goal. */
import type { CompiledExpression, Dynamics, World } from "../../../runtime/index.ts";

export interface Bench {
  readonly id: string;
  readonly dynamics: Dynamics;
  /** The first state of each fold; fold 1 stands first. */
  readonly worlds: readonly World[];
  readonly goal: CompiledExpression;
}
