/** Check 3: every item can fail, and a mutant fails only what it may. */
import {
  eventsOfRelation,
  settleRelation,
  type ItemId,
  type RelationItem,
  type RoundContract,
} from "../../../contracts/index.ts";
import type { Tier } from "../../../runtime/index.ts";
import { strayOf } from "./allowed.ts";
import type { Base } from "./base.ts";
import { judgeEventsOf, participationOf, scoredIn, stepFactsOf } from "./judge.ts";
import { isCrossing, isDistinguished, killedBy } from "./kills.ts";
import { mutantsOf } from "./mutants/all.ts";
import type { Weakened } from "./mutants/build.ts";
import { pairsOf, type Mutant } from "./mutants/mutant.ts";
import { placements } from "./mutants/order.ts";
import { runOnce, type Runs } from "./once.ts";
import type { Problem } from "./problem.ts";
import { playRoundOf } from "./replay.ts";
import { actsOf } from "./script.ts";
import { addTallies, NOTHING_TALLIED, type Kill, type Tally } from "./tally.ts";

/** What the mutants of one round come to in some tiers. */
export interface RoundChecked {
  readonly tiers: Readonly<Partial<Record<Tier, Tally>>>;
  readonly problems: readonly Problem[];
}

/** By relation, the placement that broke it alone in another tier. */
type Moves = Map<ItemId, string>;

/** Plays every mutant of one round in every tier of which there is a base; yields after each. */
export function* checkRound(bases: readonly Base[], round: RoundContract): Generator<Mutant, RoundChecked> {
  const [runs, moves]: [Runs, Moves] = [new Map(), new Map()];
  const tiers: Partial<Record<Tier, Tally>> = {};
  const problems: Problem[] = [];
  for (const base of bases) {
    let tally = NOTHING_TALLIED;
    for (const mutant of mutantsIn(base, round, moves, ({ id }) => Object.hasOwn(tally.kills, id))) {
      const found = checkMutant(base, round, mutant, runs);
      tally = addTallies(tally, found.tally);
      problems.push(...found.problems);
      yield mutant;
    }
    tiers[base.tier] = tally;
  }
  return { tiers, problems };
}

/** All mutants of a round; last, for each relation that none of them killed, one that breaks it alone. */
function* mutantsIn(
  base: Base,
  round: RoundContract,
  moves: Moves,
  isKilled: (relation: RelationItem) => boolean,
): Generator<Mutant> {
  yield* mutantsOf(base, round);
  for (const relation of round.relations) {
    if (isKilled(relation) || isCrossing(relation, round)) continue;
    const mutant = findMove(base, round, relation, moves);
    if (mutant !== undefined) yield mutant;
  }
}

interface MutantChecked {
  readonly tally: Tally;
  readonly problems: readonly Problem[];
}

function checkMutant(base: Base, round: RoundContract, mutant: Mutant, runs: Runs): MutantChecked {
  const scored = scoredIn(base.bench.case, base.tier);
  const run = runOnce(runs, base, round, mutant);
  const { replayed, judged } = run;
  const failed = [...judged.failed].filter((id) => scored.has(id));
  const stray = strayOf(run.base, { over: mutant.over, script: run.script }, replayed, failed);
  const killed = new Set(killedBy(base.bench.case.contract, mutant, judged));
  const problems = stray.map((item): Problem => ({
    check: 3,
    tier: base.tier,
    item,
    message: `it fails in a play that should leave it alone: ${mutant.says}`,
  }));
  if (mutant.kind === "weaken") {
    const weakened = mutant as Weakened;
    if (isDistinguished(base, weakened, replayed, judged)) killed.add(weakened.item.id);
    else problems.push(blindness(base, weakened));
  }
  const kill = (id: ItemId): Kill => ({
    kind: mutant.kind,
    round: round.round,
    says: mutant.says,
    isAimed: mutant.over.includes(id),
  });
  const count = { made: 1, killed: failed.length > 0 ? 1 : 0, overkills: stray.length > 0 ? 1 : 0 };
  return {
    tally: { kinds: { [mutant.kind]: count }, kills: Object.fromEntries([...killed].map((id) => [id, kill(id)])) },
    problems,
  };
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
  const participation = participationOf(base.bench, trace, base.recall);
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
