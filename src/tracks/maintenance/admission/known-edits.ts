/** Plays of which it is known, item by item, whether they satisfy it: the reference, and mutants that break it. */
import type { Case } from "../../../cases/index.ts";
import { itemsOf, isScored, type ItemId, type Trace } from "../../../contracts/index.ts";
import type { Tier } from "../../../runtime/index.ts";
import { playBase, type Base } from "./base.ts";
import { benchOf } from "./judge.ts";
import { killedBy } from "./kills.ts";
import { mutantsOf } from "./mutants/all.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { judgeReplayed, replay } from "./replay.ts";
import { scriptOf } from "./script.ts";

type JudgedKind = "E" | "A" | "P";
type Chosen = Pick<KnownEdit, "item" | "kind" | "round" | "tier">;

/** One item in a play in which its truth is known. */
export interface KnownEdit {
  readonly item: ItemId;
  readonly kind: JudgedKind;
  readonly round: number;
  readonly tier: Tier;
  readonly truth: "pass" | "fail";
  /** What was done to the reference, in a few words. */
  readonly says: string;
  readonly trace: Trace;
}

export interface KnownEditsOptions {
  /** At most so many items of each kind, spread evenly over the case; all where it is left out. */
  readonly perKind?: number;
}

/**
 * Every chosen item twice: in the reference, which satisfies it, and in a mutant that breaks it, aimed at the item itself
 * where one does. Events are broken by turns by doing them with the wrong person or thing, and by leaving them out. An
 * item that no mutant breaks comes once. The ids of the world are the case's, in extreme too. Deterministic.
 */
export function* knownEdits(case_: Case, tier: Tier, options: KnownEditsOptions = {}): Generator<KnownEdit> {
  const base = playBase(benchOf(case_), tier, scriptOf(case_, tier));
  const wanted = chooseItems(case_, tier, options.perKind);
  for (const round of case_.contract.rounds) {
    const here = wanted.filter((item) => item.round === round.round);
    const mutants = here.length === 0 ? [] : [...mutantsOf(base, round)];
    const played = new Map<Mutant, readonly Broken[]>();
    const plays = (mutant: Mutant): readonly Broken[] => {
      const known = played.get(mutant) ?? playsOf(base, mutant);
      played.set(mutant, known);
      return known;
    };
    for (const [i, item] of here.entries()) {
      yield { ...item, truth: "pass", says: "the reference", trace: base.trace };
      const broken = breakOf(item, inOrderFor(item, mutants, i), plays);
      if (broken !== undefined) yield { ...item, truth: "fail", ...broken };
    }
  }
}

/** A play of a mutant, and what it breaks. */
interface Broken {
  readonly items: ReadonlySet<ItemId>;
  readonly trace: Trace;
}

/** Mutants aimed at an item come first; of an event the wrong ones and the dropped ones by turns. */
function inOrderFor({ item, kind }: Chosen, mutants: readonly Mutant[], turn: number): readonly Mutant[] {
  const first = kind !== "E" ? undefined : turn % 2 === 0 ? "wrong" : "drop";
  const rank = (mutant: Mutant): number => (mutant.over.includes(item) ? (mutant.kind === first ? 0 : 1) : 2);
  return mutants.toSorted((a, b) => rank(a) - rank(b));
}

/** The first mutant that breaks the item; of its plays the one in which every requirement held, where that does. */
function breakOf(
  { item }: Chosen,
  mutants: readonly Mutant[],
  plays: (mutant: Mutant) => readonly Broken[],
): Pick<KnownEdit, "says" | "trace"> | undefined {
  for (const mutant of mutants) {
    const broken = plays(mutant).find(({ items }) => items.has(item));
    if (broken !== undefined) return { says: mutant.says, trace: broken.trace };
  }
  return undefined;
}

function playsOf(base: Base, mutant: Mutant): readonly Broken[] {
  return (mutant.stripped ? [false, true] : [false]).map((stripped) => {
    const replayed = replay(base, mutant.script, { stripped });
    const killed = killedBy(base.bench.case.contract, mutant, judgeReplayed(base, replayed));
    return { items: new Set(killed), trace: replayed.trace };
  });
}

function chooseItems(case_: Case, tier: Tier, perKind: number | undefined): readonly Chosen[] {
  return (["E", "A", "P"] as const).flatMap((kind) => {
    const all = itemsOf(case_.contract)
      .filter((item) => item.kind === kind && isScored(item, tier))
      .map(({ id, round }): Chosen => ({ item: id, kind, round, tier }));
    const count = Math.min(perKind ?? all.length, all.length);
    return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as Chosen);
  });
}
