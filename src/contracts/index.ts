export { type AuditedItem } from "./audited-item.ts";
export { alternativesOf } from "./alternatives.ts";
export { auditEvents } from "./audit-events.ts";
export { auditProbe, auditStructure } from "./audit-structures.ts";
export { checkWitness, type WitnessCheck } from "./check-witness.ts";
export {
  eventSchema,
  ITEM_KINDS,
  probeSchema,
  perturbationSchema,
  relationSchema,
  structureSchema,
  type CaseContract,
  type ConcurrencyMode,
  type EventId,
  type EventItem,
  type ForbiddenValue,
  type ItemId,
  type ItemKind,
  type Perturbation,
  type ProbeItem,
  type RelationItem,
  type RoundContract,
  type StructureItem,
} from "./contract.ts";
export {
  aggregateDeduction,
  aggregateDeductionCases,
  type DeductionGroup,
  type GroupReading,
  type PlannedRun,
} from "./deduction/aggregate.ts";
export { baselinesAlong, type Along, type Trajectory } from "./deduction/along.ts";
export { BASELINE_NAMES, BASELINES, type BaselineName } from "./deduction/baselines/baseline.ts";
export {
  NO_MEMORY,
  type AskedQuestions,
  type Knowledge,
  type Memory,
  type Past,
  type Prediction,
  type Predictor,
} from "./deduction/baselines/knowledge.ts";
export { f1Of, matchChanges, precisionOf, recallOf, type Matches } from "./deduction/f1.ts";
export { type Fires } from "./deduction/fires.ts";
export { type LevelMean } from "./deduction/level-mean.ts";
export { type Mean } from "./deduction/mean.ts";
export { SCORED_VISIBILITIES, SIZES, type Means, type Reading, type Size } from "./deduction/reading.ts";
export {
  deductionScoreSchema,
  READING_KINDS,
  readingsOfMode,
  scoreDeduction,
  type DeductionRun,
  type DeductionScore,
  type ReadingKind,
  type ScoredDeduction,
} from "./deduction/score.ts";
export { judgeEvents } from "./exact-events.ts";
export { judgeExactly } from "./exact-judge.ts";
export { judgeProbe, matchesPath } from "./exact-probes.ts";
export { judgeStructure } from "./exact-structures.ts";
export { namedEntities, settleIdentities, whoIs, type IdentityMap, type Who } from "./identity.ts";
export { isScored, itemsOf, type ContractItem } from "./items.ts";
export { identitySchema, judgmentSchema, type Identity, type Judgment } from "./judgment.ts";
export { deriveMarks, relevantPaths, type CaseMarks, type EventMarks, type PathMark } from "./marks.ts";
export { participationIn, type Participation, type Recall } from "./participation.ts";
export { valueAt, withValues } from "./path.ts";
export { type Rate } from "./rate.ts";
export { playReference, type PlayedReference, type ReferenceStep, type ReferenceTrigger } from "./reference-play.ts";
export { eventsOfRelation, settleRelation, type HeldEvent, type Settlement, type StepFacts } from "./relations.ts";
export { scoreRun, scoreSchema, type Score, type ScoredItem, type ScoreInput } from "./score.ts";
export {
  scoreJudgedRun,
  scoreSettledRun,
  settleRun,
  type ModelJudge,
  type RunToSettle,
  type SettledRun,
} from "./settle-run.ts";
export { type Standing, type StandingCounts } from "./standing.ts";
export { buildTrace, type Trace, type TracedTrigger, type TraceFault, type TraceStep } from "./trace.ts";
export { settleIdentityVotes, settleVotes } from "./votes.ts";
export { sayWitness, type Witness } from "./witness.ts";
