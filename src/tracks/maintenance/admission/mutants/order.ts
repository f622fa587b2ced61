/** Mutants of order and simultaneity: dropped, swapped, joined, split, deferred and delayed events. */
import type { EventId, RoundContract } from "../../../../contracts/index.ts";
import { firstOf, insertAt, joinAt, lastOf, takeOut } from "../edit.ts";
import { actsOf, waitAct, withRound, type Act, type Script } from "../script.ts";
import { itemOf, pairsOf, type Mutant, type MutantKind, type RelatedPair } from "./mutant.ts";

const BOTH_WAYS = [false, true] as const;

/** Without the triggers of each event. Dropping a cause is dropping its event. */
export function dropMutants(script: Script, round: RoundContract): readonly Mutant[] {
  const acts = actsOf(script, round.round);
  return round.events.map(({ id }) => ({
    kind: "drop",
    says: `without ${id}`,
    over: [itemOf(id)],
    script: withRound(script, round.round, takeOut(acts, id).rest),
    stripped: false,
  }));
}

/** The second of each ordered pair before or together with the first; each pair of a concurrency one after the other. */
export function orderMutants(script: Script, round: RoundContract): readonly Mutant[] {
  const own = new Set<EventId>(round.events.map(({ id }) => id));
  return round.relations.flatMap((relation) =>
    pairsOf(relation, (event) => own.has(event)).flatMap((pair) =>
      relation.kind === "CC"
        ? splits(script, round, pair)
        : [...swaps(script, round, pair), ...defers(script, round, pair), ...delays(script, round, pair)],
    ),
  );
}

function mutantsOf(
  kind: MutantKind,
  says: string,
  script: Script,
  round: RoundContract,
  { relation, first, then }: RelatedPair,
  acts: readonly Act[],
): readonly Mutant[] {
  const over = [relation.id, itemOf(first), itemOf(then)];
  return BOTH_WAYS.map((stripped) => ({
    kind,
    says: stripped ? `${says}, stripped` : says,
    over,
    script: withRound(script, round.round, acts),
    stripped,
  }));
}

function swaps(script: Script, round: RoundContract, pair: RelatedPair): readonly Mutant[] {
  const { rest, taken } = takeOut(actsOf(script, round.round), pair.then);
  const [first, last] = [firstOf(rest, pair.first), lastOf(rest, pair.first)];
  if (first < 0) return [];
  return [
    ...mutantsOf("swap", `${pair.then} before ${pair.first}`, script, round, pair, insertAt(rest, first, taken)),
    ...mutantsOf("join", `${pair.then} in the step of ${pair.first}`, script, round, pair, joinAt(rest, last, taken)),
  ];
}

/** A cause only after its effect, which stays where it is. */
function defers(script: Script, round: RoundContract, pair: RelatedPair): readonly Mutant[] {
  if (pair.relation.kind !== "CA") return [];
  const { rest, taken } = takeOut(actsOf(script, round.round), pair.first);
  const last = lastOf(rest, pair.then);
  if (last < 0 || taken.length === 0) return [];
  const acts = insertAt(rest, last + 1, taken);
  return mutantsOf("defer", `${pair.first} only after ${pair.then}`, script, round, pair, acts);
}

/** A pair that stands in one step is split both ways; one in two steps is turned round. */
function splits(script: Script, round: RoundContract, pair: RelatedPair): readonly Mutant[] {
  const acts = actsOf(script, round.round);
  const { rest, taken } = takeOut(acts, pair.then);
  const [first, last] = [firstOf(rest, pair.first), lastOf(rest, pair.first)];
  if (first < 0) return [];
  const isAfter = firstOf(acts, pair.then) > lastOf(acts, pair.first);
  const isBefore = lastOf(acts, pair.then) < firstOf(acts, pair.first);
  return [
    ...(isAfter
      ? []
      : mutantsOf("split", `${pair.then} after ${pair.first}`, script, round, pair, insertAt(rest, last + 1, taken))),
    ...(isBefore
      ? []
      : mutantsOf("split", `${pair.then} before ${pair.first}`, script, round, pair, insertAt(rest, first, taken))),
  ];
}

/** Of an immediate pair: a wait between them, and the nearest other event between them. */
function delays(script: Script, round: RoundContract, pair: RelatedPair): readonly Mutant[] {
  const { relation, first, then } = pair;
  if (relation.kind !== "TM" || !relation.immediate) return [];
  const acts = actsOf(script, round.round);
  const over = [relation.id];
  const wait: Mutant = {
    kind: "delay",
    says: `a wait between ${first} and ${then}`,
    over,
    script: withRound(script, round.round, insertAt(acts, firstOf(acts, then), [waitAct(1)])),
    stripped: false,
  };
  const from = firstOf(acts, then);
  const others = round.events
    .map(({ id }) => id)
    .filter((id) => id !== first && id !== then && firstOf(acts, id) >= 0)
    .sort((a, b) => Math.abs(firstOf(acts, a) - from) - Math.abs(firstOf(acts, b) - from));
  const between = others.slice(0, 1).flatMap((other) => {
    const { rest, taken } = takeOut(acts, other);
    const position = firstOf(rest, then);
    if (position < 0) return [];
    return BOTH_WAYS.map((stripped): Mutant => ({
      kind: "delay",
      says: `${other} between ${first} and ${then}${stripped ? ", stripped" : ""}`,
      over: [...over, itemOf(other)],
      script: withRound(script, round.round, insertAt(rest, position, taken)),
      stripped,
    }));
  });
  return [wait, ...between];
}

/**
 * Every place a pair's events could be put instead, the nearest first: before, in or after each step of the round (what a
 * tier constructs stands before them all). They are played stripped: where no guard refuses, that makes no difference.
 */
export function* placements(script: Script, round: RoundContract, pair: RelatedPair): Generator<Mutant> {
  const acts = actsOf(script, round.round);
  const base = {
    kind: "move",
    over: [pair.relation.id, itemOf(pair.first), itemOf(pair.then)],
    stripped: true,
  } as const;
  for (const moved of [pair.then, pair.first]) {
    const { rest, taken } = takeOut(acts, moved);
    const home = firstOf(acts, moved);
    const from = rest.findLastIndex(({ kind }) => kind === "call") + 1;
    const positions = Array.from({ length: rest.length - from + 1 }, (_, i) => from + i);
    for (const position of positions.sort((a, b) => Math.abs(a - home) - Math.abs(b - home))) {
      const step = position - from + 1;
      yield {
        ...base,
        says: position === rest.length ? `${moved} last, stripped` : `${moved} before step ${step}, stripped`,
        script: withRound(script, round.round, insertAt(rest, position, taken)),
      };
      if (rest[position]?.kind !== "step") continue;
      yield {
        ...base,
        says: `${moved} in step ${step}, stripped`,
        script: withRound(script, round.round, joinAt(rest, position, taken)),
      };
    }
  }
}
