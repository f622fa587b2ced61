/** Check 6. At most decision points several actions are possible that lead to different worlds. */
import {
  canonicalJson,
  changesBetween,
  LOOKAHEAD_TICKS,
  rollout,
  WAIT,
  type ActionUse,
  type Dynamics,
  type World,
} from "../../../runtime/index.ts";
import type { Bench } from "./bench.ts";
import { drawsOf } from "./draw.ts";
import { spansWithin, type Play, type PlayedSpan } from "./play.ts";
import type { Checked } from "./problem.ts";

export interface ChoiceFigures {
  readonly points: number;
  /** Of them, those with at least four such actions. */
  readonly rich: number;
  /** Of possible actions beside `wait` at a point: the fewest, the mean and the most. */
  readonly legal: { readonly least: number; readonly mean: number; readonly most: number };
}

/** So many actions beside `wait` must lead to worlds that differ from each other and from where one waits. */
export const LEAST_CHOICES = 4;
const LEAST_SHARE = 0.8;
/** Actions tried at a point in search of them. */
const MOST_TRIED = 16;

/** Looks at every decision point of one random play of each fold. */
export function* checkChoice(
  { id, dynamics }: Bench,
  plays: readonly Play[],
): Generator<string, Checked<ChoiceFigures>> {
  let [points, rich, legal] = [0, 0, 0];
  let [least, most] = [Infinity, 0];
  const poor = new Map<string, number>();
  for (const played of plays) {
    for (const span of spansWithin(dynamics, played)) {
      const others = span.legal.length - 1;
      points += 1;
      legal += others;
      least = Math.min(least, others);
      most = Math.max(most, others);
      const found = countWorlds(dynamics, span, `${id} ${played.fold}`);
      if (found >= LEAST_CHOICES) rich += 1;
      else poor.set(`fold ${played.fold} tick ${span.from}`, found);
    }
    yield `fold ${played.fold}: choices`;
  }
  const figures: ChoiceFigures = {
    points,
    rich,
    legal: { least: points === 0 ? 0 : least, mean: points === 0 ? 0 : legal / points, most },
  };
  if (points > 0 && rich >= LEAST_SHARE * points) return { figures, problems: [] };
  const examples = [...poor].slice(0, 3).map(([where, found]) => `${where}: ${found}`);
  const message = `at ${rich} of ${points} decision points of random play at least ${LEAST_CHOICES} actions lead to different worlds, fewer than ${LEAST_SHARE * 100} % (${examples.join("; ")})`;
  const hint = "let more actions be possible, and each change something that lasts";
  return { figures, problems: [{ check: 6, where: "case", message, hint }] };
}

/** How many actions lead somewhere else, counted no further than it matters. */
function countWorlds(dynamics: Dynamics, { before, legal }: PlayedSpan, seed: string): number {
  const until = before.clock + dynamics.decision + LOOKAHEAD_TICKS;
  const waited = worldAfter(dynamics, before, WAIT, until);
  if (waited === undefined) return 0;
  const found = new Set<string>();
  for (const { use } of someOf(legal.slice(1), `${seed} ${before.clock}`)) {
    const world = worldAfter(dynamics, before, use, until);
    if (world === undefined) continue;
    const differs = changesBetween(dynamics, waited, world);
    if (Object.keys(differs).length > 0) found.add(canonicalJson(differs));
    if (found.size >= LEAST_CHOICES) break;
  }
  return found.size;
}

/** In an order that follows from `seed`, as many as are tried. */
function someOf(legal: PlayedSpan["legal"], seed: string): PlayedSpan["legal"] {
  const draw = drawsOf(seed);
  const left = [...legal];
  return Array.from({ length: Math.min(MOST_TRIED, left.length) }, () => left.splice(draw(left.length), 1)).flat();
}

function worldAfter(dynamics: Dynamics, before: World, use: ActionUse, until: number): World | undefined {
  const rolled = rollout(dynamics, before, {
    ticks: until - before.clock,
    actions: new Map([[before.clock, use]]),
  });
  return rolled.ok ? rolled.value.world : undefined;
}
