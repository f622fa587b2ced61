export { contentDigestOf } from "./content.ts";
export { knownEdits, type KnownEdit, type KnownEditsOptions } from "./known-edits.ts";
export { partFinder, partsOf, type PartFinder, type PartFound, type PartName } from "./part.ts";
export { partFoundSchema } from "./part-schema.ts";
export { MUTANT_KINDS, type MutantKind } from "./mutants/mutant.ts";
export { playCalls, type PlayedCalls, type PlayOptions } from "./play.ts";
export { type CheckNumber, type Problem } from "./problem.ts";
export {
  admissionRecordOf,
  faultOfAdmission,
  formatAdmission,
  readAdmission,
  sayKiller,
  type AdmissionRecord,
} from "./record.ts";
export { mergeParts, verifyCase, type CaseVerification, type TierVerification, type VerifyOptions } from "./verify.ts";
