export type { Case } from "./case.ts";
export {
  compareDigests,
  computeDigests,
  formatDigests,
  readDigests,
  type DigestDifference,
  type Digests,
} from "./digests.ts";
export { printFault, type Fault, type Path, type PathFault } from "./fault.ts";
export { readText } from "./files.ts";
export { findCase, listCases, type CaseFolder } from "./find.ts";
export { loadCase } from "./load.ts";
export type { CaseBudgets, ReferenceStep, ReferenceTrigger, Stratum } from "./schema.ts";
export { budgetsOf, scenarioOf, worldOfTier } from "./scenario.ts";
export { solutionOf, stepCall, type Call } from "./solution.ts";
export { placeFaults, readSource, type Source } from "./source.ts";
export { parseWith } from "./zod-faults.ts";
