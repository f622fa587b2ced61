/** The scores of a set, whichever tracks its runs are of. */
import type { ScoredDeductionRun, ScoredMaintenanceRun, ScoredRun } from "../tracks/index.ts";
import { deductionLines } from "./deduction/table.ts";
import { judgedLines } from "./score-table.ts";

/** The tables of a set, track by track: no mean is over both. */
export function scoreLines(runs: readonly ScoredRun[]): readonly string[] {
  const { maintenance, deduction } = byTrack(runs);
  if (deduction.length === 0) return judgedLines(maintenance);
  if (maintenance.length === 0) return deductionLines(deduction);
  return [...judgedLines(maintenance), "", ...deductionLines(deduction)];
}

/** Runs by their track, in their order. */
export function byTrack(runs: readonly ScoredRun[]): {
  readonly maintenance: readonly ScoredMaintenanceRun[];
  readonly deduction: readonly ScoredDeductionRun[];
} {
  return {
    maintenance: runs.filter((run) => run.track === "maintenance"),
    deduction: runs.filter((run) => run.track === "deduction"),
  };
}
