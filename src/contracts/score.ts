/** Scores a maintenance run from frozen things alone: no engine run, no model call, no clock. */
import * as z from "zod";
import { LEVELS, tierSchema, type Tier } from "../runtime/index.ts";
import type { AuditedItem } from "./audited-item.ts";
import {
  ITEM_KINDS,
  type CaseContract,
  type EventId,
  type ItemId,
  type ItemKind,
  type RelationItem,
} from "./contract.ts";
import { groundingSchema, type Grounding } from "./grounding/grounding.ts";
import { isScored, itemsOf } from "./items.ts";
import { meanOf, rateOf, rateSchema, type Rate } from "./rate.ts";
import { settleRelation, type RelationFacts } from "./relations.ts";
import { standingCountsSchema, standingOf, STANDINGS, type Standing } from "./standing.ts";
import { sayWitness, triggerIdSchema, witnessSchema } from "./witness.ts";

const count = z.int().min(0);
const round = z.int().min(1);

/** One item of the contract and what became of it. */
export const scoredItemSchema = z.strictObject({
  id: z.string().transform((id) => id as ItemId),
  kind: z.enum(ITEM_KINDS),
  round,
  level: z.enum(LEVELS).optional().describe("Of a structure"),
  scored: z.boolean().describe("Whether it counts in this tier"),
  status: z.enum(["pass", "fail", "undecided"]),
  reason: z.string().describe("One sentence"),
  triggers: z.array(triggerIdSchema).optional().describe("The evidence that was kept, where there is any"),
  constructions: z.array(z.int().min(1)).optional().describe("The evidence that was kept, where there is any"),
  witness: witnessSchema.optional().describe("Of a relation that does not hold"),
  grounding: groundingSchema.optional().describe("Of a causal relation that holds"),
  noAnswer: z.literal(true).optional().describe("Undecided, as the judge's endpoint never brought an answer"),
  by: z.enum(["exact", "model"]).optional().describe("Who judged it, where two judges share a set"),
  standing: z.enum(STANDINGS).optional().describe("What a pass rests on, where a model judged"),
});
export type ScoredItem = Readonly<z.infer<typeof scoredItemSchema>>;

const rates = {
  completion: rateSchema.describe("passed / scored over E, A and P"),
  relation: rateSchema.describe("passed / all over CA, TM and CC"),
  components: z.strictObject({
    E: rateSchema,
    A: rateSchema,
    P: rateSchema,
    CA: rateSchema,
    TM: rateSchema,
    CC: rateSchema,
  } satisfies Record<ItemKind, typeof rateSchema>),
};

/** Which model judged: figures of different models, or of one under different settings, are not compared. */
const judgedBySchema = z.strictObject({
  model: z.string().nullable().describe("As it was asked for"),
  settings: z.string().describe("Digest of everything the set's header says of its judge"),
});

const flipsSchema = z.strictObject({ E: count, A: count });

/** score.json. Holds no time of day: equal runs have equal scores, byte for byte in canonical JSON. */
export const scoreSchema = z.strictObject({
  v: z.literal(1),
  case: z.string(),
  tier: tierSchema,
  agent: z.string().optional(),
  outcome: z.string().describe("Why the run ended"),
  judge: z.string(),
  ...rates,
  mix: z.number().min(0).max(1).nullable().describe("(completion + relation) / 2, or null where one of them is null"),
  undecided: count.describe("Scored items without a verdict; each is among those not passed"),
  judgedBy: judgedBySchema.optional().describe("Only where a model judged, as the three that follow"),
  judgeFaults: count.optional().describe("Of the undecided, those to which the judge's endpoint brought no answer"),
  standing: standingCountsSchema.optional().describe("What the passes over E, A and P rest on"),
  flips: flipsSchema.optional().describe("What the exact judge failed and a model, looking again, passed"),
  grounding: z
    .strictObject({
      mediated: rateSchema.describe("Of the causal items, those that hold and are mediated"),
      butFor: rateSchema.describe(
        "Of the causal items, those that hold and but for whose causes the effect would not be",
      ),
    })
    .optional()
    .describe("Beside CA, inside no score"),
  rounds: z.array(z.strictObject({ round, played: z.boolean().describe("Whether it was begun"), ...rates })),
  items: z.array(scoredItemSchema),
});
export type Score = Readonly<z.infer<typeof scoreSchema>>;

/** What a run is scored from. `held` are exactly the events whose audited item passes. */
export interface ScoreInput extends RelationFacts {
  readonly case: string;
  readonly tier: Tier;
  readonly agent?: string;
  readonly contract: CaseContract;
  /** Rounds that were begun: 1, 2, …, `roundsPlayed`. */
  readonly roundsPlayed: number;
  readonly outcome: string;
  readonly judge: string;
  /** Every event, structure and probe that was judged and audited; one that is missing fails. */
  readonly audited: ReadonlyMap<ItemId, AuditedItem>;
  /** Only where a model judged. */
  readonly byModel?: ByModel | undefined;
  /** What grounds the causal items that hold. Left out where nobody asks: it takes a replay for each cause. */
  readonly grounding?: ReadonlyMap<ItemId, Grounding> | undefined;
}

/** What a score says beside, where a model judged. */
export interface ByModel {
  readonly judgedBy: NonNullable<Score["judgedBy"]>;
  readonly standings: ReadonlyMap<ItemId, Standing>;
  /** Who judged each item, where the model only looked again at what the exact judge failed. */
  readonly judgeOf?: ReadonlyMap<ItemId, "exact" | "model"> | undefined;
}

/**
 * The score of a run.
 *
 *     completion = passed / scored over E, A, P      relation = passed / all over CA, TM, CC
 *     mix        = (completion + relation) / 2       component = passed / scored over one kind
 *
 * Counts are pooled over all rounds of the contract, those that were not played included, so that a run that
 * stopped early keeps its full denominators. A rate over nothing is null. An undecided item is not passed.
 * Throws where the input contradicts itself: an audited item the contract has not, a held event that did not pass.
 */
export function scoreRun(input: ScoreInput): Score {
  refuseContradictions(input);
  const relations = new Map(input.contract.rounds.flatMap((round) => round.relations).map((item) => [item.id, item]));
  const items = itemsOf(input.contract).map((item): ScoredItem => {
    const { id, kind, round, level } = item;
    const relation = relations.get(id);
    const verdict = relation
      ? verdictOfRelation(relation, input)
      : verdictOfAudited(input.audited.get(id), round <= input.roundsPlayed);
    const by = input.byModel?.judgeOf?.get(id);
    const standing = input.byModel?.standings.get(id);
    const grounding = verdict.status === "pass" ? input.grounding?.get(id) : undefined;
    return {
      id,
      kind,
      round,
      ...(level && { level }),
      scored: isScored(item, input.tier),
      ...verdict,
      ...(by && { by }),
      ...(standing && { standing }),
      ...(grounding && { grounding }),
    };
  });
  const pooled = ratesOf(items);
  return {
    v: 1,
    case: input.case,
    tier: input.tier,
    ...(input.agent !== undefined && { agent: input.agent }),
    outcome: input.outcome,
    judge: input.judge,
    ...pooled,
    mix: meanOf(pooled.completion, pooled.relation),
    undecided: items.filter((item) => item.scored && item.status === "undecided").length,
    ...(input.byModel && figuresOfModel(items, input.byModel)),
    ...(input.grounding && { grounding: groundedOf(items) }),
    rounds: input.contract.rounds.map(({ round }) => ({
      round,
      played: round <= input.roundsPlayed,
      ...ratesOf(items.filter((item) => item.round === round)),
    })),
    items,
  };
}

function figuresOfModel(
  items: readonly ScoredItem[],
  { judgedBy, judgeOf }: ByModel,
): Pick<Score, "judgedBy" | "judgeFaults" | "standing" | "flips"> {
  const flipped = (kind: ItemKind) =>
    items.filter((item) => item.scored && item.kind === kind && item.by === "model" && item.status === "pass").length;
  return {
    judgedBy,
    judgeFaults: items.filter((item) => item.scored && item.noAnswer === true).length,
    standing: standingOf(items),
    ...(judgeOf && { flips: { E: flipped("E"), A: flipped("A") } }),
  };
}

/** How many of the causal items hold with their grounds: over all that are planned, as the rate of CA itself. */
function groundedOf(items: readonly ScoredItem[]): NonNullable<Score["grounding"]> {
  const causal = items.filter(({ kind }) => kind === "CA");
  const over = (isGrounded: (grounding: Grounding) => boolean): Rate =>
    rateOf(
      causal.map(({ grounding }) => ({
        status: grounding !== undefined && isGrounded(grounding) ? "pass" : "fail",
      })),
    );
  return { mediated: over(({ mediated }) => mediated), butFor: over(({ butFor }) => butFor) };
}

type Verdict = Pick<ScoredItem, "status" | "reason" | "triggers" | "constructions" | "witness" | "noAnswer">;

function verdictOfAudited(item: AuditedItem | undefined, played: boolean): Verdict {
  if (item === undefined) return { status: "fail", reason: played ? "not judged" : "not played" };
  const { status, reason, triggers, constructions, noAnswer } = item;
  return {
    status,
    reason,
    ...(triggers.length > 0 && { triggers: [...triggers] }),
    ...(constructions.length > 0 && { constructions: [...constructions] }),
    ...(noAnswer && { noAnswer }),
  };
}

function verdictOfRelation(item: RelationItem, { held, steps, boundTo }: RelationFacts): Verdict {
  const settled = settleRelation(item, held, steps, boundTo);
  if (settled.holds) return { status: "pass", reason: "holds" };
  return { status: "fail", reason: sayWitness(settled.witness), witness: settled.witness };
}

/** The three kinds of rate over `items`, of which those that are not scored do not count. */
function ratesOf(items: readonly ScoredItem[]): Pick<Score, "completion" | "relation" | "components"> {
  const over = (...kinds: readonly ItemKind[]): Rate =>
    rateOf(items.filter((item) => item.scored && kinds.includes(item.kind)));
  return {
    completion: over("E", "A", "P"),
    relation: over("CA", "TM", "CC"),
    components: { E: over("E"), A: over("A"), P: over("P"), CA: over("CA"), TM: over("TM"), CC: over("CC") },
  };
}

/** A score is only as good as what it is made from: a map that does not fit the contract is a fault of ours. */
function refuseContradictions({ contract, roundsPlayed, audited, held }: ScoreInput): void {
  const known = new Map(itemsOf(contract).map((item) => [item.id as string, item]));
  for (const [id, { kind, round, status }] of audited) {
    const item = known.get(id);
    if (item?.kind !== kind || item.round !== round)
      throw new Error(`scoreRun: the contract has no ${kind} ${id} in round ${round}`);
    if (round > roundsPlayed) throw new Error(`scoreRun: ${id} was audited in round ${round}, which was not played`);
    if (kind === "E" && (status === "pass") !== held.has(id as string as EventId)) {
      throw new Error(
        `scoreRun: event ${id} is "${status}" and ${held.has(id as string as EventId) ? "held" : "not held"}`,
      );
    }
  }
  for (const id of held.keys()) {
    if (!audited.has(id as string as ItemId)) throw new Error(`scoreRun: event ${id} is held and was not audited`);
  }
}
