/** Check 3: every item can fail, and a mutant fails only what it may. */
import {
  eventsOfRelation,
  participationIn,
  settleRelation,
  type ItemId,
  type RelationItem,
  type RoundContract,
} from "../../../contracts/index.ts";
import { sameJson } from "../../../runtime/index.ts";
import { allowedFor } from "./allowed.ts";
import type { Base } from "./base.ts";
import { judgeEventsOf, scoredIn, stepFactsOf } from "./judge.ts";
import { isCrossing, isDistinguished, killedBy, type Judged } from "./kills.ts";
import { mutantsOf } from "./mutants/all.ts";
import type { Weakened } from "./mutants/build.ts";
import { pairsOf, type Mutant } from "./mutants/mutant.ts";
import { placements } from "./mutants/order.ts";
import type { Problem } from "./problem.ts";
import { judgeReplayed, playRoundOf, replay, type Replayed } from "./replay.ts";
import { actsOf } from "./script.ts";

export interface ItemsChecked {
  readonly mutants: number;
  /** Mutants that fail something that counts in the tier. */
  readonly killed: number;
  readonly unkilled: readonly ItemId[];
  readonly problems: readonly Problem[];
}

/** Outcomes of plays that came out alike, by what was done in them. */
export type Outcomes = Map<string, Judged>;

/** By relation, the placement that broke it alone in another tier. */
export type Moves = Map<ItemId, string>;

/** What tiers hand on to one another. */
export interface Shared {
  readonly outcomes: Outcomes;
  readonly moves: Moves;
}

export function checkItems(
  base: Base,
  { outcomes, moves }: Shared,
  onMutant: (mutant: Mutant) => void = () => {},
): ItemsChecked {
  const { contract } = base.bench.case;
  const scored = scoredIn(base.bench.case, base.tier);
  const killed = new Set<ItemId>();
  const problems: Problem[] = [];
  let [mutants, effective] = [0, 0];
  const run = (mutant: Mutant): void => {
    onMutant(mutant);
    const replayed = replay(base, mutant.script, { stripped: mutant.stripped });
    const judged = judgeOnce(base, mutant, replayed, outcomes);
    mutants += 1;
    for (const id of killedBy(contract, mutant, judged)) killed.add(id);
    const failed = [...judged.failed].filter((id) => scored.has(id));
    if (failed.length > 0) effective += 1;
    problems.push(...collateralOf(base, mutant, replayed, failed));
    if (mutant.kind !== "weaken") return;
    const weakened = mutant as Weakened;
    if (isDistinguished(base, weakened, replayed, judged)) killed.add(weakened.item.id);
    else problems.push(blindness(base, weakened));
  };
  for (const round of contract.rounds) {
    for (const mutant of mutantsOf(base, round)) run(mutant);
    for (const relation of round.relations) {
      if (killed.has(relation.id) || isCrossing(relation, round)) continue;
      const mutant = findMove(base, round, relation, moves);
      if (mutant !== undefined) run(mutant);
    }
  }
  const unkilled = [...scored].filter((id) => !killed.has(id));
  return {
    mutants,
    killed: effective,
    unkilled,
    problems: [...unkilled.map((id) => survivorProblem(base, id)), ...problems],
  };
}

function judgeOnce(base: Base, mutant: Mutant, replayed: Replayed, outcomes: Outcomes): Judged {
  const key = keyOf(base, mutant, replayed);
  const known = key === undefined ? undefined : outcomes.get(key);
  if (known !== undefined) return known;
  const { failed, held } = judgeReplayed(base, replayed);
  if (key !== undefined) outcomes.set(key, { failed, held });
  return { failed, held };
}

/**
 * What a play's verdicts follow from. Easy and hard begin in one world but for its capabilities; where the steps are the
 * same, and what they use is the case's own and was there when they used it, the judge sees the same in both. In
 * extreme entities come into being on the way and there are no invariants: it shares with no other tier.
 */
function keyOf(base: Base, mutant: Mutant, { trace, parting }: Replayed): string | undefined {
  if (mutant.kind === "late" || mutant.kind === "weaken") return undefined;
  const own = base.bench.case.world.capabilities;
  const parts = trace.entries.flatMap((entry): readonly unknown[] => {
    if (entry.record.round < parting) return [];
    if (entry.kind === "construction") {
      const { item } = entry.record;
      const isOwn =
        item.level !== "capability" ||
        (Object.hasOwn(own, item.id) && item.now !== null && sameJson(item.now, own[item.id]));
      return isOwn ? [] : [item];
    }
    const { round, start, advance, until, triggers } = entry.record;
    return [
      [
        round,
        start,
        advance,
        until ?? "",
        triggers.map(({ capability, args, end, writes, reads }) => [capability, args, end, writes, reads]),
      ],
    ];
  });
  return JSON.stringify([base.tier === "extreme", parting, parts]);
}

function collateralOf(base: Base, mutant: Mutant, replayed: Replayed, failed: readonly ItemId[]): readonly Problem[] {
  if (failed.every((id) => mutant.over.includes(id))) return [];
  const allowed = allowedFor(base, mutant, replayed);
  return failed
    .filter((id) => !allowed.has(id))
    .map((item) => ({
      check: 3,
      tier: base.tier,
      item,
      message: `it fails in a play that should leave it alone: ${mutant.says}`,
    }));
}

/** A perturbed state that is met whatever the capability demands. */
function blindness({ tier }: Base, { item, perturbation: { paths, args, clock } }: Weakened): Problem {
  const when = JSON.stringify({
    ...paths,
    ...(args === undefined ? {} : { args }),
    ...(clock === undefined ? {} : { clock }),
  });
  return {
    check: 3,
    tier,
    item: item.id,
    message: `refusedWhen ${when} distinguishes nothing: a capability without any requirement meets it too`,
  };
}

/** A play of one round in which all events of a relation hold and it does not; the nearest to the reference first. */
function findMove(base: Base, round: RoundContract, relation: RelationItem, found: Moves): Mutant | undefined {
  const own = new Set(round.events.map(({ id }) => id));
  const all = pairsOf(relation, (event) => own.has(event)).flatMap((pair) => [...placements(base.script, round, pair)]);
  const hint = found.get(relation.id);
  const mutant = [...all.filter(({ says }) => says === hint), ...all].find((one) =>
    breaksAlone(base, round, relation, one),
  );
  if (mutant !== undefined) found.set(relation.id, mutant.says);
  return mutant;
}

function breaksAlone(base: Base, round: RoundContract, relation: RelationItem, mutant: Mutant): boolean {
  const { trace } = playRoundOf(base, round.round, actsOf(mutant.script, round.round), { stripped: true });
  const participation = participationIn(trace);
  const named = eventsOfRelation(relation);
  // The few events of the relation first: most placements fail one of them.
  for (const events of [round.events.filter(({ id }) => named.includes(id)), round.events]) {
    const { held } = judgeEventsOf(base.bench, { ...round, events }, trace, participation);
    const all = new Map(held.map((event) => [event.id, event] as const));
    if (!named.every((event) => all.has(event))) return false;
    const boundTo = new Map(held.flatMap(({ id, triggers }) => triggers.map((trigger) => [trigger, [id]] as const)));
    if (events === round.events) return !settleRelation(relation, all, stepFactsOf(trace), boundTo).holds;
  }
  return false;
}

function survivorProblem(base: Base, item: ItemId): Problem {
  const round = base.bench.case.contract.rounds.find(({ events, structures, probes, relations }) =>
    [...events, ...structures, ...probes, ...relations].some(({ id }) => (id as string) === item),
  );
  const what = round?.relations.some(({ id }) => id === item)
    ? "no mutant fails it while its events hold: it measures nothing that they do not"
    : round?.probes.some(({ id }) => id === item)
      ? "no mutant does the forbidden thing while its window is open"
      : round?.structures.some(({ id }) => id === item)
        ? "no mutant of what it demands fails it"
        : "no mutant fails it";
  return { check: 3, tier: base.tier, item, message: what };
}
