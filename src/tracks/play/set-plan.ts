/** What planning a set comes to, in any track. */

/** The plans of a set, and what of it agents do not play. */
export interface SetPlan<Plan> {
  readonly plans: readonly Plan[];
  readonly refused: readonly Refusal[];
}

/** A part of a set that an agent does not play: `what` is a tier, a track, or a condition and a mode. */
export interface Refusal {
  readonly agent: string;
  readonly what: string;
  readonly why: string;
}

/** The numbers of repeats, from 1. */
export function repeatsOf(repeats: number): readonly number[] {
  return Array.from({ length: repeats }, (_, i) => i + 1);
}
