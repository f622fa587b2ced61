/** What a judge is to be asked of a run: one question an item, and in a world with ids of its own one an entity. */
import type { Case } from "../cases/index.ts";
import { namedEntities, type EventId, type ItemId, type RoundContract } from "../contracts/index.ts";
import type { ReadRun } from "../records/index.ts";
import { getEntity, lookUp, mayConstruct, type Tier } from "../runtime/index.ts";
import type { Participant, Question } from "./question.ts";

/** Which entity of the judged world an entity of the contract is; null where there is none, undefined where it is not settled. */
export type IdentityOf = (entity: string) => string | null | undefined;

/** In easy and hard, and for the reference, a world has the ids that the contract names. */
export const GIVEN_IDS: IdentityOf = (entity) => entity;

export type ItemQuestion = Exclude<Question, { kind: "identity" }>;
export type IdentityQuestion = Extract<Question, { kind: "identity" }>;

/** What questions follow from beside the case: how far a run came, and what its tier leaves to be constructed. */
export interface AskedRun {
  readonly roundsPlayed: number;
  readonly manifest: { readonly tier: Tier };
}

/**
 * A question for each event, structure and probe of the rounds that were begun, in the order of the contract. A structure
 * that the tier gives is nothing that was done: it counts for nothing, and nobody is asked about it.
 */
export function itemQuestions(case_: Case, run: AskedRun, identity: IdentityOf): readonly ItemQuestion[] {
  const { tier } = run.manifest;
  return roundsOf(case_, run).flatMap((contract) => {
    const structures = contract.structures.filter(({ level }) => mayConstruct(tier, level));
    return questionsOfRound(case_, { ...contract, structures }, identity);
  });
}

function roundsOf(case_: Case, { roundsPlayed }: Pick<ReadRun, "roundsPlayed">): readonly RoundContract[] {
  return case_.contract.rounds.slice(0, roundsPlayed);
}

function questionsOfRound(case_: Case, contract: RoundContract, identity: IdentityOf): readonly ItemQuestion[] {
  const { round } = contract;
  const sentence = (id: EventId): string => sentenceOf(case_, id);
  const participant = (entity: string): Participant => ({ name: nameIn(case_, entity), id: identity(entity) });
  const world = {
    who: namedEntities(case_.contract, round).map(participant),
    ownIds: identity !== GIVEN_IDS,
  };
  return [
    ...contract.events.map(({ id, says, involves }): ItemQuestion => ({
      kind: "event",
      item: id,
      round,
      says,
      ...world,
      involves: involves.map(participant),
    })),
    ...contract.structures.map(({ id, level, says, usedBy, availableBefore }): ItemQuestion => ({
      kind: "structure",
      item: id,
      round,
      says,
      ...world,
      level,
      usedBy: sentence(usedBy),
      ...(availableBefore === undefined ? {} : { availableBefore: sentence(availableBefore) }),
    })),
    ...contract.probes.map(({ id, says, after, until }): ItemQuestion => ({
      kind: "probe",
      item: id,
      round,
      says,
      ...world,
      after: sentence(after),
      ...(until === undefined ? {} : { until: sentence(until) }),
    })),
  ];
}

function sentenceOf({ contract }: Case, id: EventId): string {
  const event = contract.rounds.flatMap(({ events }) => events).find((one) => one.id === id);
  if (event === undefined) throw new Error(`sentenceOf: the contract has no event ${id}`);
  return event.says;
}

/** A question for each entity that the played rounds of the contract name, in their order there. */
export function identityQuestions(case_: Case, run: Pick<ReadRun, "roundsPlayed">): readonly IdentityQuestion[] {
  return namedEntities(case_.contract, run.roundsPlayed).map((entity) => ({
    kind: "identity",
    entity,
    name: nameIn(case_, entity),
    says: describe(case_, entity),
  }));
}

function nameIn({ world }: Case, entity: string): string {
  const name = getEntity(world.entities, entity)?.name ?? "";
  return name === "" ? entity.replaceAll("_", " ") : name;
}

/** What the author says such a thing is: the sentence of its type in the full world. */
function describe({ world }: Case, entity: string): string {
  const type = getEntity(world.entities, entity)?.type;
  return type === undefined ? "" : (lookUp(world.types, type)?.says ?? "");
}

/** How answers name a question: "item gate_shut" or "identity odile". */
export function keyOfQuestion(question: Question): string {
  return question.kind === "identity" ? `identity ${question.entity}` : `item ${question.item}`;
}

/** The letter of an item's kind in judgments. */
export function kindOfItem(kind: ItemQuestion["kind"]): "E" | "A" | "P" {
  return ({ event: "E", structure: "A", probe: "P" } as const)[kind];
}

export function itemIdOf(question: ItemQuestion): ItemId {
  return question.item as ItemId;
}
