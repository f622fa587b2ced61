export { type Agent, type AgentCall, type AgentContext, type AgentEnd, type AgentPlay } from "./agent.ts";
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
  playSet,
  type PlayedRun,
  type RefusedTier,
  type RunName,
  type SetAxes,
  type SetEvent,
  type SetOptions,
  type SetPlan,
} from "./maintenance/set.ts";
export { playLines } from "./maintenance/line-play.ts";
export {
  playCalls,
  verifyCase,
  type CaseVerification,
  type CheckNumber,
  type PlayedCalls,
  type Problem,
  type TierVerification,
  type VerifyOptions,
} from "./maintenance/admission/index.ts";
