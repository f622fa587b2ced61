export { type Agent, type AgentCall, type AgentContext, type AgentEnd, type AgentPlay, type Journal } from "./agent.ts";
export { systemClock, type Clock } from "./maintenance/clock.ts";
export {
  manifestOf,
  playRun,
  type RunOptions,
  type RunPlan,
  type RunProgressEvent,
  type RunResult,
  type Surroundings,
} from "./maintenance/run.ts";
export {
  auditFolder,
  auditPlan,
  replayRecord,
  runFoldersIn,
  type FolderAudit,
  type PlanAudit,
  type RunReplay,
  type SetDifference,
} from "./maintenance/set-audit.ts";
export {
  isRunFolder,
  judgeRecord,
  readSet,
  scoreSet,
  type CasesById,
  type JudgedRun,
  type JudgeOptions,
  type ScoredRun,
  type SetOnDisk,
} from "./maintenance/set-on-disk.ts";
export {
  nameOfPlan,
  planSet,
  type PlayedRun,
  type RefusedTier,
  type RunName,
  type SetAxes,
  type SetEvent,
  type SetOptions,
  type SetPlan,
  type SetResult,
  type Unanswered,
} from "./maintenance/set.ts";
export { playSet } from "./maintenance/play-set.ts";
export { requireFit, requireSameCases } from "./maintenance/set-fit.ts";
export { reachedBudget, type SetBudgets } from "./maintenance/set-meter.ts";
export { type BudgetStop, type SetBudgetName, type SetStop } from "./maintenance/set-stop.ts";
export { playLines } from "./maintenance/line-play.ts";
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
