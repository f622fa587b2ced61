/** Random traces of accepted steps with bound events, and relation items over them. */
import fc from "fast-check";
import { triggerId, type TriggerId } from "../../src/runtime/index.ts";
import { CONCURRENCY_MODES, type EventId, type ItemId, type RelationItem } from "../../src/contracts/contract.ts";
import type { HeldEvent, StepFacts } from "../../src/contracts/relations.ts";

export const event = (id: string): EventId => id as EventId;

/** The events an item may name. */
export const EVENTS = ["key_given", "gate_shut", "lamp_lit", "oath_sworn"].map(event);
/** An event that nothing is ever bound to and no item names. */
export const STRANGER = event("stranger");

export interface TracedTrigger {
  readonly id: TriggerId;
  readonly start: number;
  readonly end: number;
  readonly events: readonly EventId[];
}

export interface TracedStep {
  readonly step: number;
  readonly advance: number;
  readonly triggers: readonly TracedTrigger[];
}

/** A trace as the engine would time it, and the same as relations are settled from it. */
export interface Trace {
  readonly log: readonly TracedStep[];
  readonly held: ReadonlyMap<EventId, HeldEvent>;
  readonly steps: ReadonlyMap<number, StepFacts>;
  readonly boundTo: ReadonlyMap<TriggerId, readonly EventId[]>;
}

interface StepDraft {
  readonly triggers: readonly { readonly duration: number; readonly events: readonly EventId[] }[];
  readonly untilFirst: boolean;
  readonly advance: number;
}

const triggerDraft = fc.record({
  duration: fc.integer({ min: 1, max: 3 }),
  events: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...EVENTS).map((id) => [id]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...EVENTS), { maxLength: 2 }) },
  ),
});

const stepDraft: fc.Arbitrary<StepDraft> = fc
  .record({
    triggers: fc.oneof(
      { weight: 7, arbitrary: fc.array(triggerDraft, { minLength: 1, maxLength: 2 }) },
      fc.constant([]),
    ),
    untilFirst: fc.boolean(),
    advance: fc.oneof(
      { weight: 7, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
    ),
  })
  // A wait is a step without triggers and an advance of at least one tick.
  .map((draft) => (draft.triggers.length === 0 ? { ...draft, advance: Math.max(1, draft.advance) } : draft));

export const traceArbitrary: fc.Arbitrary<Trace> = fc
  .tuple(fc.array(stepDraft, { minLength: 1, maxLength: 7, size: "max" }), fc.subarray([...EVENTS], { maxLength: 1 }))
  .map(([drafts, failed]) => traceOf(drafts, failed));

/** Times the drafts from tick 0; `failed` are events that do not hold although triggers claim them. */
export function traceOf(drafts: readonly StepDraft[], failed: readonly EventId[] = []): Trace {
  let clock = 0;
  const log = drafts.map((draft, index): TracedStep => {
    const start = clock;
    const triggers = draft.triggers.map(({ duration, events }, position) => ({
      id: triggerId(index + 1, position + 1),
      start,
      end: start + duration,
      events: events.filter((id) => !failed.includes(id)),
    }));
    const ends = triggers.map((trigger) => trigger.end);
    const end = ends.length === 0 ? start : draft.untilFirst ? Math.min(...ends) : Math.max(...ends);
    clock = end + draft.advance;
    return { step: index + 1, advance: draft.advance, triggers };
  });
  return { log, ...factsOf(log) };
}

function factsOf(log: readonly TracedStep[]): Omit<Trace, "log"> {
  const held = new Map<EventId, HeldEvent>();
  for (const id of EVENTS) {
    const bound = log.flatMap((step) =>
      step.triggers.filter((t) => t.events.includes(id)).map((t) => ({ ...t, step: step.step })),
    );
    if (bound.length === 0) continue;
    held.set(id, {
      id,
      round: 1,
      interval: { start: Math.min(...bound.map((t) => t.start)), end: Math.max(...bound.map((t) => t.end)) },
      firstStep: Math.min(...bound.map((t) => t.step)),
      lastStep: Math.max(...bound.map((t) => t.step)),
      triggers: bound.map((t) => t.id),
    });
  }
  return {
    held,
    steps: new Map(
      log.map(({ step, advance, triggers }) => [step, { step, advance, triggers: triggers.map((t) => t.id) }]),
    ),
    boundTo: new Map(log.flatMap((step) => step.triggers).map((t) => [t.id, t.events])),
  };
}

const id = "relation" as ItemId;
const told = "and then";
const anyEvent = fc.constantFrom(...EVENTS);

export const causal = (causes: readonly EventId[], effect: EventId): RelationItem => ({
  id,
  kind: "CA",
  causes,
  effect,
  told,
});
export const temporal = (before: EventId, after: EventId, immediate = false): RelationItem => ({
  id,
  kind: "TM",
  before,
  after,
  immediate,
  told,
});
export const concurrent = (
  events: readonly [EventId, EventId],
  mode: (typeof CONCURRENCY_MODES)[number],
): RelationItem => ({
  id,
  kind: "CC",
  events,
  mode,
  told,
});

export const relationArbitrary: fc.Arbitrary<RelationItem> = fc.oneof(
  fc
    .tuple(fc.uniqueArray(anyEvent, { minLength: 1, maxLength: 3 }), anyEvent)
    .map(([causes, effect]) => causal(causes, effect)),
  fc.tuple(anyEvent, anyEvent).map(([before, after]) => temporal(before, after)),
  { weight: 3, arbitrary: fc.tuple(anyEvent, anyEvent).map(([before, after]) => temporal(before, after, true)) },
  fc
    .tuple(fc.tuple(anyEvent, anyEvent), fc.constantFrom(...CONCURRENCY_MODES))
    .map(([pair, mode]) => concurrent(pair, mode)),
);
