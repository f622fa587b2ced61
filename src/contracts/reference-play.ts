/** The authored play of a case: what satisfies every item, and what the marks of events are read from. */
import {
  commitStep,
  type AcceptedStep,
  type EffectRecord,
  type ToolError,
  type Trigger,
  type TriggerId,
  type World,
} from "../runtime/index.ts";
import type { EventId } from "./contract.ts";
import { buildTrace, type Trace } from "./trace.ts";

export interface ReferenceTrigger extends Trigger {
  /** The events that this trigger realises, in whole or in part. */
  readonly realises: readonly EventId[];
}

export interface ReferenceStep {
  readonly triggers: readonly ReferenceTrigger[];
  readonly until?: "first" | undefined;
  readonly advance?: number | undefined;
}

/** A reference that was played: its trace, and which triggers realise which event. */
export interface PlayedReference {
  readonly trace: Trace;
  readonly bindings: ReadonlyMap<EventId, readonly TriggerId[]>;
}

/** A step of the reference that the world refuses. */
export interface ReferenceRefusal {
  readonly round: number;
  /** Position of the step in its round, from 0. */
  readonly step: number;
  readonly error: ToolError;
}

/** Plays a reference in the full world, as easy sees it. */
export function playReference(
  world: World,
  rounds: readonly (readonly ReferenceStep[])[],
): { readonly ok: true; readonly value: PlayedReference } | { readonly ok: false; readonly error: ReferenceRefusal } {
  const records: EffectRecord[] = [];
  const bindings = new Map<EventId, TriggerId[]>();
  let now = world;
  let number = 0;
  for (const [i, steps] of rounds.entries()) {
    for (const [k, step] of steps.entries()) {
      number += 1;
      const done = commitStep(
        now,
        { triggers: step.triggers.map(plain), until: step.until, advance: step.advance ?? 0 },
        { step: number, round: i + 1 },
      );
      if (!done.ok) return { ok: false, error: { round: i + 1, step: k, error: done.error } };
      now = done.value.world;
      records.push(done.value.record);
      bind(bindings, step, done.value.record);
    }
  }
  const trace = buildTrace(world, records);
  if (!trace.ok)
    throw new Error(
      `playReference: ${trace.error.where}: digest ${trace.error.seen} instead of ${trace.error.expected}`,
    );
  return { ok: true, value: { trace: trace.value, bindings } };
}

function plain(step: ReferenceTrigger): Trigger {
  const { realises: _, ...trigger } = step;
  return trigger;
}

function bind(bindings: Map<EventId, TriggerId[]>, step: ReferenceStep, record: AcceptedStep): void {
  step.triggers.forEach(({ realises }, position) => {
    for (const event of realises) {
      const id = record.triggers[position]?.id as TriggerId;
      bindings.set(event, [...(bindings.get(event) ?? []), id]);
    }
  });
}
