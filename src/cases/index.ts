export { loadAnyCase, TRACKS, type AnyCase, type Track } from "./any-case.ts";
export type { Case } from "./case.ts";
export { compareCases, MOST_SHARED_CAPABILITIES, type SharedContent } from "./compare.ts";
export { FOLDS, type DeductionCase, type Goal } from "./deduction/case.ts";
export { compareDeductionCases, type SharedRules } from "./deduction/compare.ts";
export { loadDeductionCase } from "./deduction/load.ts";
export { deductionScenarioOf, type DeductionHow } from "./deduction/scenario.ts";
export {
  compareDigests,
  computeDigests,
  formatDigests,
  readDigests,
  unraised,
  type DigestDifference,
  type Digests,
} from "./digests.ts";
export { printFault, type Fault, type Path, type PathFault } from "./fault.ts";
export { readText } from "./files.ts";
export { findCase, listCases, type CaseFolder } from "./find.ts";
export { CASE_SCHEMAS, caseJsonSchema, type CaseSchemaName } from "./json-schema.ts";
export { loadCase } from "./load.ts";
export { spansOf, type Span } from "./quoted.ts";
export type { CaseBudgets, ReferenceStep, ReferenceTrigger, Stratum } from "./schema.ts";
export { budgetsOf, scenarioOf, worldOfTier } from "./scenario.ts";
export { solutionOf, stepCall, type Call } from "./solution.ts";
export { placeFaults, readSource, type Source } from "./source.ts";
export { starterFiles, type StarterFile, type StarterWishes } from "./starter.ts";
export { parseWith } from "./zod-faults.ts";
