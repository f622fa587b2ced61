export { agreementLines, agreementSummary, editLines } from "./calibration-table.ts";
export { caseLines, casePage, type CaseTextOptions } from "./case-book.ts";
export { summaryOf, type CaseSummary } from "./case-text.ts";
export { deductionCaseLines } from "./deduction/book.ts";
export { deductionSummaryOf, type DeductionSummary } from "./deduction/summary.ts";
export { deductionCaseGroups, deductionGroups, deductionLine, deductionLines } from "./deduction/table.ts";
export { deductionVerificationLines } from "./deduction/verification.ts";
export { escapeJson, escapeLines, escapeText } from "./escape.ts";
export { evidenceLines, type Evidence } from "./evidence.ts";
export {
  figuresOf,
  isFault,
  judgesOf,
  runsOfJudge,
  type GroupFigures,
  type Means,
  type StandingSum,
} from "./figures.ts";
export { adviceLines, preflightLines } from "./preflight-table.ts";
export {
  NOTHING_ASKED,
  progressLine,
  progressText,
  sayCost,
  sayCount,
  sayTime,
  type AskedSoFar,
  type SetProgress,
} from "./progress.ts";
export { sayRate } from "./rates.ts";
export { byTrack, scoreLines } from "./set-table.ts";
export { tableLines, type Column } from "./table.ts";
export { countItems, itemLines, verificationLines } from "./verification-text.ts";
