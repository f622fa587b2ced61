/**
 * Causal grounding: order is not cause. Two diagnostics beside each causal item that holds, never inside the scores.
 *
 *     mediated   the provenance graph has a way from a trigger of each cause to a trigger of the effect
 *     but-for    in a replay without a cause's triggers, each trigger of the effect is refused or changes nothing
 */
import * as z from "zod";
import type { TriggerId } from "../../runtime/index.ts";
import type { CaseContract, EventId, ItemId, RelationItem } from "../contract.ts";
import { settleRelation, type HeldEvent, type RelationFacts } from "../relations.ts";
import type { Trace } from "../trace.ts";
import { eventIdSchema, triggerIdSchema } from "../witness.ts";
import { wayBetween } from "./mediated.ts";
import { replayWithout, type ReplayedTrigger } from "./replay-without.ts";

/** `to` read `path`, of which `from` was the last writer. */
const hopSchema = z.strictObject({ from: triggerIdSchema, path: z.string(), to: triggerIdSchema });
export type Hop = Readonly<z.infer<typeof hopSchema>>;

const replayedSchema = z.strictObject({
  trigger: triggerIdSchema.describe("A trigger of the effect"),
  outcome: z.enum(["refused", "unchanged", "changed"]),
  code: z.string().optional().describe("Why it is refused"),
  path: z.string().optional().describe("What it changes all the same"),
});

const causeSchema = z.strictObject({
  cause: eventIdSchema,
  way: z
    .array(hopSchema)
    .nullable()
    .describe("The shortest way from the cause to the effect; null where there is none"),
  without: z.array(replayedSchema).describe("What the effect's triggers come to in a replay without the cause"),
});

/** What grounds a causal item that holds, cause by cause. */
export const groundingSchema = z.strictObject({
  mediated: z.boolean().describe("A way leads from each cause"),
  butFor: z.boolean().describe("Without any one of the causes the effect would not have been"),
  causes: z.array(causeSchema),
});
export type Grounding = Readonly<z.infer<typeof groundingSchema>>;

/** The grounding of every causal item that holds; items that do not hold have none. */
export function groundRelations(
  contract: CaseContract,
  trace: Trace,
  { held, steps, boundTo }: RelationFacts,
): ReadonlyMap<ItemId, Grounding> {
  const holding = contract.rounds
    .flatMap(({ relations }) => relations)
    .filter((item): item is CausalItem => item.kind === "CA" && settleRelation(item, held, steps, boundTo).holds);
  const replays = new Replays(trace, held, holding);
  const get = (event: EventId) => held.get(event) as HeldEvent;
  return new Map(
    holding.map(({ id, causes, effect }) => {
      const grounds = causes.map((cause) => ({
        cause,
        way: wayBetween(trace, get(cause), get(effect)) ?? null,
        without: get(effect).triggers.map((trigger) => told(trigger, replays.without(cause).get(trigger))),
      }));
      const grounding = {
        mediated: grounds.every(({ way }) => way !== null),
        butFor: grounds.every(({ without }) => without.every(({ outcome }) => outcome !== "changed")),
        causes: grounds.map(({ way, ...rest }) => ({ ...rest, way: way && [...way] })),
      };
      return [id, grounding] as const;
    }),
  );
}

type CausalItem = RelationItem & { readonly kind: "CA" };

/** One replay for each cause, as far as the last of its effects. */
class Replays {
  readonly #trace: Trace;
  readonly #held: RelationFacts["held"];
  readonly #until = new Map<EventId, number>();
  readonly #done = new Map<EventId, ReadonlyMap<TriggerId, ReplayedTrigger>>();

  constructor(trace: Trace, held: RelationFacts["held"], items: readonly CausalItem[]) {
    this.#trace = trace;
    this.#held = held;
    for (const { causes, effect } of items) {
      const last = (held.get(effect) as HeldEvent).lastStep;
      for (const cause of causes) this.#until.set(cause, Math.max(last, this.#until.get(cause) ?? 0));
    }
  }

  without(cause: EventId): ReadonlyMap<TriggerId, ReplayedTrigger> {
    const removed = new Set((this.#held.get(cause) as HeldEvent).triggers);
    const done = this.#done.get(cause) ?? replayWithout(this.#trace, removed, this.#until.get(cause) ?? 0).triggers;
    this.#done.set(cause, done);
    return done;
  }
}

function told(trigger: TriggerId, replayed: ReplayedTrigger | undefined): z.infer<typeof replayedSchema> {
  // A trigger of the effect that is a trigger of the cause too was taken out with it.
  if (replayed === undefined) return { trigger, outcome: "unchanged" };
  switch (replayed.kind) {
    case "refused":
      return { trigger, outcome: "refused", code: replayed.code };
    case "changed":
      return { trigger, outcome: "changed", path: replayed.path };
    case "unchanged":
      return { trigger, outcome: "unchanged" };
  }
}
