export {
  listAnswerSets,
  openAnswers,
  readAnswers,
  type AnswerFile,
  type AnswerFileOptions,
  type AnswerHeader,
  type AnswerSet,
} from "./answer-file.ts";
export { readIfThere, replaceFile } from "./atomic-file.ts";
export { FIRST_PREV, sealLine, verifyLine, type LineFault, type LineFaultKind } from "./chain.ts";
export {
  logBodySchema,
  MAX_LINE_BYTES,
  type CallBody,
  type Envelope,
  type JournalBody,
  type LogBody,
  type LogEntry,
  type LogKind,
} from "./entry.ts";
export { isDiskFault, RecordError, type RecordErrorCode } from "./error.ts";
export {
  adaptationSchema,
  FAULT_KINDS,
  QUIRKS,
  type Adaptation,
  type AnswerBody,
  type Attempt,
  type EndpointFault,
  type FaultBody,
  type FaultKind,
  type FoldBody,
  type MessageBody,
  type Quirk,
  type Tolerated,
  type Usage,
} from "./exchange.ts";
export { forgetAgent, type Forgotten } from "./forget-agent.ts";
export { diskIo, type RecordIo } from "./io.ts";
export { judgeAnswerSchema, type JudgeAnswer } from "./judge-answer.ts";
export { describeIssues, jsonObjectSchema } from "./json.ts";
export {
  judgmentHeaderSchema,
  listJudgmentSets,
  readJudgments,
  writeJudgments,
  type JudgmentHeader,
  type JudgmentSet,
} from "./judgment-file.ts";
export { acquireLock, type Lock } from "./lock.ts";
export {
  checkLog,
  describeLogFault,
  readEntries,
  readLog,
  recoverLog,
  type LogCheck,
  type LogFault,
  type LogItem,
  type LogPrefix,
} from "./log-reader.ts";
export { makeFolders } from "./make-folders.ts";
export { openLogWriter, type LogRepair, type LogWriter, type LogWriterOptions } from "./log-writer.ts";
export {
  agentNameSchema,
  compareManifests,
  manifestSchema,
  withoutTime,
  type Manifest,
  type ManifestDifference,
  type TimelessManifest,
} from "./manifest.ts";
export { endOfSession, OUTCOMES, staysOpen, type Outcome } from "./outcome.ts";
export {
  createRunFolder,
  LOG_FILE,
  MANIFEST_FILE,
  openRunFolder,
  readManifest,
  readRunFolder,
  readRunProgress,
  requireSameRun,
  runPath,
  type RunFolder,
  type RunProgress,
  type RunRecord,
  type RunState,
} from "./run-folder.ts";
export { addPlanned, readPlanned } from "./planned.ts";
export { agentOfRun, keyOfId, parseRunId, requireRunId, runIdOf, type RunId, type RunKey } from "./run-id.ts";
export { listRuns, requireSet, runNamesIn } from "./run-set.ts";
export { listScores, readScore, writeScore } from "./score-file.ts";
export { scenarioOfRun } from "./scenario-of-run.ts";
export { scoreDeductionFolder } from "./score-deduction.ts";
export { findSecret } from "./secret.ts";
export { addSetAgent, readSetAgents, requireSetAgent, type SetAgent } from "./set-agents.ts";
export {
  addAnswer,
  addLost,
  addSpending,
  NOTHING_SPENT,
  spendingOfLog,
  spendingOfSet,
  tokensOf,
  type CostOf,
  type Spending,
} from "./spending.ts";
export { auditOutcome, type OutcomeEntry } from "./audit-log.ts";
export { auditRun, type RunAudit } from "./audit.ts";
export { type JudgeAuditor, type Rederived } from "./audit-set.ts";
export { differencesOfJson, type Difference } from "./difference.ts";
export {
  beginRun,
  isSameCall,
  openRun,
  RecordedRun,
  resumeRun,
  type LoggedCall,
  type LoggedLine,
} from "./recorded-run.ts";
export { Replayer } from "./replay.ts";
export { hasOwnIds, isIdle, readRun, type ReadRun } from "./read-run.ts";
export {
  faultOfExact,
  judgeFolder,
  judgeRunExactly,
  marksOf,
  scoreFolder,
  scoreOf,
  settleAndScore,
} from "./score-run.ts";
