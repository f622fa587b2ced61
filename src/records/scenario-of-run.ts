/** From a case and what a run is of to what is played. */
import { deductionScenarioOf, scenarioOf, type AnyCase, type Case, type DeductionCase } from "../cases/index.ts";
import type { Scenario } from "../runtime/index.ts";
import { RecordError } from "./error.ts";
import type { RunKey } from "./run-id.ts";

/** What a run of this key plays of the case. Throws RecordError `other_case` where the case is of another track or has no such fold. */
export function scenarioOfRun(case_: AnyCase, key: RunKey): Scenario {
  if (key.track === "maintenance") return scenarioOf(requireMaintenance(case_, key.case), key.tier);
  const { condition, mode, fold } = key;
  const deduction = requireDeduction(case_, key.case);
  if (deduction.worlds[fold] === undefined) throw noFold(deduction, fold);
  return deductionScenarioOf(deduction, { condition, mode, fold });
}

/** The case as one of maintenance; `where` names who asks. Throws RecordError `other_case`. */
export function requireMaintenance(case_: AnyCase, where: string): Case {
  if (case_.track === "maintenance") return case_;
  throw otherTrack(case_, "maintenance", where);
}

/** The case as one of deduction; `where` names who asks. Throws RecordError `other_case`. */
export function requireDeduction(case_: AnyCase, where: string): DeductionCase {
  if (case_.track === "deduction") return case_;
  throw otherTrack(case_, "deduction", where);
}

function otherTrack(case_: AnyCase, wanted: AnyCase["track"], where: string): RecordError {
  return new RecordError("other_case", {
    where,
    what: `it is a run of the track ${wanted}, and the case ${case_.id} is of the track ${case_.track}`,
    remedy: "Name the folder that holds the case it was run on: --cases-dir DIR",
    facts: { case: case_.id, track: case_.track },
  });
}

function noFold({ id, worlds }: DeductionCase, fold: number): RecordError {
  return new RecordError("other_case", {
    where: id,
    what: `it is a run of fold ${fold}, and the case ${id} has the folds ${Object.keys(worlds).join(", ")}`,
    remedy: "Name the folder that holds the case it was run on: --cases-dir DIR",
    facts: { case: id, fold },
  });
}
