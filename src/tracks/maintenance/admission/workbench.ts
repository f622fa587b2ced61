/** A case laid out for verification: what several of its parts need is made once. */
import type { Case } from "../../../cases/index.ts";
import { isScored, itemsOf } from "../../../contracts/index.ts";
import type { Tier } from "../../../runtime/index.ts";
import { playBase, type Base } from "./base.ts";
import { benchOf, scoredIn, type Bench } from "./judge.ts";
import type { Problem } from "./problem.ts";
import { scriptOf } from "./script.ts";

export interface Workbench extends Bench {
  /** The bases that were made already; grows. */
  readonly bases: Map<Tier, Base>;
}

/** The case ready to be judged, or why its reference cannot even be played in the full world. */
export function layOut(case_: Case): Workbench | Problem {
  try {
    return { ...benchOf(case_), bases: new Map() };
  } catch (error) {
    return { check: 1, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The reference of a tier; played once, and kept in the workbench. */
export function baseOf(bench: Workbench, tier: Tier): Base {
  const base = bench.bases.get(tier) ?? playBase(bench, tier, scriptOf(bench.case, tier));
  bench.bases.set(tier, base);
  return base;
}

/** Whether the reference holds in the tier (check 1); where it does not, nothing is made of it. */
export function isSound({ bench, tier, refused, outcome }: Base): boolean {
  const scored = scoredIn(bench.case, tier);
  const counting = itemsOf(bench.case.contract).filter((item) => isScored(item, tier));
  const isRelation = ({ kind }: (typeof counting)[number]) => kind === "CA" || kind === "TM" || kind === "CC";
  return (
    refused.length === 0 &&
    [...outcome.failed].every((id) => !scored.has(id)) &&
    counting.some(isRelation) &&
    !counting.every(isRelation)
  );
}
