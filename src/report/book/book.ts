/** Makes the book of a case: the title page from its world, the rounds from contract and reference. */
import type { Case } from "../../cases/index.ts";
import { deriveMarks, ITEM_KINDS, playReference, type CaseMarks } from "../../contracts/index.ts";
import {
  defaultOf,
  entityIdsOfType,
  getEntity,
  sameJson,
  TIERS,
  type Capability,
  type Entity,
  type World,
} from "../../runtime/index.ts";
import { summaryOf } from "../case-text.ts";
import type { Book, CastGroup, Doing } from "./model.ts";
import { inOrderOfTelling, takeNotes } from "./quotes.ts";
import { roundOf } from "./round.ts";
import { callIt, sayCount, sayField, sayPlace } from "./words.ts";

export function bookOf(case_: Case): Book {
  const { world, contract } = case_;
  const notes = takeNotes(case_.narratives);
  const events = new Map(contract.rounds.flatMap((round) => round.events).map(({ id, says }) => [id, says]));
  const words = { case: case_, marks: marksOf(case_), notes, events };
  const rounds = contract.rounds.map((round) => roundOf(words, round));
  return {
    id: case_.id,
    title: case_.title,
    facts: factsOf(case_),
    cast: castOf(case_),
    places: Object.entries(world.map.places).map(([id, says]) => ({ id, says })),
    ways: world.map.links.map(
      ({ from, to, bothWays, ticks }) =>
        `${callIt(world, from)} ${bothWays ? "↔" : "→"} ${callIt(world, to)}: ${sayCount(ticks, "tick")}`,
    ),
    doings: Object.values(world.capabilities).map(doingOf),
    invariants: world.invariants.map(({ expr, says }) => (says === "" ? expr : says)),
    unused: Object.entries(case_.unused).map(([id, says]) => ({ id, says })),
    rounds: inOrderOfTelling(rounds.map((round) => ({ ...round, quotes: notes.quotesOf(round.number) }))),
  };
}

/** What makes each event, as the reference reaches it. A case that loads need not have a reference that is accepted. */
function marksOf({ world, reference, contract }: Case): CaseMarks | undefined {
  const played = playReference(world, reference);
  const marks = played.ok ? deriveMarks(contract, played.value) : undefined;
  return marks?.ok === true ? marks.value : undefined;
}

function factsOf(case_: Case): readonly string[] {
  const summary = summaryOf(case_);
  const kinds = ITEM_KINDS.map((kind) => `${kind} ${summary.itemsByKind[kind]}`).join(", ");
  return [
    `${case_.id}: family ${case_.family}, ${case_.stratum}, version ${case_.version}`,
    `${sayCount(summary.rounds, "round")}, ${sayCount(summary.items, "item")}: ${kinds}`,
    `scored: ${TIERS.map((tier) => `${tier} ${summary.scored[tier]}`).join(", ")}`,
    `a tick of the clock: ${case_.unit}`,
    `world ${case_.worldDigest.slice(0, 12)}, contract ${case_.contractDigest.slice(0, 12)}`,
  ];
}

/** Types in the order in which those of them take part: who acts comes before what is acted on. */
function castOf({ world, contract }: Case): readonly CastGroup[] {
  const parts = new Map<string, number>();
  for (const { involves } of contract.rounds.flatMap((round) => round.events))
    for (const id of involves) parts.set(id, (parts.get(id) ?? 0) + 1);
  const groups = Object.values(world.types).flatMap(
    ({ id, says }): readonly (CastGroup & { readonly acts: number })[] => {
      const ids = entityIdsOfType(world.entities, id);
      if (ids.length === 0) return [];
      const members = [...ids].sort((a, b) => (parts.get(b) ?? 0) - (parts.get(a) ?? 0));
      return [
        {
          id,
          says,
          acts: members.reduce((sum, one) => sum + (parts.get(one) ?? 0), 0),
          members: members.flatMap((one) => {
            const entity = getEntity(world.entities, one);
            return entity === undefined ? [] : [{ id: one, name: entity.name || one, state: stateOf(world, entity) }];
          }),
        },
      ];
    },
  );
  return groups.sort((a, b) => b.acts - a.acts).map(({ id, says, members }) => ({ id, says, members }));
}

/** Where it is at first, and what is not as it is by default. */
function stateOf(world: World, { id, type, at, fields }: Entity): string {
  const usual = world.types[type]?.fields ?? {};
  const special = Object.entries(fields).filter(([name, value]) => {
    const field = usual[name];
    return field === undefined || !sameJson(defaultOf(field), value);
  });
  return [sayPlace(world, at), ...special.map(([name, value]) => sayField(world, id, name, value))].join("; ");
}

function doingOf({ id, says, requires, duration }: Capability): Doing {
  return {
    id,
    says,
    lasts: duration === 1 ? undefined : typeof duration === "number" ? sayCount(duration, "tick") : `lasts ${duration}`,
    // Several requirements may say one rule together.
    rules: [...new Set(requires.flatMap((one) => (one.says === undefined || one.says === "" ? [] : [one.says])))],
  };
}
