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
  isTrue,
  mentionsOfExpressions,
  splitConjuncts,
  type CompiledExpression,
} from "./expression/index.ts";
export { defaultOf, describeField, literalSchema, textOf, type Field, type FieldValue } from "./field.ts";
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
export { callTool, isOver, openSession, outcomeOf, type Session, type SessionOutcome, type Turn } from "./session.ts";
export { changeEntities, entityIds, entityIdsOfType, getEntity, tableOf, valueOf } from "./state.ts";
export { commitStep, type StepInput } from "./step.ts";
export { LEVELS, mayConstruct, constructibleLevels, TIERS, tierSchema, type Level, type Tier } from "./tier.ts";
export { TOOL_NAMES, toolJsonSchemas, TOOLS, type ToolName } from "./tools.ts";
export { type ToolAnswer } from "./tool-answers.ts";
export { alongsideOf } from "./trigger.ts";
export { tryTrigger, type Trial } from "./try-trigger.ts";
export { type Scenario } from "./view.ts";
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
