/** A run as judges and programs read it: every accepted step and construction with the worlds around it. */
import {
  applyConstruction,
  applyStepRecord,
  digestOfWorld,
  type AcceptedStep,
  type AcceptedTrigger,
  type Construction,
  type EffectRecord,
  type RoundEnd,
  type TriggerId,
  type World,
} from "../runtime/index.ts";

export interface TraceStep {
  readonly kind: "step";
  /** Position among all entries of the trace, from 0. */
  readonly order: number;
  readonly record: AcceptedStep;
  readonly before: World;
  readonly after: World;
}

export interface TraceConstruction {
  readonly kind: "construction";
  readonly order: number;
  readonly record: Construction;
  readonly before: World;
  readonly after: World;
}

export type TraceEntry = TraceStep | TraceConstruction;

export interface TracedTrigger {
  readonly trigger: AcceptedTrigger;
  readonly step: TraceStep;
}

export interface Trace {
  readonly initial: World;
  readonly entries: readonly TraceEntry[];
  /** Accepted steps by number. */
  readonly steps: ReadonlyMap<number, TraceStep>;
  readonly triggers: ReadonlyMap<TriggerId, TracedTrigger>;
  /** Constructions by number. */
  readonly constructions: ReadonlyMap<number, TraceConstruction>;
  readonly rounds: ReadonlyMap<number, readonly TraceStep[]>;
  readonly ends: readonly RoundEnd[];
}

/** Where the records of a run do not fit together. */
export interface TraceFault {
  readonly where: string;
  readonly expected: string;
  readonly seen: string;
}

/**
 * Rebuilds a run from the world it began in and the records of its log. Nothing is decided again: worlds follow from
 * the writes. A digest that does not match is a fault.
 */
export function buildTrace(
  initial: World,
  records: Iterable<EffectRecord>,
): { readonly ok: true; readonly value: Trace } | { readonly ok: false; readonly error: TraceFault } {
  const entries: TraceEntry[] = [];
  const ends: RoundEnd[] = [];
  let world = initial;
  for (const record of records) {
    if (record.kind === "rejected" || record.kind === "submission" || record.kind === "span") continue;
    if (record.kind === "round_end") {
      ends.push(record);
      continue;
    }
    const where = record.kind === "accepted" ? `step ${record.step}` : `construction ${record.construction}`;
    const before = world;
    try {
      world = record.kind === "accepted" ? applyStepRecord(world, record) : applyConstruction(world, record);
    } catch (error) {
      return {
        ok: false,
        error: {
          where,
          expected: "writes that fit the world",
          seen: error instanceof Error ? error.message : String(error),
        },
      };
    }
    const digest = digestOfWorld(world);
    if (digest !== record.digest) return { ok: false, error: { where, expected: record.digest, seen: digest } };
    const order = entries.length;
    entries.push(
      record.kind === "accepted"
        ? { kind: "step", order, record, before, after: world }
        : { kind: "construction", order, record, before, after: world },
    );
  }
  return { ok: true, value: indexTrace(initial, entries, ends) };
}

function indexTrace(initial: World, entries: readonly TraceEntry[], ends: readonly RoundEnd[]): Trace {
  const steps = entries.filter((entry) => entry.kind === "step");
  const rounds = new Map<number, TraceStep[]>();
  for (const step of steps) rounds.set(step.record.round, [...(rounds.get(step.record.round) ?? []), step]);
  return {
    initial,
    entries,
    steps: new Map(steps.map((step) => [step.record.step, step])),
    triggers: new Map(
      steps.flatMap((step) => step.record.triggers.map((trigger) => [trigger.id, { trigger, step }] as const)),
    ),
    constructions: new Map(
      entries.flatMap((entry) => (entry.kind === "construction" ? [[entry.record.construction, entry] as const] : [])),
    ),
    rounds,
    ends,
  };
}

/** The accepted steps of a round, in order. */
export function stepsOfRound(trace: Trace, round: number): readonly TraceStep[] {
  return trace.rounds.get(round) ?? [];
}

/** A trigger as it was submitted. */
export function asSubmitted(trigger: AcceptedTrigger): {
  readonly capability: string;
  readonly args: AcceptedTrigger["args"];
} {
  return { capability: trigger.capability, args: trigger.args };
}
