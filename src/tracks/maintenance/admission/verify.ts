/** Admission: a case proves itself, or is refused with every reason. */
import type { Case } from "../../../cases/index.ts";
import { isScored, itemsOf, ITEM_KINDS, type ItemId, type ItemKind } from "../../../contracts/index.ts";
import { TIERS, type Tier } from "../../../runtime/index.ts";
import type { CheatScore } from "./check-cheats.ts";
import type { MutantKind } from "./mutants/mutant.ts";
import { partFinder, partsOf, type PartFound, type PartName } from "./part.ts";
import type { Problem } from "./problem.ts";
import { addKinds, addTallies, NOTHING_TALLIED, type Kill, type KindTally } from "./tally.ts";

/** One line of the table that admission prints. */
export interface TierVerification {
  /** Items that count in the tier, by kind. */
  readonly items: Readonly<Record<ItemKind, number>>;
  readonly mutants: number;
  /** Mutants that fail something that counts. */
  readonly killed: number;
  /** Mutants that fail more than they may. */
  readonly overkills: number;
  readonly byMutant: Readonly<Partial<Record<MutantKind, KindTally>>>;
  /** By item that counts, in the order of the contract, the mutant that shows that it can fail. */
  readonly kills: Readonly<Record<ItemId, Kill>>;
  /** Items that no mutant fails as it should. */
  readonly unkilled: readonly ItemId[];
}

export interface CaseVerification {
  readonly case: string;
  readonly ok: boolean;
  readonly tiers: Readonly<Partial<Record<Tier, TierVerification>>>;
  /** What each cheat earned in hard, beside the reference. */
  readonly cheats: readonly CheatScore[];
  readonly problems: readonly Problem[];
}

export interface VerifyOptions {
  readonly tiers?: readonly Tier[];
  /** Told in words how far it has come. */
  readonly onProgress?: (text: string) => void;
}

/**
 * Verifies a case that was loaded without fault (checks 5 and 8 are part of loading), part by part. Deterministic. Where
 * the reference itself does not hold (check 1) nothing is made of it, and that tier has no more to say.
 */
export async function verifyCase(case_: Case, options: VerifyOptions = {}): Promise<CaseVerification> {
  const { tiers = TIERS, onProgress = () => {} } = options;
  const finder = partFinder(case_);
  const found: PartFound[] = [];
  for (const part of partsOf(case_)) {
    const finding = finder.find(part, tiers);
    for (let next = finding.next(); ; next = finding.next()) {
      if (next.done === true) {
        found.push(next.value);
        break;
      }
      onProgress(`${case_.id} ${next.value}`);
    }
    // Lets whoever is told of the progress have a turn.
    await Promise.resolve();
  }
  return mergeParts(case_, tiers, found);
}

/** All parts of a case together, whatever the order in which they were found. Throws where one is missing or twice there. */
export function mergeParts(case_: Case, tiers: readonly Tier[], found: readonly PartFound[]): CaseVerification {
  const parts = partsOf(case_).map((part) => partNamed(found, part));
  if (found.length !== parts.length) throw new Error(`mergeParts: ${found.length} parts of ${parts.length}`);
  const lines: Partial<Record<Tier, TierVerification>> = {};
  const problems = parts.flatMap((one) => one.problems);
  const general = problems.filter(({ tier }) => tier === undefined);
  const inTiers = TIERS.filter((tier) => tiers.includes(tier)).flatMap((tier) => {
    const line = lineOf(case_, tier, parts);
    if (line !== undefined) lines[tier] = line;
    const survivors = (line?.unkilled ?? []).map((item) => survivorProblem(case_, tier, item));
    const own = problems.filter((one) => one.tier === tier);
    return [...own.filter(({ check }) => check < 3), ...survivors, ...own.filter(({ check }) => check >= 3)];
  });
  const all = [...general, ...inTiers];
  const cheats = parts.flatMap((one) => ("cheats" in one ? one.cheats : []));
  return { case: case_.id, ok: all.length === 0, tiers: lines, cheats, problems: all };
}

function partNamed(found: readonly PartFound[], name: PartName): PartFound {
  const [part, ...more] = found.filter((one) => one.part === name);
  if (part === undefined || more.length > 0) throw new Error(`mergeParts: part ${name} is there ${more.length} times`);
  return part;
}

function lineOf(case_: Case, tier: Tier, parts: readonly PartFound[]): TierVerification | undefined {
  const tallies = parts.flatMap((one) => ("tiers" in one ? (one.tiers[tier] ?? []) : []));
  if (tallies.length === 0) return undefined;
  const { kinds, kills } = tallies.reduce(addTallies, NOTHING_TALLIED);
  const all = Object.values(kinds).reduce(addKinds, { made: 0, killed: 0, overkills: 0 });
  const scored = itemsOf(case_.contract).filter((item) => isScored(item, tier));
  const count = (kind: ItemKind) => scored.filter((item) => item.kind === kind).length;
  return {
    items: Object.fromEntries(ITEM_KINDS.map((kind) => [kind, count(kind)])) as Record<ItemKind, number>,
    mutants: all.made,
    killed: all.killed,
    overkills: all.overkills,
    byMutant: kinds,
    kills: Object.fromEntries(scored.flatMap(({ id }) => (kills[id] === undefined ? [] : [[id, kills[id]]]))),
    unkilled: scored.map(({ id }) => id).filter((id) => kills[id] === undefined),
  };
}

function survivorProblem({ contract }: Case, tier: Tier, item: ItemId): Problem {
  const round = contract.rounds.find(({ events, structures, probes, relations }) =>
    [...events, ...structures, ...probes, ...relations].some(({ id }) => (id as string) === item),
  );
  const what = round?.relations.some(({ id }) => id === item)
    ? "no mutant fails it while its events hold: it measures nothing that they do not"
    : round?.probes.some(({ id }) => id === item)
      ? "no mutant does the forbidden thing while its window is open"
      : round?.structures.some(({ id }) => id === item)
        ? "no mutant of what it demands fails it"
        : "no mutant fails it";
  return { check: 3, tier, item, message: what };
}
