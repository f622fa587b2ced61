import { describe, expect, it } from "vitest";
import { listCases, loadCase, printFault, type Case } from "../../src/cases/index.ts";
import { itemsOf, type EventId, type ItemId } from "../../src/contracts/index.ts";
import { TIERS, type Tier } from "../../src/runtime/index.ts";
import { playBase, type Base } from "../../src/tracks/maintenance/admission/base.ts";
import { benchOf, scoredIn, type Outcome } from "../../src/tracks/maintenance/admission/judge.ts";
import { mutantsOf } from "../../src/tracks/maintenance/admission/mutants/all.ts";
import type { Mutant, MutantKind } from "../../src/tracks/maintenance/admission/mutants/mutant.ts";
import { playScript, scoreOfTrace } from "../../src/tracks/maintenance/admission/play.ts";
import { judgeReplayed, replay, type Replayed } from "../../src/tracks/maintenance/admission/replay.ts";
import { scriptOf, triggersOf } from "../../src/tracks/maintenance/admission/script.ts";
import { eventsAfter, eventsOf, itemsBeside, itemsOver } from "./admission-expectation.ts";

function loadAll(): readonly Case[] {
  const folders = ["test/fixtures/cases/horn", ...listCases("cases/maintenance").map(({ directory }) => directory)];
  return folders.map((directory) => {
    const loaded = loadCase(directory);
    if (!loaded.ok) throw new Error(loaded.error.map(printFault).join("\n"));
    return loaded.value;
  });
}

interface Fallen {
  readonly mutant: Mutant;
  readonly replayed: Replayed;
  readonly outcome: Outcome;
  /** Events aimed at that are gone, and events whose triggers were refused. */
  readonly lost: ReadonlySet<string>;
}

/** Plays every `each`-th mutant of some kinds. */
function fallenOf(base: Base, kinds: readonly MutantKind[], each = 1): readonly Fallen[] {
  const mutants = base.bench.case.contract.rounds
    .flatMap((round) => [...mutantsOf(base, round)])
    .filter(({ kind }) => kinds.includes(kind));
  return mutants
    .filter((_, i) => i % each === 0)
    .map((mutant) => {
      const replayed = replay(base, mutant.script, { stripped: mutant.stripped });
      const refused = replayed.refused.flatMap(({ act }) => triggersOf(act).flatMap(({ realises }) => realises));
      const dropped = mutant.kind === "drop" ? mutant.over : [];
      return {
        mutant,
        replayed,
        outcome: judgeReplayed(base, replayed),
        lost: new Set<string>([...refused, ...dropped]),
      };
    });
}

/** What fell beyond the lost events themselves that the contract gives no reason for. */
function strayOf(base: Base, { mutant, replayed, outcome, lost }: Fallen): readonly ItemId[] {
  const case_ = base.bench.case;
  const events = new Set(case_.contract.rounds.flatMap((round) => round.events.map(({ id }) => id as string)));
  const aimed = new Set([...lost, ...mutant.over.filter((id) => events.has(id))]);
  // A walk that is refused realises no event, and still keeps whoever should have walked from what follows.
  const kept = replayed.refused.flatMap(({ act, round }) =>
    eventsOf(
      case_,
      round,
      triggersOf(act).flatMap(({ args }) => Object.values(args).map(String)),
    ),
  );
  const near = eventsAfter(case_, new Set([...aimed, ...kept]));
  const allowed = new Set([...mutant.over, ...itemsOver(case_, near), ...itemsBeside(case_, near)]);
  return [...outcome.failed].filter((id) => !allowed.has(id));
}

describe.each(loadAll().map((case_) => [case_.id, case_] as const))("%s", (_id, case_) => {
  const bench = benchOf(case_);
  const base = playBase(bench, "easy", scriptOf(case_, "easy"));
  const isSmall = case_.contract.rounds.length === 1;
  const kindOf = new Map(itemsOf(case_.contract).map(({ id, kind }) => [id, kind]));

  it("dropping any trigger that realises an event fells the event and all that is over it, and nothing that does not follow", () => {
    for (const one of fallenOf(base, ["drop"])) {
      const must = itemsOver(case_, one.lost);
      expect(
        [...must].filter((id) => !one.outcome.failed.has(id)),
        one.mutant.says,
      ).toEqual([]);
      expect(strayOf(base, one), one.mutant.says).toEqual([]);
      const more = eventsAfter(case_, one.lost);
      if (more.size === one.lost.size && itemsBeside(case_, one.lost).size === 0)
        expect(new Set(one.outcome.failed), one.mutant.says).toEqual(must);
    }
  });

  it("moving any two dependent steps fells their relation, and nothing that does not follow", () => {
    for (const one of fallenOf(base, ["swap", "join"])) {
      const [relation] = one.mutant.over as readonly [ItemId];
      expect(one.outcome.failed.has(relation), one.mutant.says).toBe(true);
      expect(
        [...itemsOver(case_, one.lost)].filter((id) => !one.outcome.failed.has(id)),
        one.mutant.says,
      ).toEqual([]);
      expect(strayOf(base, one), one.mutant.says).toEqual([]);
    }
  });

  it("splitting a simultaneous pair fells the concurrency, and where nothing is refused no event", () => {
    for (const one of fallenOf(base, ["split"])) {
      const [relation] = one.mutant.over as readonly [ItemId];
      expect(one.outcome.failed.has(relation), one.mutant.says).toBe(true);
      expect(strayOf(base, one), one.mutant.says).toEqual([]);
      if (one.replayed.refused.length > 0 || one.mutant.stripped) continue;
      expect(
        [...one.outcome.failed].filter((id) => kindOf.get(id) === "E"),
        one.mutant.says,
      ).toEqual([]);
    }
  });

  it("a wait between two events of which one follows at once fells that relation and nothing else", () => {
    for (const one of fallenOf(base, ["delay"])) {
      const [relation] = one.mutant.over as readonly [ItemId];
      const [, other] = one.mutant.over;
      // Where the other event is refused there, or is not itself there, nothing stands between the two.
      if (other === undefined || one.outcome.held.has(other as string as EventId))
        expect(one.outcome.failed.has(relation), one.mutant.says).toBe(true);
      if (one.mutant.over.length === 1) expect([...one.outcome.failed], one.mutant.says).toEqual([relation]);
    }
  });

  it.each(["hard", "extreme"] as const)("building a structure too late fells it in %s", (tier) => {
    const own = playBase(bench, tier, scriptOf(case_, tier));
    for (const one of fallenOf(own, ["late"], isSmall ? 1 : 4)) {
      const [structure] = one.mutant.over as readonly [ItemId];
      expect(one.outcome.failed.has(structure), one.mutant.says).toBe(true);
      expect(
        [...itemsOver(case_, one.lost)].filter((id) => !one.outcome.failed.has(id)),
        one.mutant.says,
      ).toEqual([]);
    }
  });

  it("doing a forbidden thing in its window fells the probe while its opening event holds", () => {
    const fallen = fallenOf(base, ["forbid"]);
    expect(fallen).toHaveLength(case_.contract.rounds.flatMap(({ probes }) => probes).length);
    for (const one of fallen) {
      const probe = case_.contract.rounds.flatMap(({ probes }) => probes).find(({ id }) => id === one.mutant.over[0]);
      expect(one.outcome.failed.has(probe?.id as ItemId), one.mutant.says).toBe(true);
      expect(one.outcome.held.has(probe?.after as EventId), one.mutant.says).toBe(true);
    }
  });

  it("doing nothing, and ending every round at once, fells every item in every tier", () => {
    for (const tier of TIERS) {
      const own = playBase(
        bench,
        tier,
        case_.narratives.map(() => []),
      );
      expect(own.outcome.failed.size).toBe(itemsOf(case_.contract).length);
    }
  });

  it.each(["easy", "hard", "extreme"] as readonly Tier[])(
    "in %s, verdicts taken over from the reference are those found from scratch",
    (tier) => {
      const own = playBase(bench, tier, scriptOf(case_, tier));
      const scored = scoredIn(case_, tier);
      const sample = fallenOf(
        own,
        ["drop", "swap", "join", "split", "delay", "late", "weaken", "forbid", "wrong"],
        isSmall ? 3 : 41,
      );
      expect(sample.length).toBeGreaterThan(5);
      for (const { mutant, replayed, outcome } of sample) {
        const scratch = playScript(own.scenario, mutant.script, { stripped: mutant.stripped });
        expect(
          replayed.trace.entries.map(({ record: { digest: _, ...record } }) => record),
          mutant.says,
        ).toEqual(scratch.trace.entries.map(({ record: { digest: _, ...record } }) => record));
        const score = scoreOfTrace(case_, tier, scratch.trace, case_.contract.rounds.length);
        const failed = score.items.filter(({ status }) => status !== "pass").map(({ id }) => id);
        expect([...outcome.failed], mutant.says).toEqual(failed);
        expect(outcome.score.completion, mutant.says).toEqual(score.completion);
        expect(score.items.filter((item) => item.scored)).toHaveLength(scored.size);
      }
    },
  );
});
