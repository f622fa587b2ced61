export { fork, type Fork, type ForkedStep } from "./fork.ts";
export { applyConstruction, applyStepRecord } from "./apply-record.ts";
export { admitCall, admitText, type AdmittedCall } from "./admit.ts";
export { budgetsFrom, type Budgets } from "./budget.ts";
export { buildWorld, type BuiltWorld, type WorldFault, type WorldParts } from "./build-world.ts";
export { canonicalJson, compareText, sameJson, type Json } from "./canonical.ts";
export {
  capabilitySchema,
  EFFECT_VERBS,
  effectSchema,
  triggerSchema,
  type Arg,
  type Args,
  type Capability,
  type CapabilityDraft,
  type Param,
  type Trigger,
} from "./capability.ts";
export { compileCapability } from "./compile-capability.ts";
export { digestOf, sha256 } from "./digest.ts";
export { fieldOf } from "./effects.ts";
export {
  ERROR_CODES,
  nearestWord,
  refuse,
  succeed,
  suggest,
  toolErrorSchema,
  unreachable,
  type Result,
  type ToolError,
} from "./errors.ts";
export {
  compileCondition,
  evaluate,
  isTrue,
  mentionsOfExpressions,
  splitConjuncts,
  walk as walkExpression,
  type CompiledExpression,
  type Environment,
  type Node as ExpressionNode,
} from "./expression/index.ts";
export { defaultOf, describeField, fieldSchema, literalSchema, textOf, type Field, type FieldValue } from "./field.ts";
export { faultOfId, ID_PATTERN, idOf, lookUp, nameOf, parseTriggerId, triggerId, type TriggerId } from "./ids.ts";
export { brokenInvariant, compileInvariant } from "./invariant-check.ts";
export { LIMITS } from "./limits.ts";
export {
  effectRecordSchema,
  type AcceptedStep,
  type AcceptedTrigger,
  type Construction,
  type EffectRecord,
  type RejectedStep,
  type RoundEnd,
  type Write,
} from "./record.ts";
export { type MaintenanceSession } from "./maintenance/session.ts";
export {
  callTool,
  isDeduction,
  isOver,
  openSession,
  outcomeOf,
  type Scenario,
  type Session,
  type Turn,
} from "./session.ts";
export {
  changeEntities,
  countEntities,
  entityIds,
  entityIdsOfType,
  getEntity,
  retiredIds,
  tableOf,
  valueOf,
} from "./state/index.ts";
export { commitStep, type StepInput } from "./step.ts";
export { LEVELS, mayConstruct, constructibleLevels, TIERS, tierSchema, type Level, type Tier } from "./tier.ts";
export { inputJsonSchema, TOOL_NAMES, toolJsonSchemas, TOOLS, type Tool, type ToolName } from "./tools.ts";
export { toolsOf, type Track } from "./tools-of.ts";
export { soundTurn, type SessionOutcome } from "./turn.ts";
export { type ToolAnswer } from "./tool-answers.ts";
export { alongsideOf } from "./trigger.ts";
export { tryTrigger, type Trial } from "./try-trigger.ts";
export { type MaintenanceScenario } from "./maintenance/view.ts";
export { checkAt, checkFieldValue } from "./value-check.ts";
export {
  digestOfWorld,
  entityDraftSchema,
  invariantSchema,
  mapSchema,
  typeSchema,
  type Entity,
  type EntityDraft,
  type EntityType,
  type Invariant,
  type World,
  type WorldMap,
} from "./world.ts";
export { applyAction, checkAction, legalActions, nextDecision, type LegalAction } from "./dynamics/action.ts";
export { changesBetween, DESTROYED, sortChanges, type Changes } from "./dynamics/changes.ts";
export { compileDynamics, type DynamicsParts } from "./dynamics/compile-dynamics.ts";
export {
  askCounterfactuals,
  truthOfAction,
  truthOfHappening,
  type ActionQuestion,
  type HappeningQuestion,
  type LastSpan,
  type Questions,
} from "./dynamics/counterfactual.ts";
export { createdPatternSchema, fitsAnyCreated, fitsCreated, type CreatedPattern } from "./dynamics/created-ids.ts";
export {
  WAIT,
  WAIT_ID,
  type ActionUse,
  type Dynamics,
  type DynamicsFault,
  type Happening,
} from "./dynamics/dynamics.ts";
export { splitPath, valueAtPath, type NaturalWrite } from "./dynamics/merge-naturally.ts";
export { observe, placeOf, placeSeen, unsealed, visibilityOf } from "./dynamics/observe.ts";
export {
  entrySchema,
  processSchema,
  type CompiledEntry,
  type CompiledProcess,
  type EntryDraft,
  type ProcessDraft,
} from "./dynamics/process.ts";
export { rollout, type Rollout, type RolloutInput } from "./dynamics/rollout.ts";
export { type MergedWrites, type TickOptions } from "./dynamics/tick.ts";
export { placeVisibilitySchema, visibilitySchema, type Visibility } from "./dynamics/visibility.ts";
export { checkPrediction } from "./deduction/paths.ts";
export {
  type Asked,
  type Changed,
  type DeductionContextAnswer,
  type DeductionEndAnswer,
  type Legal,
  type SeenChange,
  type SubmissionAnswer,
} from "./deduction/answers.ts";
export { PARTS, type Part, type Predictions, type SpanRecord, type Submission } from "./deduction/record.ts";
export {
  CONDITIONS,
  deductionBudgets,
  LOOKAHEAD_TICKS,
  MODES,
  plannedRounds,
  type Condition,
  type DeductionScenario,
  type Mode,
} from "./deduction/scenario.ts";
export { closeRest, type DeductionSession } from "./deduction/session.ts";
export { questionKey } from "./deduction/course.ts";
export { type DeductionView } from "./deduction/view.ts";
