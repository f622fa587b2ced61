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
export { RecordError, type RecordErrorCode } from "./error.ts";
export {
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
export { diskIo, type RecordIo } from "./io.ts";
export { judgeAnswerSchema, type JudgeAnswer } from "./judge-answer.ts";
export { jsonObjectSchema } from "./json.ts";
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
export { OUTCOMES, type Outcome } from "./outcome.ts";
export {
  createRunFolder,
  LOG_FILE,
  MANIFEST_FILE,
  openRunFolder,
  readManifest,
  readRunFolder,
  readRunProgress,
  runPath,
  type RunFolder,
  type RunProgress,
  type RunRecord,
  type RunState,
} from "./run-folder.ts";
export { addPlanned, readPlanned } from "./planned.ts";
export { parseRunId, requireRunId, runIdOf, type RunId, type RunKey } from "./run-id.ts";
export { listRuns } from "./run-set.ts";
export { listScores, readScore, writeScore } from "./score-file.ts";
export { findSecret } from "./secret.ts";
export { auditRun, type RunAudit } from "./audit.ts";
export { type Difference } from "./difference.ts";
export { beginRun, isSameCall, openRun, RecordedRun, resumeRun, type RecordedCall } from "./recorded-run.ts";
export { Replayer } from "./replay.ts";
export { judgeFolder, judgeRunExactly, marksOf, readRun, scoreFolder, scoreOf, type ReadRun } from "./score-run.ts";
