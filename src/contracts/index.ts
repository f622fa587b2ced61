export { eventSchema, probeSchema, relationSchema, structureSchema, type CaseContract, type ConcurrencyMode, type EventId, type EventItem, type ForbiddenValue, type ItemId, type ItemKind, type Perturbation, type ProbeItem, type RelationItem, type RoundContract, type StructureItem } from "./contract.ts";
export { isScored, itemsOf, type ContractItem } from "./items.ts";
export { eventsOfRelation, settleRelation, type HeldEvent, type Settlement, type StepFacts } from "./relations.ts";
export { type AuditedItem } from "./audited-item.ts";
export { checkWitness, type WitnessCheck } from "./check-witness.ts";
export { rateSchema, type Rate } from "./rate.ts";
export { scoreRun, scoreSchema, type Score, type ScoredItem, type ScoreInput } from "./score.ts";
export { sayWitness, type Witness } from "./witness.ts";
