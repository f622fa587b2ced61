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
 * Every chosen item twice: in the reference, which satisfies it, and in the first mutant of its round that breaks it for
 * the reason that is the item's own. An item that no mutant breaks comes once. The ids of the world are the case's, in
 * extreme too. Deterministic.
 */
export function* knownEdits(case_: Case, tier: Tier, options: KnownEditsOptions = {}): Generator<KnownEdit> {
  const base = playBase(benchOf(case_), tier, scriptOf(case_, tier));
  const wanted = chooseItems(case_, tier, options.perKind);
  for (const round of case_.contract.rounds) {
    const here = wanted.filter((item) => item.round === round.round);
    for (const item of here) yield { ...item, truth: "pass", says: "the reference", trace: base.trace };
    const open = new Map(here.map((item) => [item.item, item]));
    for (const mutant of open.size === 0 ? [] : mutantsOf(base, round)) {
      if (open.size === 0) break;
      const broken = breakOf(base, mutant, new Set(open.keys()));
      if (broken === undefined) continue;
      for (const id of broken.items) {
        const item = open.get(id);
        if (item !== undefined) yield { ...item, truth: "fail", says: mutant.says, trace: broken.trace };
        open.delete(id);
      }
    }
  }
}

/** The items among `open` that a mutant breaks, and the play; one in which every requirement held is preferred. */
function breakOf(
  base: Base,
  mutant: Mutant,
  open: ReadonlySet<ItemId>,
): { readonly items: readonly ItemId[]; readonly trace: Trace } | undefined {
  for (const stripped of mutant.stripped ? [false, true] : [false]) {
    const replayed = replay(base, mutant.script, { stripped });
    const items = killedBy(base.bench.case.contract, mutant, judgeReplayed(base, replayed)).filter((id) =>
      open.has(id),
    );
    if (items.length > 0) return { items, trace: replayed.trace };
  }
  return undefined;
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
