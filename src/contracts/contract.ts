/** What a round's contract holds, as an author writes it and as judges and programs read it. */
import * as z from "zod";
import { idOf, literalSchema, nameOf, textOf } from "../runtime/index.ts";

declare const brand: unique symbol;
/** The id of an event. Unique in a case. */
export type EventId = string & { readonly [brand]: "EventId" };
/** The id of any contract item: an event, structure, probe or relation. Unique in a case. */
export type ItemId = string & { readonly [brand]: "ItemId" };

const itemId = idOf.transform((id) => id as ItemId);
const eventId = idOf.transform((id) => id as EventId);
const path = z
  .string()
  .regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, "a path is entity.field")
  .describe("entity.field");
const expression = z.string().min(1);
const told = textOf.min(1).describe("Words of the narrative that carry it; ... stands for words left out");

/** Marks of a further way in which an event may be realised. */
const acceptSchema = z.strictObject({
  defining: z.record(path, literalSchema).describe("Paths and the values they reach"),
  given: expression.optional(),
});

/** An event (E). */
export const eventSchema = z.strictObject({
  id: eventId,
  says: textOf.min(1),
  involves: z.array(nameOf).min(1).describe("The entities that took part"),
  defining: z.array(path).min(1).max(2).describe("The one or two paths that make it this event"),
  given: expression.optional().describe("Must be true in the state before the binding's first step"),
  accepts: z.array(acceptSchema).default([]),
});
export type EventItem = z.infer<typeof eventSchema>;

/**
 * A perturbed state: paths and the values they are given; `clock` is the clock; `args` swaps arguments of the
 * reference trigger. `since` holds it from an event on.
 */
export const perturbationSchema = z.looseObject({
  since: eventId.optional(),
  args: z.record(nameOf, z.union([z.boolean(), z.number(), z.string()])).optional(),
  clock: z.int().min(0).optional(),
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
  level: z.enum(["type", "entity", "capability"]),
  says: textOf.min(1),
  usedBy: eventId,
  availableBefore: eventId.optional(),
  reference: z.string().describe("The id of the reference's own structure"),
  refusedWhen: z.array(perturbationSchema).default([]),
  allowedWhen: z.array(perturbationSchema).default([]),
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
  z.strictObject({ not: literalSchema }),
  z.strictObject({ any: z.literal(true) }),
]);
export type ForbiddenValue = z.infer<typeof forbiddenValue>;

/** A probe (P). `changes` forbids a write in the window, `holds` a state in it. */
export const probeSchema = z.strictObject({
  id: itemId,
  says: textOf.min(1),
  after: eventId,
  until: eventId.optional(),
  while: expression.optional(),
  forbids: z.union([
    z.strictObject({
      changes: z.record(
        z.string().regex(/^(\*|[a-z][a-z0-9_]*(\.\*)?)\.[a-z][a-z0-9_]*$/, "entity.field, *.field or type.*.field"),
        forbiddenValue,
      ),
    }),
    z.strictObject({ holds: expression }),
  ]),
  told: told.optional(),
});
export type ProbeItem = z.infer<typeof probeSchema>;

export const CONCURRENCY_MODES = ["start_together", "overlap", "end_together"] as const;
export type ConcurrencyMode = (typeof CONCURRENCY_MODES)[number];

/** A relation as an author writes it; `chain: [a, b, c]` is shorthand for its temporal items. */
export const relationSchema = z.strictObject({
  causal: z.strictObject({ causes: z.array(eventId).min(1), effect: eventId }).optional(),
  precedes: z.strictObject({ before: eventId, after: eventId, immediate: z.boolean().default(false) }).optional(),
  chain: z.array(eventId).min(2).optional(),
  concurrent: z.strictObject({ events: z.tuple([eventId, eventId]), mode: z.enum(CONCURRENCY_MODES) }).optional(),
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
