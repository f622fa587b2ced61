/** Why a relation does not hold: one fact, small enough to check by eye against the log. */
import * as z from "zod";
import { parseTriggerId, unreachable, type TriggerId } from "../runtime/index.ts";
import type { EventId } from "./contract.ts";

/** An event's id, in something read back from disk. */
export const eventIdSchema = z
  .string()
  .min(1)
  .transform((id) => id as EventId);

/** A trigger's id, in something read back from disk. */
export const triggerIdSchema = z
  .string()
  .refine((id) => parseTriggerId(id) !== undefined, "a trigger id is t<step>_<position>")
  .transform((id) => id as TriggerId);

const tick = z.int();
const step = z.int().min(1);

/** An event with its interval [start, end). */
const spanSchema = z.strictObject({ event: eventIdSchema, start: tick, end: tick });
export type WitnessSpan = Readonly<z.infer<typeof spanSchema>>;

/** What is true of the numbers, and should not be: `left sign right`. */
function inequality<const Sign extends string>(sign: Sign) {
  return z.strictObject({ left: tick, sign: z.literal(sign), right: tick });
}

/** What broke an `immediate`: a trigger of another event, a wait, or an `advance` (ticks). */
const intruderSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("trigger"), trigger: triggerIdSchema, event: eventIdSchema }),
  z.strictObject({ kind: z.literal("wait"), ticks: z.int().min(0) }),
  z.strictObject({ kind: z.literal("advance"), ticks: z.int().min(1) }),
]);
export type Intruder = Readonly<z.infer<typeof intruderSchema>>;

/**
 * The facts that can fail a relation. `a` and `b` stand in the order of the item: cause and effect, before and
 * after, first and second event.
 */
export const witnessSchema = z.discriminatedUnion("kind", [
  /** CA, TM, CC: the event does not hold. */
  z.strictObject({ kind: z.literal("absent"), event: eventIdSchema }),
  /** CA, TM: a.end > b.start. */
  z.strictObject({ kind: z.literal("order"), a: spanSchema, b: spanSchema, inequality: inequality(">") }),
  /** CC start_together: a.start ≠ b.start. */
  z.strictObject({ kind: z.literal("start"), a: spanSchema, b: spanSchema, inequality: inequality("≠") }),
  /** CC overlap: the later start ≥ the earlier end. */
  z.strictObject({ kind: z.literal("overlap"), a: spanSchema, b: spanSchema, inequality: inequality("≥") }),
  /** CC end_together: a.end ≠ b.end. */
  z.strictObject({ kind: z.literal("end"), a: spanSchema, b: spanSchema, inequality: inequality("≠") }),
  /** TM immediate: step `step` lies between the last step of `before` and the first of `after`, and holds `what`. */
  z.strictObject({
    kind: z.literal("between"),
    before: z.strictObject({ event: eventIdSchema, lastStep: step }),
    after: z.strictObject({ event: eventIdSchema, firstStep: step }),
    step,
    what: intruderSchema,
  }),
]);
export type Witness = Readonly<z.infer<typeof witnessSchema>>;

/** One plain sentence: `key_given [12, 13) ends after gate_shut [12, 14) begins: 13 > 12`. */
export function sayWitness(witness: Witness): string {
  switch (witness.kind) {
    case "absent":
      return `${witness.event} does not hold`;
    case "order":
      return `${saySpan(witness.a)} ends after ${saySpan(witness.b)} begins: ${sayInequality(witness)}`;
    case "start":
      return `${saySpan(witness.a)} and ${saySpan(witness.b)} do not start together: ${sayInequality(witness)}`;
    case "overlap":
      return `${saySpan(witness.a)} and ${saySpan(witness.b)} do not overlap, later start and earlier end are ${sayInequality(witness)}`;
    case "end":
      return `${saySpan(witness.a)} and ${saySpan(witness.b)} do not end together: ${sayInequality(witness)}`;
    case "between": {
      const { before, after } = witness;
      const place = `between ${before.event} (last step ${before.lastStep}) and ${after.event} (first step ${after.firstStep})`;
      return `${sayIntruder(witness.step, witness.what)} ${place}`;
    }
    default:
      return unreachable(witness);
  }
}

function saySpan(span: WitnessSpan): string {
  return `${span.event} [${span.start}, ${span.end})`;
}

function sayInequality(witness: { readonly inequality: { left: number; sign: string; right: number } }): string {
  const { left, sign, right } = witness.inequality;
  return `${left} ${sign} ${right}`;
}

function sayIntruder(step: number, what: Intruder): string {
  switch (what.kind) {
    case "trigger":
      return `${what.trigger} in step ${step} is bound to ${what.event} and lies`;
    case "wait":
      return `step ${step} waits for ${sayTicks(what.ticks)}`;
    case "advance":
      return `step ${step} advances the clock by ${sayTicks(what.ticks)}`;
    default:
      return unreachable(what);
  }
}

function sayTicks(ticks: number): string {
  return ticks === 1 ? "1 tick" : `${ticks} ticks`;
}
