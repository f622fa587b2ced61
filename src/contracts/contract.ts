/** What a round's contract holds, as an author writes it and as judges and programs read it. */
import * as z from "zod";
import { idOf, literalSchema, nameOf, textOf } from "../runtime/index.ts";

declare const brand: unique symbol;
/** The id of an event. Unique in a case. */
export type EventId = string & { readonly [brand]: "EventId" };
/** The id of any contract item: an event, structure, probe or relation. Unique in a case. */
export type ItemId = string & { readonly [brand]: "ItemId" };

const itemId = idOf.describe("Unique in the case").transform((id) => id as ItemId);
const eventId = idOf.describe("The id of an event").transform((id) => id as EventId);
const path = z
  .string()
  .regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, "a path is entity.field")
  .describe("entity.field");
const expression = z.string().min(1);
const told = textOf.min(1).describe("Words of the narrative that carry it; ... stands for words left out");

/** Marks of a further way in which an event may be realised. */
const acceptSchema = z.strictObject({
  defining: z.record(path, literalSchema).describe("Paths and the values they reach"),
  given: expression.optional().describe("A circumstance of this way, true before its first step"),
});

/** An event (E). */
export const eventSchema = z.strictObject({
  id: idOf.describe("Unique in the case").transform((id) => id as EventId),
  says: textOf.min(1).describe("Who does what, in one plain sentence: no order, no rule, no id"),
  involves: z.array(nameOf).min(1).describe("The entities that took part"),
  defining: z.array(path).min(1).max(2).describe("The one or two paths that make it this event"),
  given: expression.optional().describe("Must be true in the state before the binding's first step"),
  accepts: z.array(acceptSchema).default([]).describe("Further ways in which it may come about"),
});
export type EventItem = z.infer<typeof eventSchema>;

/**
 * A perturbed state: paths and the values they are given; `clock` is the clock; `args` swaps arguments of the
 * reference trigger. `since` holds it from an event on.
 */
export const perturbationSchema = z.looseObject({
  since: eventId.optional().describe("Hold the difference up from this event on"),
  args: z
    .record(nameOf, z.union([z.boolean(), z.number(), z.string()]))
    .optional()
    .describe("Arguments of the reference trigger, given otherwise"),
  clock: z.int().min(0).optional().describe("What the clock shows"),
  told: told.optional(),
});

/** A perturbation with its paths apart from its other keys. */
export interface Perturbation {
  readonly paths: Readonly<Record<string, null | boolean | number | string | readonly string[]>>;
  readonly clock?: number;
  readonly args?: Readonly<Record<string, boolean | number | string>>;
  readonly since?: EventId;
  readonly told?: string;
}

/** A structure (A). */
export const structureSchema = z.strictObject({
  id: itemId,
  level: z.enum(["type", "entity", "capability"]).describe("What is constructed"),
  says: textOf.min(1).describe("What it is a way to do, and what it refuses, in one sentence"),
  usedBy: eventId.describe("The event whose triggers use it"),
  availableBefore: eventId.optional().describe("The event before which it must stand; before its use where left out"),
  reference: z.string().describe("The id of the reference's own structure"),
  refusedWhen: z
    .array(perturbationSchema)
    .default([])
    .describe("Differences under which it must be refused: a rule that the narrative states, each with told"),
  allowedWhen: z
    .array(perturbationSchema)
    .default([])
    .describe("Harmless differences, best in what the rule looks at, under which it must still go through"),
});

export interface StructureItem {
  readonly id: ItemId;
  readonly level: "type" | "entity" | "capability";
  readonly says: string;
  readonly usedBy: EventId;
  readonly availableBefore?: EventId;
  readonly reference: string;
  readonly refusedWhen: readonly Perturbation[];
  readonly allowedWhen: readonly Perturbation[];
}

/** What a path may not become: a value, anything but a value (`not`), or anything at all (`any`). */
const forbiddenValue = z.union([
  literalSchema,
  z.strictObject({ not: literalSchema.describe("Any value but this one") }),
  z.strictObject({ any: z.literal(true).describe("Any value at all") }),
]);
export type ForbiddenValue = z.infer<typeof forbiddenValue>;

/** A probe (P). `changes` forbids a write in the window, `holds` a state in it. */
export const probeSchema = z.strictObject({
  id: itemId,
  says: textOf.min(1).describe("What nobody does, in one plain sentence"),
  after: eventId.describe("The event with which its window opens"),
  until: eventId.optional().describe("The event before which it closes; the end of the round where left out"),
  while: expression.optional().describe("Narrows the window to when this is true"),
  forbids: z
    .union([
      z.strictObject({
        changes: z
          .record(
            z.string().regex(/^(\*|[a-z][a-z0-9_]*(\.\*)?)\.[a-z][a-z0-9_]*$/, "entity.field, *.field or type.*.field"),
            forbiddenValue,
          )
          .describe("Writes that are forbidden: a path and the value it may not become"),
      }),
      z.strictObject({ holds: expression.describe("A state that may not be") }),
    ])
    .describe("Either changes or holds"),
  told: told.optional(),
});
export type ProbeItem = z.infer<typeof probeSchema>;

export const CONCURRENCY_MODES = ["start_together", "overlap", "end_together"] as const;
export type ConcurrencyMode = (typeof CONCURRENCY_MODES)[number];

/** A relation as an author writes it; `chain: [a, b, c]` is shorthand for its temporal items. */
export const relationSchema = z.strictObject({
  causal: z
    .strictObject({
      causes: z.array(eventId).min(1).describe("Events without which the effect could not have been"),
      effect: eventId.describe("It begins when every cause has ended"),
    })
    .optional()
    .describe("CA: what made what possible"),
  precedes: z
    .strictObject({
      before: eventId.describe("It has ended when the other begins"),
      after: eventId.describe("It begins when the other has ended"),
      immediate: z.boolean().default(false).describe("Nothing between: no other event, no wait"),
    })
    .optional()
    .describe("TM: what came before what"),
  chain: z.array(eventId).min(2).optional().describe("TM: each before the next; two events make one item, three two"),
  concurrent: z
    .strictObject({
      events: z.tuple([eventId, eventId]).describe("The two events"),
      mode: z.enum(CONCURRENCY_MODES).describe("How their times meet"),
    })
    .optional()
    .describe("CC: what was done at once"),
  told,
});

/** A relation (CA, TM or CC) as programs read it. */
export type RelationItem =
  | {
      readonly id: ItemId;
      readonly kind: "CA";
      readonly causes: readonly EventId[];
      readonly effect: EventId;
      readonly told: string;
    }
  | {
      readonly id: ItemId;
      readonly kind: "TM";
      readonly before: EventId;
      readonly after: EventId;
      readonly immediate: boolean;
      readonly told: string;
    }
  | {
      readonly id: ItemId;
      readonly kind: "CC";
      readonly events: readonly [EventId, EventId];
      readonly mode: ConcurrencyMode;
      readonly told: string;
    };

/** C_t = (E_t, A_t, P_t, R_t). */
export interface RoundContract {
  readonly round: number;
  readonly events: readonly EventItem[];
  readonly structures: readonly StructureItem[];
  readonly probes: readonly ProbeItem[];
  readonly relations: readonly RelationItem[];
}

/** The frozen contracts of a case, round by round from 1. */
export interface CaseContract {
  readonly rounds: readonly RoundContract[];
}

export const ITEM_KINDS = ["E", "A", "P", "CA", "TM", "CC"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
