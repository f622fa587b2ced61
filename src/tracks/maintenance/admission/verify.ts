/** Admission: a case proves itself, or is refused with every reason. */
import { solutionOf, type Call, type Case } from "../../../cases/index.ts";
import { itemsOf, isScored, type ItemId, type ItemKind } from "../../../contracts/index.ts";
import { TIERS, type Tier } from "../../../runtime/index.ts";
import { playBase } from "./base.ts";
import { checkCheats } from "./check-cheats.ts";
import { checkItems, type Shared } from "./check-items.ts";
import { checkDefiningPaths, checkLeaks } from "./check-prose.ts";
import { checkUse } from "./check-use.ts";
import { benchOf, type Bench } from "./judge.ts";
import { playCalls } from "./play.ts";
import type { Problem } from "./problem.ts";
import { scriptOf } from "./script.ts";

/** One line of the table that admission prints. */
export interface TierVerification {
  /** Items that count in the tier, by kind. */
  readonly items: Readonly<Record<ItemKind, number>>;
  readonly mutants: number;
  /** Mutants that fail something that counts. */
  readonly killed: number;
  /** Items that no mutant fails as it should. */
  readonly unkilled: readonly ItemId[];
}

export interface CaseVerification {
  readonly case: string;
  readonly ok: boolean;
  readonly tiers: Readonly<Partial<Record<Tier, TierVerification>>>;
  readonly problems: readonly Problem[];
}

export interface VerifyOptions {
  readonly tiers?: readonly Tier[];
  /** Told in words how far it has come. */
  readonly onProgress?: (text: string) => void;
}

/**
 * Verifies a case that was loaded without fault (checks 5 and 8 are part of loading). Deterministic. Where the reference
 * itself does not hold (check 1) nothing is made of it, and that tier has no more to say.
 */
export async function verifyCase(case_: Case, options: VerifyOptions = {}): Promise<CaseVerification> {
  const { tiers = TIERS, onProgress = () => {} } = options;
  const bench = benchOfSound(case_);
  if (!("case" in bench)) return { case: case_.id, ok: false, tiers: {}, problems: [bench] };
  const shared: Shared = { outcomes: new Map(), moves: new Map() };
  const lines: Partial<Record<Tier, TierVerification>> = {};
  const problems: Problem[] = [...checkLeaks(case_), ...checkDefiningPaths(bench), ...checkRulesTold(case_)];
  problems.push(...checkUse(playBase(bench, "easy", scriptOf(case_, "easy"))));
  for (const tier of tiers) {
    // Lets whoever is told of the progress have a turn.
    await Promise.resolve();
    onProgress(`${case_.id} ${tier}: reference and idle play`);
    const unsound = [...checkReference(case_, tier), ...checkIdle(case_, tier)];
    problems.push(...unsound);
    if (unsound.some(({ check }) => check === 1)) continue;
    lines[tier] = verifyTier(bench, tier, shared, problems, onProgress);
  }
  return { case: case_.id, ok: problems.length === 0, tiers: lines, problems };
}

function verifyTier(
  bench: Bench,
  tier: Tier,
  shared: Shared,
  problems: Problem[],
  onProgress: (text: string) => void,
): TierVerification {
  const { id, contract } = bench.case;
  const base = playBase(bench, tier, scriptOf(bench.case, tier));
  let made = 0;
  const checked = checkItems(base, shared, () => {
    made += 1;
    if (made % 50 === 0) onProgress(`${id} ${tier}: ${made} mutants`);
  });
  problems.push(...checked.problems);
  onProgress(`${id} ${tier}: ${checked.mutants} mutants, ${checked.unkilled.length} items survive`);
  // Hard leaves the capabilities to the agent and keeps the ids: there cheats can be made and judged.
  if (tier === "hard") problems.push(...checkCheats(base));
  const scored = itemsOf(contract).filter((item) => isScored(item, tier));
  const count = (kind: ItemKind) => scored.filter((item) => item.kind === kind).length;
  const items = { E: count("E"), A: count("A"), P: count("P"), CA: count("CA"), TM: count("TM"), CC: count("CC") };
  return { items, mutants: checked.mutants, killed: checked.killed, unkilled: checked.unkilled };
}

/** The case ready to be judged, or why its reference cannot even be played in the full world. */
function benchOfSound(case_: Case): Bench | Problem {
  try {
    return benchOf(case_);
  } catch (error) {
    return { check: 1, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Check 1: the reference solution is accepted in full and everything holds. */
function checkReference(case_: Case, tier: Tier): readonly Problem[] {
  const { score, refused } = playCalls(case_, tier, solutionOf(case_, tier));
  const turnedAway = refused.map(({ round, call, error }): Problem => ({
    check: 1,
    tier,
    message: `round ${round}: the reference's ${call.tool} is refused: ${error.message}`,
  }));
  const failed = score.items
    .filter((item) => item.scored && item.status !== "pass")
    .map(({ id, reason }): Problem => ({ check: 1, tier, item: id, message: `the reference fails it: ${reason}` }));
  const empty = (["completion", "relation"] as const)
    .filter((which) => score[which].scored === 0)
    .map((which): Problem => ({ check: 1, tier, message: `nothing counts towards ${which}` }));
  return [...turnedAway, ...failed, ...empty];
}

/** Check 2: who does nothing, or only ends every round, scores 0 on every component. */
function checkIdle(case_: Case, tier: Tier): readonly Problem[] {
  const plays: readonly (readonly [string, readonly (readonly Call[])[]])[] = [
    ["an agent that does nothing", [[]]],
    ["an agent that ends every round at once", case_.narratives.map(() => [])],
  ];
  return plays.flatMap(([who, rounds]) => {
    const { items } = playCalls(case_, tier, rounds).score;
    return items
      .filter(({ scored, status }) => scored && status !== "fail")
      .map(({ id }): Problem => ({ check: 2, tier, item: id, message: `${who} does not fail it` }));
  });
}

/** Check 8, as far as loading leaves it open: every rule and every relation points at words of the narrative. */
function checkRulesTold({ contract }: Case): readonly Problem[] {
  return contract.rounds.flatMap(({ structures, relations }) => [
    ...structures.flatMap(({ id, refusedWhen }) =>
      refusedWhen
        .filter(({ told }) => told === undefined)
        .map((): Problem => ({
          check: 8,
          item: id,
          message: "a state it must refuse points at no words of the narrative",
        })),
    ),
    ...relations
      .filter(({ told }) => told.trim() === "")
      .map(({ id }): Problem => ({ check: 8, item: id, message: "it points at no words of the narrative" })),
  ]);
}
