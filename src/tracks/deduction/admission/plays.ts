/** The plays that a case is judged by: each fold waited through, and played at random. */
import type { Bench } from "./bench.ts";
import { LOOKAHEAD_TICKS } from "../../../runtime/index.ts";
import { drawsOf } from "./draw.ts";
import { chooseWait, play, type Chooser, type Play } from "./play.ts";
import { Watch } from "./watch.ts";

/** Random plays of a fold. */
export const RANDOM_PLAYS = 20;

export interface Plays {
  /** By fold. */
  readonly waiting: readonly Play[];
  /** By fold, then by play. */
  readonly random: readonly (readonly Play[])[];
  readonly watch: Watch;
}

/** Plays all folds to the end and beyond. Says after each play how far it has come. */
export function* playAll(
  { id, dynamics, worlds }: Bench,
  randomPlays: number = RANDOM_PLAYS,
): Generator<string, Plays> {
  const watch = new Watch();
  const until = dynamics.ticks + LOOKAHEAD_TICKS;
  const [waiting, random]: [Play[], Play[][]] = [[], []];
  for (const [i, world] of worlds.entries()) {
    const fold = i + 1;
    const playBy = (by: string, choose: Chooser): Play => {
      const played = play(dynamics, { fold, by, world, choose, until, onMerge: watch.onMerge });
      watch.close();
      return played;
    };
    waiting.push(playBy("waiting", chooseWait));
    const played: Play[] = [];
    for (let number = 1; number <= randomPlays; number += 1) {
      played.push(playBy(`random ${number}`, randomChooser(`${id} ${fold} ${number}`)));
      yield `fold ${fold}: ${number} random plays`;
    }
    random.push(played);
  }
  return { waiting, random, watch };
}

/** One of what is possible, each as likely as the others; follows from `seed` alone. */
function randomChooser(seed: string): Chooser {
  const draw = drawsOf(seed);
  return (legal, world) => legal[draw(legal.length)] ?? chooseWait(legal, world);
}
