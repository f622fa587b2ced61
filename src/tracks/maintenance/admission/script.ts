/** A play as admission edits it: calls, and steps whose triggers still know which events they realise. */
import * as z from "zod";
import {
  solutionOf,
  stepCall,
  type Call,
  type Case,
  type ReferenceStep,
  type ReferenceTrigger,
} from "../../../cases/index.ts";
import type { EventId } from "../../../contracts/index.ts";
import {
  triggerSchema,
  type Capability,
  type CapabilityDraft,
  type Level,
  type Tier,
  type Trigger,
} from "../../../runtime/index.ts";

/**
 * One doing of a play. Acts are compared by identity: two scripts share what they hold in common, and a mutant is
 * replayed from the first act it does not share with the reference.
 */
export type Act =
  | { readonly kind: "step"; readonly step: ReferenceStep }
  | { readonly kind: "call"; readonly call: Call }
  /** Puts a capability into the world past the rules of the tier (`null`: takes it out again); no agent can do that. */
  | { readonly kind: "grant"; readonly id: string; readonly capability: Capability | null };

/** The acts of a play, round by round; the end of a round is not among them. */
export type Script = readonly (readonly Act[])[];

export function stepAct(triggers: readonly ReferenceTrigger[], rest: Omit<ReferenceStep, "triggers"> = {}): Act {
  return { kind: "step", step: { ...rest, triggers: [...triggers] } };
}

export function waitAct(advance: number): Act {
  return { kind: "step", step: { triggers: [], advance } };
}

/** A construction as an act. */
export function constructAct(level: Level, item: unknown): Act {
  return { kind: "call", call: { tool: "construct", input: { op: "create", [level]: item as Call["input"] } } };
}

/** Grants a capability for one step and takes it away again. */
export function grantedStep(draft: CapabilityDraft, args: Trigger["args"] = {}): readonly Act[] {
  const capability = { ...draft, version: 1 };
  const step = stepAct([{ capability: draft.id, args, realises: [] }]);
  return [{ kind: "grant", id: draft.id, capability }, step, { kind: "grant", id: draft.id, capability: null }];
}

export function callOf(act: Exclude<Act, { readonly kind: "grant" }>): Call {
  return act.kind === "step" ? stepCall(act.step) : act.call;
}

const restSchema = z.strictObject({
  triggers: z.unknown(),
  until: z.literal("first").optional(),
  advance: z.number().optional(),
});

/** A call as an act; one that is no well-formed step is submitted as it is. */
export function actOf(call: Call): Act {
  if (call.tool !== "commit_step") return { kind: "call", call };
  const triggers = triggerSchema.array().safeParse(call.input["triggers"]);
  const rest = restSchema.safeParse(call.input);
  if (!triggers.success || !rest.success) return { kind: "call", call };
  const { until, advance } = rest.data;
  return stepAct(
    triggers.data.map((trigger) => ({ ...trigger, realises: [] })),
    { until, advance },
  );
}

/**
 * The reference of a tier as a script. What a round constructs stands before its first step, so that a step may be
 * moved within its round without leaving what it uses behind.
 */
export function scriptOf(case_: Pick<Case, "world" | "contract" | "reference">, tier: Tier): Script {
  return solutionOf(case_, tier).map((calls, i) => {
    const constructions = calls.filter(({ tool }) => tool === "construct").map((call): Act => ({ kind: "call", call }));
    const steps = (case_.reference[i] ?? []).map((step): Act => ({ kind: "step", step }));
    return [...constructions, ...steps];
  });
}

/** What a construction makes; undefined of any other act. */
export function madeBy(act: Act): { readonly level: Level; readonly id: string } | undefined {
  if (act.kind !== "call" || act.call.tool !== "construct") return undefined;
  for (const level of ["type", "entity", "capability"] as const) {
    const part = act.call.input[level] as { readonly id?: unknown } | undefined;
    if (typeof part?.id === "string") return { level, id: part.id };
  }
  return undefined;
}

export function triggersOf(act: Act): readonly ReferenceTrigger[] {
  return act.kind === "step" ? act.step.triggers : [];
}

export function realises(act: Act, event: EventId): boolean {
  return triggersOf(act).some((trigger) => trigger.realises.includes(event));
}

/** The script with one round's acts replaced. */
export function withRound(script: Script, round: number, acts: readonly Act[]): Script {
  return script.map((own, i) => (i + 1 === round ? acts : own));
}

/** The acts of a round, from 1. */
export function actsOf(script: Script, round: number): readonly Act[] {
  return script[round - 1] ?? [];
}

/** Where two scripts part: round from 1 and act from 0; undefined where they are the same. */
export function partingOf(a: Script, b: Script): { readonly round: number; readonly act: number } | undefined {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [own, other] = [a[i] ?? [], b[i] ?? []];
    if (own === other) continue;
    for (let k = 0; k < Math.max(own.length, other.length); k += 1)
      if (own[k] !== other[k]) return { round: i + 1, act: k };
  }
  return undefined;
}
