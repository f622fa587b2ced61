export { type SpanShares } from "./check-quiet.ts";
export { type DeductionCheck, type DeductionProblem } from "./problem.ts";
export {
  deductionAdmissionOf,
  faultOfDeductionAdmission,
  formatDeductionAdmission,
  readDeductionAdmission,
  type DeductionAdmission,
} from "./record.ts";
export { verifyDeduction, type DeductionFigures, type DeductionVerification } from "./verify.ts";
