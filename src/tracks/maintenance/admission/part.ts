/**
 * The parts into which the verification of a case falls: the case as a whole, and each of its rounds with all mutants
 * that change it. A part follows from the case alone, so that parts may be found in any order, by several workers, and
 * kept. What is found is plain data.
 */
import type { Case } from "../../../cases/index.ts";
import type { RoundContract } from "../../../contracts/index.ts";
import type { Tier } from "../../../runtime/index.ts";
import { checkRound, type RoundChecked } from "./check-items.ts";
import { baseOf, isSound, layOut, type Workbench } from "./workbench.ts";
import { checkWhole, type WholeChecked } from "./whole.ts";

/** A part by its name: the case as a whole, or a round by its number. */
export type PartName = "whole" | number;

export type PartFound = ({ readonly part: "whole" } & WholeChecked) | ({ readonly part: number } & RoundChecked);

/** The parts of a case; first what takes longest. */
export function partsOf({ contract }: Pick<Case, "contract">): readonly PartName[] {
  return ["whole", ...contract.rounds.map(({ round }) => round)];
}

/** How far a part has come, in few words. */
export type PartProgress = string;

/** Finds the parts of one case; what they have in common is made once. */
export interface PartFinder {
  find(part: PartName, tiers: readonly Tier[]): Generator<PartProgress, PartFound>;
}

export function partFinder(case_: Case): PartFinder {
  const bench = layOut(case_);
  return {
    find: (part, tiers) => ("case" in bench ? findPart(bench, part, tiers) : findNothing(bench, part)),
  };
}

function* findPart(bench: Workbench, part: PartName, tiers: readonly Tier[]): Generator<PartProgress, PartFound> {
  if (part === "whole") return { part, ...(yield* checkWhole(bench, tiers)) };
  const round = bench.case.contract.rounds.find((one) => one.round === part);
  if (round === undefined) throw new Error(`findPart: ${bench.case.id} has no round ${part}`);
  return { part, ...(yield* findRound(bench, round, tiers)) };
}

function* findRound(
  bench: Workbench,
  round: RoundContract,
  tiers: readonly Tier[],
): Generator<PartProgress, RoundChecked> {
  const bases = tiers.map((tier) => baseOf(bench, tier)).filter(isSound);
  const checking = checkRound(bases, round);
  for (let made = 1; ; made += 1) {
    const next = checking.next();
    if (next.done === true) return next.value;
    yield `round ${round.round}: ${made} mutants`;
  }
}

/** The reference cannot be played: nothing is made of it, and the case as a whole says why. */
function* findNothing(problem: WholeChecked["problems"][number], part: PartName): Generator<PartProgress, PartFound> {
  yield "a reference that cannot be played";
  return part === "whole" ? { part, problems: [problem], cheats: [] } : { part, tiers: {}, problems: [] };
}
