import { describe, expect, it } from "vitest";
import { loadCase, printFault, type Case } from "../../src/cases/index.ts";
import { itemsOf, type EventId, type ItemId, type RoundContract } from "../../src/contracts/index.ts";
import { TIERS, type AcceptedStep, type Construction, type Tier } from "../../src/runtime/index.ts";
import { playBase, type Base } from "../../src/tracks/maintenance/admission/base.ts";
import { benchOf, type Outcome } from "../../src/tracks/maintenance/admission/judge.ts";
import { mutantsOf } from "../../src/tracks/maintenance/admission/mutants/all.ts";
import { lateMutants } from "../../src/tracks/maintenance/admission/mutants/build.ts";
import { forbidMutants } from "../../src/tracks/maintenance/admission/mutants/forbid.ts";
import type { Mutant, MutantKind } from "../../src/tracks/maintenance/admission/mutants/mutant.ts";
import { dropMutants, orderMutants } from "../../src/tracks/maintenance/admission/mutants/order.ts";
import { playScript, scoreOfTrace } from "../../src/tracks/maintenance/admission/play.ts";
import { judgeReplayed, replay, scoreReplayed, type Replayed } from "../../src/tracks/maintenance/admission/replay.ts";
import { scriptOf, triggersOf } from "../../src/tracks/maintenance/admission/script.ts";
import { eventsAfter, eventsOf, itemsBeside, itemsOver } from "./admission-expectation.ts";

/** A small case and a whole one; the others have records of their admission (CS15), which took the same way. */
const FOLDERS = ["test/fixtures/cases/horn", "cases/maintenance/ark_001"];

function loadAll(): readonly Case[] {
  return FOLDERS.map((directory) => {
    const loaded = loadCase(directory);
    if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
    return loaded.value;
  });
}

interface Fallen {
  readonly mutant: Mutant;
  readonly replayed: Replayed;
  readonly outcome: Outcome;
  /** Events that were dropped, and events whose triggers were refused. */
  readonly lost: ReadonlySet<string>;
}

function fallenOf(base: Base, make: (round: RoundContract) => Iterable<Mutant>, ...kinds: MutantKind[]): Fallen[] {
  const mutants = base.bench.case.contract.rounds.flatMap((round) => [...make(round)]);
  return mutants.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).map((mutant) => fell(base, mutant));
}

function fell(base: Base, mutant: Mutant): Fallen {
  const replayed = replay(base, mutant.script, { stripped: mutant.stripped });
  const refused = replayed.refused.flatMap(({ act }) => triggersOf(act).flatMap(({ realises }) => realises));
  const lost = new Set<string>([...refused, ...(mutant.kind === "drop" ? mutant.over : [])]);
  return { mutant, replayed, outcome: judgeReplayed(base, replayed), lost };
}

/** Items over lost events that nevertheless pass. */
function survivorsOf({ bench }: Base, { outcome, lost }: Fallen): readonly ItemId[] {
  return [...itemsOver(bench.case, lost)].filter((id) => !outcome.failed.has(id));
}

/** What fell and the contract gives no reason for. */
function strayOf({ bench: { case: case_ } }: Base, { mutant, replayed, outcome, lost }: Fallen): readonly ItemId[] {
  const events = new Set<string>(case_.contract.rounds.flatMap((round) => round.events.map(({ id }) => id)));
  // A walk that is refused realises no event, and still keeps whoever should have walked from what follows.
  const kept = replayed.refused.flatMap(({ act, round }) => {
    const entities = triggersOf(act).flatMap(({ args }) => Object.values(args).map(String));
    return eventsOf(case_, round, entities);
  });
  const near = eventsAfter(case_, new Set([...lost, ...mutant.over.filter((id) => events.has(id)), ...kept]));
  const allowed = new Set([...mutant.over, ...itemsOver(case_, near), ...itemsBeside(case_, near)]);
  return [...outcome.failed].filter((id) => !allowed.has(id));
}

/** The items of a list that are there, each with the mutant it was found in. */
function listed(all: readonly Fallen[], find: (one: Fallen) => readonly string[]): readonly string[] {
  return all.flatMap((one) => find(one).map((what) => `${one.mutant.says}: ${what}`));
}

/** The first item a mutant is aimed at, where it does not fail it. */
function missedBy({ mutant, outcome }: Fallen): readonly string[] {
  return mutant.over.slice(0, 1).filter((id) => !outcome.failed.has(id));
}

function isEveryNth(n: number): (_: unknown, i: number) => boolean {
  return (_, i) => i % n === 0;
}

describe.each(loadAll().map((case_) => [case_.id, case_] as const))("%s", (_id, case_) => {
  const bench = benchOf(case_);
  const base = playBase(bench, "easy", scriptOf(case_, "easy"));
  const { rounds } = case_.contract;
  const kinds = new Map(itemsOf(case_.contract).map(({ id, kind }) => [id, kind]));
  let drops: readonly Fallen[] | undefined;
  const dropped = () => (drops ??= fallenOf(base, (round) => dropMutants(base.script, round)));
  const orders = (...of: MutantKind[]) => fallenOf(base, (round) => orderMutants(base.script, round), ...of);

  it("CT4 dropping any trigger that realises an event fells all that is over it, and nothing that does not follow", () => {
    const fallen = dropped();
    expect(fallen).toHaveLength(rounds.flatMap(({ events }) => events).length);
    expect(listed(fallen, (one) => survivorsOf(base, one))).toEqual([]);
    expect(listed(fallen, (one) => strayOf(base, one))).toEqual([]);
  });

  it("dropping an event that nothing else follows from fells exactly what is over it", () => {
    const alone = dropped().filter(
      ({ lost }) => eventsAfter(case_, lost).size === lost.size && itemsBeside(case_, lost).size === 0,
    );
    expect(alone.length).toBeGreaterThan(0);
    const fallen = alone.map(({ mutant, outcome }) => [mutant.says, [...outcome.failed].sort()]);
    expect(fallen).toEqual(alone.map(({ mutant, lost }) => [mutant.says, [...itemsOver(case_, lost)].sort()]));
  });

  it("CT12 CT13 moving any two dependent steps fells their relation, and nothing that does not follow", () => {
    const fallen = orders("swap", "join");
    expect(fallen.length).toBeGreaterThan(0);
    expect(listed(fallen, missedBy)).toEqual([]);
    expect(listed(fallen, (one) => survivorsOf(base, one))).toEqual([]);
    expect(listed(fallen, (one) => strayOf(base, one))).toEqual([]);
  });

  it("CT14 splitting a simultaneous pair fells the concurrency, and where nothing is refused no event", () => {
    const fallen = orders("split");
    expect(fallen.length).toBeGreaterThan(0);
    expect(listed(fallen, missedBy)).toEqual([]);
    expect(listed(fallen, (one) => strayOf(base, one))).toEqual([]);
    const accepted = fallen.filter(({ replayed, mutant }) => replayed.refused.length === 0 && !mutant.stripped);
    expect(listed(accepted, ({ outcome }) => [...outcome.failed].filter((id) => kinds.get(id) === "E"))).toEqual([]);
  });

  it("CT13 a wait between two events of which one follows at once fells that relation and nothing else", () => {
    const fallen = orders("delay");
    const waits = fallen.filter(({ mutant }) => mutant.over.length === 1);
    expect(waits.map(({ outcome }) => [...outcome.failed])).toEqual(waits.map(({ mutant }) => mutant.over));
    // Where the other event does not come about there, nothing stands between the two.
    const others = fallen.filter(({ mutant, outcome }) => outcome.held.has(mutant.over[1] as string as EventId));
    expect(listed(others, missedBy)).toEqual([]);
  });

  it.each(["hard", "extreme"] as const)("CT17 building a structure too late fells it in %s", (tier) => {
    const own = playBase(bench, tier, scriptOf(case_, tier));
    const fallen = fallenOf(own, (round) => lateMutants(own, round));
    expect(fallen.length).toBeGreaterThan(0);
    expect(listed(fallen, missedBy)).toEqual([]);
    expect(listed(fallen, (one) => survivorsOf(own, one))).toEqual([]);
  });

  it("CT19 doing a forbidden thing in its window fells the probe while its opening event holds", () => {
    const probes = rounds.flatMap((round) => round.probes);
    const fallen = fallenOf(base, (round) => forbidMutants(base, round));
    expect(fallen.map(({ mutant }) => mutant.over[0])).toEqual(probes.map(({ id }) => id));
    expect(listed(fallen, missedBy)).toEqual([]);
    expect(fallen.map(({ outcome }, i) => outcome.held.has(probes[i]?.after as EventId))).not.toContain(false);
  });

  it("CT29 ending every round at once fells every item in every tier", () => {
    const idle = TIERS.map(
      (tier) =>
        playBase(
          bench,
          tier,
          rounds.map(() => []),
        ).outcome.failed.size,
    );
    expect(idle).toEqual(TIERS.map(() => kinds.size));
  });

  it.each<Tier>(["easy", "hard", "extreme"])(
    "in %s, verdicts taken over from the reference are those found from scratch",
    (tier) => {
      const own = playBase(bench, tier, scriptOf(case_, tier));
      const mutants = rounds
        .flatMap((round) => [...mutantsOf(own, round)])
        .filter(isEveryNth(rounds.length === 1 ? 3 : 41));
      expect(mutants.length).toBeGreaterThan(5);
      const plays = mutants.map(
        (mutant) =>
          [
            mutant,
            playScript(own.scenario, mutant.script, { stripped: mutant.stripped }),
            replay(own, mutant.script, { stripped: mutant.stripped }),
          ] as const,
      );
      expect(plays.map(([, , { trace }]) => trace.entries.map(({ record }) => undated(record)))).toEqual(
        plays.map(([, { trace }]) => trace.entries.map(({ record }) => undated(record))),
      );
      const fromScratch = plays.map(([mutant, { trace }]) => [
        mutant.says,
        scoreOfTrace(case_, tier, trace, rounds.length).items.map(({ id, status }) => [id, status]),
      ]);
      expect(
        plays.map(([mutant, , replayed]) => [
          mutant.says,
          scoreReplayed(own, replayed).items.map(({ id, status }) => [id, status]),
        ]),
      ).toEqual(fromScratch);
    },
  );
});

/** A record without its digest: an entry that was moved in time keeps the digest of the reference's. */
function undated(record: AcceptedStep | Construction): object {
  const { digest: _, ...rest } = record;
  return rest;
}
