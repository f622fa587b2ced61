export { type AnswerFormat } from "./answer-schema.ts";
export { openCache, NO_CACHE, type AnswerCache } from "./cache.ts";
export { type Agreement, type Kappa, type VerdictPair } from "./calibration/agreement.ts";
export {
  agreementOfSet,
  type Disagreement,
  type JudgedKind,
  type KindAgreement,
  type SaidOf,
  type SetAgreement,
} from "./calibration/agreement-set.ts";
export { type Share } from "./calibration/interval.ts";
export {
  judgeEdits,
  summarizeEdits,
  type EditFigures,
  type EditsJudged,
  type EditVote,
  type JudgeEditsOptions,
} from "./calibration/judge-edits.ts";
export { MODEL_AUDITORS } from "./auditor.ts";
export { ANSWER_TOKENS, estimateRun, type EstimatedRun, type EstimateOptions, type JudgeEstimate } from "./estimate.ts";
export { type Known } from "./evidence.ts";
export { findFormat, type FoundFormat } from "./format.ts";
export { type Voice } from "./ask.ts";
export { judgeRun, type JudgedRunByModel, type JudgeRunOptions, type RunToJudge } from "./judge-run.ts";
export { judgeSet, type JudgedSet, type JudgeEvent, type JudgeSetOptions, type RunInJudgedSet } from "./judge-set.ts";
export { type JudgeStop } from "./judge-stop.ts";
export { judgeSettings, type JudgeSettings, type ModelJudge, type ModelJudgeName } from "./model-judge.ts";
export { parseAnswer, type Parsed, type Reading } from "./parse.ts";
export { promptFor } from "./prompt.ts";
export { type Evidence, type Participant, type Question } from "./question.ts";
export { nameOfReparsed, reparseRun, type ReparsedRun } from "./reparse.ts";
export { tokensOfJudgeAnswer, type JudgeCostOf } from "./spending.ts";
