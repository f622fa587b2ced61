export {
  type Agent,
  type AgentCall,
  type AgentContext,
  type AgentEnd,
  type AgentPlay,
  type DeductionContext,
  type Journal,
  type MaintenanceContext,
  type RunKind,
} from "./agent.ts";
export {
  deductionAdmissionOf,
  faultOfDeductionAdmission,
  formatDeductionAdmission,
  readDeductionAdmission,
  verifyDeduction,
  type DeductionAdmission,
  type DeductionCheck,
  type DeductionFigures,
  type DeductionProblem,
  type DeductionVerification,
  type SpanShares,
} from "./deduction/admission/index.ts";
export { type DeductionAxes, type DeductionName, type DeductionPlan } from "./deduction/plan.ts";
export { type MaintenanceAxes, type MaintenanceName, type MaintenancePlan } from "./maintenance/plan.ts";
export { systemClock, type Clock } from "./play/clock.ts";
export {
  manifestOf,
  playRun,
  type RunOptions,
  type RunProgressEvent,
  type RunResult,
  type Surroundings,
} from "./play/run.ts";
export {
  auditFolder,
  auditPlan,
  replayRecord,
  runFoldersIn,
  type FolderAudit,
  type PlanAudit,
  type RunReplay,
  type SetDifference,
} from "./play/set-audit.ts";
export {
  isRunFolder,
  judgeRecord,
  readSet,
  scoreRun,
  scoreSet,
  sortRuns,
  type CasesById,
  type JudgedRun,
  type JudgeOptions,
  type ScoredDeductionRun,
  type ScoredMaintenanceRun,
  type ScoredRun,
  type SetOnDisk,
} from "./play/set-on-disk.ts";
export { idOfPlan, nameOfPlan, type RunName, type RunPlan } from "./play/plan.ts";
export { type Refusal, type SetPlan } from "./play/set-plan.ts";
export {
  planSet,
  type PlayedAs,
  type PlayedRun,
  type SetAxes,
  type SetEvent,
  type SetOptions,
  type SetResult,
  type Unanswered,
} from "./play/set.ts";
export { playSet } from "./play/play-set.ts";
export { requireFit, requireSameCases } from "./play/set-fit.ts";
export { reachedBudget, type SetBudgets } from "./play/set-meter.ts";
export { type BudgetStop, type SetBudgetName, type SetStop } from "./play/set-stop.ts";
export { playLines } from "./play/line-play.ts";
export {
  admissionRecordOf,
  contentDigestOf,
  faultOfAdmission,
  formatAdmission,
  knownEdits,
  mergeParts,
  MUTANT_KINDS,
  partFinder,
  partFoundSchema,
  partsOf,
  playCalls,
  readAdmission,
  sayKiller,
  verifyCase,
  type AdmissionRecord,
  type CaseVerification,
  type CheckNumber,
  type KnownEdit,
  type KnownEditsOptions,
  type MutantKind,
  type PartFinder,
  type PartFound,
  type PartName,
  type PlayedCalls,
  type Problem,
  type TierVerification,
  type VerifyOptions,
} from "./maintenance/admission/index.ts";
